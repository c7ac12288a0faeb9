"""Lines for a model: compact, only what changed, and nothing in them that content could fake."""

from __future__ import annotations

import re
import statistics
from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.observer.moments import Episode, answered, did, looked, note, record
from tests.observer.streams import streams

from heron.contracts import DeviceStatus, ExecutionSeen, LookSeen, Observation, ToolCall, ToolResult
from heron.observer.encode import Limits, Told, encode

anything = st.text(st.characters(exclude_categories=()), max_size=400)


def lines(observation: Observation, told: Told | None = None) -> list[str]:
    return encode(observation, told or Told())[0].split("\n")


def test_a_first_observation_says_date_owner_and_what_happened() -> None:
    seen = Episode().next(
        did("email.open_email", email_id="m2"),
        note("Can we meet on Thursday?", title="Anna Berg: Moved to Thursday"),
    )
    assert lines(seen) == [
        "Wed 2026-03-11 09:03 phone of Mara Lind",
        "user email.open_email m2",
        'email m4 "Anna Berg: Moved to Thursday" Can we meet on Thursday?',
    ]


def test_only_what_changed_is_said_again() -> None:
    episode, told = Episode(), Told()
    _, told = encode(episode.next(), told)
    first, told = encode(episode.next(did("home.go_home")), told)
    driving = DeviceStatus(activity="driving", do_not_disturb=True)
    second, told = encode(episode.next(device=driving), told)
    third, told = encode(episode.next(device=driving), told)
    fourth, told = encode(episode.next(), told)
    assert first == "09:04 user home.go_home"
    assert second == "09:05 device driving, do not disturb"
    assert third == "09:06 idle"
    assert fourth == "09:07 device free"


def test_a_second_look_in_the_same_minute_has_no_stamp() -> None:
    episode = Episode()
    first = episode.next(note("hello"))
    _, told = encode(first, Told())
    found = looked(record("e3", "'Dentist' 2026-03-11 10:00-10:30", "event"))
    again = first.model_copy(update={"step": 1, "brief": None, "new": (found,)})
    assert encode(again, told)[0] == "found\ne3 event 'Dentist' 2026-03-11 10:00-10:30"


def test_a_new_day_is_said() -> None:
    seen = Episode().next(did("home.go_home")).model_copy(update={"brief": None})
    told = Told(day=datetime(2026, 3, 10), minute="09:03")
    assert encode(seen, told)[0] == "Wed 2026-03-11 09:03 user home.go_home"


def test_answers_failures_and_reports() -> None:
    episode = Episode()
    episode.next()
    done = ExecutionSeen(proposal_id="p1", end="done", message="Moved the\ndentist.")
    seen = episode.next(
        answered("reject", "not now"),
        answered("accept"),
        done,
        did("email.open_email", error="no such mail", email_id="m9"),
        looked(error="no such event"),
        looked(),
    )
    assert lines(seen, Told(day=seen.time.date(), minute="09:04")) == [
        "answer reject: not now",
        "answer accept",
        "help done: Moved the dentist.",
        "user email.open_email m9 failed: no such mail",
        "look failed: no such event",
        "found nothing",
    ]


def test_arguments_stand_without_their_names() -> None:
    seen = Episode().next(
        did("x.y", a="c2", b="On my way", c=None, d="", e=[], f=3, g=["m1", "m2"], h="\u200b")
    )
    assert lines(seen)[1] == 'user x.y c2 "On my way" 3 ["m1","m2"] ""'


def test_a_look_without_records_shows_its_value() -> None:
    result = ToolResult(call=ToolCall(name="cab.count"), ok=True, value={"rides": [1, 2]})
    seen = Episode().next(LookSeen(result=result))
    assert lines(seen)[1] == 'found {"rides":[1,2]}'


def test_long_things_are_cut_in_the_middle() -> None:
    text = "start " + "x" * 500 + " end?"
    many = [record(f"e{i}", "y" * 200, "event") for i in range(12)]
    limits = Limits(text=50, line=30, lines=3)
    shown = encode(Episode().next(note(text), looked(*many)), Told(), limits)[0].split("\n")
    assert len(shown[1]) <= len('email m4 "Anna Berg" ') + 50
    assert shown[1].endswith(" end?")
    assert "…" in shown[1]
    assert [len(line) for line in shown[3:6]] == [len("e0 event ") + 30] * 3
    assert shown[6] == "… 9 more"


@given(title=anything, text=anything, reason=anything, value=anything, found=anything)
def test_content_cannot_pose_as_a_line(
    title: str, text: str, reason: str, value: str, found: str
) -> None:
    seen = Episode().next(
        note(text, title=title),
        did("notes.write", text=value),
        answered("reject", reason),
        looked(record("e3", found, "event")),
    )
    shown = encode(seen, Told())[0]
    assert shown.splitlines() == shown.split("\n")
    rows = shown.split("\n")
    assert len(rows) == 6
    assert rows[1].startswith('email m4 "')
    assert rows[2].startswith("user notes.write")
    assert rows[3].startswith("answer reject")
    assert rows[4:] == ["found", rows[5]]
    assert rows[5].startswith("e3 event")
    assert "<|" not in shown
    shown.encode("utf-8")


@given(title=anything, text=anything)
def test_title_and_text_can_be_told_apart(title: str, text: str) -> None:
    row = lines(Episode().next(note(text, title=title)))[1]
    parsed = re.fullmatch(r'email m4 "([^"]*)"(?: (.*))?', row)
    assert parsed is not None
    assert len(parsed[1]) <= Limits().title
    assert len(parsed[2] or "") <= Limits().text


@given(st.lists(st.sampled_from(["note", "act", "idle", "busy"]), min_size=1, max_size=12))
def test_a_delta_depends_on_its_own_observation_only(kinds: list[str]) -> None:
    """What was told is a few words: the same delta follows whatever lies further back."""
    episode, told = Episode(), Told()
    for kind in kinds:
        new: tuple[Any, ...] = {
            "note": (note("hello"),),
            "act": (did("home.go_home"),),
        }.get(kind, ())
        device = DeviceStatus(activity="driving") if kind == "busy" else DeviceStatus()
        seen = episode.next(*new, device=device)
        delta, after = encode(seen, told)
        assert (delta, after) == encode(seen, Told.model_validate_json(told.model_dump_json()))
        assert delta.count("\n") + 1 <= len(new) + 2
        told = after


def test_an_action_or_notification_costs_few_words() -> None:
    """25 tokens beside the notification's own text; a token is no shorter than 2 characters."""
    costs = []
    for stream in streams():
        for index, step in enumerate(stream.steps):
            if len(step) != 1 or index == 0:
                continue
            item = step[0]
            own = len(item.text) if item.type == "notification" else 0
            told = Told(day=datetime(2026, 3, 10).date(), minute="00:00")
            costs.append(len(encode(stream.observation(index), told)[0]) - own)
    assert statistics.median(costs) <= 2 * 25
