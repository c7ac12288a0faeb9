"""What a model writes at each stage, as JSON schemas; and which part of a file each stage owns.

What it does not know: prompts, and how answers become a file (see ``assembly``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from heron.contracts import PROPOSAL_LENGTH
from heron.scenarios.catalog import Catalog, catalog
from heron.scenarios.generator import vocabulary as v
from heron.scenarios.generator.names import Names, labels_of, names_of
from heron.scenarios.generator.request import Request, app_names
from heron.scenarios.lexicon import acts
from heron.scenarios.schema import WrongSpec

StageName = Literal["idea", "slots", "phone", "events", "solution", "offers"]
STAGES: tuple[StageName, ...] = get_args(StageName)
Answer = dict[str, Any]
Answers = Mapping[StageName, Answer]

_OWNERS: dict[str, StageName] = {
    "slots": "slots",
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
    if key in ("window.opens", "slots"):
        return "events"
    return _OWNERS.get(section, "idea")


def schema_of(
    stage: StageName, request: Request, answers: Answers, *, tight: bool = False
) -> dict[str, Any]:
    """The JSON schema of a stage's answer, given those before it.

    Args:
        stage: whose.
        request: what is written.
        answers: of the stages before.
        tight: allow only slots and labels that there are. A local model is held to that while it
            writes; of other answers the loader tells better what is wrong.
    """
    if stage == "idea":
        return _idea()
    if stage == "slots":
        return v.closed(slots=v.many(v.either(_slots()), least=1, most=12))
    known, goal = catalog(), request.type == "goal"
    apps: list[str] = answers["idea"]["apps"]
    before = {name: answers[name] for name in STAGES[: STAGES.index(stage)]}
    names = names_of(known, before, labels=stage != "phone") if tight else None
    if stage == "phone":
        return v.closed(records=v.many(v.record_schema(known, apps, names), least=2, most=20))
    if stage == "events":
        texts = v.many(_text(420, names), least=3, most=5)
        news = _event(known, _telling(known, apps), names, texts=texts)
        later = _event(known, happenings(request, apps), names)
        return v.closed(news=news, later=v.many(later, most=4))
    if stage == "solution":
        return _solution(known, apps, names, goal=goal)
    return _offers(names, goal=goal)


def happenings(request: Request, apps: Sequence[str]) -> list[str]:
    """What can happen, apart from the news: of the apps, and an earlier refusal where it counts."""
    refused = ["assistant.turned_down"] if request.kind == "turned_down" else []
    return [*v.happenings_of(catalog(), apps), *refused]


def missing(request: Request, answers: Answers) -> tuple[StageName, str] | None:
    """The stage that leaves later ones without a choice, and why."""
    apps: list[str] = answers["idea"]["apps"]
    known = catalog()
    telling = _telling(known, apps)
    if not telling:
        return "idea", "none of the apps brings news: take email, messaging, notes or files along"
    if "phone" not in answers:
        return None
    names = names_of(known, {name: answers[name] for name in ("idea", "slots", "phone")})
    if not v.possible(known, telling, names):
        return "phone", (
            "nobody can send news: add a messaging.people record and its messaging.conversations"
        )
    if request.type == "goal" and not v.possible(known, v.writes_of(known, apps), names):
        return "phone", "no tool finds a record to work on: add records of the apps"
    return None


def _telling(known: Catalog, apps: Sequence[str]) -> list[str]:
    return [call for call in v.happenings_of(known, apps) if v.text_of(known, call)]


def labels(answers: Answers) -> list[str]:
    """Labels of the records that the phone has or events bring."""
    return labels_of(names_of(catalog(), answers))


def _text(most: int, names: Names | None) -> v.Node:
    return v.text(most) if names is None else v.pattern(names.text(most))


def _phrase(most: int, names: Names | None) -> v.Node:
    """A phrase, or an act of the lexicon by name."""
    if names is None:
        return v.text(most)
    return v.either([v.pattern(names.phrase(most)), v.word(f"~{name}" for name in acts())])


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


def _event(known: Catalog, calls: Sequence[str], names: Names | None, **more: v.Node) -> v.Node:
    return v.call_schema(
        known,
        calls,
        names,
        key=v.pattern(v.NAME),
        at={"type": "integer", "minimum": 1, "maximum": 900},
        **more,
    )


def _solution(known: Catalog, apps: Sequence[str], names: Names | None, *, goal: bool) -> v.Node:
    label = v.pattern(v.NAME) if names is None else v.word(labels_of(names))
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
    groups = v.many(v.many(_phrase(60, names), least=1, most=5), least=1, most=3)
    effects = [effect for effect in known.effects if _kind_of(known, effect) in apps]
    steps = v.call_schema(
        known,
        v.writes_of(known, apps),
        names,
        facts=v.many(v.closed(argument=v.text(24), groups=groups), most=2),
    )
    return v.closed(
        needs=common["needs"],
        habits=common["habits"],
        closes_minutes={"type": "integer", "minimum": 0, "maximum": 240},
        steps=v.many(steps, least=1, most=5),
        report=_text(160, names),
        forbidden=v.many(v.word(effects), most=6),
        sensitive=common["sensitive"],
    )


def _kind_of(known: Catalog, effect: str) -> str | None:
    kind = effect.partition(".")[0]
    return next(
        (app for app, tables in known.tables.items() for t in tables.values() if t.KIND == kind),
        None,
    )


def _offers(names: Names | None, *, goal: bool) -> v.Node:
    offer, phrase = _text(PROPOSAL_LENGTH, names), _phrase(40, names)
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
