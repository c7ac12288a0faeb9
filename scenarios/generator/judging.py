"""What is wrong with answers so far: the loader's and the checks' findings, by stage and in words.

What it does not know: models, repairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

from heron.errors import ScenarioError
from heron.scenarios.check import SEEDS, check
from heron.scenarios.document import parse
from heron.scenarios.generator.answers import (
    STAGES,
    Answers,
    StageName,
    missing,
    owner_of,
    schema_of,
)
from heron.scenarios.generator.assembly import assemble
from heron.scenarios.generator.names import GIVEN, events_of
from heron.scenarios.generator.request import Request
from heron.scenarios.likeness import TOO_MUCH, runs_of_words, shared
from heron.scenarios.loader import BrokenFile, load_document
from heron.scenarios.schema import Scenario
from heron.scenarios.writing import write

EARLY_SEEDS = 2
"""Seeds under which an unfinished scenario is checked."""


@dataclass(frozen=True)
class Finding:
    """Something that a stage's answer has to be mended for."""

    stage: StageName
    text: str


@dataclass
class Known:
    """Scenarios that a new one may not repeat."""

    ids: set[str] = field(default_factory=set)
    runs: dict[str, frozenset[tuple[str, ...]]] = field(default_factory=dict)
    """Name → its runs of words."""
    summaries: dict[str, list[str]] = field(default_factory=dict)
    """Kind → summaries, in the order in which they were learnt."""

    def learn(self, scenario: Scenario, name: str | None = None) -> None:
        """One more."""
        self.ids.add(scenario.id)
        self.runs[name or scenario.id] = runs_of_words(scenario)
        self.summaries.setdefault(scenario.kind, []).append(scenario.summary)

    def repeats(self, scenario: Scenario) -> str | None:
        """In words, which one a scenario repeats, if any."""
        own = runs_of_words(scenario)
        shares = ((shared(own, other), name) for name, other in self.runs.items())
        share, name = max(shares, default=(0.0, ""))
        if share < TOO_MUCH:
            return None
        return f"near-duplicate of {name}: {share:.0%} of its runs of words are the same"


def wrong_form(stage: StageName, answer: Any, request: Request, answers: Answers) -> list[Finding]:
    """Where an answer is not what its schema asks for; providers differ in how they hold to it."""
    validator = Draft202012Validator(schema_of(stage, request, answers))
    errors = sorted(validator.iter_errors(answer), key=lambda error: list(map(str, error.path)))
    return [
        Finding(stage, f"{'.'.join(map(str, error.path)) or 'answer'}: {error.message[:200]}")
        for error in errors[:5]
    ]


def findings(request: Request, answers: Answers, known: Known) -> list[Finding]:
    """What is wrong with the answers so far, the first stage's first, each told once."""
    found = [*_names(answers, known), *_found_in_file(request, answers)]
    lacking = missing(request, answers)
    if lacking is not None:
        found.insert(0, Finding(*lacking))
    told = dict.fromkeys(f for f in found if f.stage in answers)
    return sorted(told, key=lambda finding: STAGES.index(finding.stage))


def scenario_of(
    request: Request, answers: Answers, provenance: Mapping[str, Any] | None = None
) -> Scenario:
    """The finished scenario.

    Raises:
        ScenarioError: it is none.
    """
    return load_document(parse(write(assemble(request, answers, provenance))))


def _names(answers: Answers, known: Known) -> Iterator[Finding]:
    """Names that the file's data would lose, since a mapping has each once."""
    idea = answers["idea"]
    if idea["id"] in known.ids:
        yield Finding("idea", f"the id {idea['id']!r} is taken: think of another situation")
    people = [person["name"] for person in idea["people"]]
    yield from _unfit("idea", people, GIVEN)
    slots = [slot["name"] for slot in answers.get("slots", {}).get("slots", [])]
    yield from _unfit("slots", slots, (*GIVEN, *people))
    for record in answers.get("phone", {}).get("records", []):
        yield from _unfit("phone", [one["name"] for one in record["fields"]], ())
    calls: list[tuple[StageName, Mapping[str, Any]]] = [
        *(("events", event) for event in events_of(answers)),
        *(("solution", step) for step in answers.get("solution", {}).get("steps", [])),
    ]
    for stage, call in calls:
        yield from _unfit(stage, [one["name"] for one in call["arguments"]], ())


def _unfit(stage: StageName, names: Sequence[str], taken: Sequence[str]) -> Iterator[Finding]:
    for index, name in enumerate(names):
        if name in taken:
            yield Finding(stage, f"there is a slot {name!r} already: leave it out or rename it")
        elif name in names[:index]:
            yield Finding(stage, f"the name {name!r} stands twice: rename one of the two")


def _found_in_file(request: Request, answers: Answers) -> Iterator[Finding]:
    data = assemble(request, answers)
    try:
        scenario = load_document(parse(write(data)))
        seeds = SEEDS if "offers" in answers else SEEDS[:EARLY_SEEDS]
        problems: Sequence[ScenarioError] = check(scenario, seeds)
    except BrokenFile as broken:
        problems = broken.errors
    except ScenarioError as error:
        problems = [error]
    for problem in problems:
        key = problem.key or ""
        remedy = f" ({problem.remedy})" if problem.remedy else ""
        yield Finding(owner_of(key), f"{place(key, answers)}: {problem.problem}{remedy}")


def place(key: str, answers: Answers) -> str:
    """A dotted key of the file in the words of the answers."""
    match key.split("."):
        case ["phone", app, table, number, *rest] if number.isdigit():
            rows = [r for r in answers["phone"]["records"] if r["table"] == f"{app}.{table}"]
            return _said("record", _label(rows, int(number), "label"), rest)
        case ["events", number, *rest] if number.isdigit():
            events = events_of(answers)
            return _said("event", _label(events, int(number), "key"), rest)
        case ["reference", number, *rest] if number.isdigit():
            return _said("step", str(int(number) + 1), rest)
        case ["proposals", name, number, *rest] if number.isdigit():
            return _said(name, str(int(number) + 1), rest)
    return key or "the file"


def _label(rows: Sequence[Mapping[str, Any]], index: int, name: str) -> str:
    return str(rows[index][name]) if index < len(rows) else str(index + 1)


def _said(what: str, which: str, rest: Sequence[str]) -> str:
    return f"{what} {which}{', ' + '.'.join(rest) if rest else ''}"
