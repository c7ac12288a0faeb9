"""The root of the command line: a table of sub-commands, each imported when it is called.

``heron --help`` reads the table alone, so it costs little more than importing typer. What it does
not know: what a sub-command does, or which options it has.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from heron import __version__
from heron.cli.errors import SETTINGS, run


class Entry(NamedTuple):
    """A row of the table."""

    target: str
    """``module:attribute`` of a ``typer.Typer``."""
    help: str
    """The line that ``heron --help`` shows."""


COMMANDS: dict[str, Entry] = {
    "bench": Entry("heron.cli.bench:app", "Play a split of scenarios and report score and cost."),
    "sweep": Entry("heron.cli.sweep:app", "Play many configurations from one file."),
    "episode": Entry("heron.cli.episode:app", "Play one scenario and tell it turn by turn."),
    "soak": Entry("heron.cli.soak:app", "Watch an observer over a day of events."),
    "compare": Entry("heron.cli.compare:app", "Compare configurations, and what differences bear."),
    "report": Entry("heron.cli.report:app", "Make a page of stored runs, with every episode."),
    "why": Entry("heron.cli.why:app", "Say why stored episodes failed, and whose fault it was."),
    "regrade": Entry("heron.cli.regrade:app", "Score stored episodes anew with today's checks."),
    "users": Entry("heron.cli.users:app", "Personas, judging of recorded decisions, ablation."),
    "observer": Entry("heron.cli.observer:app", "Calibrate an observer, and assess that."),
    "profile": Entry("heron.cli.profile:app", "Measure what observers cost on a device."),
    "scenarios": Entry("heron.cli.scenarios:app", "List, show and check scenarios."),
    "import": Entry("heron.cli.import_:app", "Take over scenarios and traces of other systems."),
    "replay": Entry("heron.cli.replay:app", "Show recorded runs to observers, open loop."),
    "export": Entry("heron.cli.export:app", "Give runs to Inspect, OpenTelemetry, MLflow and ARE."),
    "apps": Entry("heron.cli.apps:app", "List the phone's apps and draw their state graphs."),
    "models": Entry("heron.cli.models:app", "List, pull and verify model files."),
    "doctor": Entry("heron.cli.doctor:app", "Say what this machine has for running models."),
}


class LazyCommand(TyperCommand):
    """Stands for a sub-command in the root's help and imports it when it is called."""

    def __init__(self, name: str, entry: Entry) -> None:
        super().__init__(name, help=entry.help, rich_markup_mode=None)
        self.target = entry.target

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> Any:
        """The context of the real command, so that parsing, help and running are its own."""
        return load(self.target).make_context(info_name, args, *rest, **extra)


def load(target: str) -> Any:
    """The command behind ``module:attribute``."""
    module, _, attribute = target.partition(":")
    return get_command(getattr(import_module(module), attribute))


root = typer.Typer(
    name="heron",
    help="Proactive assistants that live on the device: run them, score them, measure them.",
    **{**SETTINGS, "add_completion": True},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"heron {__version__}")
        raise typer.Exit


@root.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say which.")
    ] = False,
) -> None:
    """Show the help if no sub-command is called."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def build() -> TyperGroup:
    """The whole command line, with every sub-command still unloaded."""
    group = get_command(root)
    assert isinstance(group, TyperGroup)  # noqa: S101 - a Typer with a callback is a group
    for name, entry in COMMANDS.items():
        group.add_command(LazyCommand(name, entry))
    return group


def main(args: list[str] | None = None) -> None:
    """Entry point of the command ``heron``."""
    sys.exit(run(lambda: build().main(args, prog_name="heron", standalone_mode=False)))
