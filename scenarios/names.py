"""Whether the names in a file exist: apps, tables, fields, calls, arguments, labels, slots.

Every problem says where, and what was probably meant. Values are checked later, when a seed has
filled the slots (see ``builder``). What it does not know: what a file's type asks for (``rules``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from heron.contracts import DeviceStatus
from heron.errors import UnknownName
from heron.registry import nearest
from heron.scenarios.catalog import SYSTEM_ACTIONS, Catalog, catalog, creates
from heron.scenarios.document import Path_, Problem
from heron.scenarios.labels import (
    LABEL_KEY,
    PERSON_KEY,
    Label,
    collect,
    is_label,
    split,
    unknown,
    used,
)
from heron.scenarios.schema import Scenario
from heron.sim.signature import Signature

SYSTEM = "system"


def problems(scenario: Scenario) -> list[Problem]:
    """All names in a file that do not exist, in the file's order of sections."""
    apps = scenario.phone.apps
    try:
        known = catalog(None if apps is None else tuple(apps))
    except UnknownName as error:
        return [Problem(("phone", "apps"), str(error))]
    labels, found = collect(scenario, known)
    sections = (_phone, _events, _user, _reference, _others, _labels)
    return [
        *found,
        *(problem for section in sections for problem in section(scenario, known, labels)),
    ]


Labels = Mapping[str, Label]


def _phone(scenario: Scenario, known: Catalog, _: Labels) -> Iterator[Problem]:
    phone = scenario.phone
    for field in phone.device:
        if field not in DeviceStatus.model_fields:
            yield Problem(
                ("phone", "device", field),
                f"the device has no {field!r}",
                nearest(field, DeviceStatus.model_fields),
            )
    for app, tables in phone.content.items():
        path: Path_ = ("phone", app)
        if app not in known.apps:
            own = list(type(phone).model_fields)
            yield Problem(path, f"unknown app or key {app!r}", nearest(app, [*known.apps, *own]))
            continue
        for table, rows in tables.items():
            if table not in known.tables[app]:
                hint = nearest(table, known.tables[app])
                yield Problem((*path, table), f"{app} has no table {table!r}", hint)
                continue
            fields = [*known.tables[app][table].model_fields, LABEL_KEY, PERSON_KEY]
            for index, row in enumerate(rows):
                yield from _row(scenario, row, (*path, table, index), fields)


def _row(
    scenario: Scenario, row: Mapping[str, Any], path: Path_, fields: list[str]
) -> Iterator[Problem]:
    for name in row:
        if name not in fields:
            yield Problem((*path, name), f"{path[-2]} have no {name!r}", nearest(name, fields))
    if PERSON_KEY in row:
        yield from _person_slot(scenario, row[PERSON_KEY], (*path, PERSON_KEY))
    label = row.get(LABEL_KEY, "x")
    if not (isinstance(label, str) and is_label(f"@{label}")):
        text = f"{label!r} is no label"
        yield Problem((*path, LABEL_KEY), text, "words of small letters, digits and _")


def _person_slot(scenario: Scenario, name: Any, path: Path_) -> Iterator[Problem]:
    people = [slot for slot, spec in scenario.slots.items() if spec.person is not None]
    if name not in people:
        yield Problem(path, f"{name!r} is no person slot", nearest(str(name), people))


def _events(scenario: Scenario, known: Catalog, labels: Labels) -> Iterator[Problem]:
    keys = [event.key for event in scenario.events]
    for index, event in enumerate(scenario.events):
        path: Path_ = ("events", index)
        declared = known.happenings.get(event.do)
        if declared is None:
            hint = nearest(event.do, known.happenings)
            yield Problem((*path, "do"), f"no happening {event.do!r}", hint)
        else:
            yield from _arguments(event.do, [declared.signature], event.with_, (*path, "with"))
        for key in [*event.depends_on, *([event.after] if event.after else [])]:
            if key not in keys:
                yield Problem(path, f"waits for {key!r}, which is no event", nearest(key, keys))
        if event.when is not None:
            yield from _condition(*event.when.chosen, (*path, "when"), known, labels)


def _condition(
    kind: str, value: str, path: Path_, known: Catalog, labels: Labels
) -> Iterator[Problem]:
    path = (*path, kind)
    if kind == "opened":
        if value.removeprefix("@") not in labels:
            yield unknown(value, path, labels)
    elif kind == "assistant_did" and value not in known.tools:
        yield Problem(path, f"no tool {value!r}", nearest(value, known.tools))
    elif kind == "user_did":
        done = [f"{app}.{name}" for app, names in known.actions.items() for name in names]
        done += [f"{SYSTEM}.{name}" for name in SYSTEM_ACTIONS]
        if value not in done:
            yield Problem(path, f"no action {value!r}", nearest(value, done))


def _user(scenario: Scenario, known: Catalog, labels: Labels) -> Iterator[Problem]:
    for index, habit in enumerate(scenario.user.habits):
        path: Path_ = ("user", "habits", index)
        if habit.see is not None and habit.see not in labels:
            yield unknown(habit.see, (*path, "see"), labels)
        if habit.do is not None:
            do, path = habit.do, (*path, "do")
            yield from _action(do.app, do.action, do.arguments, path, known)
    for index, need in enumerate(scenario.user.needs):
        yield from _field(need, ("user", "needs", index), labels)


