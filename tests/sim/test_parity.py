"""docs/parity.md against the code: every name is there under its effect, and every fault mended."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from tests.sim.hand import Hand
from tests.sim.test_apps_common import Life

from heron import contracts
from heron.contracts import Act
from heron.sim.app import App
from heron.sim.installed import installed

PAGE = Path(__file__).parents[2] / "docs" / "parity.md"
HERE = Path(__file__).parent

REFERENCE = {"screen": 32, "action": 122, "tool": 90, "environment": 24}
"""What PARE's nine apps have."""

Row = tuple[str, str, list[str]]
"""What it is, PARE's word, our names."""


def sections() -> dict[str, list[Row]]:
    """Heading → rows of its table."""
    found: dict[str, list[Row]] = {}
    heading = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and not line.startswith("| |") and len(cells) == 3:
            row = (cells[0], cells[1], re.findall("`([^`]+)`", cells[2]))
            found.setdefault(heading, []).append(row)
    return found


SECTIONS = sections()
APPS = {name: app for name, app in installed().items() if name in SECTIONS}


def declared(app: type[App]) -> dict[str, list[str]]:
    """What an app has, by the table's words."""
    return {
        "screen": [screen.__name__ for screen in app.SCREENS],
        "action": [f"{s.__name__}.{name}" for s in app.SCREENS for name in s.ACTIONS],
        "read": [name for name, tool in app.TOOLS.items() if tool.effect == "read"],
        "write": [name for name, tool in app.TOOLS.items() if tool.effect == "write"],
        "environment": list(app.HAPPENINGS),
    }


def named(app: str, kind: str) -> list[str]:
    """Our names of one kind in an app's table."""
    return [name for word, _, names in SECTIONS[app] if word == kind for name in names]


def test_the_page_has_a_table_for_every_app_of_the_reference() -> None:
    assert set(APPS) == {
        "apartment",
        "cab",
        "calendar",
        "contacts",
        "email",
        "files",
        "messaging",
        "notes",
        "reminder",
        "shopping",
    }


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("kind", ["screen", "action", "read", "write", "environment"])
def test_names_in_the_table_and_in_the_code_are_the_same(app: str, kind: str) -> None:
    assert sorted(named(app, kind)) == sorted(declared(APPS[app])[kind])


@pytest.mark.parametrize("app", APPS)
def test_nothing_of_the_reference_is_without_ours(app: str) -> None:
    assert [reference for _, reference, names in SECTIONS[app] if not names] == []


def test_there_is_no_less_than_in_the_reference() -> None:
    ours = dict.fromkeys(REFERENCE, 0)
    for name, app in APPS.items():
        if name == "files":
            continue
        for kind, names in declared(app).items():
            ours["tool" if kind in ("read", "write") else kind] += len(names)
    assert all(ours[kind] >= count for kind, count in REFERENCE.items()), ours


def test_the_phone_itself_has_what_the_table_says() -> None:
    hand = Hand("notes")
    assert named("system", "screen") == [hand.screen]
    hand.open()
    hand.world.user_act(Act(app="system", action="go_home"))
    at_home = {offer.name for offer in hand.world.phone.offers()}
    hand.open()
    assert at_home | {o.name for o in hand.world.phone.offers() if o.app == "system"} == set(
        named("system", "action")
    )
    moves = {move.__name__ for move in get_args(get_args(contracts.UserMove)[0])}
    assert {*named("system", "move"), "Act"} == moves


def faults() -> Iterator[str]:
    for heading, rows in SECTIONS.items():
        if heading.startswith("Faults"):
            yield from (names[-1] for kind, _, names in rows if kind != "PARE")


@pytest.mark.parametrize("test", list(faults()))
def test_the_test_of_a_mended_fault_is_there(test: str) -> None:
    file, _, function = test.partition("::")
    path = PAGE.parents[1] / file if "/" in file else HERE / file
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert function in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


# --- faults without a better place --------------------------------------------------------------


def test_the_user_writes_to_a_chat_of_two() -> None:
    hand = Hand("messaging")
    hand.happens("receive", sender_id="jo", sender_name="Jo Park", content="Are you in?")
    hand.open()
    hand.do("open_conversation", conversation_id=hand.refs("conversation")[0])
    hand.do("send", content="On my way")
    assert "On my way" in hand.items()[-1].text
    entry = hand.world.log[-1]
    assert (entry.actor, entry.effect, len(entry.writes) > 0) == ("user", "write", True)


@pytest.mark.parametrize("seed", range(3))
def test_no_read_changes_anything(seed: int) -> None:
    life = Life(list(installed()), random.Random(seed))
    for _ in range(300):
        life.happen()
        life.call()
    mine = [e for e in life.world.log if e.actor == "assistant" and e.error is None]
    reads = [entry for entry in mine if entry.effect == "read"]
    assert len({entry.name for entry in reads}) > 20
    assert [entry.name for entry in reads if entry.writes] == []
    assert installed()["calendar"].TOOLS["edit_calendar_event"].effect == "write"
