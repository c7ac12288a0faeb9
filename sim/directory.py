"""What there is on a phone by name: tools, happenings, records, tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from heron.contracts import Effect, ToolSpec
from heron.errors import IllegalCall, InputError
from heron.registry import nearest
from heron.sim.app import App, Declaration
from heron.sim.tables import AppRecord, Table


class Directory:
    """Looks things up over all apps.

    Args:
        apps: the installed apps by name.
        unseen: further apps by name, which only the environment can call.
    """

    def __init__(self, apps: Mapping[str, App], unseen: Mapping[str, App]) -> None:
        self._apps = apps
        self._happening_in = {**apps, **unseen}

    def tool(self, name: str) -> tuple[App, Declaration]:
        """App and declaration of ``app.tool``.

        Raises:
            IllegalCall: there is no such tool.
        """
        app, _, short = name.partition(".")
        found = self._apps[app].TOOLS.get(short) if app in self._apps else None
        if found is None:
            known = [f"{a.NAME}.{tool}" for a in self._apps.values() for tool in a.TOOLS]
            raise IllegalCall(f"no tool {name!r}; {nearest(name, known)}")
        return self._apps[app], found

    def happening(self, name: str) -> tuple[App, Declaration]:
        """App and declaration of ``app.happening``.

        Raises:
            InputError: there is no such happening.
        """
        app, _, short = name.partition(".")
        places = self._happening_in
        found = places[app].HAPPENINGS.get(short) if app in places else None
        if found is None:
            known = [f"{a.NAME}.{event}" for a in places.values() for event in a.HAPPENINGS]
            raise InputError(f"no happening {name!r}; {nearest(name, known)}")
        return places[app], found

    def tool_specs(self, effect: Effect | None) -> tuple[ToolSpec, ...]:
        """All tools, or those of one effect."""
        return tuple(
            spec
            for app in self._apps.values()
            for spec in app.tool_specs()
            if effect is None or spec.effect == effect
        )

    def tables(self) -> Iterator[Table[Any]]:
        """All tables, always in the same order."""
        for app in self._apps.values():
            yield from app.tables.values()

    def record(self, ref: str) -> AppRecord | None:
        """The record with this id, in whichever app it is."""
        for table in self.tables():
            found: AppRecord | None = table.find(ref)
            if found is not None:
                return found
        return None

    def app_of(self) -> dict[int, str]:
        """``id(table)`` → its app's name."""
        return {id(table): app.NAME for app in self._apps.values() for table in app.tables.values()}

    def clear(self) -> None:
        """Let go of the apps."""
        self._happening_in.clear()
