"""The judge of sentences: fits, wrong, vague."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.sim.users.brief import Rubric
from heron.sim.users.judge import has_phrase, judge, words

RUBRIC = Rubric(
    object=(("dentist", "Dr. Okafor"), ("Thursday", "12 March")),
    act=(("move*", "resched*", "shift*"),),
    against=("cancel*",),
    topic=("appointment",),
    tools=("calendar.edit_calendar_event",),
)


@pytest.mark.parametrize(
    ("text", "sense"),
    [
        ("Shall I move your dentist appointment to Thursday 14:00?", "fits"),
        ("RESCHEDULE the visit at Dr Okafor's to 12 March", "fits"),
        ("Shall I cancel the dentist and move it to Thursday?", "wrong"),
        ("Shall I move the appointment to Friday?", "wrong"),
        ("The dentist wrote about Thursday.", "wrong"),
        ("Can I help?", "vague"),
        ("", "vague"),
        ("I can take care of that message for you.", "vague"),
    ],
)
def test_sentences_are_judged_by_object_and_act(text: str, sense: str) -> None:
    assert judge(RUBRIC, text, ())[0] == sense


def test_a_plan_that_contradicts_its_sentence_is_wrong() -> None:
    text = "Shall I move your dentist appointment to Thursday?"
    assert judge(RUBRIC, text, ("email.delete_email",))[0] == "wrong"
    assert judge(RUBRIC, text, ("calendar.edit_calendar_event",))[0] == "fits"


def test_words_keep_times_and_drop_accents() -> None:
    assert words("Café at 9:30, naïve!") == ("cafe", "at", "9:30", "naive")
    assert has_phrase(words("On 12 March we meet"), "12 march")
    assert not has_phrase(words("On 1 2 March"), "12 march")


@given(st.text(max_size=80))
def test_any_text_is_judged(text: str) -> None:
    sense, reason = judge(RUBRIC, text, ())
    assert sense in ("fits", "wrong", "vague")
    assert reason
