"""``heron import``: scenarios and traces that other systems wrote.

Each kind of file has a module of its own, imported when it is called. What it does not know: any
format.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import typer
from typer.core import TyperGroup

from heron.cli.app import Entry, LazyCommand
from heron.cli.errors import SETTINGS

KINDS: dict[str, Entry] = {
    "are": Entry("heron.cli.import_are:app", "Scenario files of ARE, PARE and Gaia2."),
    "trace": Entry("heron.cli.import_trace:app", "Recorded runs of ARE and PARE."),
}
"""What can be taken over → the command that does it."""


class Kinds(TyperGroup):
    """The group, with its commands still unloaded."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for name, entry in KINDS.items():
            if find_spec(entry.target.partition(":")[0]) is not None:
                self.add_command(LazyCommand(name, entry))


app = typer.Typer(**SETTINGS, cls=Kinds)


@app.callback()
def import_() -> None:
    """Take over scenarios and traces of other systems."""
