"""Which scenarios a command means: splits and a part, or ids and files."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer

from heron.errors import InputError, UnknownName
from heron.registry import nearest

if TYPE_CHECKING:
    from heron.scenarios.loader import Suite
    from heron.scenarios.schema import Scenario, Split


class Part(StrEnum):
    """Families to tune on, or families to score on."""

    dev = "dev"
    test = "test"


SplitOption = Annotated[
    str | None, typer.Option("--split", help="Only these splits; use commas for several.")
]
PartOption = Annotated[
    Part | None,
    typer.Option("--part", help="Only families to tune on (dev) or to score on (test)."),
]


def chosen(
    split: str | None, names: Sequence[str] | None, part: Part | None = None
) -> tuple[Scenario, ...]:
    """The scenarios of some splits, or those named; at least one.

    Args:
        split: names of splits with commas, used where no names are given.
        names: ids or files (what ends in .yaml or holds a slash), also several with commas.
        part: only families of this part.

    Raises:
        InputError: unknown split, id or file, a broken file, or nothing at all.
    """
    suite = selection(split if not names else None, names, part).sound()
    if not suite.scenarios:
        which = f"split {split!r}" if not names else "the choice"
        raise InputError(f"{which} holds no scenarios{f' of part {part.value}' if part else ''}")
    return suite.scenarios


def selection(split: str | None, names: Sequence[str] | None, part: Part | None = None) -> Suite:
    """As ``chosen``, with the broken files beside the sound ones; all, if nothing is given.

    Raises:
        InputError: unknown split, id or file, or names beside a split.
    """
    from heron.scenarios.cache import cached
    from heron.scenarios.loader import Suite, load_suite

    if names and split:
        raise InputError("give names or --split, not both")
    of_part: dict[str, Any] = {"part": part.value if part else None}
    if not names:
        with cached() as reader:
            return load_suite(*_splits(split), **of_part, reader=reader)
    each = [name for text in names for name in text.split(",") if name]
    if not each:
        raise InputError("no scenario is named; give ids or files")
    suites = [load_suite(**_place(name), **of_part) for name in each]
    return Suite(
        tuple(scenario for suite in suites for scenario in suite),
        tuple(error for suite in suites for error in suite.errors),
    )


def _splits(text: str | None) -> list[Split]:
    from heron.scenarios.schema import Split

    if text is None:
        return []
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in get_args(Split):
            raise UnknownName(f"unknown split {name!r}; {nearest(name, get_args(Split))}")
    return cast("list[Split]", names)


def _place(name: str) -> dict[str, Any]:
    """What ends in .yaml or has a slash in it is a file, else it is an id."""
    if not name.endswith((".yaml", ".yml")) and "/" not in name:
        return {"ids": [name]}
    if not Path(name).is_file():
        raise InputError(f"there is no file {name}")
    return {"files": [Path(name)]}
