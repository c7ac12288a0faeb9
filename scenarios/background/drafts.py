"""Records of filler in the making: they name each other as objects until all ids are known.

Ids grow with time, as on a real phone, and the scenario's own records get numbers strewn among
them, so that no id tells what matters. What it does not know: what the records say.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from heron.sim.app import App

Place = tuple[str, str]
"""App and table."""


@dataclass(eq=False)
class Draft:
    """A record to be."""

    place: Place
    at: datetime
    """When it came into being; decides its number."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Values may be drafts: they stand for their ids."""
    ref: str = ""


class Numbers:
    """Numbers of a phone's first records.

    Args:
        apps: their tables give the ids' prefixes.
        drafts: the filler's records; they get their ids at once.
        others: how many records of the scenario each table gets.
        given: ids that the scenario has chosen itself.
        rng: strews the scenario's numbers among the filler's.
    """

    def __init__(
        self,
        apps: Mapping[str, App],
        drafts: Iterable[Draft],
        others: Mapping[Place, int],
        given: frozenset[str],
        rng: random.Random,
    ) -> None:
        self._apps = apps
        self._left: dict[Place, list[str]] = {}
        by_place: dict[Place, list[Draft]] = {}
        for draft in drafts:
            by_place.setdefault(draft.place, []).append(draft)
        for place, rows in by_place.items():
            app, table = place
            prefix = apps[app].tables[table].prefix
            # One more than needed: the last number is the filler's, so that the table, once
            # filled, goes on counting behind all of them.
            count = len(rows) + others.get(place, 0) + len(given)
            ids = [ref for ref in (f"{prefix}{n}" for n in range(1, count + 1)) if ref not in given]
            ids = ids[: len(rows) + others.get(place, 0)]
            strewn = set(rng.sample(ids[:-1], others.get(place, 0)))
            self._left[place] = [ref for ref in ids if ref in strewn]
            free = (ref for ref in ids if ref not in strewn)
            for row, ref in zip(sorted(rows, key=lambda row: row.at), free, strict=True):
                row.ref = ref

    def mint(self, app: App, table: str) -> str:
        """The id of the scenario's next record in a table."""
        left = self._left.get((app.NAME, table))
        return left.pop(0) if left else app.tables[table].reserve()


def rows_of(drafts: Iterable[Draft], app: App) -> dict[str, list[dict[str, Any]]]:
    """An app's drafts as its ``fill`` takes them, oldest first, ids in the place of drafts."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for draft in sorted(drafts, key=lambda draft: draft.at):
        name, table = draft.place
        if name == app.NAME:
            id_field = app.tables[table].record_type.ID
            fields = {key: _resolved(value) for key, value in draft.fields.items()}
            rows.setdefault(table, []).append({id_field: draft.ref, **fields})
    return {table: rows[table] for table in app.tables if table in rows}


def _resolved(value: Any) -> Any:
    if isinstance(value, Draft):
        return value.ref
    if isinstance(value, list):
        return [_resolved(item) for item in value]
    if isinstance(value, dict):
        return {key: _resolved(item) for key, item in value.items()}
    return value
