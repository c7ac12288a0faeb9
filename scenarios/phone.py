"""Makes the phone of a scenario: owner, apps, records with their ids, events in waiting.

Ids are given before anything is loaded, so that records may name each other in any order, and an
event's record can be named before it is there. What it does not know: users, solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, cast

from pydantic import TypeAdapter, ValidationError

from heron.contracts import Arguments, Background, DeviceStatus
from heron.errors import IllegalCall, InputError
from heron.scenarios.catalog import Catalog, RecordType, catalog, creates
from heron.scenarios.document import Path_, Problem
from heron.scenarios.labels import LABEL_KEY, PERSON_KEY, resolve
from heron.scenarios.people import ATTRIBUTES, Person
from heron.scenarios.schema import EventSpec, Row, Scenario
from heron.scenarios.template import Scope, fill
from heron.sim.app import App, Declaration, Owner
from heron.sim.installed import choose
from heron.sim.marks import marks_of, ref_kind
from heron.sim.queue import Condition, Event
from heron.sim.signature import cached
from heron.sim.world import World

Rows = list[dict[str, Any]]
Mint = Callable[[App, str], str]
"""App and table → the id of the scenario's next record there."""


@dataclass(frozen=True)
class Phone:
    """A world and what its records are called in the file."""

    world: World
    labels: dict[str, str]
    """Label → id."""


def make(scenario: Scenario, scope: Scope, seed: int = 0, background: Background = "bare") -> Phone:
    """The phone of a scenario whose slots are filled.

    Args:
        scenario: what is on it.
        scope: its slots, filled.
        seed: of the background.
        background: how lived-in it is.

    Raises:
        ScenarioError: a record or an event does not suit its app.
    """
    world = _blank(scenario, scope)
    mint = _furnish(world, scenario, scope, seed, background)
    labels: dict[str, str] = {}
    given: set[str] = set()
    content = {
        name: _numbered(scenario, world, name, scope, (labels, given), mint)
        for name in scenario.phone.content
    }
    known = catalog(tuple(world.apps))
    reserved = [_reserve(event, world, known, scope, labels) for event in scenario.events]
    for name in tuple(content):
        tables = content.pop(name)
        for rows in tables.values():
            # In place, so that thousands of rows are not held twice.
            for index, row in enumerate(rows):
                rows[index] = _resolved(row, labels)
        _check_values(scenario, world.apps[name], tables)
        _fill(scenario, world, name, tables, scope)
    events = [
        _event(scenario, index, known, reserved[index], scope, labels)
        for index in range(len(scenario.events))
    ]
    try:
        world.schedule(events)
    except InputError as error:
        raise scenario.error(Problem(("events",), str(error))) from error
    # What a phone begins with is no call's doing.
    world.journal.clear()
    return Phone(world, labels)


def _furnish(
    world: World, scenario: Scenario, scope: Scope, seed: int, background: Background
) -> Mint:
    """Put the background on a blank phone; what gives the scenario's records their ids."""
    if background == "bare":
        return lambda app, table: app.tables[table].reserve()
    # Most phones are bare and need none of it.
    from heron.scenarios.background.filler import furnish

    return furnish(world, scenario, scope, seed, background)


def _blank(scenario: Scenario, scope: Scope) -> World:
    spec = scenario.phone
    owner = cast(Person, scope.values[spec.owner])
    try:
        device = DeviceStatus.model_validate(fill(cast(Any, spec.device), scope))
    except ValidationError as error:
        path: Path_ = ("phone", "device", *map(str, error.errors()[0]["loc"]))
        raise scenario.error(Problem(path, _said(error), "mend it")) from error
    return World(
        Owner(name=owner.name, email=owner.email, phone=owner.phone),
        scope.start(),
        choose(spec.apps),
        device=device,
    )


# --- records ------------------------------------------------------------------------------------


def _numbered(
    scenario: Scenario,
    world: World,
    name: str,
    scope: Scope,
    noted: tuple[dict[str, str], set[str]],
    mint: Mint,
) -> dict[str, Rows]:
    """An app's rows, slots filled, each with its id; labels and ids are noted."""
    labels, given = noted
    app = world.apps[name]
    tables = scenario.phone.content[name]
    numbered: dict[str, Rows] = {}
    for table in [table for table in app.tables if table in tables]:
        id_field = app.tables[table].record_type.ID
        numbered[table] = []
        for index, spec in enumerate(tables[table]):
            row = _row(spec, app, table, scope)
            ref = str(row.setdefault(id_field, "") or mint(app, table))
            if ref in given:
                path: Path_ = ("phone", name, table, index, id_field)
                raise scenario.error(Problem(path, f"the id {ref!r} is given twice", "change one"))
            given.add(ref)
            row[id_field] = ref
            if LABEL_KEY in spec:
                labels[str(spec[LABEL_KEY])] = ref
            numbered[table].append(row)
    return numbered


