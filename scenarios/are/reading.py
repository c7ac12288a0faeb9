"""Reads an ARE file: JSON → apps, events, the recorded run, each checked for its type.

What it does not know: what apps, functions and fields mean.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heron.scenarios.are.export.carried import SCENARIO, Carried, carried
from heron.scenarios.are.remarks import Refused

VERSION = "are_simulation_v1"
LARGEST = 512 * 1024 * 1024
"""Bytes of a file."""
DEEPEST = 60
_TOP = {
    "world_logs",
    "apps",
    "events",
    "completed_events",
    "version",
    "context",
    "augmentation",
    "metadata",
    "final_state",
    "meta_task_description",
    "additional_system_prompt",
}

Args = dict[str, Any]


@dataclass(frozen=True)
class AreApp:
    """An app as it stands in the file."""

    name: str
    class_name: str
    state: Mapping[str, Any] | None


@dataclass(frozen=True)
class AreEvent:
    """An event of the scenario: the environment's, the agent's, or of another type."""

    id: str
    type: str
    class_name: str
    app: str | None
    function: str | None
    args: Args
    time: float | None
    """Seconds since 1970."""
    after: float | None
    """Seconds after the last of its dependencies."""
    needs: tuple[str, ...]
    comparator: str | None = None


@dataclass(frozen=True)
class AreDone:
    """An event of the recorded run."""

    id: str
    app: str | None
    function: str | None
    args: Args
    time: float
    value: str | None
    exception: str | None


@dataclass(frozen=True)
class AreFile:
    """A scenario file."""

    scenario_id: str
    start: float
    """Seconds since 1970."""
    apps: tuple[AreApp, ...]
    events: tuple[AreEvent, ...]
    done: Mapping[str, AreDone] = field(default_factory=dict)
    """The recorded run by the events' ids; empty if there is none."""
    run: tuple[AreDone, ...] = ()
    """All of the recorded run, in order."""
    final: Mapping[str, Any] | None = None
    """App → its state after the recorded run."""
    instructions: str = ""
    """What the file tells the user."""
    carried: Carried | None = None
    """A scenario of Heron's, in a file that Heron wrote."""


def read(path: Path) -> AreFile:
    """The file at a path.

    Raises:
        Refused: it is no ARE file.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise Refused(f"the file is larger than {LARGEST // 1024**2} MiB")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise Refused("it is no text in UTF-8") from error
    return parse(text)


def parse(text: str) -> AreFile:
    """The file in a text.

    Raises:
        Refused: it is no ARE file.
    """
    try:
        data = json.loads(text, object_pairs_hook=_each_once)
    except Refused:
        raise
    except (ValueError, RecursionError) as error:
        told = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise Refused(f"it is no JSON: {told}") from error
    _check_depth(data)
    return of(data)


def of(data: Any) -> AreFile:
    """The file in parsed JSON.

    Raises:
        Refused: it is no ARE file.
    """
    top = mapping(data, "the file")
    version = top.get("version")
    if version != VERSION:
        raise Refused(f"version {str(version)[:40]!r}; it should be {VERSION!r}")
    unknown = [key for key in top if key not in _TOP and filled(top[key])]
    if unknown:
        raise Refused(*(f"unknown key {key[:60]!r}" for key in unknown))
    if filled(top.get("augmentation")):
        raise Refused("augmentation: scenarios with added noise have no counterpart")
    definition = mapping(mapping(top.get("metadata"), "metadata").get("definition"), "definition")
    start = number(definition.get("start_time"), "metadata.definition.start_time")
    apps = tuple(_app(item, i) for i, item in enumerate(listed(top.get("apps"), "apps")))
    events = tuple(_event(item, i) for i, item in enumerate(listed(top.get("events"), "events")))
    _once([app.name for app in apps], "two apps are called")
    _once([event.id for event in events], "two events have the id")
    run = tuple(
        _done(item, i)
        for i, item in enumerate(listed(top.get("completed_events") or [], "completed_events"))
    )
    final = top.get("final_state")
    return AreFile(
        scenario_id=word(definition.get("scenario_id"), "metadata.definition.scenario_id"),
        start=start,
        apps=apps,
        events=events,
        done={one.id: one for one in run},
        run=run,
        final=None if final is None else mapping(final, "final_state"),
        instructions=_instructions(top, definition),
        carried=carried(top, SCENARIO),
    )


# --- parts --------------------------------------------------------------------------------------


def _app(item: Any, index: int) -> AreApp:
    data = mapping(item, f"apps[{index}]")
    name = word(data.get("name"), f"apps[{index}].name")
    given = data.get("class_name")
    state = data.get("app_state")
    return AreApp(
        name=name,
        class_name=word(given, f"apps[{index}].class_name") if given else name,
        state=None if state is None else mapping(state, f"{name}.app_state"),
    )


def _event(item: Any, index: int) -> AreEvent:
    place = f"events[{index}]"
    data = mapping(item, place)
    app, function, args = _action(data.get("action"), place)
    moment, after = data.get("event_time"), data.get("event_relative_time")
    needs = listed(data.get("dependencies") or [], f"{place}.dependencies")
    return AreEvent(
        id=word(data.get("event_id"), f"{place}.event_id"),
        type=word(data.get("event_type"), f"{place}.event_type"),
        class_name=str(data.get("class_name") or ""),
        app=app,
        function=function,
        args=args,
        time=None if moment is None else number(moment, f"{place}.event_time"),
        after=None if after is None else number(after, f"{place}.event_relative_time"),
        needs=tuple(word(need, f"{place}.dependencies") for need in needs),
        comparator=str(data["event_time_comparator"])
        if data.get("event_time_comparator")
        else None,
    )


def _done(item: Any, index: int) -> AreDone:
    place = f"completed_events[{index}]"
    data = mapping(item, place)
    app, function, args = _action(data.get("action"), place)
    metadata = mapping(data.get("metadata") or {}, f"{place}.metadata")
    value, exception = metadata.get("return_value"), metadata.get("exception")
    return AreDone(
        id=word(data.get("event_id"), f"{place}.event_id"),
        app=app,
        function=function,
        args=args,
        time=number(data.get("event_time"), f"{place}.event_time"),
        value=None if value is None else text(value, f"{place}.return_value"),
        exception=None if exception is None else text(exception, f"{place}.exception"),
    )


def _action(item: Any, place: str) -> tuple[str | None, str | None, Args]:
    if item is None:
        return None, None, {}
    data = mapping(item, f"{place}.action")
    app, function = data.get("app"), data.get("function")
    args: Args = {}
    for position, one in enumerate(listed(data.get("args") or [], f"{place}.args")):
        where = f"{place}.args[{position}]"
        arg = mapping(one, where)
        name = word(arg.get("name"), f"{where}.name")
        if name in args:
            raise Refused(f"{where}: the argument {name[:60]!r} stands twice")
        args[name] = argument(arg.get("value"), arg.get("value_type"), where)
    return (
        None if app is None else word(app, f"{place}.app"),
        None if function is None else word(function, f"{place}.function"),
        args,
    )


def argument(value: Any, type_name: Any, place: str) -> Any:
    """An argument's value: written as text beside its type, or as it is."""
    # Imported here: values need the checks of this module.
    from heron.scenarios.are.values import parsed

    return parsed(value, None if type_name is None else text(type_name, f"{place}.value_type"))


