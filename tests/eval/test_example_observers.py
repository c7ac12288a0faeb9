"""The observers in examples/: each alone, and plugged in as an installed package is."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from heron.contracts import (
    Brief,
    DeviceStatus,
    EpisodeConfig,
    EpisodeRecord,
    Evidence,
    NotificationSeen,
    Observation,
    Seen,
)
from heron.errors import InputError, RemoteFault
from heron.eval.batch import Bench, Plan
from heron.eval.summary import summarise
from heron.eval.table import rows
from heron.models.scripted import ScriptedChatModel
from heron.models.serve import ChatServer
from heron.observer.registry import OBSERVERS
from heron.observer.setup import Setup
from heron.protocols import Gated, Observer, UsesNetwork
from heron.scenarios.loader import load_suite

EXAMPLES = Path(__file__).parents[2] / "examples/observers"
GROUP = "heron.observers"
BRIEF = Brief(user_name="Mara Lind", tools=(), write_tools=("reminder.add_reminder",))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The examples as an installer leaves them: on the path, with their entry points."""
    project = tomllib.loads((EXAMPLES / "pyproject.toml").read_text())["project"]
    points: dict[str, str] = project["entry-points"][GROUP]
    info = tmp_path / f"heron_example_observers-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [f"[{GROUP}]", *(f"{name} = {target}" for name, target in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    path = [str(EXAMPLES), str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    for folder in (EXAMPLES, tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(OBSERVERS, "_all", None)
    yield points
    OBSERVERS._all = None


def made(name: str, argument: str = "") -> Observer:
    return OBSERVERS.get(name)(Setup(argument=argument))


def observation(turn: int, *new: Seen) -> Observation:
    return Observation.model_validate(
        {
            "turn": turn,
            "step": 0,
            "time": f"2026-03-11T09:{turn:02}",
            "new": new,
            "device": DeviceStatus(),
            "brief": BRIEF if turn == 1 else None,
        }
    )


def note(text: str, ref: str = "m4") -> NotificationSeen:
    record = Evidence(ref=ref, kind="email", text=text)
    return NotificationSeen(app="email", title="Anna Berg: Club", text=text, record=record)


def played(spec: str) -> EpisodeRecord:
    scenario = next(s for s in load_suite("smoke").sound().scenarios if s.type == "goal")
    config = EpisodeConfig(observer=spec, executor="none", user="scripted", turns=4)
    bench = Bench(Plan(config=config))
    try:
        return bench.episode(scenario, 0)
    finally:
        bench.close()


# --- rules ---


def test_the_rule_speaks_about_a_deadline_once(installed: dict[str, str]) -> None:
    watching = made("deadlines")
    answers = [
        watching.observe(observation(1, note("Lunch?"))),
        watching.observe(observation(2, note("The form is due on Friday."))),
        watching.observe(observation(3, note("The form is due on Friday.", "m5"))),
    ]
    assert [answer.type for answer in answers] == ["wait", "propose", "propose"]
    snoozing = made("deadlines", "?quiet=09:00-10:00")
    assert snoozing.observe(observation(1, note("It is due on Friday."))).type == "wait"


def test_a_plugged_in_observer_plays_an_episode_in_its_own_process(
    installed: dict[str, str],
) -> None:
    episode = played("deadlines")
    assert episode.fault is None
    assert len(episode.costs.steps) >= 4
    assert all(step.woken is None and step.usage is None for step in episode.costs.steps)
    assert episode.costs.egress_before_accept == 0


# --- scikit-learn ---


def stream(family: int, part: str = "dev") -> str:
    def seen(turn: int, text: str) -> dict[str, Any]:
        return observation(turn, note(text)).model_dump(mode="json")

    wanted = [f"Could you move the meeting {family}", "Our newsletter is here"]
    return json.dumps(
        {
            "scenario": f"s{family}",
            "part": part,
            "family": f"f{family}",
            "observations": [seen(1, wanted[0]), seen(2, wanted[1])],
            "useful": [True, False],
        }
    )


def test_a_bag_of_words_is_fitted_and_watches(installed: dict[str, str], tmp_path: Path) -> None:
    from heron_example_observers.bag import main

    streams, out = tmp_path / "dev.jsonl", tmp_path / "bag.json"
    streams.write_text("\n".join(stream(family) for family in range(10)))
    main(str(streams), str(out))
    watching = made("bag", str(out))
    assert watching.observe(observation(1, note("Our newsletter is here"))).type == "wait"
    offer = watching.observe(observation(2, note("Could you move the meeting?", "m7")))
    assert (offer.type, getattr(offer, "refs", ())) == ("propose", ("m7",))


