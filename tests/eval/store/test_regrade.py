"""``heron regrade``: nothing changes by itself, an edited check changes exactly its episodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heron.cli.app import main
from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.eval.batch import Bench, Plan
from heron.eval.regrading import counts, regrade
from heron.eval.store import EpisodeStore, read_episodes
from heron.scenarios.document import parse
from heron.scenarios.loader import DATA, load_document, load_suite
from heron.scenarios.schema import Scenario

ALL = load_suite().sound().scenarios
SUITE = {scenario.id: scenario for scenario in ALL}
GOAL = SUITE["two_times_one_taken"]


def played(
    scenarios: tuple[Scenario, ...], observer: str, user: str = "scripted", **more: Any
) -> list[EpisodeRecord]:
    config = EpisodeConfig(observer=observer, executor="oracle", user=user, **more)
    bench = Bench(Plan(config=config))
    try:
        return list(bench.episodes(scenarios))
    finally:
        bench.close()


def edited(scenario: Scenario, *changes: tuple[str, str]) -> Scenario:
    text = (DATA / scenario.family / f"{scenario.id}.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return load_document(parse(text))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("observer", "user", "more"),
    [
        ("oracle", "scripted", {}),
        ("rules", "scripted:strict", {"tool_failure": 0.3, "events_per_minute": 2.0, "turns": 7}),
    ],
)
def test_fresh_episodes_of_the_whole_suite_are_graded_as_they_were(
    observer: str, user: str, more: dict[str, Any]
) -> None:
    episodes = played(ALL, observer, user, **more)
    graded = list(regrade(episodes, SUITE))
    assert [one for _, one in graded if one.changed or one.content != "same"] == []
    assert [new for new, _ in graded] == episodes


def test_a_check_that_is_edited_changes_exactly_its_scenarios_episodes() -> None:
    other = next(s for s in ALL if s.id != GOAL.id and s.type == "goal")
    episodes = played((GOAL, other), "oracle")
    assert {e.verdict.outcome for e in episodes} == {"success"}
    done = next(
        f"{change.kind}.{change.op}"
        for entry in episodes[0].log
        if entry.actor == "assistant"
        for change in entry.changes
    )
    forbidding = edited(GOAL, ("  forbidden: [", f"  forbidden: [{done}, "))
    (new, told), (same, untouched) = regrade(episodes, {**SUITE, GOAL.id: forbidding})
    assert (told.before, told.after, told.content) == ("success", "failure", "changed")
    assert [(c.name, c.before, c.after, c.detail) for c in told.checks] == [
        ("collateral", True, False, f"forbidden: {done}")
    ]
    assert new.verdict.outcome == "failure"
    assert (same, untouched.changed, untouched.content) == (episodes[1], False, "same")


def test_scenarios_that_are_gone_leave_their_rows_as_they_were() -> None:
    episodes = played((GOAL,), "never")
    ((row, told),) = regrade(episodes, {})
    assert (row, told.after, told.content) == (episodes[0], None, "gone")
    assert counts([told]) == {
        "episodes": 1,
        "changed": 0,
        "outcome_changed": 0,
        "scenario_changed": 0,
        "scenario_gone": 1,
        "scenario_unplayable": 0,
    }


def test_the_command_leaves_the_rows_alone_and_writes_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (episode,) = played((GOAL,), "oracle")
    failed = episode.verdict.model_copy(update={"outcome": "failure"})
    with EpisodeStore(tmp_path / "run") as store:
        store.append(episode.model_copy(update={"verdict": failed}))
    before = (tmp_path / "run" / "episodes.jsonl").read_bytes()
    assert heron("regrade", tmp_path / "run") == 0
    out = capsys.readouterr().out
    assert f"{GOAL.id} seed 0 (oracle): failure → success" in out
    assert "1 episodes, 1 changed, 1 with another outcome" in out
    assert (tmp_path / "run" / "episodes.jsonl").read_bytes() == before
    assert list(read_episodes(tmp_path / "run" / "regraded.jsonl")) == [episode]
    assert heron("regrade", tmp_path / "run", "--json", "--out", tmp_path / "all.jsonl") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["changed"], told["told"][0]["after"]) == (1, "success")
    assert heron("regrade", tmp_path / "run", "--out", tmp_path / "all.jsonl") == 2
    assert "is there already" in capsys.readouterr().err


def heron(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    assert isinstance(end.value.code, int)
    return end.value.code
