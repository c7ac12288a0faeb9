"""Finds the apps: every module of ``heron.sim.apps`` and every entry point of ``heron.apps``.

An app's module exposes its class as ``APP``. Adding an app touches no other file.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module, metadata

from heron.errors import InputError, UnknownName
from heron.registry import nearest
from heron.sim import apps
from heron.sim.app import App


@cache
def installed() -> dict[str, type[App]]:
    """Name → app class, sorted by name."""
    found: dict[str, type[App]] = {}
    for module in pkgutil.iter_modules(apps.__path__):
        _add(found, import_module(f"{apps.__name__}.{module.name}").APP)
    for point in metadata.entry_points(group="heron.apps"):
        _add(found, point.load())
    return dict(sorted(found.items()))


def choose(names: Iterable[str] | None = None) -> tuple[type[App], ...]:
    """The named apps, or all.

    Raises:
        UnknownName: there is no such app.
    """
    known = installed()
    if names is None:
        return tuple(known.values())
    for name in names:
        if name not in known:
            raise UnknownName(f"unknown app {name!r}; {nearest(name, known)}")
    return tuple(known[name] for name in names)


def _add(found: dict[str, type[App]], app: type[App]) -> None:
    if app.NAME in found:
        raise InputError(f"two apps are called {app.NAME!r}; give one of them another NAME")
    found[app.NAME] = app
