"""Structure-aware mutations of ARE files: what a broken, hostile or merely odd file may look like.

A mutation picks places in the parsed JSON and deletes, retypes, renames, doubles, nests or blows up
what stands there, or breaks what hangs together: times, ids, dependencies. The text that comes of
it need not be JSON any more. Used by ``import_fuzz.py`` and the tests. It imports nothing of Heron.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

Place = tuple[Any, Any]
"""A holder, and the key or position in it."""

STRANGE: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    10**30,
    -(10**18),
    1e308,
    float("nan"),
    float("inf"),
    0.1,
    "",
    " ",
    "None",
    "null",
    "{{",
    "{{x}}",
    "{x.y:z}",
    "}}",
    "@",
    "@@",
    "@me",
    "@event_1",
    "~tell",
    "\x00",
    "\x07\x1b[31m",
    "\u2028\u2029\x85",
    "\ufeff",
    "\ud800",
    "é" * 50,
    "日本語 عربى 👩‍👩‍👧",
    "a" * 5000,
    "../../etc/passwd",
    "/",
    "2025-13-45 99:99:99",
    "2025-02-30 10:00:00",
    "9999-12-31 23:59:59",
    "0001-01-01 00:00:00",
    "10:00",
    "- a: b\n- c",
    "%s %d {0}",
    [],
    {},
    [None],
    [[]],
    {"": ""},
    {"a": {"b": {"c": []}}},
)


def mutated(data: Any, rng: random.Random) -> str:
    """A text made of a file's data by one to six mutations.

    Args:
        data: parsed JSON, which is left as it is.
        rng: decides.
    """
    broken = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        rng.choice(MUTATIONS)(broken, rng)
    text = json.dumps(broken, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.03:
        at = rng.randrange(len(text) + 1)
        text = rng.choice((text[:at], text[at:], text[:at] + "," + text[at:], f"[{text}]"))
    return text


def places(data: Any) -> list[Place]:
    """All places in the data."""
    found: list[Place] = []
    level = [data]
    while level:
        holder = level.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                level.append(holder[key])
    return found


def _any(data: Any, rng: random.Random) -> Place | None:
    # Half of the time near the surface, where less is made of more.
    found = places(data)
    if not found:
        return None
    parts = [data.get(key) for key in ("events", "apps", "completed_events", "final_state")]
    inner = [part for part in parts if isinstance(part, dict | list) and part]
    if inner and rng.random() < 0.5:
        found = places(rng.choice(inner)) or found
    return rng.choice(found)


def delete(data: Any, rng: random.Random) -> None:
    """Something is missing."""
    place = _any(data, rng)
    if place is not None:
        del place[0][place[1]]


def retype(data: Any, rng: random.Random) -> None:
    """Something is of another type, or strange."""
    place = _any(data, rng)
    if place is not None:
        place[0][place[1]] = copy.deepcopy(rng.choice(STRANGE))


def rename(data: Any, rng: random.Random) -> None:
    """Something is called otherwise."""
    found = [place for place in places(data) if isinstance(place[0], dict)]
    if found:
        holder, key = rng.choice(found)
        name = rng.choice((f"{key}_", key.upper(), "", "x", "label", "person", "é", "a" * 300))
        holder[name] = holder.pop(key)


def double(data: Any, rng: random.Random) -> None:
    """Something stands twice."""
    found = [place for place in places(data) if isinstance(place[0], list)]
    if found:
        holder, key = rng.choice(found)
        holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(holder[key]))


def swap(data: Any, rng: random.Random) -> None:
    """Two things are in each other's place."""
    one, other = _any(data, rng), _any(data, rng)
    if one is None or other is None or _inside(one, other) or _inside(other, one):
        return
    one[0][one[1]], other[0][other[1]] = other[0][other[1]], one[0][one[1]]


def _inside(one: Place, other: Place) -> bool:
    value = one[0][one[1]]
    if not isinstance(value, dict | list):
        return False
    return value is other[0] or any(holder is other[0] for holder, _ in places(value))


