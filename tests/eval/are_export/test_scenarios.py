"""Scenarios as ARE's files, and back: nothing is lost, and ARE's rules for files are kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heron.contracts import EpisodeConfig, Verdict
from heron.eval.are_export.writing import Written, write_scenarios
from heron.eval.batch import Bench, Plan
from heron.eval.importing.importer import RESTORED, Imported
from heron.eval.prover.prove import prove
from heron.scenarios.builder import build
from heron.scenarios.describe import data as described
from heron.scenarios.loader import load_file, load_suite
from heron.scenarios.schema import Scenario

Export = Callable[..., dict[str, Any]]
Back = Callable[[dict[str, Any]], Imported]


def _again(found: Imported) -> Scenario:
    assert found.output is not None, found.refused
    return load_file(Path(found.output))


def _verdict(scenario: Scenario, observer: str) -> Verdict:
    config = EpisodeConfig(observer=observer, executor="oracle", user="scripted")
    return next(iter(Bench(Plan(config=config)).episodes([scenario]))).verdict


# --- there and back -----------------------------------------------------------------------------


def test_a_scenario_comes_back_as_it_was(scenario: Scenario, exported: Export, back: Back) -> None:
    found = back(exported(scenario))
    again = _again(found)
    assert (found.status, found.proof.missing) == ("clean", RESTORED)
    assert again.hash == scenario.hash
    assert Path(str(found.output)).stem == scenario.id
    for seed in (0, 1):
        assert described(build(again, seed)) == described(build(scenario, seed))


@pytest.mark.parametrize("observer", ["oracle", "never", "always", "rules"])
def test_verdicts_are_kept(observer: str, exported: Export, back: Back) -> None:
    for name in (
        "train_late_for_client",
        "seminar_room_while_presenting",
        "trade_offer_refused_today",
    ):
        scenario = load_suite(ids=[name]).scenarios[0]
        again = _again(back(exported(scenario)))
        assert _verdict(again, observer) == _verdict(scenario, observer)


def test_all_mutants_end_alike(exported: Export, back: Back) -> None:
    scenario = load_suite(ids=["train_late_for_client"]).scenarios[0]
    own, again = (prove(one, range(1)) for one in (scenario, _again(back(exported(scenario)))))
    assert len(own.trials) > 20
    assert again.trials == own.trials


def test_the_seed_is_the_one_that_is_asked_for(exported: Export, back: Back) -> None:
    first, other = (exported("train_late_for_client", seed) for seed in (0, 7))
    assert other["metadata"]["definition"]["seed"] == 7
    assert first["apps"] != other["apps"]
    assert back(other).status == "clean"


# --- a file that was altered --------------------------------------------------------------------


def test_what_is_altered_is_read_as_any_other_file(exported: Export, back: Back) -> None:
    data = exported("train_late_for_client")
    event = next(e for e in data["events"] if e["event_type"] == "ENV")
    said = next(arg for arg in event["action"]["args"] if arg["name"] == "content")
    said["value"] += " By the way."
    found = back(data)
    assert [r.kind for r in found.remarks if r.kind == "not_restored"] == ["not_restored"]
    again = _again(found)
    assert again.source is not None
    assert any("By the way." in str(one.with_) for one in again.events)


@pytest.mark.parametrize(
    ("alter", "told"),
    [
        (lambda heron: heron["scenario"].pop("phone"), "phone"),
        (lambda heron: heron.update(scenario=[1]), "scenario"),
        (lambda heron: heron["scenario"].update(id="x" * 300), "id"),
        (lambda heron: heron["scenario"]["phone"].update(start="2026-03-11 09:00"), "phone"),
        (lambda heron: heron.update(seed="0"), "seed"),
        (lambda heron: heron.update(final="0" * 64), "another state"),
    ],
)
def test_what_does_not_fit_is_not_restored(
    alter: Callable[[dict[str, Any]], Any], told: str, exported: Export, back: Back
) -> None:
    data = exported("train_late_for_client")
    alter(data["metadata"]["heron"])
    found = back(data)
    assert found.status == "remarks"
    remark = next(r for r in found.remarks if r.kind == "not_restored")
    assert told in remark.detail


# --- ARE's own words ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "train_late_for_client",
        "list_for_second_camp",
        "papers_in_one_folder",
        "school_ends_before_lunch",
        "allotment_notes_to_successor",
    ],
)
def test_without_what_is_carried_the_reference_ends_in_the_same_state(
    name: str, exported: Export, back: Back
) -> None:
    data = exported(name)
    del data["metadata"]["heron"]
    found = back(data)
    assert found.status == "clean", found.remarks
    assert found.proof.fields > 30
    assert _verdict(_again(found), "oracle").outcome == "success"


def test_where_no_help_is_wanted_only_what_is_carried_says_so(exported: Export, back: Back) -> None:
    data = exported("seminar_room_while_presenting")
    assert not [e for e in data["events"] if e["event_type"] == "AGENT"]
    del data["metadata"]["heron"]
    assert back(data).status == "refused"


def test_records_that_a_step_makes_are_named_by_the_step(exported: Export) -> None:
    data = exported("list_for_second_camp")
    made = {e["event_id"] for e in data["events"]}
    told = [a["value"] for e in data["events"] for a in e["action"]["args"]]
    named = {one[2:-2] for one in told if one.startswith("{{")}
    assert named
    assert named <= made
    done = [a["value"] for e in data["completed_events"] for a in e["action"]["args"]]
    assert not [one for one in done if one.startswith(("{{", "@"))]


@pytest.mark.parametrize("dialect", ["pare", "are"])
def test_the_rules_of_the_format(scenario: Scenario, dialect: str, exported: Export) -> None:
    data = exported(scenario, dialect=dialect)
    ids = [e["event_id"] for e in data["events"]]
    names = {app["name"] for app in data["apps"]}
    assert len(set(ids)) == len(ids)
    for row in (*data["events"], *data["completed_events"]):
        assert "." not in row["event_id"]
        assert set(row["dependencies"]) <= set(ids)
        assert row["action"]["app"] in names
        for arg in row["action"]["args"]:
            assert isinstance(arg["value"], str)
            assert arg["value"]
            assert arg["value_type"] in ("str", "int", "float", "bool", "list", "dict")
    for row in data["events"]:
        assert (row["event_time"] is None) != (row["event_relative_time"] is None)
    for row in data["completed_events"]:
        assert row["action"]["operation_type"] in ("READ", "WRITE")
    assert set(data["final_state"]) == names


def test_ares_own_reader_wants_events_that_hang_on_each_other(
    scenario: Scenario, exported: Export
) -> None:
    data = exported(scenario, dialect="are")
    rows = {e["event_id"]: e for e in data["events"]}
    ends = []
    for row in data["events"]:
        above = [rows[need] for need in row["dependencies"]]
        if row["event_type"] == "AGENT":
            assert above
        if row["event_type"] == "ENV":
            assert [e["event_type"] != "AGENT" or _to_user(e) for e in above] == [True]
        if _to_user(row):
            ends.append(row)
    classes = {app["class_name"] for app in data["apps"]}
    assert not [name for name in classes if name.startswith(("Stateful", "PARE", "HomeScreen"))]
    # A word to the user ends a turn: nothing of the same turn may come later.
    for end in ends:
        turn = [e for e in rows.values() if _turn(e, rows) == _turn(end, rows)]
        assert max(_time(e, rows) for e in turn) == _time(end, rows)


def _to_user(row: dict[str, Any]) -> bool:
    return bool(row["action"]["function"] == "send_message_to_user")


def _time(row: dict[str, Any], rows: dict[str, Any]) -> float:
    above = [_time(rows[need], rows) for need in row["dependencies"]]
    return max(above, default=0.0) + float(row["event_relative_time"])


def _turn(row: dict[str, Any], rows: dict[str, Any]) -> int:
    above = [rows[need] for need in row["dependencies"]]
    return max((_turn(one, rows) + _to_user(one) for one in above), default=0)


# --- files --------------------------------------------------------------------------------------


def test_files_are_whole_and_not_written_over(tmp_path: Path) -> None:
    scenarios = load_suite(ids=["train_late_for_client"]).scenarios
    told: list[Written] = []
    write_scenarios(scenarios, [0, 3], tmp_path, told.append)
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["train_late_for_client.json", "train_late_for_client.seed3.json"]
    first = (tmp_path / names[0]).read_bytes()
    write_scenarios(scenarios, [0], tmp_path, told.append)
    assert [one.status for one in told] == ["written", "written", "refused"]
    assert "--force" in told[-1].line
    write_scenarios(scenarios, [0], tmp_path, told.append, force=True)
    assert told[-1].status == "written"
    assert (tmp_path / names[0]).read_bytes() == first
    assert sorted(file.name for file in tmp_path.iterdir()) == names


def test_the_same_scenario_is_taken_back_once(tmp_path: Path) -> None:
    from heron.eval.importing.importer import import_all

    scenarios = load_suite(ids=["train_late_for_client"]).scenarios
    write_scenarios(scenarios, [0, 3], tmp_path / "are", lambda _: None)
    files = sorted((tmp_path / "are").iterdir())
    done = import_all(files, tmp_path / "back", force=False, told=lambda _: None)
    assert [one.status for one in done] == ["clean", "refused"]


def test_what_has_no_counterpart_is_told(exported: Export) -> None:
    told = exported("deposit_statement")["metadata"]["heron"]["left_out"]
    assert "argument email.forward_email.content" in told
    assert exported("papers_in_one_folder")["metadata"]["heron"]["left_out"] == []
