"""What a trim keeps: the newest turns, and before them marked ones up to their share."""

from __future__ import annotations

import pytest

from heron.errors import ModelFault
from heron.models.turns import MARKED_SHARE, Turn, Turns

PREFIX = [0] * 100
WINDOW = 500


def filled(marked: set[int], *, turns: int = 40, kept: float = 0.5) -> Turns:
    """Turns of ten tokens, each the turn's number."""
    found = Turns(kept=kept)
    found.begin(PREFIX)
    for number in range(1, turns + 1):
        found.open = Turn([number] * 6, number in marked)
        found.finish([number] * 4)
    return found


def numbers(turns: Turns) -> list[int]:
    """The turns that are left, each whole."""
    tokens = turns.tokens[len(PREFIX) :]
    found = tokens[::10]
    assert tokens == [number for number in found for _ in range(10)]
    return found


def test_nothing_goes_while_there_is_room() -> None:
    turns = filled(set(), turns=30)
    turns.make_room(WINDOW, 100)
    assert (len(numbers(turns)), turns.trims) == (30, 0)
    turns.make_room(WINDOW, 101)
    assert turns.trims == 1


def test_the_newest_stay() -> None:
    turns = filled(set())
    turns.make_room(WINDOW, 100)
    assert numbers(turns) == list(range(26, 41))


def test_marked_turns_outlive_newer_ones_in_their_order() -> None:
    turns = filled({3, 7})
    turns.make_room(WINDOW, 100)
    assert numbers(turns) == [3, 7, *range(28, 41)]


def test_marked_turns_take_no_more_than_their_share_the_newest_of_them_first() -> None:
    turns = filled(set(range(1, 21)))
    turns.make_room(WINDOW, 100)
    left = numbers(turns)
    assert len(left) == 15
    most = int(15 * MARKED_SHARE)
    assert left == [*range(21 - most, 21), *range(41 - (15 - most), 41)]


def test_an_open_turn_takes_its_room_from_the_finished_ones() -> None:
    turns = filled(set())
    turns.open = Turn([99] * 50)
    turns.make_room(WINDOW, 100)
    assert turns.tokens == [*PREFIX, *(n for n in range(31, 41) for _ in range(10)), *[99] * 50]
    turns.open = Turn([99] * 301)
    with pytest.raises(ModelFault, match="a message of 301 tokens does not fit the window of 500"):
        turns.make_room(WINDOW, 100)


def test_a_new_dialogue_has_no_turns() -> None:
    turns = filled({1})
    turns.begin([1, 2])
    assert turns.tokens == [1, 2]
