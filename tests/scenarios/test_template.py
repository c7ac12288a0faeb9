"""Placeholders: what they give in each locale, and that nothing else is evaluated."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from heron.scenarios import locales
from heron.scenarios.forms import Value
from heron.scenarios.people import Person
from heron.scenarios.template import Scope, TemplateError, fill, phrases, render
from heron.sim.users.judge import has_any, words

START = datetime(2026, 3, 10, 9, 0)
PERSON = Person(
    first_name="Ida",
    last_name="Holm",
    gender="Female",
    email="ida.holm@example.org",
    phone="07700 900123",
    address="3 Mill Lane, York",
    city_living="York",
    country="United Kingdom",
)
VALUES: dict[str, Value] = {
    "friend": PERSON,
    "when": datetime(2026, 3, 11, 14, 30),
    "noon": datetime(2026, 3, 10, 12, 0),
    "day": date(2026, 3, 12),
    "price": 12.5,
    "count": 3,
    "club": {"name": "judo", "fee": 20},
    "word": "hello",
}


def scope(locale: str = "en_GB") -> Scope:
    return Scope(VALUES, locales.load(locale), lambda: START)


@pytest.mark.parametrize(
    ("template", "british", "american", "german"),
    [
        ("{friend}", "Ida Holm", "Ida Holm", "Ida Holm"),
        ("{friend.email}", *["ida.holm@example.org"] * 3),
        ("{when}", *["2026-03-11 14:30"] * 3),
        ("{when:time}", "14:30", "2:30 pm", "14:30"),
        ("{noon:time}", "12:00", "12 pm", "12:00"),
        ("{when:date}", "11 March", "March 11", "11 March"),
        ("{when:day}", *["tomorrow"] * 3),
        ("{day:on_day}", *["on Thursday"] * 3),
        ("{noon:on_day}", *["today"] * 3),
        ("{when:%A %d.%m.}", *["Wednesday 11.03."] * 3),
        ("{day:iso}", *["2026-03-12"] * 3),
        ("{price:money}", "£12.50", "$12.50", "12,50 €"),
        ("{count:money}", "£3", "$3", "3 €"),
        ("{price:.2f}", *["12.50"] * 3),
        ("{club.name} {{x}}", *["judo {x}"] * 3),
    ],
)
def test_forms(template: str, british: str, american: str, german: str) -> None:
    assert render(template, scope()) == british
    assert render(template, scope("en_US")) == american
    assert render(template, scope("de_DE")) == german


def test_a_lone_number_stays_a_number() -> None:
    filled = fill({"a": "{count}", "b": ["{price}", "{count} x"], "c": "{club.fee}"}, scope())
    assert filled == {"a": 3, "b": [12.5, "3 x"], "c": 20}


@pytest.mark.parametrize(
    "template",
    [
        "{",
        "}",
        "{}",
        "{0}",
        "{friend",
        "{friend.__class__}",
        "{friend.name.upper}",
        "{friend[name]}",
        "{friend!r}",
        "{_friend}",
        "{word:{count}}",
        "{count:0>9999999999}",
        "{price:999999999.9f}",
        "{when:%Q}",
        "{when:nonsense}",
        "{day:time}",
        "{word:money}",
        "{club}",
        "{club.size}",
        "{word.upper}",
        "{friend.age}",
        "{nobody}",
    ],
)
def test_everything_else_is_refused_in_one_line(template: str) -> None:
    with pytest.raises(TemplateError) as caught:
        render(template, scope())
    assert "\n" not in str(caught.value)


def test_an_unknown_name_says_what_was_meant() -> None:
    with pytest.raises(TemplateError) as caught:
        render("{freind.name}", scope())
    assert caught.value.remedy
    assert "did you mean 'friend'?" in caught.value.remedy


@pytest.mark.parametrize(
    ("template", "sentences", "others"),
    [
        (
            "{when:any_time}",
            ["at 14:30", "at 2:30 pm", "2.30pm", "half past two"],
            ["at 14:00", "at 3", "13:30"],
        ),
        ("{noon:any_time}", ["noon", "12:00", "12 pm", "at 12"], ["at 1", "11:00"]),
        (
            "{when:any_day}",
            ["tomorrow", "on Wednesday", "11 March", "March 11th", "2026-03-11", "on the 11th"],
            ["today", "Thursday", "12 March", "11 April"],
        ),
        ("{noon:any_day}", ["today", "this evening", "tonight"], ["tomorrow", "this year"]),
        ("{price:any_money}", ["£12.50", "12,50 €"], ["12", "£13"]),
        ("{count:any_money}", ["3 €", "$3.00"], ["30"]),
        ("{friend:any_name}", ["Ida", "Ms Holm's"], ["Idaho"]),
    ],
)
def test_all_ways_to_write_a_value(template: str, sentences: list[str], others: list[str]) -> None:
    group = phrases([template], scope())
    assert [s for s in sentences if not has_any(words(s), group)] == []
    assert [s for s in others if has_any(words(s), group)] == []


def test_a_far_day_is_not_known_by_its_weekday() -> None:
    far: dict[str, Value] = {"day": date(2026, 3, 25)}
    group = phrases(["{day:any_day}"], Scope(far, locales.load("en_GB"), lambda: START))
    assert has_any(words("on 25 March"), group)
    assert not has_any(words("on Wednesday"), group)
