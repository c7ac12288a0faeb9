"""Reads a recorded run of ARE or PARE: who did what, when, in which turn, and what came back.

It shares the checks of ``heron.scenarios.are.reading``. What it does not know: what apps and
functions mean.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from heron.scenarios.are.export.carried import EPISODE, Carried, carried
from heron.scenarios.are.reading import (
    VERSION,
    AreApp,
    argument,
    listed,
    mapping,
    number,
    text,
    word,
)
from heron.scenarios.are.remarks import Refused

LARGEST = 256 * 1024 * 1024
"""Bytes of a file."""
Who = Literal["ENV", "USER", "AGENT"]


@dataclass(frozen=True)
class Happened:
    """One thing that somebody did."""

    who: Who
    app: str
    function: str
    args: dict[str, Any]
    time: float
    """Seconds since 1970."""
    turn: int
    mode: str
    """The assistant's: ``observe``, ``execute``, …; empty if not recorded."""
    value: str | None
    exception: str | None


@dataclass(frozen=True)
class Trace:
    """A recorded run."""

    name: str
    start: float
    models: dict[str, str]
    """Role → model."""
    apps: tuple[AreApp, ...]
    events: tuple[Happened, ...]
    carried: Carried | None = None
    """An episode of Heron's, in a file that Heron wrote."""


def read_trace(path: Path) -> Trace:
    """The run in a file.

    Raises:
        Refused: it is none.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise Refused(f"the file is larger than {LARGEST // 1024**2} MiB")
        return trace_in(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise Refused("it is no text in UTF-8") from error


def trace_in(content: str) -> Trace:
    """The run in a text.

    Raises:
        Refused: it is none.
    """
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        told = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise Refused(f"it is no JSON: {told}") from error
    top = mapping(data, "the file")
    if top.get("version") != VERSION:
        raise Refused(f"version {str(top.get('version'))[:40]!r}; it should be {VERSION!r}")
    metadata = mapping(top.get("metadata"), "metadata")
    definition = mapping(metadata.get("definition"), "metadata.definition")
    rows = listed(top.get("completed_events") or [], "completed_events")
    events = tuple(_happened(row, place) for place, row in enumerate(rows))
    simulation = mapping(metadata.get("simulation") or {}, "metadata.simulation")
    models = _models(simulation.get("model_id"))
    if not any(event.who == "USER" or event.mode for event in events):
        raise Refused(
            "it records no run of a user and an assistant; a scenario is taken over by "
            "heron import are"
        )
    run = definition.get("run_number")
    name = word(definition.get("scenario_id"), "metadata.definition.scenario_id")
    return Trace(
        name=name if run is None else f"{name}_run_{str(run)[:12]}",
        start=number(definition.get("start_time"), "metadata.definition.start_time"),
        models=models,
        apps=tuple(_app(item, i) for i, item in enumerate(listed(top.get("apps"), "apps"))),
        events=events,
        carried=carried(top, EPISODE),
    )


def _app(item: Any, index: int) -> AreApp:
    data = mapping(item, f"apps[{index}]")
    name = word(data.get("name"), f"apps[{index}].name")
    state = data.get("app_state")
    return AreApp(
        name=name,
        class_name=text(data.get("class_name") or name, f"apps[{index}].class_name"),
        state=None if state is None else mapping(state, f"{name}.app_state"),
    )


def _happened(item: Any, index: int) -> Happened:
    place = f"completed_events[{index}]"
    data = mapping(item, place)
    action = mapping(data.get("action"), f"{place}.action")
    metadata = mapping(data.get("metadata") or {}, f"{place}.metadata")
    who = word(data.get("event_type"), f"{place}.event_type")
    if who not in ("ENV", "USER", "AGENT"):
        raise Refused(f"{place}: an event of the type {who[:40]!r}")
    turn = number(metadata.get("turn_number", 0) or 0, f"{place}.turn_number")
    if not (turn.is_integer() and 0 <= turn < 1_000_000):
        raise Refused(f"{place}.turn_number is {turn:g}")
    value, exception = metadata.get("return_value"), metadata.get("exception")
    return Happened(
        who=cast(Who, who),
        app=word(action.get("app"), f"{place}.app"),
        function=word(action.get("function"), f"{place}.function"),
        args=_arguments(action, place),
        time=number(data.get("event_time"), f"{place}.event_time"),
        turn=int(turn),
        mode=text(metadata.get("proactive_mode") or "", f"{place}.proactive_mode"),
        value=None if value is None else text(value, f"{place}.return_value"),
        exception=None if exception is None else text(exception, f"{place}.exception"),
    )


def _arguments(action: Mapping[str, Any], place: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for position, one in enumerate(listed(action.get("args") or [], f"{place}.args")):
        where = f"{place}.args[{position}]"
        arg = mapping(one, where)
        name = word(arg.get("name"), f"{where}.name")
        found[name] = argument(arg.get("value"), arg.get("value_type"), where)
    return found


def _models(told: Any) -> dict[str, str]:
    """``user:a|observe:b|execute:c`` → role → model."""
    if told is None:
        return {}
    parts = (part.partition(":") for part in text(told, "model_id").split("|"))
    return {role: model for role, _, model in parts if model}