def _row(spec: Row, app: App, table: str, scope: Scope) -> dict[str, Any]:
    fields = app.tables[table].record_type.model_fields
    row: dict[str, Any] = {}
    if PERSON_KEY in spec:
        person = cast(Person, scope.values[str(spec[PERSON_KEY])])
        row = {name: person.attribute(name) for name in ATTRIBUTES if name in fields}
    own = {key: value for key, value in spec.items() if key not in (LABEL_KEY, PERSON_KEY)}
    row.update(cast("dict[str, Any]", fill(own, scope)))
    return row


def _resolved(row: dict[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    return {key: resolve(value, labels) for key, value in row.items()}


def _check_values(scenario: Scenario, app: App, content: dict[str, Rows]) -> None:
    """Every value has its field's type; what a record lacks is the app's to say."""
    for table, rows in content.items():
        adapters = _adapters(app.tables[table].record_type)
        for index, row in enumerate(rows):
            for field, value in row.items():
                try:
                    adapters[field].validate_python(value)
                except ValidationError as error:
                    path: Path_ = ("phone", app.NAME, table, index, field)
                    raise scenario.error(Problem(path, _said(error), "mend it")) from error


def _said(error: ValidationError) -> str:
    """The first complaint, with the place within the value where it lies deeper."""
    first = error.errors()[0]
    message = first["msg"][:1].lower() + " ".join(first["msg"][1:].split())
    return ": ".join(filter(None, [".".join(map(str, first["loc"])), message]))


@cached
def _adapters(record_type: RecordType) -> dict[str, TypeAdapter[Any]]:
    return {
        name: TypeAdapter(cast(Any, Annotated[field.annotation, *field.metadata, ""]))
        for name, field in record_type.model_fields.items()
    }


def _fill(
    scenario: Scenario, world: World, name: str, content: dict[str, Rows], scope: Scope
) -> None:
    try:
        world.apps[name].fill(content)
    except InputError as error:
        path = _first_bad(scenario, name, content, scope)
        raise scenario.error(Problem(path, str(error))) from error


def _first_bad(scenario: Scenario, name: str, content: dict[str, Rows], scope: Scope) -> Path_:
    """The record at which a fresh phone stumbles, found by loading one more each time."""
    loaded: dict[str, Rows] = {}
    for table, rows in content.items():
        loaded[table] = []
        for index, row in enumerate(rows):
            loaded[table].append(row)
            try:
                _blank(scenario, scope).apps[name].fill(loaded)
            except InputError:
                return ("phone", name, table, index)
    return ("phone", name)


# --- events -------------------------------------------------------------------------------------


def _reserve(
    event: EventSpec, world: World, known: Catalog, scope: Scope, labels: dict[str, str]
) -> tuple[str, str] | None:
    """Kind and id of the record that an event will create, if the file names it.

    A record whose id is its own name, such as a discount code, is known by that name.
    """
    if event.label is None:
        return None
    declared = known.happenings[event.do]
    made = creates(declared)
    table = world.apps[event.do.partition(".")[0]].table_of(made.KIND) if made else None
    if made is None or table is None:
        return None
    if made.ID in event.with_ and _names_anew(declared, made.ID):
        labels[event.label] = str(fill(event.with_[made.ID], scope))
        return None
    labels[event.label] = table.reserve()
    return made.KIND, labels[event.label]


def _names_anew(declared: Declaration, parameter: str) -> bool:
    """Whether a parameter names the new record, and not one that is there (a mail answered)."""
    return ref_kind(marks_of(declared.signature.hints[parameter])) is None


def _event(
    scenario: Scenario,
    index: int,
    known: Catalog,
    reserved: tuple[str, str] | None,
    scope: Scope,
    labels: Mapping[str, str],
) -> Event:
    spec, path = scenario.events[index], ("events", index, "with")
    arguments = cast(Arguments, resolve(fill(spec.with_, scope), labels))
    try:
        known.happenings[spec.do].signature.check(spec.do, arguments)
    except IllegalCall as error:
        raise scenario.error(Problem(path, str(error))) from error
    return Event(
        key=spec.key,
        name=spec.do,
        arguments=arguments,
        at=spec.at,
        after=spec.after,
        when=_condition(spec, labels),
        delay=spec.delay,
        depends_on=tuple(spec.depends_on),
        reserve=reserved,
    )


def _condition(spec: EventSpec, labels: Mapping[str, str]) -> Condition | None:
    if spec.when is None:
        return None
    kind, value = spec.when.chosen
    if kind == "opened":
        value = labels[value.removeprefix("@")]
    return Condition.model_validate({"type": kind, "value": value})
