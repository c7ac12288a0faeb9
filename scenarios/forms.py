"""How a value is written: by the locale's habits, or in every way that people write it.

``written`` gives one form for texts; ``ways`` gives all usual ones, for phrases that a rubric or
a required fact looks for. What it does not know: where a value comes from.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time

from heron.scenarios.locales import Locale
from heron.scenarios.people import Person

Moment = date | datetime
Value = str | int | float | date | datetime | Person | dict[str, str | int | float]
"""What a slot can hold."""
Start = Callable[[], datetime]
"""Gives the scenario's first time, for days that are told by their distance from it."""

_STRFTIME = re.compile(r"^(?:[^%]|%[-]?[YymdBbAaHIMpj%])*$")
_NUMERIC = re.compile(r"^0?\d{0,2},?(?:\.\d)?[df]?$")


class FormError(ValueError):
    """A value cannot be written in the form asked for."""


def written(value: Value, form: str, locale: Locale, start: Start) -> str:
    """A value as text.

    Args:
        value: what to write.
        form: empty for the plain form; ``time``, ``time12``, ``time24``, ``date``, ``weekday``,
            ``day`` (today, tomorrow or the weekday), ``on_day`` (the same with "on"), ``iso`` or a
            strftime pattern for dates and times; ``money`` or a number format for numbers.
        locale: whose habits count.
        start: the scenario's first time, for ``day``.

    Raises:
        FormError: the form does not suit the value.
    """
    if not form:
        return _plain(value)
    if isinstance(value, date):
        return _moment(value, form, locale, start)
    if isinstance(value, int | float):
        return _number(value, form, locale)
    raise FormError(f"{form!r} is no form of this value; it has none")


def ways(value: Value, form: str, start: Start) -> tuple[str, ...]:
    """All usual ways to write a value: ``any_time``, ``any_day``, ``any_money``, ``any_name``.

    Raises:
        FormError: the form does not suit the value.
    """
    if form == "any_time" and isinstance(value, datetime):
        return _times(value.time())
    if form == "any_day" and isinstance(value, date):
        return _days(value, start().date())
    if form == "any_money" and isinstance(value, int | float):
        whole = (str(int(value)),) if value == int(value) else ()
        return (*whole, f"{value:.2f}", f"{value:.2f}".replace(".", ","))
    if form == "any_name" and isinstance(value, Person):
        return (value.first_name, value.last_name)
    raise FormError(f"{form!r} does not suit this value; any_time, any_day, any_money, any_name")


# --- one form -----------------------------------------------------------------------------------


def _plain(value: Value) -> str:
    if isinstance(value, Person):
        return value.name
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        raise FormError(f"say which part: {', '.join(value)}")
    return str(value)


def _moment(value: Moment, form: str, locale: Locale, start: Start) -> str:
    if "%" in form:
        if not _STRFTIME.match(form):
            raise FormError(f"{form!r} is no strftime pattern of %Y %m %d %B %b %A %a %H %M %I %p")
        return value.strftime(form)
    if form not in _MOMENTS:
        raise FormError(f"{form!r} is no form of a date or time; {', '.join(_MOMENTS)}, strftime")
    if form.startswith("time") and not isinstance(value, datetime):
        raise FormError(f"a date has no {form!r}")
    return _MOMENTS[form](value, locale, start)


def _number(value: float, form: str, locale: Locale) -> str:
    if form == "money":
        return _money(value, locale)
    if not _NUMERIC.match(form):
        raise FormError(f"{form!r} is no form of a number; money, or a format such as .2f")
    try:
        return format(value, form)
    except ValueError as error:
        raise FormError(f"{form!r} is no form of {value}") from error


def _money(value: float, locale: Locale) -> str:
    amount = str(int(value)) if value == int(value) else f"{value:.2f}"
    return locale.currency.format(amount=amount.replace(".", locale.decimal))


def _clock(value: Moment, locale: Locale, _start: Start) -> str:
    return _twelve(value) if locale.clock == 12 else f"{value:%H:%M}"


def _twelve(value: Moment) -> str:
    hour, half = int(f"{value:%I}"), f"{value:%p}".lower()
    return f"{hour} {half}" if f"{value:%M}" == "00" else f"{hour}:{value:%M} {half}"


