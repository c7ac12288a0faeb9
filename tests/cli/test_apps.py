"""``heron apps``: its table, its JSON, the graph in both forms, and an unknown app."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from heron.cli import app as cli
from heron.sim.installed import installed


@pytest.fixture
def apps(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs ``heron apps`` and gives exit code, stdout and stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            cli.main(["apps", *arguments])
        assert isinstance(end.value.code, int)
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return run


def test_json_names_everything_that_the_types_declare(apps: Any) -> None:
    code, out, _ = apps("list", "--json")
    assert code == 0
    listed = {entry["name"]: entry for entry in json.loads(out)}
    assert list(listed) == list(installed())
    for name, kind in installed().items():
        entry = listed[name]
        assert [s["name"] for s in entry["screens"]] == [s.__name__ for s in kind.SCREENS]
        actions = {(a["screen"], a["name"]): a["effect"] for a in entry["actions"]}
        assert actions == {
            (s.__name__, a.name): a.effect for s in kind.SCREENS for a in s.ACTIONS.values()
        }
        tools = {tool["name"]: tool["effect"] for tool in entry["tools"]}
        assert tools == {f"{name}.{tool}": d.effect for tool, d in kind.TOOLS.items()}
        assert len(entry["happenings"]) == len(kind.HAPPENINGS)
        assert all(part["description"] for part in (*entry["actions"], *entry["tools"]))


def test_the_table_adds_up(apps: Any) -> None:
    code, out, _ = apps("list")
    assert code == 0
    heading, *rows, total = (re.split(r"\s{2,}", line) for line in out.strip().splitlines())
    assert heading[:2] == ["NAME", "TITLE"]
    assert [row[0] for row in rows] == list(installed())
    for place in range(2, len(heading)):
        assert int(total[place - 1]) == sum(int(row[place]) for row in rows)


def test_the_graph_as_json_is_closed_and_starts_at_the_root(apps: Any) -> None:
    for name, kind in installed().items():
        code, out, _ = apps("graph", name, "--format", "json")
        assert code == 0
        graph = json.loads(out)
        screens = [screen["name"] for screen in graph["screens"]]
        assert graph["root"] in screens
        assert graph["root"] == kind.ROOT.__name__
        ends = {edge["source"] for edge in graph["edges"]} | {e["target"] for e in graph["edges"]}
        assert ends == set(screens)


def test_the_graph_as_mermaid_has_an_arrow_for_every_edge(apps: Any) -> None:
    _, written, _ = apps("graph", "reminder", "--format", "json")
    code, out, _ = apps("graph", "reminder")
    assert code == 0
    first, start, *arrows = out.strip().splitlines()
    assert (first, start.strip()) == ("stateDiagram-v2", "[*] --> ReminderList")
    drawn = set()
    for arrow in arrows:
        found = re.fullmatch(r"    (\w+) --> (\w+): (.+)", arrow)
        assert found, arrow
        for action in found[3].split(", "):
            effect = "write" if action.endswith(" (writes)") else "read"
            drawn.add((found[1], action.removesuffix(" (writes)"), found[2], effect))
    edges = json.loads(written)["edges"]
    assert drawn == {(e["source"], e["action"], e["target"], e["effect"]) for e in edges}


def test_an_unknown_app_is_told_in_one_line(apps: Any) -> None:
    code, out, err = apps("graph", "calender")
    assert (code, out) == (2, "")
    assert err.strip().startswith("heron: error: unknown app 'calender'; did you mean 'calendar'?")
    assert len(err.strip().splitlines()) == 1
