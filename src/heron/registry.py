"""Lazy tables of pluggable parts: ``name -> "module:attribute"``, imported on first use.

Third parties add to a table by an entry point of the table's group. A name is looked up with its
argument cut off: ``gguf:smollm2`` asks for ``gguf`` with the argument ``smollm2``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from importlib import import_module, metadata
from typing import Generic, TypeVar, cast

from heron.errors import InputError, UnknownName

T = TypeVar("T")


class Registry(Generic[T]):
    """One table of named parts.

    Args:
        what: what the table holds, for messages ("observer").
        group: entry-point group through which others add to it ("heron.observers").
        builtin: the names that Heron ships, each with its ``"module:attribute"``.
    """

    def __init__(self, what: str, group: str, builtin: Mapping[str, str]) -> None:
        self.what, self.group = what, group
        self._builtin = dict(builtin)
        self._all: dict[str, str] | None = None

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self._targets())

    def get(self, name: str) -> T:
        """The part called ``name``.

        Raises:
            UnknownName: there is none; the message names the nearest.
        """
        targets = self._targets()
        if name not in targets:
            raise UnknownName(f"unknown {self.what} {name!r}; {nearest(name, targets)}")
        module, _, attribute = targets[name].partition(":")
        return cast(T, getattr(import_module(module), attribute))

    def _targets(self) -> dict[str, str]:
        """Looking for entry points reads every installed package, so it is done once."""
        if self._all is None:
            self._all = self._found()
        return self._all

    def _found(self) -> dict[str, str]:
        found = dict(self._builtin)
        for point in metadata.entry_points(group=self.group):
            if point.name in self._builtin and point.value != self._builtin[point.name]:
                raise InputError(
                    f"entry point {point.value!r} claims the built-in {self.what} {point.name!r}; "
                    f"give it another name"
                )
            found[point.name] = point.value
        return found


def split_spec(spec: str) -> tuple[str, str]:
    """``"gguf:smollm2"`` → ``("gguf", "smollm2")``; without a colon the argument is empty."""
    name, _, argument = spec.partition(":")
    return name, argument


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of an error message: what was probably meant, and what there is."""
    options = sorted(known)
    close = difflib.get_close_matches(name, options, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}? " if close else ""
    shown = ", ".join(options[:12]) + (", …" if len(options) > 12 else "")
    return f"{hint}known: {shown}" if options else "there are none"
