"""What was measured of an episode, on one line of time; its tokens; its words."""

from __future__ import annotations

from heron.contracts import EpisodeRecord, StepCost, Usage
from heron.eval.exporting.layout import Answered, Executed, layout_of
from heron.eval.exporting.tokens import Tokens, by_role, tokens_of
from heron.eval.exporting.wording import situation, turn_words


def test_durations_are_laid_end_to_end_in_the_order_of_what_happened(full: EpisodeRecord) -> None:
    layout = layout_of(full)
    told = [(type(m).__name__, m.turn.turn, m.begin, m.end) for m in layout.moments]
    assert told == [
        ("Answered", 1, 0.5, 1.5),  # it waited half a second to be taken up
        ("Answered", 1, 1.5, 3.5),
        ("Executed", 2, 3.5, 7.5),  # an execution comes before the observer's next answer
        ("Answered", 2, 7.5, 7.75),
    ]
    assert layout.seconds == 9.0


def test_a_look_finds_its_line_in_the_log(full: EpisodeRecord) -> None:
    first = layout_of(full).moments[0]
    assert isinstance(first, Answered)
    assert first.looked is not None
    assert first.looked.error == "the mail app is down"


def test_an_episode_without_costs_has_no_length(full: EpisodeRecord) -> None:
    bare = full.model_copy(update={"costs": type(full.costs)()})
    layout = layout_of(bare)
    assert {(m.begin, m.end, m.cost) for m in layout.moments} == {(0.0, 0.0, None)}
    assert layout.seconds == 0.0
    assert any(isinstance(m, Executed) for m in layout.moments)


def test_tokens_are_told_by_role_and_none_where_no_model_was_asked(full: EpisodeRecord) -> None:
    assert dict(by_role(full)) == {
        "observer": Tokens(fresh=50, reused=160, out=12),
        "executor": Tokens(fresh=300, reused=0, out=30),
    }
    assert tokens_of(StepCost(wall_s=1, evaluated=0, generated=0)) is None
    assert tokens_of(None) is None
    remote = StepCost(wall_s=1, usage=Usage(calls=1, tokens_in=5, tokens_out=2))
    assert tokens_of(remote) == Tokens(5, 0, 2)


def test_turns_and_situation_in_words(full: EpisodeRecord) -> None:
    assert turn_words(full, full.turns[0]).splitlines() == [
        "Turn 1, 09:00:00",
        "event: email.receive(subject=Milk)",
        "user: does nothing",
    ]
    assert "user: accepts p1: Yes." in turn_words(full, full.turns[1])
    told = situation(full, None)
    assert told.startswith("Scenario s1, seed 7: help is wanted.")
    assert "Tuesday, 10 March 2026, 09:00" in told
