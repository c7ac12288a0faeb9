"""Time of offers, decision points and restraint, against cases counted by hand."""

from __future__ import annotations

import pytest
from tests.eval.scoring.played import entry, played

from heron.contracts import DeviceStatus, EpisodeRecord
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.estimates import estimate
from heron.eval.scoring.extraction import features_of


def value(name: str, *episodes: EpisodeRecord) -> float | None:
    return estimate([features_of(e) for e in episodes], METRICS[name]).value


def reason(name: str, *episodes: EpisodeRecord) -> str | None:
    return estimate([features_of(e) for e in episodes], METRICS[name]).reason


# Opens with turn 3, closes after turn 6: one offer two turns early, one in time, one late by two.
TIMED = played(
    "offer", "no", "-", "offer", "no", "-", "-", "offer", opened=3, closes=6, senses=["fits"] * 3
)


def test_offers_are_early_inside_or_late_by_the_window() -> None:
    row = features_of(TIMED)
    assert (row.early, row.inside, row.late) == (1, 1, 1)
    assert value("timely_share", TIMED) == pytest.approx(1 / 3)
    assert value("turns_early", TIMED) == 2
    assert value("turns_late", TIMED) == 2
    assert value("turns_to_offer", TIMED) == 1


def test_an_offer_in_a_window_that_never_opens_is_early_and_has_no_distance() -> None:
    never = played("offer", "no", opened=None)
    row = features_of(never)
    assert (row.early, row.early_dated) == (1, 0)
    assert value("turns_early", never) is None
    assert reason("turns_early", never) == "no offer came too early"


def test_a_right_offer_fits_comes_in_time_and_before_any_accept() -> None:
    wrong_then_right = played("offer", "no+offer", "yes+offer", "ignore", senses=["wrong", "fits"])
    row = features_of(wrong_then_right)
    assert (row.right, row.met, row.proposals) == (1, 1, 3)
    silent, quiet = played("-"), played("offer", type="quiet", outcome="disturbed")
    assert value("intervention_precision", wrong_then_right, quiet) == pytest.approx(1 / 4)
    assert value("intervention_recall", wrong_then_right, silent, quiet) == pytest.approx(1 / 2)
    assert value("intervention_f1", wrong_then_right, silent, quiet) == pytest.approx(
        2 * (1 / 4) * (1 / 2) / (1 / 4 + 1 / 2)
    )
    assert value("intervention_f1", played("offer", "no", senses=["vague"])) == 0.0


# Needed from turn 2 on. 1: rests, 2: missed, 3: hit, 4: open (no point), 5: missed (turned down),
# 6: hit, 7: alarm (accepted just before), 8: open, 9: rests (taken back in 8), 10: not asked.
POINTS = played(
    "-",
    "-",
    "offer",
    "look",
    "no",
    "offer",
    "yes+offer",
    "ignore+withdraw",
    "-",
    "mute",
    opened=2,
)


def test_a_decision_point_is_where_the_observer_is_asked_and_no_offer_is_open() -> None:
    row = features_of(POINTS)
    assert (row.points, row.hits, row.missed, row.alarms, row.rests) == (7, 2, 2, 1, 2)


def test_measures_of_proactive_bench_by_hand() -> None:
    # TP: the offer of turn 6; FP: those of 3 and 7; FN: turns 2 and 5; TN: 1 and 9.
    assert value("proactivebench_recall", POINTS) == pytest.approx(1 / 3)
    assert value("proactivebench_precision", POINTS) == pytest.approx(1 / 3)
    assert value("proactivebench_accuracy", POINTS) == pytest.approx(3 / 7)
    assert value("proactivebench_false_alarm", POINTS) == pytest.approx(2 / 3)
    assert value("proactivebench_f1", POINTS) == pytest.approx(1 / 3)


def test_measures_of_context_agent_by_hand() -> None:
    assert value("contextagent_accuracy", POINTS) == pytest.approx(4 / 7)
    assert value("contextagent_missed", POINTS) == pytest.approx(2 / 7)
    assert value("contextagent_false", POINTS) == pytest.approx(1 / 7)


def test_in_a_quiet_scenario_help_is_never_needed() -> None:
    quiet = played("offer", "no", "-", type="quiet", outcome="disturbed", assessed=False)
    row = features_of(quiet)
    assert (row.points, row.hits, row.missed, row.alarms, row.rests) == (3, 0, 0, 1, 2)


def test_what_is_not_assessed_is_unknown_and_says_so() -> None:
    old = played("offer", "no", assessed=False)
    assert value("timely_share", old) is None
    assert reason("timely_share", old) == "inside is not known in 1 of 1 episodes"
    assert value("contextagent_missed", old) is None
    assert value("stop_after_rejection", old) == 1.0


def test_false_alarms_are_per_hour_of_the_phones_clock_in_quiet_episodes() -> None:
    # Three turns of 20 s, two offers, and a goal episode which counts for nothing here.
    quiet = played("offer", "no+offer", "-", type="quiet", outcome="disturbed")
    assert value("false_alarms_per_hour", quiet, played("offer", "-")) == pytest.approx(
        2 / 60 * 3600
    )


def test_silent_after_a_rejection() -> None:
    stopped = played("offer", "no", "-")
    again = played("offer", "no+offer", "ignore")
    never = played("offer", "yes", "-")
    assert value("stop_after_rejection", stopped, again, never) == pytest.approx(1 / 2)
    assert value("stop_after_rejection", never) is None


def test_a_rejection_before_the_episode_counts() -> None:
    no = entry("environment", "assistant.turned_down", turn=2, arguments={"text": "Shall I?"})
    assert value("stop_after_rejection", played("-", "-", type="restraint", log=[no])) == 1.0
    assert value("stop_after_rejection", played("-", "offer", type="restraint", log=[no])) == 0.0
    # What was offered before the user said so is no relapse.
    assert value("stop_after_rejection", played("offer", "-", type="restraint", log=[no])) == 1.0


def test_silence_on_a_matter_leaves_out_offers_that_are_not_about_it() -> None:
    vague_again = played("offer", "no+offer", "no", senses=["wrong", "vague"])
    vague_first = played("offer", "no+offer", "ignore", senses=["vague", "fits"])
    assert value("stop_after_rejection_matter", vague_again) == 1.0
    assert value("stop_after_rejection", vague_again) == 0.0
    assert value("stop_after_rejection_matter", vague_first) is None


def test_offers_while_the_user_is_busy_weigh_more() -> None:
    changed = entry(
        "environment", "device.change", turn=3, arguments={"activity": "driving", "battery": None}
    )
    busy = played(
        "offer", "no", "offer", "no", log=[changed], assessment={"device": DeviceStatus()}
    )
    assert value("busy_share", busy) == pytest.approx(1 / 2)
    # Two shown, two turned down, one of them while driving.
    assert value("interruption_cost", busy) == pytest.approx(2 * 1 + 2 * 1 + 1 * 2)
    hushed = played("offer", assessment={"device": DeviceStatus(do_not_disturb=True)})
    assert value("busy_share", hushed) == 1.0
