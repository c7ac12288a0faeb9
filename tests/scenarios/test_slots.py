"""Slots: seeded, each with its own stream, within their bounds; pools of names that suffice."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.scenarios import locales
from heron.scenarios.people import Person
from heron.scenarios.slot_schema import SlotSpec
from heron.scenarios.slots import SlotError, draw
from heron.scenarios.template import Scope

START = "2026-03-10 09:00"


def drawn(slots: dict[str, Any], seed: int = 0, start: str = START) -> Scope:
    specs = {name: SlotSpec.model_validate(spec) for name, spec in slots.items()}
    return draw("test", seed, specs, start, "en_GB")


@given(st.integers(0, 10_000))
def test_values_lie_on_their_grids(seed: int) -> None:
    values = drawn(
        {
            "day": {"date": {"offset_days": [1, 9], "on": "weekday"}},
            "when": {"time": {"on": "day", "from": "09:00", "to": "16:00", "step": 30}},
            "late": {"number": {"from": -30, "to": 30, "step": 15}},
            "end": {"shift": {"of": "when", "minutes": "late", "hours": 1}},
            "price": {"number": {"from": 1.1, "to": 2.0, "step": 0.3}},
        },
        seed,
    ).values
    day, when, late, end = (values[name] for name in ("day", "when", "late", "end"))
    assert isinstance(day, date)
    assert isinstance(when, datetime)
    assert isinstance(end, datetime)
    assert isinstance(late, int)
    assert 1 <= (day - date(2026, 3, 10)).days <= 9
    assert day.weekday() < 5
    assert when.date() == day
    assert 9 * 60 <= when.hour * 60 + when.minute <= 16 * 60
    assert when.minute in (0, 30)
    assert (end - when).total_seconds() == 3600 + 60 * late
    assert values["price"] in (1.1, 1.4, 1.7, 2.0)


def test_a_seed_gives_the_same_and_another_seed_other_values() -> None:
    slots = {"a": {"person": {}}, "b": {"number": {"from": 0, "to": 10**6}}}
    assert drawn(slots, 5).values == drawn(slots, 5).values
    assert len({str(drawn(slots, seed).values) for seed in range(20)}) == 20


def test_a_new_slot_changes_no_other() -> None:
    number = {"number": {"from": 0, "to": 10**6}}
    alone = drawn({"b": number}).values["b"]
    assert drawn({"a": number, "b": number, "c": number}).values["b"] == alone


def test_people_of_a_scenario_can_be_told_apart() -> None:
    slots: dict[str, Any] = {f"p{n}": {"person": {}} for n in range(12)}
    for seed in range(30):
        people = [v for v in drawn(slots, seed).values.values() if isinstance(v, Person)]
        for part in ("first_name", "last_name", "phone", "email"):
            assert len({person.attribute(part) for person in people}) == 12


def test_relatives_share_a_last_name_and_a_gender_can_be_asked_for() -> None:
    slots = {"me": {"person": {}}, "sister": {"person": {"gender": "f", "last_name_of": "me"}}}
    for seed in range(20):
        me, sister = drawn(slots, seed).values.values()
        assert isinstance(me, Person)
        assert isinstance(sister, Person)
        assert me.last_name == sister.last_name
        assert me.first_name != sister.first_name
        assert sister.gender == "Female"


def test_later_slots_use_earlier_ones_and_the_start() -> None:
    slots = {
        "day": {"choice": ["2026-05-01 10:00", "2026-05-02 10:00"]},
        "eve": {"date": {"offset_days": [-1, -1]}},
        "text": {"choice": ["It was {eve:date}."]},
    }
    values = drawn(slots, start="{day}").values
    day, eve = values["day"], values["eve"]
    assert isinstance(eve, date)
    assert str(day).startswith(f"2026-05-0{1 + eve.day % 30}")
    assert values["text"] == f"It was {eve.day} {eve:%B}."


@pytest.mark.parametrize(
    ("slots", "start", "path", "says"),
    [
        ({"a": {"choice": ["{b}"]}, "b": {"choice": [1]}}, START, "a", "drawn later"),
        ({"a": {"choice": ["{c}"]}}, START, "a", "unknown slot"),
        ({"a": {"shift": {"of": "x", "days": 1}}}, START, "a", "unknown slot"),
        ({"p": {"person": {}}, "a": {"shift": {"of": "p"}}}, START, "a", "is not a date"),
        ({"a": {"person": {"last_name_of": "b"}}}, START, "a", "unknown slot"),
        ({"a": {"person": {"locale": "xx"}}}, START, "a", "unknown locale"),
        ({"a": {"choice": [{"x": 1}, {"y": 1}]}}, START, "a", "different keys"),
        ({"a": {"number": {"from": 2, "to": 1}}}, START, "a", "less than"),
        ({"a": {"time": {"from": "10:00", "to": "09:00"}}}, START, "a", "is before"),
        ({"a": {"date": {"offset_days": [4, 5], "on": "weekday"}}}, START, "a", "no weekday"),
        ({"a": {"date": {"offset_days": [10**9, 10**9]}}}, START, "a", "outside the calendar"),
        ({"a": {"date": {"offset_days": [1, 1]}}}, "{a}", "start", "drawn later"),
        ({"a": {"choice": ["soon"]}}, "{a}", "start", "no date and time"),
    ],
)
def test_slots_that_cannot_be_drawn(
    slots: dict[str, Any], start: str, path: str, says: str
) -> None:
    with pytest.raises(SlotError, match=says) as caught:
        drawn(slots, start=start)
    assert path in caught.value.path


@pytest.mark.parametrize("name", locales.names())
def test_pools_are_large_enough_and_use_names_that_nobody_owns(name: str) -> None:
    locale = locales.load(name)
    first = [*locale.first_names.f, *locale.first_names.m]
    assert len(locale.first_names.f) >= 25
    assert len(locale.first_names.m) >= 25
    for pool, least in ((first, 40), (locale.last_names, 40), (locale.streets, 20)):
        assert len(set(pool)) >= least
    assert len(set(locale.last_names)) == len(locale.last_names)
    reserved = (".example", "example.org", "example.com", "example.net")
    assert all(domain.endswith(reserved) for domain in locale.email_domains)


def test_there_are_four_locales() -> None:
    assert {"en_GB", "en_US", "de_DE", "es_ES"} <= set(locales.names())