def _instructions(top: Mapping[str, Any], definition: Mapping[str, Any]) -> str:
    """What the file tells the user: ``meta_task_description``, or hints on the task."""
    for holder in (definition, top, mapping(top.get("metadata"), "metadata")):
        for key in ("meta_task_description", "additional_system_prompt"):
            found = holder.get(key)
            if isinstance(found, str) and found.strip():
                return text(found, key).strip()
    hints = listed(definition.get("hints") or [], "metadata.definition.hints")
    told = [mapping(hint, "hint").get("content") for hint in hints]
    return "\n".join(text(one, "hint").strip() for one in told if isinstance(one, str))


# --- types --------------------------------------------------------------------------------------


def mapping(value: Any, place: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, Mapping):
        raise Refused(f"{place} is {_what(value)}, not an object")
    return value


def listed(value: Any, place: str) -> Sequence[Any]:
    """A JSON list."""
    if not isinstance(value, list):
        raise Refused(f"{place} is {_what(value)}, not a list")
    return value


def text(value: Any, place: str) -> str:
    """A text; lone surrogates, which no file can hold, become question marks."""
    if not isinstance(value, str):
        raise Refused(f"{place} is {_what(value)}, not a text")
    return value.encode("utf-8", "replace").decode("utf-8")


def word(value: Any, place: str) -> str:
    """A text that is not empty."""
    found = text(value, place)
    if not found.strip():
        raise Refused(f"{place} is empty")
    return found


def number(value: Any, place: str) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(f"{place} is {_what(value)}, not a number")
    try:
        found = float(value)
    except OverflowError as error:
        raise Refused(f"{place} is too large a number") from error
    if not math.isfinite(found):
        raise Refused(f"{place} is {found}, not a number")
    return found


def filled(value: Any) -> bool:
    """Whether there is anything in a value."""
    return value is not None and value not in ("", [], {}) and value is not False


def _what(value: Any) -> str:
    if value is None:
        return "missing"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    named = {dict: "an object", list: "a list", **names}
    return named.get(type(value), type(value).__name__)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Refused(f"the key {twice[:60]!r} stands twice in an object")
    return made


def _once(names: Sequence[str], told: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise Refused(f"{told} {name[:80]!r}")
        seen.add(name)


def _check_depth(data: Any) -> None:
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise Refused(f"it is nested more than {DEEPEST} deep")
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
