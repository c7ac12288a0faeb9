"""``heron import are``: scenario files of ARE, PARE and Gaia2 become Heron scenarios.

What it does not know: the format, and how a file is taken over (see ``heron.eval.importing``).
"""

from __future__ import annotations

import typer

from heron.cli.errors import SETTINGS

app = typer.Typer(**SETTINGS)


@app.command()
def are() -> None:
    """Take over scenario files of ARE, PARE and Gaia2."""
