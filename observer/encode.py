"""Observations as short lines of text for a model.

    Wed 2026-03-11 09:03 phone of Mara
    user email.open m2
    email m4 "Anna Berg: Moved to Thursday" Can we meet on Thursday at ten instead?
    09:04 found
    e3 event Meeting with Anna Berg 2026-03-11 10:00-10:30

A stamp stands only where date or time changed, the device's state only where it did. Content is
flat and cut, so it never begins a line: every line's start is ours. What it does not know: the
model and its chat template.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from pydantic import JsonValue

from heron.contracts import (
    ActionSeen,
    AnswerSeen,
    DeviceStatus,
    ExecutionSeen,
    LookSeen,
    NotificationSeen,
    Observation,
    Record,
    Seen,
    ToolResult,
)
from heron.observer.text import ELLIPSIS, flat, middle, quoted

ENCODING: Final = 2
"""Version of the line format; scores made under another one do not compare."""

LOW_BATTERY: Final = 15
"""Per cent, from which on the battery is worth a word."""

IDLE: Final = "idle"
"""What is said when nothing happened."""


class Limits(Record):
    """How long the parts may get, in characters, and lists in lines."""

    text: int = 240
    """Text of a notification or report."""
    title: int = 80
    line: int = 120
    """A looked-up record, or an argument of the user's action."""
    lines: int = 8
    """Records shown per look."""


class Told(Record):
    """What the model has been told already, so that only changes are said."""

    day: date | None = None
    minute: str = ""
    device: str = "free"


def encode(observation: Observation, told: Told, limits: Limits | None = None) -> tuple[str, Told]:
    """An observation as text, and what the model will have been told after it.

    Args:
        observation: what is new; its ``brief``, if any, gives the name of the phone's owner.
        told: what the last call returned; ``Told()`` at the start of an episode.
        limits: how long the parts may get.
    """
    limits = limits or Limits()
    day, minute = observation.time.date(), f"{observation.time:%H:%M}"
    device = describe(observation.device)
    lines = list(_lines(observation, told, device, limits))
    stamp = ""
    if day != told.day:
        stamp = f"{observation.time:%a} {day} {minute} "
    elif minute != told.minute:
        stamp = f"{minute} "
    lines[0] = stamp + lines[0]
    return "\n".join(lines), Told(day=day, minute=minute, device=device)


def _lines(observation: Observation, told: Told, device: str, limits: Limits) -> Iterator[str]:
    if observation.brief is not None:
        yield f"phone of {middle(flat(observation.brief.user_name), limits.title)}"
    if device != told.device:
        yield f"device {device}"
    for seen in observation.new:
        yield from _seen(seen, limits)
    if observation.brief is None and device == told.device and not observation.new:
        yield IDLE


def describe(device: DeviceStatus) -> str:
    """The device's state in a few words; ``free`` if there is nothing to say."""
    parts: list[str] = [device.activity] if device.activity != "free" else []
    if device.do_not_disturb:
        parts.append("do not disturb")
    if device.battery <= LOW_BATTERY and not device.charging:
        parts.append("battery low")
    return ", ".join(parts) or "free"


def _seen(seen: Seen, limits: Limits) -> Iterable[str]:
    match seen:
        case NotificationSeen():
            return [_notification(seen, limits)]
        case ActionSeen():
            return [_action(seen, limits)]
        case AnswerSeen():
            offer = f" {quoted(middle(flat(seen.text), limits.line))}" if seen.text else ""
            reason = "" if seen.answer == "accept" else seen.reason
            return [_ending(f"answer {seen.answer}{offer}", reason, limits.line)]
        case ExecutionSeen():
            return [_ending(f"help {flat(seen.end)}", seen.message, limits.text)]
        case LookSeen():
            return _look(seen.result, limits)


def _notification(seen: NotificationSeen, limits: Limits) -> str:
    ref = f" {seen.record.ref}" if seen.record is not None else ""
    title = quoted(middle(flat(seen.title), limits.title))
    return f"{seen.app}{ref} {title} {middle(flat(seen.text), limits.text)}".rstrip()


def _action(seen: ActionSeen, limits: Limits) -> str:
    values = (value for value in seen.arguments.values() if value not in (None, "", [], {}))
    shown = [_value(value, limits.line) for value in values]
    line = " ".join([f"user {seen.app}.{seen.action}", *shown])
    return line if seen.error is None else _ending(f"{line} failed", seen.error, limits.line)


def _value(value: JsonValue, limit: int) -> str:
    if isinstance(value, str):
        text = middle(flat(value), limit)
        return text if text and '"' not in text and " " not in text else quoted(text)
    return middle(flat(json.dumps(value, ensure_ascii=False, separators=(",", ":"))), limit)


def _ending(head: str, tail: str, limit: int) -> str:
    text = middle(flat(tail), limit)
    return f"{head}: {text}" if text else head


def _look(result: ToolResult, limits: Limits) -> list[str]:
    if not result.ok:
        return [_ending("look failed", result.error or "", limits.line)]
    if not result.shown:
        if result.value in (None, "", [], {}):
            return ["found nothing"]
        return [f"found {_value(result.value, limits.line)}"]
    shown = [
        f"{record.ref} {record.kind} {middle(flat(record.text), limits.line)}"
        for record in result.shown[: limits.lines]
    ]
    more = len(result.shown) - len(shown)
    return ["found", *shown, *([f"{ELLIPSIS} {more} more"] if more else [])]
