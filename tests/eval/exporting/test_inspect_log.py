"""Inspect logs, read again with Inspect's own library."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from heron.errors import InputError
from heron.eval.exporting.inspect_log import write_logs
from heron.eval.exporting.inspect_sample import scores_of
from heron.eval.exporting.stored import stored
from heron.eval.scoring.extraction import features_of
from heron.eval.store import read_episodes

pytest.importorskip("inspect_ai")


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    """Its imports warn of other libraries' changes; that is not what is tested."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import inspect_ai.log  # noqa: F401


def read(file: Path) -> Any:
    from inspect_ai.log import read_eval_log

    return read_eval_log(str(file), resolve_attachments=True)


def write(run: Path, out: Path) -> Any:
    (done,) = write_logs(stored([run], lambda _: None), out, lambda _: None)
    assert done.file == str(out)
    return read(out)


@pytest.fixture(scope="module")
def log(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Any:
    return write(runs["oracle"], tmp_path_factory.mktemp("logs") / "oracle.eval")


def test_a_log_is_a_task_and_a_sample_an_episode(log: Any, runs: dict[str, Path]) -> None:
    assert log.status == "success"
    assert log.eval.model == "observer/oracle"
    assert log.eval.model_roles["executor"].model == "oracle"
    assert (log.eval.dataset.samples, log.eval.config.epochs) == (2, 2)
    episodes = list(read_episodes(runs["oracle"]))
    assert [(s.metadata["scenario"], s.metadata["seed"]) for s in log.samples] == [
        (e.scenario, e.seed) for e in sorted(episodes, key=lambda e: (e.seed, e.scenario))
    ]
    assert [(s.id, s.epoch) for s in log.samples] == [
        ("class_move_already_entered", 1),
        ("club_session_earlier", 1),
        ("class_move_already_entered", 2),
        ("club_session_earlier", 2),
    ]
    assert [s.scores["verdict"].value for s in log.samples] == ["C"] * 4
    assert [s.target for s in log.samples[:2]] == ["silent", "success"]


def test_a_log_says_what_played_it(log: Any, runs: dict[str, Path]) -> None:
    (session,) = log.eval.metadata["sessions"]
    assert {"command", "code", "git", "libraries", "device", "models"} <= set(session)
    assert log.eval.packages["heron-observer"] == session["heron"]
    assert log.eval.task_args["turns"] == 10
    assert log.eval.metadata["codes"] == [next(read_episodes(runs["oracle"])).code]


def test_metrics_have_our_names_and_intervals(log: Any, runs: dict[str, Path]) -> None:
    verdict = log.results.scores[0]
    assert verdict.name == "verdict"
    success = verdict.metrics["success_rate"]
    rows = [features_of(episode) for episode in read_episodes(runs["oracle"])]
    assert success.value == sum(r.success for r in rows) / sum(r.goal for r in rows)
    assert set(success.metadata) >= {"low", "high", "title", "unit"}
    every = {name for score in log.results.scores for name in score.metrics}
    without = log.results.metadata["without_a_value"]
    assert "silence_rate" in every
    assert every.isdisjoint(without)
    assert all(without.values())


def test_a_goal_episode_as_a_chat(log: Any) -> None:
    sample = log.samples[1]
    assert "What the user has in mind" in sample.input
    roles = [message.role for message in sample.messages]
    assert roles[:2] == ["user", "assistant"]
    assert roles.count("user") == 10
    calls = {
        c.id: c.function for m in sample.messages for c in (getattr(m, "tool_calls", None) or [])
    }
    answered = {m.tool_call_id: m.function for m in sample.messages if m.role == "tool"}
    assert calls == answered != {}
    assert {event.event for event in sample.events} == {"model", "tool", "info", "score"}
    assert sample.output.completion


def test_everything_in_one_episode(full_run: Path, tmp_path: Path) -> None:
    log = write(full_run, tmp_path / "full.eval")
    (sample,) = log.samples
    assert sample.error.message == "observer broke in turn 3: gone"
    assert log.results.completed_samples == 0
    assert sample.scores["verdict"].value == "I"
    assert "cause: infrastructure" in sample.scores["verdict"].explanation
    assert sample.scores["cause"].value == "infrastructure"
    assert sample.role_usage["observer"].input_tokens == 50
    assert sample.role_usage["observer"].input_tokens_cache_read == 160
    assert sample.role_usage["executor"].total_tokens == 330
    assert sample.model_usage["executor/litellm:acme/large"].output_tokens == 30
    told = [(m.role, m.text) for m in sample.messages]
    assert ("tool", "the mail app is down") in told
    assert ("tool", "no such list") in told
    assert ("tool", "r1 reminder: Milk") in told
    assert ("assistant", "Done.") in told
    assert told[-1] == ("user", "Turn 3, 09:00:00\nuser: does nothing")
    offer = next(m for m in sample.messages if m.role == "assistant" and "Shall I?" in m.text)
    assert offer.metadata["propose"] == 0.7
    assert sample.total_time == 9.0
    executed = [e for e in sample.events if e.event == "tool" and e.function == "reminder.add"]
    assert [e.error is not None for e in executed] == [True, False]
    assert log.stats.role_usage["observer"].output_tokens == 12


def test_a_fault_is_wrong_also_where_the_checks_hold(runs: dict[str, Path]) -> None:
    episode = next(e for e in read_episodes(runs["oracle"]) if e.verdict.passed)
    assert scores_of(episode)["verdict"]["value"] == "C"
    fault = {"part": "user", "turn": 9, "message": "gone"}
    broken = episode.model_validate({**episode.model_dump(), "fault": fault})
    assert scores_of(broken)["verdict"]["value"] == "I"


def test_several_configurations_give_several_logs(runs: dict[str, Path], tmp_path: Path) -> None:
    found = stored([runs["oracle"], runs["rules"]], lambda _: None)
    named = [Path(own.file).name for own in write_logs(found, tmp_path / "a.eval", lambda _: None)]
    assert named == ["a-oracle-oracle-scripted.eval", "a-rules-oracle-scripted.eval"]
    folder = tmp_path / "logs"
    every = [Path(own.file) for own in write_logs(found, folder, lambda _: None)]
    assert sorted(folder.iterdir()) == every
    with pytest.raises(InputError, match="is there already"):
        list(write_logs(found, folder, lambda _: None))


def test_the_same_episode_has_the_same_ids(runs: dict[str, Path], tmp_path: Path) -> None:
    one, other = (write(runs["rules"], tmp_path / name) for name in ("a.eval", "b.eval"))
    assert one.eval.eval_id == other.eval.eval_id
    assert [s.uuid for s in one.samples] == [s.uuid for s in other.samples]
    assert one.samples[0].model_dump() == other.samples[0].model_dump()


def test_a_log_is_written_whole_or_not_at_all(full_run: Path, tmp_path: Path) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "logs"
    with pytest.raises(KeyboardInterrupt):
        list(write_logs(stored([full_run], lambda _: None), folder, stop))
    assert not folder.exists() or list(folder.iterdir()) == []


@pytest.mark.parametrize("inside", ["", "mine.eval"])
def test_a_file_is_no_folder_for_logs(full_run: Path, tmp_path: Path, inside: str) -> None:
    taken = tmp_path / "taken.txt"
    taken.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="is a file; name a folder"):
        list(write_logs(stored([full_run], lambda _: None), taken / inside, lambda _: None))
    assert taken.read_text("utf-8") == "mine"
