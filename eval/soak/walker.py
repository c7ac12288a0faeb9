"""A user without a purpose: does one legal thing after the other, at random.

It wanders through all screens, mostly reading. What it does not know: what anything means.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Final

from heron.contracts import Act, ActionOffer, Item
from heron.sim.world import World

WRITES: Final = 0.08
"""Share of its steps that may change something."""
SYSTEM: Final = "system"

_WORDS: Final = ("friday", "lunch", "train", "keys", "tickets", "invoice", "garden", "call")
_LINES: Final = (
    "On my way.",
    "Thanks, that works for me.",
    "Let me look that up and come back to you.",
    "Can we talk about it tomorrow?",
    "Sounds good!",
)


def walk(world: World, rng: random.Random) -> Act:
    """What it does now."""
    items = world.phone.view().items
    offers = list(world.phone.offers())
    rng.shuffle(offers)
    # Opening apps is always legal, so without a preference it would do little else.
    offers.sort(key=lambda offer: offer.app == SYSTEM and rng.random() < 0.8)
    may_write = rng.random() < WRITES
    for offer in offers:
        if offer.effect == "write" and not may_write:
            continue
        arguments = _arguments(offer, items, world.now, rng)
        if arguments is not None:
            return Act(app=offer.app, action=offer.name, arguments=arguments)
    return Act(app=SYSTEM, action="go_home")


def _arguments(
    offer: ActionOffer, items: Sequence[Item], now: datetime, rng: random.Random
) -> dict[str, Any] | None:
    """Values for what has to be given; ``None`` where there are none."""
    properties, needed = offer.parameters.get("properties", {}), offer.parameters.get("required")
    found: dict[str, Any] = {}
    for name in needed if isinstance(needed, Sequence) else ():
        schema = properties.get(str(name), {}) if isinstance(properties, Mapping) else {}
        value = _value(schema, items, now, rng)
        if value is None:
            return None
        found[str(name)] = value
    return found


def _value(schema: Any, items: Sequence[Item], now: datetime, rng: random.Random) -> Any:
    if not isinstance(schema, Mapping):
        return None
    if "x-ref" in schema:
        there = [item.ref for item in items if item.kind == schema["x-ref"] and item.ref]
        return rng.choice(there) if there else None
    if "enum" in schema:
        return rng.choice(list(schema["enum"]))
    if schema.get("type") == "array":
        one = _value(schema.get("items"), items, now, rng)
        return None if one is None else [one]
    return _plain(schema, now, rng)


def _plain(schema: Mapping[str, Any], now: datetime, rng: random.Random) -> Any:
    """A value that names no record."""
    match schema.get("type"), schema.get("format"):
        case "string", "date":
            return f"{date.fromordinal(now.toordinal() + rng.randint(-2, 5))}"
        case "string", "date-time":
            day = date.fromordinal(now.toordinal() + rng.randint(1, 5))
            return f"{datetime.combine(day, time(rng.randint(8, 19)))}"
        case "string", None:
            return rng.choice(_LINES if schema.get("x-text") else _WORDS)
        case "integer", _:
            return int(schema.get("minimum", 1))
        case "boolean", _:
            return rng.random() < 0.5
        case _:
            return None
