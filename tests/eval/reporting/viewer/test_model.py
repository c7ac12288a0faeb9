"""An episode's content: everything that happened is in it, and little else."""

from __future__ import annotations

import json
from collections.abc import Callable

from heron.contracts import EpisodeRecord
from heron.eval.reporting.viewer.model import view_of
from heron.eval.reporting.viewer.packing import to_json
from heron.eval.reporting.viewer.stages import StageFinder
from heron.eval.reporting.viewer.thresholds import thresholds_of

Play = Callable[..., list[EpisodeRecord]]


def test_every_turn_proposal_and_check_appears(helped: EpisodeRecord) -> None:
    view = view_of(helped)
    assert [turn["n"] for turn in view["turns"]] == [turn.turn for turn in helped.turns]
    assert [one["id"] for one in view["proposals"]] == ["p1"]
    assert [one["name"] for one in view["checks"]] == [c.name for c in helped.verdict.checks]
    assert not any(one.get("failed") for one in view["checks"])
    answers = [len(turn.observer) for turn in helped.turns]
    assert [len(turn["observer"]) for turn in view["turns"]] == answers
    calls = [len(t.execution.calls) for t in helped.turns if t.execution]
    assert [len(t["execution"]["calls"]) for t in view["turns"] if "execution" in t] == calls


def test_an_offer_has_its_first_answer_and_its_end(helped: EpisodeRecord) -> None:
    (offer,) = view_of(helped)["proposals"]
    assert (offer["first"], offer["end"], offer["until"]) == ("gather_context", "accept", 6)
    assert {line["ref"] for line in offer["evidence"]} == {"m3", "e2", "r2"}


def test_a_call_has_what_it_changed(helped: EpisodeRecord) -> None:
    (done,) = (t["execution"] for t in view_of(helped)["turns"] if "execution" in t)
    (change,) = done["calls"][0]["changes"]
    assert change["op"] == "update"
    before, after = change["fields"]["start_datetime"]
    assert (before, after) == ("2026-03-10 16:15", "2026-03-10 15:30")


def test_an_event_stands_in_the_turn_in_which_it_can_be_seen(helped: EpisodeRecord) -> None:
    events = {
        t["n"]: [e["name"] for e in t["events"]] for t in view_of(helped)["turns"] if "events" in t
    }
    seen = [turn.turn for turn in helped.turns if turn.previews]
    assert list(events) == seen
    assert events[2] == ["email.receive"]


def test_no_event_is_lost(played: Play) -> None:
    (episode,) = played("never", "club_session_earlier", events_per_minute=2.0)
    view = view_of(episode)
    told = sum(len(turn.get("events", [])) for turn in view["turns"]) + len(view.get("later", []))
    assert told == sum(entry.actor == "environment" for entry in episode.log) > 2


def test_a_failed_look_says_why(played: Play) -> None:
    (episode,) = played("oracle", "club_session_earlier", tool_failure=0.9)
    looks = [o for t in view_of(episode)["turns"] for o in t["observer"] if o["type"] == "look"]
    assert any(look.get("noise") == "transient" and look["error"] for look in looks)


def test_what_is_not_measured_has_its_reason(helped: EpisodeRecord) -> None:
    view = view_of(helped)
    assert view["unknown"] == {"energy": "runs in the harness"}
    assert "joules" not in view["costs"]


def test_reasons_that_differ_stay_with_their_steps(by_hand: Callable[..., EpisodeRecord]) -> None:
    view = view_of(by_hand())
    assert "unknown" not in view
    assert view["turns"][1]["observer"][0]["cost"]["unknown"] == {"cpu": "no clock"}


def test_egress_is_told_before_and_after_and_to_whom(by_hand: Callable[..., EpisodeRecord]) -> None:
    assert view_of(by_hand())["egress"] == {
        "before": 2048,
        "after": 2048,
        "to": {"http:there": 2048, "litellm:gpt-5-mini": 2048},
    }


def test_the_scenario_says_what_was_wanted(helped: EpisodeRecord) -> None:
    about = view_of(helped, StageFinder()(helped))["about"]
    assert about["goal"].startswith("Be at the club")
    assert about["opens"] == "2026-03-10 12:40:04"
    other = helped.model_copy(update={"scenario_hash": "1" * 64})
    assert StageFinder()(other) is None


def test_thresholds_are_those_of_the_model() -> None:
    found = thresholds_of("gguf:qwen2.5-coder-0.5b-instruct-q4_k_m")
    assert found is not None
    assert 0 < found["look"] < 1
    calibrated = thresholds_of("calibrated:qwen2.5-coder-0.5b-instruct-q4_k_m")
    assert calibrated is not None
    assert calibrated["probability"] > 0
    assert thresholds_of("rules") is None
    assert thresholds_of("calibrated:no-such-model") is None


def test_an_episode_is_small(helped: EpisodeRecord, played: Play) -> None:
    for episode in (helped, *played("rules", "train_late_for_client")):
        content = to_json(view_of(episode))
        assert len(content) < 10_000
        assert len(content) < len(episode.model_dump_json()) / 1.5


def test_content_is_plain_json(by_hand: Callable[..., EpisodeRecord]) -> None:
    view = view_of(by_hand())
    assert json.loads(to_json(view)) == view
