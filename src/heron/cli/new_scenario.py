"""``heron scenarios new``: a small finished scenario to be changed into one's own.

What it does not know: what stands in it (see ``heron.scenarios.generator.examples``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from heron.cli.generate import KindOption, LocaleOption, TypeOption
from heron.errors import InputError, Unavailable, UnknownName
from heron.registry import nearest

HELP = """Write a small finished scenario, to be changed into one's own.

It loads, passes the checks and is proved; docs/authoring.md changes one step by step.

Examples:

  heron scenarios new key_under_the_mat --family house_keys --out my_scenarios

  heron scenarios new quiet_evening --kind own_plan --locale de_DE
"""
_NAME = re.compile(r"^[a-z][a-z0-9_]*$")


def new(
    name: Annotated[str, typer.Argument(metavar="ID", help="Small letters, digits and _.")],
    family: Annotated[
        str | None,
        typer.Option("--family", help="Siblings share a plot [the id].", show_default=False),
    ] = None,
    type_: TypeOption = None,
    kind: KindOption = None,
    locale: LocaleOption = None,
    out: Annotated[
        Path, typer.Option("--out", help="Folder of families; the file is OUT/FAMILY/ID.yaml.")
    ] = Path("scenarios"),
) -> None:
    """See ``HELP``."""
    from heron.scenarios import locales
    from heron.scenarios.generator.examples import example_data
    from heron.scenarios.generator.request import type_of
    from heron.scenarios.writing import write

    for word in (name, family or name):
        if not _NAME.match(word):
            raise InputError(f"{word!r} is no name of a scenario: small letters, digits and _")
    if locale is not None and locale not in locales.names():
        raise UnknownName(f"unknown locale {locale!r}; {nearest(locale, locales.names())}")
    wanted = type_of(kind, type_.value if type_ else None)
    data: dict[str, Any] = example_data(wanted, kind=kind, locale=locale or "en_GB")
    data |= {"id": name, "family": family or name}
    file = out / (family or name) / f"{name}.yaml"
    _make(file.parent)
    try:
        with file.open("x", encoding="utf-8") as new_file:
            new_file.write(write(data))
    except FileExistsError:
        raise InputError(f"{file} is there already; it is left as it is") from None
    except OSError as error:
        raise Unavailable(f"cannot write to {file}: {error.strerror}") from error
    typer.echo(file)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"cannot write to {folder}: {error.strerror}") from error