def _action(
    app: str, action: str, arguments: Mapping[str, Any], path: Path_, known: Catalog
) -> Iterator[Problem]:
    if app == SYSTEM:
        if action not in SYSTEM_ACTIONS:
            yield Problem(path, f"the system has no {action!r}", nearest(action, SYSTEM_ACTIONS))
        elif set(arguments) != set(SYSTEM_ACTIONS[action]):
            takes = ", ".join(SYSTEM_ACTIONS[action]) or "no arguments"
            yield Problem(path, f"system.{action} takes {takes}", "mend the arguments")
    elif app not in known.apps:
        yield Problem((*path, "app"), f"unknown app {app!r}", nearest(app, [*known.apps, SYSTEM]))
    elif action not in known.actions[app]:
        hint = nearest(action, known.actions[app])
        yield Problem((*path, "action"), f"no screen of {app} has {action!r}", hint)
    else:
        signatures = [declared.signature for declared in known.actions[app][action]]
        yield from _arguments(f"{app}.{action}", signatures, arguments, (*path, "arguments"))


def _arguments(
    name: str, signatures: Iterable[Signature], given: Mapping[str, Any], path: Path_
) -> Iterator[Problem]:
    """Problems of the signature that fits best."""
    each = [list(_misfits(name, signature, given, path)) for signature in signatures]
    yield from min(each, key=len)


def _misfits(
    name: str, signature: Signature, given: Mapping[str, Any], path: Path_
) -> Iterator[Problem]:
    takes = [parameter.name for parameter in signature.parameters]
    for argument in given:
        if argument not in takes:
            yield Problem(
                (*path, argument), f"{name} takes no {argument!r}", nearest(argument, takes)
            )
    for parameter in signature.parameters:
        if parameter.default is parameter.empty and parameter.name not in given:
            yield Problem(path, f"{name} needs {parameter.name!r}", f"it takes {', '.join(takes)}")


def _reference(scenario: Scenario, known: Catalog, _: Labels) -> Iterator[Problem]:
    for index, step in enumerate(scenario.reference):
        path: Path_ = ("reference", index)
        declared = known.tools.get(step.tool)
        if declared is None:
            yield Problem(
                (*path, "tool"), f"no tool {step.tool!r}", nearest(step.tool, known.tools)
            )
            continue
        yield from _arguments(step.tool, [declared.signature], step.arguments, (*path, "arguments"))
        takes = [parameter.name for parameter in declared.signature.parameters]
        made = creates(declared)
        takes += [name for name in (made.model_fields if made else ()) if name not in takes]
        for key, names in (("facts", list(step.facts)), ("free", step.free)):
            for name in names:
                if name not in takes:
                    text = f"{step.tool} takes and gives no {name!r}"
                    yield Problem((*path, key), text, nearest(name, takes))


def _others(scenario: Scenario, known: Catalog, labels: Labels) -> Iterator[Problem]:
    yield from _person_slot(scenario, scenario.phone.owner, ("phone", "owner"))
    keys = [event.key for event in scenario.events]
    opens = scenario.window.opens
    if isinstance(opens, str) and opens not in keys:
        yield Problem(("window", "opens"), f"no event {opens!r}", nearest(opens, keys))
    for key in ("allowed", "forbidden"):
        for index, effect in enumerate(getattr(scenario.checks, key)):
            if effect not in known.effects:
                hint = nearest(effect, known.effects)
                yield Problem(("checks", key, index), f"no effect {effect!r}", hint)
    privacy = scenario.privacy
    for index, text in enumerate(privacy.sensitive):
        yield from _field(text, ("privacy", "sensitive", index), labels)
    for who, texts in privacy.may_know.items():
        for index, text in enumerate(texts):
            yield from _field(text, ("privacy", "may_know", who, index), labels)


def _field(text: str, path: Path_, labels: Labels) -> Iterator[Problem]:
    name, field = split(text)
    if name not in labels:
        yield unknown(name, path, labels)
    elif field is not None and field not in labels[name].record_type.model_fields:
        fields = labels[name].record_type.model_fields
        yield Problem(path, f"{name} has no field {field!r}", nearest(field, fields))


def _labels(scenario: Scenario, _: Catalog, labels: Labels) -> Iterator[Problem]:
    places: list[tuple[Any, Path_]] = [(scenario.phone.content, ("phone",))]
    places += [(e.with_, ("events", i, "with")) for i, e in enumerate(scenario.events)]
    places += [
        (habit.do.arguments, ("user", "habits", index, "do", "arguments"))
        for index, habit in enumerate(scenario.user.habits)
        if habit.do is not None
    ]
    for value, start in places:
        for path, name in used(value, start):
            if name not in labels or labels[name].source == "step":
                yield unknown(name, path, {k: v for k, v in labels.items() if v.source != "step"})
    earlier = {name: label for name, label in labels.items() if label.source != "step"}
    for index, step in enumerate(scenario.reference):
        for path, name in used(step.arguments, ("reference", index, "arguments")):
            if name not in earlier:
                yield unknown(name, path, earlier)
        if step.label is not None and step.label in labels:
            earlier[step.label] = labels[step.label]
