"""``heron apps``: what is on the phone, and how its screens hang together.

Read off the apps' types, so it is right by construction and knows a new app at once. What it does
not know: records and scenarios.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli.columns import columns
from heron.cli.errors import SETTINGS

if TYPE_CHECKING:
    from heron.sim.app import App

app = typer.Typer(help="List the phone's apps and draw their state graphs.", **SETTINGS)


class GraphFormat(StrEnum):
    """How a graph is written."""

    mermaid = "mermaid"
    json = "json"


@app.command("list")
def list_apps(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")] = False,
) -> None:
    """List the apps with their screens, actions, tools and happenings."""
    from heron.sim.installed import installed

    described = [_described(kind) for kind in installed().values()]
    if as_json:
        _print_json(described)
        return
    heading = ("NAME", "TITLE", "SCREENS", "ACTIONS", "READS", "WRITES", "HAPPENINGS")
    rows = [(d["name"], d["title"], *_counts(d)) for d in described]
    total = (sum(row[place] for row in rows) for place in range(2, len(heading)))
    cells = [heading, *rows, ("total", "", *total)]
    typer.echo(columns([tuple(map(str, row)) for row in cells], right=range(2, len(heading))))


@app.command("graph")
def graph_of_app(
    name: Annotated[str, typer.Argument(metavar="APP", help="Name of an app.")],
    written: Annotated[
        GraphFormat, typer.Option("--format", help="Mermaid text or JSON.")
    ] = GraphFormat.mermaid,
) -> None:
    """Draw an app's screens and the actions that lead from one to another.

    On every screen there are also back and go_home, which lead to where the user came from.
    """
    from heron.sim.graph import edges
    from heron.sim.installed import choose

    (kind,) = choose([name])
    if written is GraphFormat.json:
        _print_json(
            {
                "app": kind.NAME,
                "root": kind.ROOT.__name__,
                "screens": _screens(kind),
                "edges": [
                    {"source": e.source, "action": e.action, "target": e.target, "effect": e.effect}
                    for e in edges(kind)
                ],
            }
        )
        return
    typer.echo("\n".join(_mermaid(kind)))


def _mermaid(kind: type[App]) -> list[str]:
    """A state diagram; what leads from one screen to the same other shares an arrow."""
    from heron.sim.graph import edges

    arrows: dict[tuple[str, str], list[str]] = {}
    for edge in edges(kind):
        mark = " (writes)" if edge.effect == "write" else ""
        arrows.setdefault((edge.source, edge.target), []).append(edge.action + mark)
    return [
        "stateDiagram-v2",
        f"    [*] --> {kind.ROOT.__name__}",
        *(
            f"    {source} --> {target}: {', '.join(actions)}"
            for (source, target), actions in arrows.items()
        ),
    ]


def _described(kind: type[App]) -> dict[str, Any]:
    return {
        "name": kind.NAME,
        "title": kind.TITLE,
        "screens": _screens(kind),
        "actions": [
            {
                "name": action.name,
                "screen": screen.__name__,
                "effect": action.effect,
                "description": action.description,
            }
            for screen in kind.SCREENS
            for action in screen.ACTIONS.values()
        ],
        "tools": [
            {
                "name": f"{kind.NAME}.{tool.name}",
                "effect": tool.effect,
                "description": tool.description,
            }
            for tool in kind.TOOLS.values()
        ],
        "happenings": [
            {"name": f"{kind.NAME}.{happening.name}", "description": happening.description}
            for happening in kind.HAPPENINGS.values()
        ],
    }


def _screens(kind: type[App]) -> list[dict[str, Any]]:
    return [{"name": s.__name__, "shows": s.SHOWS, "form": s.FORM} for s in kind.SCREENS]


def _counts(described: dict[str, Any]) -> tuple[int, int, int, int, int]:
    effects = [tool["effect"] for tool in described["tools"]]
    return (
        len(described["screens"]),
        len(described["actions"]),
        effects.count("read"),
        effects.count("write"),
        len(described["happenings"]),
    )


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2))
