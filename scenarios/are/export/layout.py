"""The JSON of ARE's files: events, completed events, the whole.

What it does not know: apps' states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from heron.scenarios.are.export.calls import Action
from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.reading import VERSION
from heron.scenarios.are.values import written

Json = dict[str, Any]
Who = Literal["ENV", "AGENT", "USER"]


def event_id(who: Who, action: Action, ledger: Ledger, key: str) -> str:
    """Names an event; without dots, since what it returns is named by ``{{id.key}}``."""
    return f"{who}-{ledger.name_of(action.app)}-{action.function}-{key}"


def event(
    who: Who,
    key: str,
    action: Action,
    ledger: Ledger,
    *,
    needs: Iterable[str] = (),
    after: float | None = None,
    at: float | None = None,
) -> Json:
    """An event of the scenario.

    Args:
        who: whose it is; the agent's are what the reference does.
        key: its id.
        action: what is called.
        ledger: of the same export.
        needs: ids of events that come first.
        after: seconds after the last of them, or from the start.
        at: seconds since 1970, if ``after`` is not given.
    """
    row: Json = {
        "class_name": "OracleEvent" if who == "AGENT" else "Event",
        "event_type": who,
        "event_time": at if after is None else None,
        "event_id": key,
        "dependencies": list(needs),
        "event_relative_time": after,
        "action": _action(action, ledger, "" if who == "AGENT" else f"{key}-action"),
    }
    if who == "AGENT":
        row["action"]["operation_type"] = None
        row["event_time_comparator"] = None
    return row


def completed(
    who: Who,
    key: str,
    action: Action,
    ledger: Ledger,
    *,
    at: float,
    value: str | None = None,
    error: str | None = None,
    more: Mapping[str, Any] | None = None,
) -> Json:
    """An event of a run.

    Args:
        who: who did it.
        key: its id.
        action: what was called.
        ledger: of the same export.
        at: seconds since 1970.
        value: what it returned.
        error: why it was refused.
        more: beside these, in its metadata.
    """
    return {
        "class_name": "CompletedEvent",
        "event_type": who,
        "event_time": at,
        "event_id": key,
        "dependencies": [],
        "event_relative_time": None,
        "action": _action(action, ledger, f"{key}-action"),
        "metadata": {
            "return_value": value,
            "return_value_type": None if value is None else "str",
            "exception": error,
            "exception_stack_trace": None,
            **(more or {}),
        },
    }


def document(
    *,
    definition: Mapping[str, Any],
    apps: list[Json],
    events: list[Json],
    run: list[Json],
    final: Mapping[str, Any] | None,
    simulation: Mapping[str, Any] | None = None,
) -> Json:
    """A whole file.

    Args:
        definition: id, seed, times.
        apps: at the start.
        events: of the scenario.
        run: completed events.
        final: name of an app → its state after the run.
        simulation: names of agents and models.
    """
    made: Json = {
        "world_logs": [],
        "apps": apps,
        "events": events,
        "completed_events": run,
        "version": VERSION,
        "context": None,
        "augmentation": None,
        "metadata": {
            "definition": {**_DEFINITION, **definition},
            "simulation": {"agent_id": None, "model_id": None, **(simulation or {})},
            "annotation": dict(_ANNOTATION),
            "execution": None,
            "runner_config": None,
        },
    }
    if final is not None:
        made["final_state"] = dict(final)
    return made


_DEFINITION: Json = {
    "scenario_id": "",
    "seed": 0,
    "duration": None,
    "time_increment_in_seconds": 1,
    "start_time": 0.0,
    "run_number": None,
    "hints": [],
    "config": None,
    "has_a2a_augmentation": False,
    "has_tool_augmentation": False,
    "has_env_events_augmentation": False,
    "has_exception": False,
    "exception_type": None,
    "exception_message": None,
    "tags": [],
    "hf_metadata": None,
}
_ANNOTATION: Json = {
    "annotation_id": None,
    "annotator": None,
    "validation_decision": None,
    "comment": None,
    "date": 0.0,
}


def _action(action: Action, ledger: Ledger, action_id: str) -> Json:
    rows = []
    for name, value in action.args.items():
        if value is None or value == "":
            # ARE's reader refuses an empty text.
            continue
        text, kind = written(value)
        rows.append({"name": name, "value": text, "value_type": kind})
    return {
        "action_id": action_id,
        "app": ledger.name_of(action.app),
        "function": action.function,
        "operation_type": "WRITE" if action.writes else "READ",
        "args": rows,
    }
