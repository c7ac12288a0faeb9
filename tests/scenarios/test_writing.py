"""Scenario data as text: nothing lost, and in the look of the files that people write."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.scenarios.document import parse
from heron.scenarios.loader import Suite
from heron.scenarios.writing import write

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=60),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(min_size=1, max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES, st.dictionaries(st.text(min_size=1, max_size=8), VALUES, max_size=3))
def test_nothing_is_lost(value: Any, inner: dict[str, Any]) -> None:
    data = {"id": value, "window": value, "privacy": inner, "slots": {"a": value}}
    assert parse(write(data)).data == data


@pytest.mark.parametrize(
    "text",
    ["1.5e3", "-3", "null", "~", "true", "on", "09:00", "2026-03-10", "", " x", "a: b", "# c"],
)
def test_a_text_stays_a_text(text: str) -> None:
    assert parse(write({"summary": text})).data == {"summary": text}


def test_every_file_of_the_suite_keeps_its_data(suite: Suite) -> None:
    for scenario in suite.scenarios[::9]:
        assert parse(write(scenario.document.data)).data == scenario.document.data


def test_it_looks_as_if_written_by_hand() -> None:
    data = {
        "schema": 1,
        "id": "x",
        "slots": {
            "me": {"person": {}},
            "ask": {"choice": ["A text of more than forty characters, it says."]},
        },
        "phone": {"owner": "me", "email": {"emails": [{"label": "a", "subject": "It's {x}"}]}},
    }
    assert write(data) == (
        "schema: 1\n"
        "id: x\n"
        "\n"
        "slots:\n"
        "  me: {person: {}}\n"
        "  ask:\n"
        "    choice:\n"
        "      - >-\n"
        "        A text of more than forty characters, it says.\n"
        "\n"
        "phone:\n"
        "  owner: me\n"
        "  email:\n"
        "    emails:\n"
        '      - {label: a, subject: "It\'s {x}"}\n'
    )