def test_a_bag_of_words_is_not_fitted_on_what_is_for_scoring(installed: dict[str, str]) -> None:
    from heron_example_observers.bag import fit

    with pytest.raises(InputError, match="fit on 'dev'"):
        fit([stream(1), stream(2, part="test")])
    with pytest.raises(InputError, match="no fitted bag"):
        made("bag", "/no/such/bag.json")


# --- an address ---

OFFER = json.dumps({"answer": "propose", "refs": [], "text": "Shall I reply to Anna?"})


def test_an_episode_over_http_on_loopback_is_counted_and_is_no_egress(
    installed: dict[str, str],
) -> None:
    model = ScriptedChatModel([OFFER] * 20)
    with ChatServer(model, name="tiny") as server:
        episode = played(f"endpoint:tiny@{server.url}")
    assert episode.fault is None
    assert any(turn.proposal is not None for turn in episode.turns)
    usage = [step.usage for step in episode.costs.steps if step.usage is not None]
    assert sum(use.calls for use in usage) == len(model.requests)
    assert [step.woken for step in episode.costs.steps] == [use.calls == 1 for use in usage]
    assert episode.costs.egress_before_accept == 0
    network = summarise([episode], 1)["observer_network"]
    assert network["bytes_to_model"] > 500 * len(model.requests)
    assert (network["remote"], network["egress_bytes"]) == (False, 0)


def test_what_was_sent_before_the_observer_broke_is_counted(installed: dict[str, str]) -> None:
    model = ScriptedChatModel([RemoteFault("out of order")])
    with ChatServer(model, name="tiny") as server:
        episode = played(f"endpoint:tiny@{server.url}")
    assert episode.fault is not None
    assert episode.fault.part == "observer"
    usage = [step.usage for step in episode.costs.steps if step.usage is not None]
    assert [use.calls for use in usage[-1:]] == [1]
    assert usage[-1].bytes_out > 500


def remote(answer: httpx.Response) -> Any:
    from heron_example_observers.endpoint import EndpointObserver

    client = httpx.Client(transport=httpx.MockTransport(lambda _request: answer))
    return EndpointObserver("tiny", "https://models.example/v1", client=client)


def test_another_address_is_egress_and_is_marked_in_the_table(installed: dict[str, str]) -> None:
    watching = remote(httpx.Response(200, json={"choices": [{"message": {"content": OFFER}}]}))
    assert all(isinstance(watching, seam) for seam in (Gated, UsesNetwork))
    assert watching.observe(observation(1, note("Thursday?"))).type == "propose"
    used = watching.take_usage()
    assert used.remote
    assert used.bytes_out > 500
    assert watching.take_usage().bytes_out == 0
    episode = played("deadlines")
    step = episode.costs.steps[0].model_copy(update={"usage": used})
    costs = episode.costs.model_copy(update={"steps": (step,)})
    summary = summarise([episode.model_copy(update={"costs": costs})], 1)
    table = {row.name: row.value for row in rows(summary) if row.section.endswith("network")}
    assert table["its model runs"] == "OFF THE DEVICE"
    assert table["of these off the device"] == f"{used.bytes_out:,}"


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(500), httpx.Response(200, text="<html>"), httpx.Response(200, json={})],
)
def test_an_address_that_breaks_is_a_fault_and_what_was_sent_is_counted(
    installed: dict[str, str], answer: httpx.Response
) -> None:
    watching = remote(answer)
    with pytest.raises(RemoteFault, match=r"models\.example"):
        watching.observe(observation(1, note("Thursday?")))
    assert watching.take_usage().bytes_out > 500


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost:8080/v1", True),
        ("http://localhost.example/v1", False),
        ("http://127.0.0.1.example/v1", False),
        ("http://192.168.1.5:11434/v1", False),
        ("http://0.0.0.0/v1", False),
    ],
)
def test_only_this_machines_own_address_is_no_egress(
    installed: dict[str, str], url: str, own: bool
) -> None:
    from heron_example_observers.endpoint import is_loopback

    assert is_loopback(url) is own


@pytest.mark.parametrize("argument", ["", "tiny", "@http://127.0.0.1/v1", "tiny@127.0.0.1"])
def test_an_address_that_is_none_is_told_in_one_line(
    installed: dict[str, str], argument: str
) -> None:
    with pytest.raises(InputError, match="endpoint:MODEL@http"):
        made("endpoint", argument)


def test_every_example_is_registered_and_described(installed: dict[str, str]) -> None:
    modules = {path.stem for path in (EXAMPLES / "heron_example_observers").glob("[!_]*.py")}
    assert set(installed) == modules
    readme = (EXAMPLES / "README.md").read_text()
    assert all(f"`{name}" in readme for name in installed)
    assert set(installed) <= set(OBSERVERS.names())
