"""What a row of the tables of calls is: a function of ARE's, and its counterpart.

An argument without a counterpart is named with ``None`` and the values under which leaving it out
changes nothing. Functions that are no table row by nature have ``special``: they are turned over by
a function of that name in ``turning``. What it does not know: any function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["read", "write", "event"]
"""A tool that reads, a tool that writes, or something that the environment does."""

ANY: Any = object()
"""Whatever stands there."""


@dataclass(frozen=True)
class Argument:
    """An argument on both sides."""

    are: str
    heron: str | None
    form: str = "text"
    """``text``, ``number``, ``count``, ``flag``, ``time``, ``texts``, ``options``, ``path``,
    ``paths``, ``address``, ``addresses``, ``folder``, ``choice``, ``ref:KIND``, ``refs:KIND``."""
    harmless: tuple[Any, ...] = ()
    """Values under which an argument without a counterpart says nothing; ``ANY`` for all."""


@dataclass(frozen=True)
class Call:
    """A function of ARE's and its counterpart."""

    app: str
    are: str
    heron: str | None
    role: Role
    arguments: tuple[Argument, ...] = ()
    returns: str | None = None
    """Kind of the record whose id it returns."""
    special: str | None = None


def texts(*names: str) -> tuple[Argument, ...]:
    """Arguments that are texts on both sides."""
    return tuple(Argument(name, name) for name in names)


def counts(*names: str) -> tuple[Argument, ...]:
    """Arguments that are whole numbers on both sides."""
    return tuple(Argument(name, name, "count") for name in names)


def times(*names: str) -> tuple[Argument, ...]:
    """Arguments that are times on both sides."""
    return tuple(Argument(name, name, "time") for name in names)


def drop(*names: str) -> tuple[Argument, ...]:
    """Arguments that say nothing here."""
    return tuple(Argument(name, None, harmless=(ANY,)) for name in names)


def ref(name: str, kind: str, heron: str | None = None) -> Argument:
    """An argument that names a record."""
    return Argument(name, heron or name, f"ref:{kind}")


PAGE = counts("offset", "limit")
