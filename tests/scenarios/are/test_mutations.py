"""Mutated files are taken over or refused; nothing else comes of them.

``benchmarks/import_fuzz.py`` tries many more, and files of other people.
"""

from __future__ import annotations

import importlib.util
import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from heron.scenarios.are.convert import convert
from heron.scenarios.are.reading import parse
from heron.scenarios.are.remarks import Refused
from heron.scenarios.are.yaml_text import text_of
from heron.scenarios.check import check
from heron.scenarios.document import parse as parse_yaml
from heron.scenarios.loader import load_document

SCRIPT = Path(__file__).parents[3] / "benchmarks/are_mutations.py"
RUNS = 300


@pytest.fixture(scope="module")
def mutations() -> ModuleType:
    spec = importlib.util.spec_from_file_location("are_mutations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def full(are: Any) -> dict[str, Any]:
    """A file in which every app has a part."""
    file = are()
    file.env("cab", "update_ride_status", status="DELAYED", message="Late")
    file.env("shopping", "add_discount_code", item_id="cup-red", discount_code={"TIN20": 20.0})
    file.trigger()
    file.agent("calendar", "search_events", query="Rowing")
    file.offer()
    file.agent("calendar", "edit_calendar_event", event_id="row", title="Row in boat 12")
    file.agent("messaging", "send_message", user_id="user-kit", content="Boat 12 at 19:15")
    note = file.agent("notes", "create_note", title="Boat 12", content="x", folder="Inbox")
    file.agent("notes", "move_note", note_id="{{" + note + "}}", dest_folder_name="Clubs")
    file.agent("contacts", "edit_contact", contact_id="kit", updates={"job": "Cox"})
    file.agent("shopping", "checkout", discount_code="TIN20")
    file.agent("assistant", "send_message_to_user", content="Done.")
    data: dict[str, Any] = file.data()
    return data


def test_a_mutated_file_is_taken_over_or_refused(are: Any, mutations: ModuleType) -> None:
    data = full(are)
    took, told = 0, []
    for number in range(RUNS):
        text = mutations.mutated(data, random.Random(f"test {number}"))
        try:
            found = convert(parse(text), "fuzzed", "fuzzed.json", "0" * 64)
            scenario = load_document(parse_yaml(text_of(found.data), "fuzzed.yaml"))
        except Refused as refusal:
            told.append(refusal)
            continue
        problems = [str(one) for one in check(scenario, range(1))]
        took += 1
        # What only a played check finds is refused by the importer.
        assert all("fuzzed.yaml" in one for one in problems), number
    assert took > RUNS / 10
    assert all(one.names and "\n" not in str(one) for one in told)


def test_the_whole_file_is_sound(are: Any) -> None:
    found = convert(parse(json.dumps(full(are))), "full", "full.json", "0" * 64)
    scenario = load_document(parse_yaml(text_of(found.data), "full.yaml"))
    assert [str(one) for one in check(scenario, range(2))] == []
    assert len(found.data["reference"]) == 6
