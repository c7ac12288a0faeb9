"""Quiet hours, snooze, budgets, offers taken back: off unless asked for, kept when asked for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.observer.moments import Episode, PlayedModel, answered, did, looked, note, record

from heron.contracts import AnswerSeen, DeviceStatus, Observation, Propose
from heron.errors import InputError
from heron.observer.conduct import Conduct
from heron.observer.gguf import GgufObserver, make
from heron.observer.manners import (
    Interruptions,
    Manners,
    QuietHours,
    TokenBucket,
    manners_from,
)
from heron.observer.moot import OpenOffer, does
from heron.observer.settings import GgufSettings
from heron.observer.setup import Setup

PROPOSE = (0.1, 0.1, 0.8)
PLAIN = GgufSettings(look_first=False)
DAY = datetime(2026, 3, 11)
OFFER = Propose(
    text="Shall I move the dentist to Thursday?",
    plan=("calendar.edit_calendar_event", "email.reply_to_email"),
    refs=("m4", "e3"),
)

times = st.integers(0, 3 * 86400).map(lambda second: DAY + timedelta(seconds=second))
clock = st.times().map(lambda time: time.replace(second=0, microsecond=0))


def observer(model: PlayedModel, **manners: Any) -> GgufObserver:
    return GgufObserver(model, PLAIN, manners=Manners(**manners))


# --- quiet hours ---


@given(clock, clock, times)
def test_of_two_halves_of_a_day_one_is_quiet(start: Any, end: Any, now: datetime) -> None:
    if start == end:
        return
    first, second = QuietHours(start=start, end=end), QuietHours(start=end, end=start)
    assert first.holds(now) != second.holds(now)


@pytest.mark.parametrize(
    ("hours", "now", "quiet"),
    [
        ("22:00-07:00", "21:59", False),
        ("22:00-07:00", "22:00", True),
        ("22:00-07:00", "03:00", True),
        ("22:00-07:00", "07:00", False),
        ("12:30-13:00", "12:45", True),
        ("12:30-13:00", "13:00", False),
        ("12:30-13:00", "00:00", False),
    ],
)
def test_quiet_hours_begin_and_end(hours: str, now: str, quiet: bool) -> None:
    moment = datetime.fromisoformat(f"2026-03-11T{now}")
    assert QuietHours.parse(hours).holds(moment) is quiet


@pytest.mark.parametrize("text", ["22-7", "24:00-07:00", "22:00-22:00", "22:00 - 07:00", ""])
def test_other_ways_to_write_hours_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match="HH:MM-HH:MM"):
        QuietHours.parse(text)


# --- the budget ---


@given(st.integers(1, 3600), st.integers(1, 5), st.lists(times, max_size=80))
def test_no_hour_sees_more_offers_than_the_budget_holds(
    per_hour: int, burst: int, moments: list[datetime]
) -> None:
    bucket, made = TokenBucket(per_hour, burst), []
    for moment in sorted(moments):
        if bucket.allows(moment):
            bucket.spend(moment)
            made.append(moment)
    for first in made:
        within = [m for m in made if first <= m < first + timedelta(hours=1)]
        assert len(within) <= per_hour + burst - 1


@given(st.integers(1, 3600), st.integers(1, 5))
def test_the_budget_can_be_used_up_whole(per_hour: int, burst: int) -> None:
    """Asking every second of an hour for one at a time gets all of it."""
    bucket, made = TokenBucket(per_hour, burst), 0
    for second in range(3600):
        now = DAY + timedelta(seconds=second)
        while bucket.allows(now) and made < 10_000:
            bucket.spend(now)
            made += 1
        if made > 20:
            return
    assert made == per_hour + burst - 1


def test_no_rounding_lets_one_too_many_through() -> None:
    """A seventh of an hour is no whole number of microseconds."""
    bucket, each = TokenBucket(7), timedelta(hours=1) // 7
    assert each * 7 < timedelta(hours=1)
    made = 0
    for place in range(8):
        if bucket.allows(DAY + place * each):
            bucket.spend(DAY + place * each)
            made += 1
    assert made <= 7


def test_a_budget_that_is_spent_comes_back_with_time() -> None:
    bucket = TokenBucket(4)
    bucket.spend(DAY)
    assert not bucket.allows(DAY + timedelta(minutes=14, seconds=59))
    assert bucket.allows(DAY + timedelta(minutes=15))


# --- snooze ---


@given(st.floats(1, 1440), st.floats(0, 1440))
def test_after_a_rejection_it_is_silent_for_as_long_as_asked(snooze: float, later: float) -> None:
    waiting = Interruptions(Manners(snooze_minutes=snooze))
    seen = Episode().next(answered("reject"))
    assert waiting.allows(seen.time)
    waiting.note(seen)
    after = timedelta(minutes=later)
    assert waiting.allows(seen.time + after) is (after >= timedelta(minutes=snooze))


@pytest.mark.parametrize("answer", ["accept", "expired", "withdrawn"])
def test_other_endings_do_not_snooze(answer: str) -> None:
    waiting = Interruptions(Manners(snooze_minutes=30))
    seen = Episode().next(answered(answer))
    waiting.note(seen)
    assert waiting.allows(seen.time)


def test_an_offer_turned_down_before_the_episode_snoozes_too() -> None:
    told = AnswerSeen(proposal_id="", answer="reject", text="Shall I book a flight to Rome?")
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = observer(model, snooze_minutes=2.5)
    answers = [
        watching.observe(episode.next(note("Thursday?"), told)),
        watching.observe(episode.next(note("Lunch?", ref="m5"))),
        watching.observe(episode.next(did("home.go_home"))),
        watching.observe(episode.next(did("home.go_home"))),
    ]
    assert [answer.type for answer in answers] == ["wait", "wait", "wait", "propose"]


# --- repeats ---


def settled(*, firm: bool) -> tuple[Conduct, Episode]:
    conduct, episode = Conduct(Manners(firm=firm)), Episode()
    seen = episode.next(note("It is Thursday at ten now", ref="m4"))
    conduct.note(seen)
    told = AnswerSeen(proposal_id="", answer="reject", text=OFFER.text)
    conduct.note(episode.next(told))
    return conduct, episode


def test_an_old_record_that_was_looked_up_does_not_reopen_an_offer_where_firmness_is_asked() -> (
    None
):
    for firm in (False, True):
        conduct, episode = settled(firm=firm)
        conduct.note(episode.next(looked(record("e3", kind="event"))))
        assert conduct.repeats(OFFER.text, OFFER.refs) is firm


def test_also_a_firm_one_lets_news_reopen_an_offer() -> None:
    conduct, episode = settled(firm=True)
    conduct.note(episode.next(note("Friday after all", ref="m5")))
    assert not conduct.repeats(OFFER.text, ("m5", "e3"))
    assert conduct.repeats(OFFER.text, ("m4",))


# --- taking back ---


def opened(*new: Any, is_open: bool = True) -> str | None:
    offer = OpenOffer()
    offer.propose(OFFER)
    return offer.note(Episode().next(*new, open_proposal="p1" if is_open else None))


def test_an_offer_on_a_record_that_has_news_is_moot() -> None:
    assert opened(note("Friday, sorry", ref="m4")) == "changed"
    assert opened(note("Other news", ref="m9")) is None
    assert opened(note("Friday, sorry", ref="m4"), is_open=False) is None


def test_an_offer_is_moot_once_the_user_has_done_all_of_it() -> None:
    assert opened(did("calendar.save"), did("email.send")) == "done"
    assert opened(did("calendar.save")) is None
    assert opened(did("calendar.save", "the title is empty"), did("email.send")) is None
    assert opened(did("calendar.edit"), did("email.reply")) is None


def test_an_offer_without_a_plan_is_never_done() -> None:
    offer = OpenOffer()
    offer.propose(Propose(text="Shall I help?"))
    assert offer.note(Episode().next(did("calendar.save"), open_proposal="p1")) is None


@pytest.mark.parametrize(
    ("action", "tool", "same"),
    [
        ("calendar.delete_this_day", "calendar.delete_calendar_event", True),
        ("cab.cancel_ride", "cab.user_cancel_ride", True),
        ("apartment.unsave", "apartment.remove_saved_apartment", True),
        ("apartment.save", "apartment.save_apartment", True),
        ("messaging.send", "messaging.send_message_to_group_conversation", True),
        ("email.delete", "calendar.delete_calendar_event", False),
        ("calendar.set_day", "calendar.edit_calendar_event", False),
        ("reminder.create_new", "reminder.add_reminder", False),
    ],
)
def test_which_act_does_what_a_tool_would(action: str, tool: str, same: bool) -> None:
    seen = did(action)
    assert seen.type == "action"
    assert does(seen, tool) is same


def test_the_observer_takes_back_what_is_moot_without_the_model() -> None:
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = observer(model, withdraw=True)
    answers = [
        watching.observe(episode.next(note("Thursday?"))),
        watching.observe(episode.next(note("Friday, sorry", ref="m4"), open_proposal="p1")),
        watching.observe(episode.next(answered("withdrawn"), did("home.go_home"))),
    ]
    assert [answer.type for answer in answers] == ["propose", "withdraw", "propose"]
    assert len(model.extended) == 2
    assert model.extended[1] == (
        '09:04 email m4 "Anna Berg" Friday, sorry\n09:05 answer withdrawn\nuser home.go_home'
    )


def test_what_the_user_did_alone_is_taken_back_and_not_offered_again() -> None:
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = observer(model, withdraw=True)
    offered = watching.observe(episode.next(note("Thursday?")))
    assert isinstance(offered, Propose)
    assert offered.plan == ("calendar.add_calendar_event",)
    answers = [
        watching.observe(episode.next(did("calendar.save"), open_proposal="p1")),
        watching.observe(episode.next(answered("withdrawn"), did("home.go_home"))),
    ]
    assert [answer.type for answer in answers] == ["withdraw", "wait"]


# --- all of it ---


stories = st.lists(
    st.tuples(st.sampled_from(["note", "act", "idle", "reject"]), st.integers(0, 5000)),
    max_size=15,
)


def told(story: list[tuple[str, int]]) -> list[Observation]:
    episode, now, made = Episode(), DAY, []
    for number, (kind, seconds) in enumerate(story):
        new = {
            "note": (note("hello", ref=f"m{number}"),),
            "act": (did("home.go_home"),),
            "reject": (answered("reject"),),
        }.get(kind, ())
        now += timedelta(seconds=seconds)
        made.append(episode.next(*new).model_copy(update={"time": now}))
    return made


def numbered() -> Any:
    words = iter(f"Shall I deal with matter number {n} of{n} all{n}?" for n in range(99))
    return lambda schema: {"refs": [], "plan": [], "text": next(words)}


@given(stories, st.sampled_from(["22:00-07:00", "08:00-20:00"]), st.integers(1, 4))
def test_whatever_happens_manners_are_kept(
    story: list[tuple[str, int]], quiet: str, per_hour: int
) -> None:
    hours = QuietHours.parse(quiet)
    watching = GgufObserver(
        PlayedModel(PROPOSE, write=numbered()),
        PLAIN,
        manners=Manners(quiet=hours, snooze_minutes=20, per_hour=per_hour),
    )
    made: list[datetime] = []
    rejected: datetime | None = None
    for seen in told(story):
        if any(isinstance(new, AnswerSeen) for new in seen.new):
            rejected = seen.time
        answer = watching.observe(seen)
        if answer.type != "propose":
            continue
        assert not hours.holds(seen.time)
        assert rejected is None or seen.time >= rejected + timedelta(minutes=20)
        made.append(seen.time)
        assert sum(seen.time - earlier < timedelta(hours=1) for earlier in made) <= per_hour


@given(stories)
def test_the_defaults_change_nothing(story: list[tuple[str, int]]) -> None:
    plain = GgufObserver(PlayedModel(PROPOSE, write=numbered()), PLAIN)
    polite = GgufObserver(PlayedModel(PROPOSE, write=numbered()), PLAIN, manners=Manners())
    for seen in told(story):
        assert plain.observe(seen) == polite.observe(seen)


@given(stories, st.integers(0, 15))
def test_manners_outlive_the_process(story: list[tuple[str, int]], place: int) -> None:
    manners = Manners(snooze_minutes=20, per_hour=2, withdraw=True, firm=True)
    one, other = (Conduct(manners), Conduct(manners))
    for number, seen in enumerate(told(story)):
        if number == place:
            saved = one.save()
            one = Conduct(manners)
            one.load(saved)
        for conduct in (one, other):
            conduct.note(seen)
        assert one.allows(seen) == other.allows(seen)
        if one.allows(seen):
            offer = Propose(text=f"Shall I do {number}?", refs=(f"m{number}",))
            for conduct in (one, other):
                conduct.propose(offer, seen.time)
        assert one.save() == other.save()


def test_options_are_read_behind_the_model() -> None:
    options = {
        "quiet": "22:00-07:00",
        "snooze": "15",
        "per_hour": "4",
        "burst": "2",
        "withdraw": "on",
        "firm": "off",
    }
    expected = Manners(
        quiet=QuietHours.parse("22:00-07:00"),
        snooze_minutes=15,
        per_hour=4,
        burst=2,
        withdraw=True,
    )
    assert manners_from(options) == expected
    assert manners_from({}) == Manners()
    argument = "unknown?snooze=15&quiet=00:00-23:59"
    watching = make(Setup(argument=argument, model=PlayedModel(PROPOSE)))
    seen = Episode().next(note("Thursday?"), device=DeviceStatus())
    assert watching.observe(seen).type == "wait"


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("m?snooze=soon", "snooze=soon"),
        ("m?per_hour=0", "per_hour=0"),
        ("m?withdraw=yes", "withdraw=on"),
        ("m?quiet=now", "HH:MM-HH:MM"),
        ("m?gate=/no/such/file.json", "No such file"),
        ("m?budget=3", "no option"),
    ],
)
def test_an_option_that_is_none_is_told_in_one_line(argument: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        make(Setup(argument=argument, model=PlayedModel()))
    assert "\n" not in str(raised.value)
