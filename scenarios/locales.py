"""Locales: pools of names and places, and how times, dates and money are written there.

A locale is one file in ``pools/``; adding one adds no code. Texts stay English whatever the
locale. What it does not know: seeds, scenarios.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from heron.errors import UnknownName
from heron.registry import nearest
from heron.scenarios.document import read

POOLS = Path(__file__).parent / "pools"

Names = Annotated[tuple[str, ...], Field(min_length=15)]


class FirstNames(BaseModel):
    """First names of women and men."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    f: Names
    m: Names


class Locale(BaseModel):
    """One file of ``pools/``."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str
    country: str
    currency: str
    """How an amount is written, with ``{amount}``."""
    decimal: Literal[".", ","]
    clock: Literal[12, 24]
    date_order: Literal["dmy", "mdy"]
    phone: str
    """A number, with ``{digits}`` (three of them)."""
    address: str
    """With ``{street}``, ``{number}`` and ``{city}``."""
    first_names: FirstNames
    last_names: Names
    streets: Names
    cities: Names
    email_domains: tuple[str, ...]
    """Names that nobody can register."""


@cache
def names() -> tuple[str, ...]:
    """The locales there are, sorted."""
    return tuple(sorted(file.stem for file in POOLS.glob("*.yaml")))


@cache
def load(name: str) -> Locale:
    """The locale called ``name``.

    Raises:
        UnknownName: there is none.
    """
    if name not in names():
        raise UnknownName(f"unknown locale {name!r}; {nearest(name, names())}")
    document = read(POOLS / f"{name}.yaml")
    return Locale.model_validate({"name": name, **document.data})
