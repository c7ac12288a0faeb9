"""What a model writes at each stage, as JSON schemas; and which part of a file each stage owns.

What it does not know: prompts, and how answers become a file (see ``assembly``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from heron.contracts import PROPOSAL_LENGTH
from heron.scenarios.catalog import Catalog, catalog
from heron.scenarios.generator import vocabulary as v
from heron.scenarios.generator.request import Request, app_names
from heron.scenarios.schema import WrongSpec

StageName = Literal["idea", "phone", "events", "solution", "offers"]
STAGES: tuple[StageName, ...] = get_args(StageName)
Answer = dict[str, Any]
Answers = Mapping[StageName, Answer]

GIVEN = ("me", "start", "before", "yesterday", "town")
"""Slots that every generated scenario has."""
SYSTEM = ("assistant.turned_down", "device.change")
_OWNERS: dict[str, StageName] = {
    "slots": "phone",
    "phone": "phone",
    "events": "events",
    "window": "solution",
    "user": "solution",
    "reference": "solution",
    "report": "solution",
    "checks": "solution",
    "privacy": "solution",
    "proposals": "offers",
    "rubric": "offers",
}
TEXT_SLOT = "_text"
"""Ends the name of a slot that holds an event's phrasings."""


def owner_of(key: str) -> StageName:
    """The stage whose answer has to be mended for a problem at a dotted key."""
    section, _, rest = key.partition(".")
    if section == "slots" and rest.partition(".")[0].endswith(TEXT_SLOT):
        return "events"
    if key == "window.opens":
        return "events"
    return _OWNERS.get(section, "idea")


def schema_of(stage: StageName, request: Request, answers: Answers) -> dict[str, Any]:
    """The JSON schema of a stage's answer, given those before it."""
    if stage == "idea":
        return _idea()
    apps: list[str] = answers["idea"]["apps"]
    known = catalog()
    if stage == "phone":
        people = [person["name"] for person in answers["idea"]["people"]]
        records = v.record_schema(known, apps, people)
        return v.closed(
            slots=v.many(v.either(_slots()), most=12), records=v.many(records, least=2, most=20)
        )
    if stage == "events":
        calls = v.happenings_of(known, apps, SYSTEM)
        return v.closed(events=v.many(_event(known, calls), least=1, most=5))
    if stage == "solution":
        return _solution(known, apps, labels(answers), goal=request.type == "goal")
    return _offers(goal=request.type == "goal")


def labels(answers: Answers) -> list[str]:
    """Labels of the records that the phone has or events bring."""
    records = [record["label"] for record in answers.get("phone", {}).get("records", [])]
    brought = [
        event["key"]
        for event in answers.get("events", {}).get("events", [])
        if v.makes_record(catalog(), event["call"])
    ]
    return list(dict.fromkeys([*records, *brought]))


def _idea() -> v.Node:
    person = v.closed(name=v.pattern(v.NAME), who=v.text(60))
    return v.closed(
        id=v.pattern("^[a-z]{2,12}(_[a-z0-9]{1,12}){1,4}$"),
        summary=v.text(200),
        story=v.text(500),
        goal=v.text(160),
        apps=v.many(v.word(app_names()), least=1, most=4),
        people=v.many(person, least=1, most=5),
    )


def _slots() -> Sequence[v.Node]:
    name, clock = v.pattern(v.NAME), v.pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$")
    number = {"type": "number", "minimum": 0, "maximum": 100000}
    amount = {"anyOf": [{"type": "integer", "minimum": -5000, "maximum": 5000}, v.pattern(v.NAME)]}
    day: v.Node = {"type": "integer", "minimum": -30, "maximum": 60}
    return (
        v.closed(kind=v.word(["person"]), name=name, gender=v.word(["f", "m", "any"])),
        v.closed(
            kind=v.word(["time"]),
            name=name,
            day={"anyOf": [v.word([""]), name]},
            **{"from": clock, "to": clock},
            step={"type": "integer", "minimum": 5, "maximum": 60},
        ),
        v.closed(
            kind=v.word(["date"]),
            name=name,
            first=day,
            last=day,
            on=v.word(["any", "weekday", "weekend"]),
        ),
        v.closed(
            kind=v.word(["shift"]), name=name, of=name, minutes=amount, hours=amount, days=amount
        ),
        v.closed(kind=v.word(["number"]), name=name, **{"from": number, "to": number}, step=number),
        v.closed(kind=v.word(["choice"]), name=name, options=v.many(v.text(80), least=2, most=5)),
    )


def _event(known: Catalog, calls: Sequence[str]) -> v.Node:
    return v.call_schema(
        known,
        calls,
        key=v.pattern(v.NAME),
        at={"type": "integer", "minimum": 1, "maximum": 900},
        texts=v.many(v.text(420), most=5),
    )


def _solution(known: Catalog, apps: Sequence[str], names: Sequence[str], *, goal: bool) -> v.Node:
    label = v.word(names) if names else v.pattern(v.NAME)
    habit = v.either(
        [
            v.closed(do=v.word(["see"]), label=label),
            v.closed(do=v.word(["rest"]), turns={"type": "integer", "minimum": 1, "maximum": 6}),
        ]
    )
    common = {
        "needs": v.many(label, least=1, most=3),
        "habits": v.many(habit, least=1, most=5),
        "sensitive": v.many(label, most=4),
    }
    if not goal:
        return v.closed(**common)
    groups = v.many(v.many(v.text(60), least=1, most=5), least=1, most=3)
    effects = [effect for effect in known.effects if _kind_of(known, effect) in apps]
    steps = v.call_schema(
        known,
        v.writes_of(known, apps),
        facts=v.many(v.closed(argument=v.text(24), groups=groups), most=2),
    )
    return v.closed(
        needs=common["needs"],
        habits=common["habits"],
        closes_minutes={"type": "integer", "minimum": 0, "maximum": 240},
        steps=v.many(steps, least=1, most=5),
        report=v.text(160),
        forbidden=v.many(v.word(effects), most=6),
        sensitive=common["sensitive"],
    )


def _kind_of(known: Catalog, effect: str) -> str | None:
    kind = effect.partition(".")[0]
    return next(
        (app for app, tables in known.tables.items() for t in tables.values() if t.KIND == kind),
        None,
    )


def _offers(*, goal: bool) -> v.Node:
    offer, phrase = v.text(PROPOSAL_LENGTH), v.text(40)
    groups = v.many(v.many(phrase, least=1, most=6), least=1, most=3)
    if not goal:
        return v.closed(
            bait=v.many(offer, least=3, most=5),
            object=groups,
            act=groups,
            topic=v.many(phrase, most=6),
        )
    whys = get_args(WrongSpec.model_fields["why"].annotation)
    return v.closed(
        reference=v.many(offer, least=4, most=6),
        wrong=v.many(v.closed(text=offer, why=v.word(whys)), least=3, most=7),
        object=groups,
        act=groups,
        against=v.many(phrase, most=6),
        topic=v.many(phrase, most=6),
    )
