"""Whether ARE's own reader and environment take what Heron writes.

    pip install meta-agents-research-environments      # in an environment of its own
    heron export are --classes are --out are
    python benchmarks/are_reader.py are [--run]

For each file: its data model, its importer without and with the recorded run, ``initialize`` with
all apps and events; with ``--run`` ARE's environment plays the reference (oracle mode), and its
state in the end is compared with the file's, up to ids, times and amounts. Needs nothing of Heron.
"""

from __future__ import annotations

import argparse
import importlib
import json
import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LEFT_OUT = frozenset(
    """email_id message_id event_id contact_id order_id conversation_id ride_id item_id product_id
    apartment_id parent_id timestamp is_read last_updated order_date time_stamp start_strftime
    end_strftime delay delay_history distance_km duration price quotation_history on_going_ride
    attachments attachment view_limit messages_view_limit conversation_view_limit
    name_to_id""".split()  # noqa: SIM905
)
"""Fields that differ from run to run, or that each side has in its own way."""
NOT_COMPARED = ("AgentUserInterface", "SystemApp", "Files")


def are(module: str, name: str) -> Any:
    """Something of ARE's, which is no dependency."""
    return getattr(importlib.import_module(f"are.simulation.{module}"), name)


def compared(value: Any) -> Any:
    """A state without what is left out; records by what they say."""
    if isinstance(value, dict):
        kept = {
            k: compared(v) for k, v in value.items() if k not in LEFT_OUT and v not in (None, "")
        }
        if value and all(isinstance(item, dict) for item in value.values()):
            return sorted(json.dumps(item, sort_keys=True) for item in kept.values())
        return kept
    if isinstance(value, list | tuple):
        return sorted(json.dumps(compared(item), sort_keys=True) for item in value)
    return round(value, 1) if isinstance(value, float) else value


def reads(text: str) -> Iterator[str]:
    """What ARE's reader does with a file."""
    data = json.loads(text)
    are("data_handler.models", "ExportedTrace").model_validate_json(text)
    yield "data model"
    importer = are("data_handler.importer", "JsonScenarioImporter")()
    for run in (False, True):
        try:
            importer.import_from_json(text, load_completed_events=run)
            yield f"importer, {'with' if run else 'without'} the recorded run"
        except Exception as error:  # noqa: BLE001 - whatever another library raises is the result
            yield f"importer refuses: {type(error).__name__}: {str(error)[:80]}"
    try:
        scenario = _initialized(text)
    except Exception as error:  # noqa: BLE001
        yield f"initialize refuses: {type(error).__name__}: {str(error)[:80]}"
        return
    yield "initialized"
    if (len(scenario.apps), len(scenario.events)) == (len(data["apps"]), len(data["events"])):
        yield "all apps and events"


def _initialized(text: str) -> Any:
    importer = are("data_handler.importer", "JsonScenarioImporter")()
    scenario, _, _ = importer.import_from_json(text, load_completed_events=False)
    scenario.initialize()
    return scenario


def runs(text: str, name: str) -> Iterator[str]:
    """What ARE's environment does with a file's reference."""
    data = json.loads(text)
    if not any(event["event_type"] == "AGENT" for event in data["events"]):
        return
    yield "run"
    scenario = _initialized(text)
    config = are("environment", "EnvironmentConfig")(
        oracle_mode=True,
        queue_based_loop=True,
        start_time=scenario.start_time,
        exit_when_no_events=True,
    )
    environment = are("environment", "Environment")(config)
    environment.run(scenario)
    done = list(environment.event_log.list_view())
    if len(done) >= len(data["events"]):
        yield "run: all events"
    raised = [event for event in done if event.metadata.exception]
    for event in raised:
        print(f"{name}: {event.action.function.__name__}: {event.metadata.exception}")
    if not raised:
        yield "run: nothing raised"
        if all(_equal(app, data["final_state"]) for app in scenario.apps):
            yield "run: the state is the file's"


def _equal(app: Any, final: dict[str, Any]) -> bool:
    wanted = final.get(app.name)
    if not wanted or app.name in NOT_COMPARED:
        return True
    state = are("data_handler.exporter", "JsonScenarioExporter").process_state(app.get_state())
    return bool(compared(json.loads(json.dumps(state, default=str))) == compared(wanted))


def main() -> None:
    """Read the arguments, print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--run", action="store_true", help="play the references as well")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    counts: Counter[str] = Counter()
    for file in sorted(given.folder.glob("*.json")):
        text = file.read_text(encoding="utf-8")
        counts.update(["files", *reads(text)])
        if given.run:
            counts.update(runs(text, file.name))
    for what, number in counts.items():
        print(f"{number:5} {what}")


if __name__ == "__main__":
    main()
