"""When to keep still."""

from __future__ import annotations

import json

import pytest
from tests.observer.moments import Episode, answered, did, note

from heron.contracts import DeviceStatus, Propose
from heron.observer.restraint import PastProposals, is_quiet

OFFER = Propose(text="Shall I move the dentist to Thursday at 10?", refs=("m4", "e3"))


def after(*endings: str) -> tuple[PastProposals, Episode]:
    past, episode = PastProposals(), Episode()
    past.note(episode.next(note("It is Thursday at ten now", ref="m4")))
    past.propose(OFFER)
    for ending in endings:
        past.note(episode.next(answered(ending)))
    return past, episode


@pytest.mark.parametrize("activity", ["driving", "presenting", "asleep"])
def test_a_busy_user_is_left_alone(activity: str) -> None:
    assert is_quiet(DeviceStatus.model_validate({"activity": activity}))


def test_do_not_disturb_counts_and_a_meeting_does_not() -> None:
    assert is_quiet(DeviceStatus(do_not_disturb=True))
    assert not is_quiet(DeviceStatus(activity="meeting"))
    assert not is_quiet(DeviceStatus())


@pytest.mark.parametrize("ending", ["accept", "reject", "expired", "withdrawn"])
def test_the_same_offer_is_not_made_again(ending: str) -> None:
    past, _ = after(ending)
    assert past.repeats("Completely other words", ("m4",))
    assert past.repeats("Shall I move the dentist to Thursday 10?", ())
    assert not past.repeats("Shall I send Tom the invoice?", ("m4", "m9"))


def test_an_offer_that_was_never_shown_may_be_made_again() -> None:
    past, _ = after("refused")
    assert not past.repeats(OFFER.text, OFFER.refs)


def test_news_about_its_record_reopens_an_offer() -> None:
    past, episode = after("reject")
    past.note(episode.next(note("Something else", ref="m9")))
    assert past.repeats(OFFER.text, OFFER.refs)
    past.note(episode.next(note("Friday, sorry", ref="m4")))
    assert not past.repeats(OFFER.text, OFFER.refs)


def test_an_offer_on_a_record_shown_later_is_a_new_one() -> None:
    past, episode = after("reject")
    past.note(episode.next(note("It is Friday at ten now", ref="m5")))
    assert not past.repeats("Shall I move the dentist to Friday at 10?", ("m5", "e3"))


def test_after_an_answer_there_is_nothing_to_offer_until_something_happens() -> None:
    past, episode = after()
    past.note(episode.next(did("email.open_email", email_id="m4")))
    past.note(episode.next(answered("reject")))
    assert not past.has_news
    past.note(episode.next())
    assert not past.has_news
    past.note(episode.next(did("home.go_home")))
    assert past.has_news


def test_a_notification_that_came_meanwhile_is_news() -> None:
    past, episode = after()
    past.note(episode.next(note("Tom here", ref="m7")))
    past.note(episode.next(answered("reject")))
    assert past.has_news


def test_what_was_settled_outlives_its_process() -> None:
    past, episode = after("reject")
    past = PastProposals.load(json.loads(json.dumps(past.save())))
    assert past.repeats(OFFER.text, OFFER.refs)
    past.note(episode.next(note("It is Friday at ten now", ref="m5")))
    assert not past.repeats("Shall I move the dentist to Friday at 10?", ("m5", "e3"))
    pending = PastProposals.load(json.loads(json.dumps(after()[0].save())))
    assert not pending.has_news
    pending.note(episode.next(answered("reject")))
    assert pending.repeats(OFFER.text, OFFER.refs)


def test_it_takes_no_more_memory_after_a_week_than_after_a_day() -> None:
    past, episode = PastProposals(), Episode()
    sizes = []
    for day in range(5):
        for number in range(600):
            ref = f"m{day * 600 + number}"
            past.note(episode.next(note("Thursday?", ref=ref)))
            past.propose(Propose(text=f"Shall I answer about {ref}?", refs=(ref,)))
            past.note(episode.next(answered("reject")))
            assert past.repeats("Completely other words", (ref,))
        sizes.append(len(json.dumps(past.save())))
    assert sizes[-1] < 1.1 * sizes[1]
