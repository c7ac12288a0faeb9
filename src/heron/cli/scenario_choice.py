"""Which scenarios a command means: a split, or ids and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast, get_args

from heron.errors import InputError, UnknownName
from heron.registry import nearest
from heron.scenarios.loader import Suite, load_suite
from heron.scenarios.schema import Scenario, Split


def chosen(split: str | None, names: Sequence[str] | None) -> tuple[Scenario, ...]:
    """The scenarios of a split, or those named; at least one.

    Args:
        split: used where no names are given.
        names: ids or files (what ends in .yaml or holds a slash), also several with commas.

    Raises:
        InputError: unknown split, id or file, a broken file, or nothing at all.
    """
    if names:
        return tuple(_named([name for part in names for name in part.split(",") if name]))
    if split not in get_args(Split):
        raise UnknownName(f"unknown split {split!r}; {nearest(split or '', get_args(Split))}")
    suite = load_suite(cast(Split, split)).sound()
    if not suite.scenarios:
        raise InputError(f"split {split!r} holds no scenarios yet")
    return suite.scenarios


def _named(names: list[str]) -> list[Scenario]:
    found: list[Scenario] = []
    for name in names:
        found += _suite(name).sound().scenarios
    if not found:
        raise InputError("no scenario is named; give ids or files")
    return found


def _suite(name: str) -> Suite:
    if name.endswith((".yaml", ".yml")) or "/" in name:
        file = Path(name)
        if not file.is_file():
            raise InputError(f"there is no file {name}")
        return load_suite(files=[file])
    return load_suite(ids=[name])