def _date(value: Moment, locale: Locale, _start: Start) -> str:
    month = f"{value:%B}"
    return f"{month} {value.day}" if locale.date_order == "mdy" else f"{value.day} {month}"


def _day(value: Moment, _locale: Locale, start: Start) -> str:
    distance = (_as_date(value) - start().date()).days
    return {0: "today", 1: "tomorrow"}.get(distance, f"{value:%A}")


def _on_day(value: Moment, locale: Locale, start: Start) -> str:
    day = _day(value, locale, start)
    return f"on {day}" if day[0].isupper() else day


_MOMENTS: dict[str, Callable[[Moment, Locale, Start], str]] = {
    "time": _clock,
    "time12": lambda value, _locale, _start: _twelve(value),
    "time24": lambda value, _locale, _start: f"{value:%H:%M}",
    "date": _date,
    "weekday": lambda value, _locale, _start: f"{value:%A}",
    "day": _day,
    "on_day": _on_day,
    "iso": lambda value, _locale, _start: _as_date(value).isoformat(),
}


# --- all ways -----------------------------------------------------------------------------------


def _times(value: time) -> tuple[str, ...]:
    hour, minute = value.hour, f"{value:%M}"
    short, half = hour % 12 or 12, "am" if hour < 12 else "pm"
    found = [f"{hour:02}:{minute}", f"{hour}:{minute}", f"{hour:02}.{minute}", f"{hour}.{minute}"]
    found += [f"{short}:{minute}", f"{short}:{minute}{half}", f"{short}.{minute}"]
    found += [f"{short}.{minute}{half}"]
    if value.minute == 0:
        found += [f"{short} {half}", f"{short}{half}", f"{short} {half[0]} m", f"at {short}"]
        found += [f"{short} o clock", f"{short} o'clock", f"{hour}h", f"{hour} uhr"]
        found += ["noon", "midday"] if hour == 12 else []
    return tuple(dict.fromkeys([*found, *_spoken(hour, value.minute)]))


def _spoken(hour: int, minute: int) -> list[str]:
    """The time as it is said: half past four, a quarter to five, five past eight."""
    this, following = hour % 12 or 12, (hour + 1) % 12 or 12
    if minute == 0:
        twice = _TEENS[hour - 13] if 12 < hour < 20 else _HOURS[this]
        return [
            *(f"{_HOURS[this]} o clock", f"at {_HOURS[this]}", f"until {_HOURS[this]}"),
            *(f"{twice} hours", f"{hour} hours", f"{hour} h"),
        ]
    word = _STEPS.get(min(minute, 60 - minute))
    if word is None:
        return []
    near = this if minute <= 30 else following
    sides = ("past", "after") if minute <= 30 else ("to", "before")
    return [f"{word} {side} {name}" for side in sides for name in (_HOURS[near], str(near))]


_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_STEPS = {5: "five", 10: "ten", 15: "quarter", 20: "twenty", 25: "twenty five", 30: "half"}


_HOURS = (
    *("", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def _days(value: Moment, start: date) -> tuple[str, ...]:
    day, month, short = value.day, f"{value:%B}", f"{value:%b}"
    ordinal = f"{day}{_ordinal(day)}"
    found = [f"{day} {month}", f"{month} {day}", f"{day} {short}", f"{short} {day}", ordinal]
    found += [f"{value:%Y-%m-%d}", f"{value:%d.%m}", f"{day}.{value.month}", f"{value:%d/%m}"]
    found += [f"{value:%m/%d}", f"{day}/{value.month}", f"{value.month}/{day}"]
    distance = (_as_date(value) - start).days
    if 0 <= distance <= 7:
        found += [f"{value:%A}", f"{value:%a}"]
    found += _NEAR.get(distance, ())
    return tuple(found)


_NEAR = {
    0: ("today", "tonight", "this morning", "this afternoon", "this evening"),
    1: ("tomorrow",),
}


def _ordinal(day: int) -> str:
    if 10 <= day % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _as_date(value: Moment) -> date:
    return value.date() if isinstance(value, datetime) else value
