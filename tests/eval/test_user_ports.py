"""Users that are models, in processes of their own: kept, restarted, counted apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import InputError, ModelFileError, UnknownName
from heron.eval.batch import Bench, Plan
from heron.eval.digest import digest_of
from heron.eval.simulator import simulator_figures
from heron.eval.store import read_episodes
from heron.eval.story import tell
from heron.eval.summary import summarise
from heron.eval.table import rows
from heron.eval.users.ports import HarnessUser, ProcessUser, user_port
from heron.models.scripted import ChatRequest, ScriptedChatModel
from heron.models.serve import ChatServer
from heron.models.tiny_gguf import write_tiny_gguf
from heron.scenarios.loader import load_suite
from heron.sim.users.persona import persona_of

SMOKE = load_suite(ids=["two_times_one_taken", "number_being_looked_up"]).sound().scenarios
APART = "simulated user, not the device's"


def command(
    name: str, folder: Path, observer: str, user: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command on the first scenario, its processes watched."""
    parts = ["--observer", observer, "--executor", "oracle", "--user", user, "--turns", "4"]
    return subprocess.run(
        [
            *(sys.executable, "-m", "heron", name, "--scenarios", SMOKE[0].id, *parts),
            *("--out", str(folder / "out")),
        ],
        env={
            **os.environ,
            "HERON_WATCH": str(folder / "watch.log"),
            "PYTHONPATH": str(Path(__file__).parent / "watcher"),
            "OPENAI_API_KEY": "none",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def plan(user: str, turns: int = 4) -> Plan:
    config = EpisodeConfig(observer="oracle", executor="oracle", user=user, turns=turns)
    return Plan(config=config)


class FakeProcessUser(ProcessUser):
    """A ``ProcessUser`` whose process is the fake and whose model's file need not be there."""

    def __init__(self, what: str) -> None:
        super().__init__("litellm:fake", module="tests.eval.scripted_user")
        self._settings["spec"] = f"litellm:{what}"


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    made = Bench(plan("scripted"))
    made.user = FakeProcessUser(request.param)
    yield made
    made.close()
    assert made.user.pid is None


# --- the process ---


@pytest.mark.parametrize("bench", ["idle@0"], indirect=True)
def test_one_process_serves_all_episodes_and_what_it_takes_is_counted_apart(bench: Bench) -> None:
    bench.start()
    assert isinstance(bench.user, FakeProcessUser)
    pid = bench.user.pid
    assert pid is not None
    episodes = list(bench.episodes(SMOKE))
    assert bench.user.pid == pid
    assert bench.user.info == {"name": "fake"}
    notes = [[turn.step.note for turn in episode.turns] for episode in episodes]
    assert notes == [["in episode 1"] * 4, ["in episode 2"] * 4]
    for episode in episodes:
        costs = episode.costs
        assert costs.simulator is not None
        assert [step.wall_s for step in costs.simulator.steps] == [0.5] * 4
        assert costs.simulator.usage.tokens_in == 40
        # Nothing of it is the device's: not its ledger, its egress or its decisions.
        assert costs.usage == ()
        assert costs.executor == ()
        assert costs.egress_before_accept == 0
        assert len(costs.steps) >= 4
        assert all(step.wall_s < 0.5 for step in costs.steps)
        assert costs.wall_s < 2
    figures = simulator_figures(episodes)
    assert figures is not None
    assert (figures["steps"], figures["outputs"], figures["invalid"]) == (8, 10, 2)
    assert (figures["repaired"], figures["gave_up"], figures["remote_bytes"]) == (2, 0, 800)
    assert figures["cost_usd"] is None
    summary = summarise(episodes, 1)
    assert summary["executor"]["egress_bytes"] == 0
    shown = {row.name: row.value for row in rows(summary) if row.section == APART}
    assert shown["outputs that were no legal move"] == "20.0 % (2 of 10)"
    assert shown["tokens in / out"] == "80 / 32"
    told = list(tell(episodes[0]))
    assert "user          does nothing (in episode 1) [after 1 that were no legal move]" in told[4]
    assert told[-1].startswith("  the user's model: 4 steps in 2.00 s, 40 tokens in")


def test_without_a_model_there_is_no_such_section() -> None:
    made = Bench(plan("scripted"))
    try:
        episode = made.episode(SMOKE[0], 0)
    finally:
        made.close()
    assert episode.costs.simulator is None
    assert simulator_figures([episode]) is None
    assert [row for row in rows(summarise([episode], 1)) if row.section == APART] == []
    assert "the user's model" not in "\n".join(tell(episode))


@pytest.mark.parametrize("bench", ["die@2", "fault@2"], indirect=True)
def test_a_process_that_breaks_is_a_fault_of_the_user_and_the_next_gets_its_own(
    bench: Bench,
) -> None:
    episodes, pids = [], []
    assert isinstance(bench.user, FakeProcessUser)
    for scenario in SMOKE:
        bench.user.start()
        pids.append(bench.user.pid)
        episodes.append(bench.episode(scenario, 0))
        assert bench.user.pid is None
    assert len(set(pids)) == 2
    assert [(e.fault.part, e.fault.turn) for e in episodes if e.fault] == [("user", 2)] * 2
    assert [[t.step.note for t in e.turns] for e in episodes] == [["in episode 1"]] * 2
    assert not any(e.verdict.passed for e in episodes)
    for episode in episodes:
        assert episode.fault is not None
        assert "\n" not in episode.fault.message
        assert episode.costs.simulator is not None
        broke = "no network" in episode.fault.message
        # What a broken step had used is counted, where the process lived to tell.
        assert episode.costs.simulator.usage.calls == (3 if broke else 1)


def test_the_steps_have_the_personas_pace() -> None:
    made = Bench(plan("scripted"))
    made.user = user = FakeProcessUser("idle@0")
    user._persona = persona_of("hurried")
    try:
        episode = made.episode(SMOKE[0], 0)
    finally:
        made.close()
    assert {turn.step.pace for turn in episode.turns} == {persona_of("hurried").pace} != {1.0}


def test_a_process_that_dies_between_episodes_is_started_again() -> None:
    made = Bench(plan("scripted"))
    made.user = user = FakeProcessUser("idle@0")
    try:
        first = made.episode(SMOKE[0], 0)
        assert user._process is not None
        user._process._process.kill()
        user._process._process.wait()
        second = made.episode(SMOKE[1], 0)
    finally:
        made.close()
    assert (first.fault, second.fault) == (None, None)
    assert second.turns[0].step.note == "in episode 1"


# --- local constrained decoding, with random weights ---


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("tiny") / "tiny.gguf"
    return str(write_tiny_gguf(path, trained_window=8192))


def play(user: str) -> EpisodeRecord:
    made = Bench(plan(user))
    try:
        return made.episode(SMOKE[0], 0)
    finally:
        made.close()


def test_a_model_of_noise_makes_legal_moves_only_and_the_same_ones_again(tiny: str) -> None:
    episode = play(f"gguf:{tiny}")
    assert episode.fault is None
    steps = [turn.step for turn in episode.turns]
    assert len(steps) == 4
    assert not all(step.gave_up for step in steps)
    assert digest_of([play(f"gguf:{tiny}")]) == digest_of([episode])


# --- over HTTP ---


def idle(turn: int, *, offered: bool) -> str:
    move = {"answer": "accept"} if offered else {"do": "idle"}
    return json.dumps({"why": f"turn {turn}", "move": move})


@pytest.mark.slow
def test_a_user_over_http_is_held_repaired_and_counted(tmp_path: Path) -> None:
    """litellm takes seconds to import, in the user's process alone."""
    sent: list[str] = []

    def answer(request: ChatRequest) -> str:
        text = str(request.messages[-1]["content"])
        sent.append(text)
        if len(sent) == 1:
            return "Hello!"
        return idle(len(sent), offered="The assistant offers" in text)

    model = ScriptedChatModel([answer] * 20)
    with ChatServer(model) as server:
        command("bench", tmp_path, "oracle", "litellm:openai/heron", OPENAI_API_BASE=server.url)
    (episode,) = read_episodes(tmp_path / "out")
    assert episode.fault is None
    assert [turn.step.invalid for turn in episode.turns] == [1, 0, 0, 0]
    assert "must be one JSON object" in sent[1]
    assert all(request.schema is not None for request in model.requests)
    assert any(turn.decision and turn.decision.answer == "accept" for turn in episode.turns)
    simulator = episode.costs.simulator
    assert simulator is not None
    assert simulator.usage.calls == 5
    assert simulator.usage.bytes_out > sum(map(len, sent))
    assert not simulator.usage.remote
    assert episode.costs.egress_before_accept == 0
    lines = [line.split() for line in (tmp_path / "watch.log").read_text().splitlines()]
    (user,) = {pid for pid, event, detail in lines if detail == "heron.eval.workers.user"}
    assert {pid for pid, event, detail in lines if detail == "litellm"} == {user}
    assert {pid for pid, event, _ in lines if event in ("socket", "connect")} == {user}
    assert {detail for _, event, detail in lines if event == "connect"} == {"127.0.0.1"}


# --- names ---


@pytest.mark.parametrize(
    ("spec", "error", "told"),
    [
        ("gguf", InputError, "names no model; write gguf:<model>"),
        ("litellm:", InputError, "names no model; write litellm:<model>"),
        ("gguf:#strict", InputError, "names no model"),
        ("gguf:smollm3-x", UnknownName, "smollm"),
        ("litellm:openai/x#strickt", UnknownName, "did you mean 'strict'"),
        ("scripted:nobody", UnknownName, "unknown persona 'nobody'"),
        ("scriptd", UnknownName, "did you mean 'scripted'"),
    ],
)
def test_wrong_names_are_told_in_one_line_before_anything_runs(
    spec: str, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told) as caught:
        Bench(plan(spec))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_model_is_told_before_anything_runs(tmp_path: Path) -> None:
    file = tmp_path / "x.gguf"
    file.write_bytes(b"no model")
    with pytest.raises(ModelFileError):
        user_port(f"gguf:{file}")


def test_the_scripted_user_stays_in_the_harness() -> None:
    assert isinstance(user_port("scripted:strict"), HarnessUser)
    with pytest.raises(InputError, match="begin an episode"):
        HarnessUser(lambda _stage, _argument: pytest.fail("made")).step(None)  # type: ignore[arg-type]


@pytest.mark.slow
def test_an_unknown_provider_is_one_line_on_the_command_line(tmp_path: Path) -> None:
    done = command("bench", tmp_path, "never", "litellm:nobody/x")
    assert done.returncode == 2
    assert "litellm knows no provider of 'nobody/x'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_process_holds_nothing_of_the_phone_the_scenarios_or_a_library_it_does_not_need() -> (
    None
):
    held = "heron.sim", "heron.scenarios", "litellm", "openai", "llama_cpp"
    code = (
        "import sys, heron.eval.workers.user\n"
        f"print([name for name in sys.modules if name.startswith({held!r})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
