"""What the suite makes use of, and that no two scenarios say the same."""

from __future__ import annotations

from collections.abc import Callable

from heron.scenarios.coverage import counts, totals, use_of
from heron.scenarios.likeness import near_duplicates, runs_of_words
from heron.scenarios.loader import Suite
from heron.scenarios.schema import Scenario


def test_a_use_names_what_the_scenario_touches(suite: Suite) -> None:
    found = {s.id: s for s in suite}
    use = use_of(found["two_times_one_taken"])
    assert use.names["app"] == {"email", "calendar"}
    assert use.names["write"] == {"email.reply_to_email", "calendar.add_calendar_event"}
    assert use.names["happening"] == {"email.receive"}
    assert {"EmailDetail", "EventDetail"} <= use.names["screen"]
    assert (use.writes, use.records, use.closes) == (2, 2, False)


def test_counting_leaves_the_phone_at_its_start_and_counts_each_once(suite: Suite) -> None:
    scenario = suite.scenarios[0]
    uses = [use_of(scenario), use_of(scenario)]
    assert uses[0] == uses[1]
    counted = counts(uses)
    assert counted["locale"][scenario.locale] == 2
    assert counted["write"]["notes.duplicate_note"] == 0


def test_totals_are_of_goal_scenarios_alone(suite: Suite) -> None:
    uses = [use_of(s) for s in suite if "smoke" in s.splits]
    assert totals(uses)["goal_scenarios"] == 6
    assert totals([use for use in uses if use.scenario.type == "quiet"]) == {"goal_scenarios": 0}


def test_a_copy_under_other_names_is_a_near_duplicate(edited: Callable[..., Scenario]) -> None:
    one = edited()
    renamed = edited(("id: small", "id: other"), ('09:00", to', '10:00", to'), ("[1, 3]", "[2, 4]"))
    (pair,) = near_duplicates([one], beside=[renamed])
    assert pair.share > 0.95
    assert near_duplicates([one], beside=[renamed], at_least=1.01) == []


def test_the_suite_holds_no_near_duplicates(suite: Suite) -> None:
    assert near_duplicates(suite.scenarios) == []
    assert all(runs_of_words(scenario) for scenario in suite)
