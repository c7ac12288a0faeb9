"""What must hold for every app, whichever are installed: declarations, graph, random lives.

A life is a random sequence of what a user, an assistant, other people and time can do; arguments
are drawn from the declared JSON schemas, references mostly from what is there. Nothing but a
refusal may come of it, a refusal leaves no trace, going back is exact, and a replay ends in the
same state. Hypothesis shrinks a failing life; ``HERON_STEPS=10000`` lives long ones from seeds.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from heron.contracts import Act, Grant, ScreenView, ToolCall
from heron.sim.app import App, Owner
from heron.sim.changes import net_changes
from heron.sim.graph import edges, next_step
from heron.sim.installed import installed
from heron.sim.log import Entry
from heron.sim.marks import VOLATILE, field_marks
from heron.sim.signature import Signature
from heron.sim.state import Snapshot
from heron.sim.world import World

START = datetime(2026, 3, 11, 9, 0)
GRANT = Grant(grant_id="grant", proposal_id="proposal", turn=0)
STEPS = int(os.environ.get("HERON_STEPS", "0"))
"""Steps of a long life; 0 leaves the long lives out."""

MOST_NOTIFICATIONS = 500
"""After so many a life begins anew: what repeats every minute makes a day cost seconds."""

APPS = installed()
every_app = pytest.mark.parametrize("name", APPS)
every_phone = pytest.mark.parametrize("names", [*([name] for name in APPS), list(APPS)], ids=str)

TEXTS = ("Anna", "x-1", "lunch on Friday", "Straße 5\nsecond line", "2026", " ", "", "'", "(a+)+")
PATHS = ("/Documents", "/Documents/new", "/Documents/plan.txt", "plan.txt")
FITTING = ("anna@berg.org", "b.ito@mail.example.com", "EUR", "USD", "10:30", "2026-03-12", "SAVE20")
"""Texts for parameters with a pattern; a new pattern needs one that fits here."""


def phone(names: list[str]) -> World:
    owner = Owner("Mara Lind", "mara@lind.org", "+49 30 5550101")
    world = World(owner, START, [APPS[name] for name in names])
    world.open_grant(GRANT)
    return world


def signatures(app: type[App]) -> Iterator[tuple[str, str, Signature]]:
    """Name, description and signature of all that an app declares."""
    for screen in app.SCREENS:
        for action in screen.ACTIONS.values():
            yield f"{screen.__name__}.{action.name}", action.description, action.signature
    for declared in (*app.TOOLS.values(), *app.HAPPENINGS.values()):
        yield declared.name, declared.description, declared.signature


# --- declarations -------------------------------------------------------------------------------


@every_app
def test_all_that_is_declared_is_described_typed_and_has_a_valid_schema(name: str) -> None:
    for where, description, signature in signatures(APPS[name]):
        assert description.strip(), where
        assert all(p.name in signature.hints for p in signature.parameters), where
        Draft202012Validator.check_schema(signature.schema)
        assert set(signature.schema.get("properties", {})) == {  # type: ignore[arg-type]
            p.name for p in signature.parameters
        }, where


@every_app
def test_references_name_kinds_that_some_app_keeps(name: str) -> None:
    for where, _, signature in signatures(APPS[name]):
        for kind in re.findall(r'"x-ref": "(\w+)"', json.dumps(signature.schema)):
            assert kind in {table.record_type.KIND for table in tables()}, where


def tables() -> list[Any]:
    return [t for app in phone(list(APPS)).apps.values() for t in app.tables.values()]


def test_kinds_and_id_prefixes_are_unique_over_all_apps() -> None:
    kinds = Counter(table.record_type.KIND for table in tables())
    prefixes = Counter(table.prefix for table in tables())
    assert max(kinds.values()) == 1, kinds
    assert max(prefixes.values()) == 1, prefixes


# --- graph --------------------------------------------------------------------------------------


@every_app
def test_every_screen_is_declared_and_reachable_from_the_root(name: str) -> None:
    app = APPS[name]
    ways: dict[str, set[str]] = {}
    for edge in edges(app):
        ways.setdefault(edge.source, set()).add(edge.target)
    reached, todo = {app.ROOT.__name__}, [app.ROOT.__name__]
    while todo:
        new = ways.get(todo.pop(), set()) - reached
        reached |= new
        todo += new
    assert reached == {screen.__name__ for screen in app.SCREENS}


# --- random lives -------------------------------------------------------------------------------


@dataclass
class Values:
    """Draws arguments that a JSON schema allows, and now and then some that it does not."""

    rng: random.Random
    refs: Mapping[str, list[str]]
    wrong: float = 0.02

    def arguments(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        definitions = schema.get("$defs", {})
        given = {
            name: self.value(child, definitions)
            for name, child in schema.get("properties", {}).items()
            if name in schema.get("required", ()) or self.rng.random() < 0.4
        }
        if given and self.rng.random() < self.wrong:
            del given[self.rng.choice(list(given))]
        if self.rng.random() < self.wrong:
            given["no such\nargument"] = 1
        return given

    def value(
        self, schema: Mapping[str, Any], definitions: Mapping[str, Any], ref: str = ""
    ) -> Any:
        if self.rng.random() < self.wrong:
            return self.rng.choice([None, -1, "?", [], {}, True, 10**12])
        if "$ref" in schema:
            target = definitions[schema["$ref"].rpartition("/")[2]]
            return self.value(target, definitions, schema.get("x-ref", ref))
        ref = schema.get("x-ref", ref)
        for word in ("anyOf", "oneOf"):
            if word in schema:
                options = [o for o in schema[word] if o.get("type") != "null"]
                none = len(options) < len(schema[word]) and self.rng.random() < 0.2
                return None if none else self.value(self.rng.choice(options), definitions, ref)
        if "const" in schema or "enum" in schema:
            return self.rng.choice(schema.get("enum", [schema.get("const")]))
        return self._typed(schema, definitions, ref)

    def _typed(self, schema: Mapping[str, Any], definitions: Mapping[str, Any], ref: str) -> Any:
        kind = schema.get("type", "string")
        if kind == "array":
            least = schema.get("minItems", 0)
            length = self.rng.randint(least, min(schema.get("maxItems", 99), least + 2))
            items = schema.get("items", {})
            return [self.value(items, definitions, ref) for _ in range(length)]
        if kind == "object":
            inner = schema.get("additionalProperties")
            extra = {self.text({}): self.value(inner, definitions)} if inner else {}
            return {**extra, **self.arguments({**schema, "$defs": definitions})}
        if kind == "boolean":
            return self.rng.random() < 0.5
        if kind in ("integer", "number"):
            least = schema.get("minimum", schema.get("exclusiveMinimum", -1))
            most = schema.get("maximum", schema.get("exclusiveMaximum", 10**7))
            near = [least, least + 1, least + 2, 5, most]
            chosen = self.rng.choice([n for n in near if least <= n <= most])
            return int(chosen) if kind == "integer" else chosen
        if ref:
            known = self.refs.get(ref, [])
            return self.rng.choice([*known[-6:], *known, self.rng.choice(["?1", "?2", "?3"])])
        return self.text(schema)

    def text(self, schema: Mapping[str, Any]) -> str:
        moment = START + timedelta(minutes=self.rng.choice([-(10**6), -90, 0, 1, 60, 1500, 10**6]))
        if schema.get("format") == "date-time":
            return self.rng.choice(
                [moment, moment, datetime(1, 1, 1), datetime(9999, 12, 31)]
            ).isoformat()
        if schema.get("format") == "date":
            return moment.date().isoformat()
        if schema.get("format") == "time":
            return moment.time().isoformat()
        if "pattern" in schema:
            fitting = [text for text in FITTING if re.search(schema["pattern"], text)]
            assert fitting, f"no text fits {schema['pattern']}; add one to FITTING"
            return self.rng.choice(fitting)
        return self.rng.choice([*TEXTS, *PATHS, *FITTING[:2]])


@dataclass
class Life:
    """A phone that things happen to, checked at every step."""

    names: list[str]
    rng: random.Random
    done: list[tuple[datetime, str, str, dict[str, Any]]] = field(default_factory=list)
    worked: Counter[str] = field(default_factory=Counter)
    hoards: bool = False
    """Takes back nearly all that removed records, so that lists get long."""

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.world = phone(self.names)
        self.digest = self.world.digest()
        self.saved: list[tuple[Snapshot, str, int]] = []
        self.done.clear()

    def live(self, steps: int) -> World:
        for _ in range(steps):
            if len(self.world.notifications) > MOST_NOTIFICATIONS:
                self.begin()
            door = self.rng.choices(
                [self.act, self.call, self.happen, self.wait, self.save, self.go_back],
                [60, 20, 12, 4, 3, 2],
            )[0]
            before, rows = (self.world.snapshot(), self.digest, len(self.done)), self.rows()
            door()
            if (
                self.hoards
                and len(self.done) > before[2]
                and self.rows() < rows
                and self.rng.random() < 0.97
            ):
                self.return_to(before)
        return self.world

    def rows(self) -> int:
        return sum(map(len, self.there().values()))

    def act(self) -> None:
        offers = self.world.phone.offers()
        own = [offer for offer in offers if offer.app != "system"]
        offer = self.rng.choice(own if own and self.rng.random() < 0.8 else list(offers))
        shown: dict[str, list[str]] = {}
        for item in self.world.phone.view().items:
            if item.ref is not None:
                shown.setdefault(item.kind, []).append(item.ref)
        arguments = Values(self.rng, shown).arguments(offer.parameters)
        self.do("act", f"{offer.app}.{offer.name}", arguments)

    def call(self) -> None:
        app = self.world.apps[self.rng.choice(self.names)]
        if app.TOOLS:
            declared = app.TOOLS[self.rng.choice(list(app.TOOLS))]
            arguments = Values(self.rng, self.there()).arguments(declared.signature.schema)
            self.do("call", f"{app.NAME}.{declared.name}", arguments)

    def happen(self) -> None:
        app = self.world.apps[self.rng.choice(self.names)]
        if app.HAPPENINGS:
            declared = app.HAPPENINGS[self.rng.choice(list(app.HAPPENINGS))]
            arguments = Values(self.rng, self.there()).arguments(declared.signature.schema)
            self.do("happen", f"{app.NAME}.{declared.name}", arguments)

    def wait(self) -> None:
        self.do("wait", self.rng.choice(["20", "60", "600", "90000"]), {})

    def save(self) -> None:
        self.saved.append((self.world.snapshot(), self.digest, len(self.done)))

    def go_back(self) -> None:
        if self.saved:
            self.return_to(self.saved.pop(self.rng.choice([-1, -1, -1, 0])))

    def return_to(self, moment: tuple[Snapshot, str, int]) -> None:
        snapshot, digest, done = moment
        self.world.restore(snapshot)
        del self.done[done:]
        self.saved = [line for line in self.saved if line[2] <= done]
        assert self.world.digest() == digest
        self.digest = digest

    def there(self) -> dict[str, list[str]]:
        app_tables = [t for app in self.world.apps.values() for t in app.tables.values()]
        return {table.record_type.KIND: [row.ref for row in table] for table in app_tables}

    def do(self, door: str, name: str, arguments: dict[str, Any]) -> None:
        self.done.append((self.world.now, door, name, arguments))
        error = enter(self.world, door, name, arguments)
        digest = self.world.digest()
        if error is not None:
            assert error.strip(), f"{name} is refused without a reason"
            assert "\n" not in error, f"{name}: a refusal is one line, not {error!r}"
            assert digest == self.digest, f"{name} was refused and left a trace"
        else:
            self.worked[f"{door} {name}"] += 1
            if self.world.log and self.world.log[-1].effect == "read":
                check_read(self.world, self.world.log[-1], tool=door == "call")
        self.digest = digest
        if door != "call":
            check_screen(self.world)


def enter(world: World, door: str, name: str, arguments: dict[str, Any]) -> str | None:
    """Do one thing; why it was refused, if it was."""
    if door == "wait":
        world.advance(float(name))
        return None
    if door == "call":
        result = world.call_tool(ToolCall(name=name, arguments=arguments), GRANT)
        json.dumps(result.value)
        return result.error
    app, _, action = name.partition(".")
    entry: Entry
    if door == "act":
        entry = world.user_act(Act(app=app, action=action, arguments=arguments))
    else:
        entry = world.happen(name, arguments)
    return entry.error


def check_read(world: World, entry: Entry, *, tool: bool) -> None:
    """A reading tool writes nothing, a reading action at most what no verdict compares."""
    assert not (tool and entry.writes), f"{entry.name} reads and has written"
    for change in net_changes(world.app_of, entry.writes):
        table = world.apps[change.app].table_of(change.kind)
        assert table is not None
        marks = field_marks(table.record_type)
        for name in change.fields:
            assert VOLATILE in marks[name], f"{entry.name} reads and has changed {name}"


def check_screen(world: World) -> None:
    view = world.phone.view()
    assert ScreenView.model_validate_json(view.model_dump_json()) == view
    for item in view.items:
        if item.shows:
            table = next(t for a in world.apps.values() if (t := a.table_of(item.kind)) is not None)
            record = table.find(item.ref or "")
            assert record is not None, item
            assert set(item.shows) <= {"*", *type(record).model_fields}, item
    for offer in world.phone.offers():
        assert offer.description


lives = settings(max_examples=25, database=None)


@every_phone
@lives
@given(rng=st.randoms(use_true_random=False))
def test_a_random_life_raises_nothing_and_replays_to_the_same_state(
    names: list[str], rng: random.Random
) -> None:
    life = Life(names, rng)
    world = life.live(25)
    replays(life)
    leads_home(world)


def replays(life: Life) -> None:
    twin = phone(life.names)
    for moment, door, name, arguments in life.done:
        twin.advance_to(moment)
        enter(twin, door, name, arguments)
    assert twin.digest() == life.world.digest()


def leads_home(world: World) -> None:
    for _ in range(sum(map(len, world.phone.state.stacks.values())) + 1):
        if world.phone.state.front is None:
            return
        assert world.user_act(Act(app="system", action="back")).error is None
    raise AssertionError("back does not lead home")


@every_app
@settings(lives, max_examples=5)
@given(rng=st.randoms(use_true_random=False))
def test_next_step_leads_to_every_record_that_some_screen_shows(
    name: str, rng: random.Random
) -> None:
    life = Life([name], rng)
    for _ in range(12):
        life.happen()
        life.call()
    shown = {screen.SHOWS for screen in APPS[name].SCREENS}
    for table in life.world.apps[name].tables.values():
        if table.record_type.KIND in shown:
            for row in list(table)[:4]:
                goes_to(life.world, row.ref)


def goes_to(world: World, ref: str) -> None:
    world.user_act(Act(app="system", action="go_home"))
    way = []
    for _ in range(8):
        step = next_step(world, ref)
        if step is None:
            break
        way.append(f"{step.app}.{step.action}{step.arguments}")
        assert world.user_act(step).error is None, (ref, way, world.log[-1].error)
    shown = [item.ref for item in world.phone.view().items if "*" in item.shows]
    assert ref in shown, (ref, way, world.record(ref))


@pytest.mark.skipif(not STEPS, reason="set HERON_STEPS=10000 for long lives")
@every_phone
def test_long_lives_exercise_every_action_and_tool(names: list[str]) -> None:
    worked: Counter[str] = Counter()
    for seed in range(max(1, STEPS // 2500)):
        life = Life(names, random.Random(seed), worked=worked, hoards=True)
        life.live(min(STEPS, 2500))
        replays(life)
    declared = {
        f"call {app.NAME}.{tool}" for app in (APPS[name] for name in names) for tool in app.TOOLS
    } | {
        f"act {app.NAME}.{action}"
        for app in (APPS[name] for name in names)
        for screen in app.SCREENS
        for action in screen.ACTIONS
    }
    never = sorted(declared - set(worked))
    long_enough = len(names) == 1 and STEPS >= 10_000
    assert not (long_enough and never), f"never done with success: {never}"