def nest(data: Any, rng: random.Random) -> None:
    """Something is wrapped, a few or very many times."""
    place = _any(data, rng)
    if place is not None:
        value = place[0][place[1]]
        for _ in range(rng.choice((1, 2, 100))):
            value = [value] if rng.random() < 0.5 else {"x": value}
        place[0][place[1]] = value


def enlarge(data: Any, rng: random.Random) -> None:
    """Something is much longer."""
    place = _any(data, rng)
    if place is not None:
        value = place[0][place[1]]
        if isinstance(value, str):
            place[0][place[1]] = value * rng.choice((2, 50))
        elif isinstance(value, list):
            place[0][place[1]] = copy.deepcopy(value) * rng.choice((2, 5))
        elif isinstance(value, int | float):
            place[0][place[1]] = value * 1000000


def events(data: Any) -> list[dict[str, Any]]:
    """The scenario's events, as far as there are any."""
    found = data.get("events") if isinstance(data, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def hang(data: Any, rng: random.Random) -> None:
    """Events hang on each other otherwise: in circles, on what is not there."""
    found = events(data)
    if found:
        one, other = rng.choice(found), rng.choice(found)
        needs = [other.get("event_id"), rng.choice(("nothing", one.get("event_id")))]
        one["dependencies"] = needs[: rng.choice((1, 2))]


def time(data: Any, rng: random.Random) -> None:
    """Times are others."""
    found = events(data)
    if found:
        one = rng.choice(found)
        key = rng.choice(("event_time", "event_relative_time"))
        one[key] = rng.choice((None, 0, -5, 1e9, 1763456400, 5000.0, 1e300, "soon", 0.0001))


def type_(data: Any, rng: random.Random) -> None:
    """An event is of another type, of another app, calls another function."""
    found = events(data)
    if found:
        one = rng.choice(found)
        one["event_type"] = rng.choice(("ENV", "AGENT", "USER", "CONDITION", "VALIDATION", "STOP"))
        action = one.get("action")
        if isinstance(action, dict) and rng.random() < 0.5:
            others = [e["action"] for e in found if isinstance(e.get("action"), dict)]
            other = rng.choice(others)
            key = rng.choice(("app", "function", "args"))
            action[key] = copy.deepcopy(other.get(key))


def argument(data: Any, rng: random.Random) -> None:
    """An argument is another, or one more."""
    found = [e["action"] for e in events(data) if isinstance(e.get("action"), dict)]
    args = [a["args"] for a in found if isinstance(a.get("args"), list)]
    if args:
        chosen = rng.choice(args)
        strange = rng.choice(STRANGE)
        if chosen and isinstance(chosen[0], dict) and rng.random() < 0.8:
            one = rng.choice([a for a in chosen if isinstance(a, dict)])
            one["value"] = strange if rng.random() < 0.7 else str(strange)
            if rng.random() < 0.5:
                one["value_type"] = rng.choice(("str", "int", "list", "dict", "bool", "float", "x"))
        else:
            chosen.append({"name": rng.choice(("x", "self", "title")), "value": strange})


def identity(data: Any, rng: random.Random) -> None:
    """An id is another record's, or nobody's."""
    found = [
        place
        for place in places(data)
        if isinstance(place[1], str) and place[1].endswith("_id") and isinstance(place[0], dict)
    ]
    if len(found) > 1:
        one, other = rng.choice(found), rng.choice(found)
        one[0][one[1]] = rng.choice((other[0][other[1]], "", "nobody", None))


def forget(data: Any, rng: random.Random) -> None:
    """A whole part is not there: the run, the final state, an app's state."""
    if isinstance(data, dict):
        key = rng.choice(("completed_events", "final_state", "apps", "events", "metadata"))
        data[key] = rng.choice(([], {}, None))


MUTATIONS: tuple[Callable[[Any, random.Random], None], ...] = (
    delete,
    delete,
    retype,
    retype,
    retype,
    rename,
    double,
    swap,
    nest,
    enlarge,
    hang,
    time,
    type_,
    argument,
    argument,
    identity,
    forget,
)
