"""What a model is told: the rules, a stage's task with what it may name, and what was found wrong.

What it does not know: how an answer is held to its schema.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from string import Template

from pydantic import JsonValue

from heron.scenarios.catalog import catalog
from heron.scenarios.document import parse
from heron.scenarios.generator import vocabulary as v
from heron.scenarios.generator.answers import Answers, StageName, happenings, labels
from heron.scenarios.generator.examples import example
from heron.scenarios.generator.names import GIVEN, events_of
from heron.scenarios.generator.request import KIND_MEANS, Request
from heron.scenarios.lexicon import acts

Message = dict[str, JsonValue]


def messages(
    stage: StageName, request: Request, answers: Answers, avoid: Sequence[str]
) -> list[Message]:
    """A stage's first prompt.

    Args:
        stage: what is to be written.
        request: what the scenario is to be.
        answers: of the stages before.
        avoid: summaries of scenarios that there are already.
    """
    shown = json.dumps(example(request.type)[stage], ensure_ascii=False)
    form = "An answer for another scenario, to show the form; take nothing else from it:"
    task = "\n\n".join(
        [
            *_told(request, answers),
            *_task(stage, request, answers, avoid),
            f"{form}\n{shown}",
            f"Now write the {stage} of your scenario as one JSON object.",
        ]
    )
    return [{"role": "system", "content": _say("rules")}, {"role": "user", "content": task}]


def repair(answer: str, findings: Iterable[str]) -> list[Message]:
    """What follows on an answer that is sent back."""
    found = "\n".join(f"- {finding}" for finding in findings)
    text = f"This was found wrong:\n{found}\n\nMend it and write the whole JSON object again."
    # Some providers refuse an empty message.
    before = answer or "(nothing complete)"
    return [{"role": "assistant", "content": before}, {"role": "user", "content": text}]


def digest(prompts: Iterable[Sequence[Message]]) -> str:
    """sha256 over messages."""
    found = hashlib.sha256()
    for prompt in prompts:
        found.update(json.dumps(prompt, ensure_ascii=False, sort_keys=True).encode())
    return found.hexdigest()


def _told(request: Request, answers: Answers) -> list[str]:
    """What the scenario is, and what has been written of it."""
    busy = "" if request.activity == "free" else f" The user is {request.activity} all the time."
    told = _say(
        "scenario",
        type=request.type,
        meaning=_say(request.type),
        busy=busy,
        kind=request.kind,
        kind_means=KIND_MEANS[request.kind],
        setting=request.setting,
        clock=request.starts[0][-5:],
    )
    return [told, *(["So far:\n" + "\n".join(_so_far(answers))] if "idea" in answers else [])]


def _so_far(answers: Answers) -> list[str]:
    idea = answers["idea"]
    people = "; ".join(f"{person['name']}: {person['who']}" for person in idea["people"])
    lines = [idea["summary"], idea["story"], f"Goal: {idea['goal']}", f"Person slots: {people}"]
    if "slots" in answers:
        slots = "; ".join(_slot(slot) for slot in answers["slots"]["slots"])
        lines.append(f"Further slots: {slots}")
    for record in answers.get("phone", {}).get("records", []):
        fields = ", ".join(f"{one['name']}={one['value']}" for one in record["fields"])
        lines.append(f"@{record['label']} ({record['table']}): {fields}")
    for event in events_of(answers):
        fields = ", ".join(f"{one['name']}={one['value']}" for one in event["arguments"])
        text = f" text: {event['texts'][0]}" if "texts" in event else ""
        lines.append(f"event {event['key']} at {event['at']} s: {event['call']}({fields}){text}")
    for step in answers.get("solution", {}).get("steps", []):
        fields = ", ".join(f"{one['name']}={one['value']}" for one in step["arguments"])
        lines.append(f"solution: {step['call']}({fields})")
    if "solution" in answers:
        lines.append(f"The user must have seen: {', '.join(answers['solution']['needs'])}")
    return lines


def _slot(slot: dict[str, JsonValue]) -> str:
    rest = ", ".join(f"{k} {val}" for k, val in slot.items() if k not in ("name", "kind") and val)
    return f"{slot['name']} ({slot['kind']}: {rest})"


# --- the stages' tasks --------------------------------------------------------------------------


def _task(stage: StageName, request: Request, answers: Answers, avoid: Sequence[str]) -> list[str]:
    """What is to be written, and what may be named in it."""
    goal = request.type == "goal"
    if stage == "idea":
        twist = f" Twist: {request.twist}." if goal else ""
        task = _say("idea", apps=", ".join(request.apps), twist=twist, given=", ".join(GIVEN))
        known = "\n".join(f"- {summary}" for summary in avoid)
        return [task, *([f"There are already:\n{known}"] if known else [])]
    if stage == "slots":
        return [_say("slots", given=", ".join([*GIVEN, *_people(answers)]))]
    apps: list[str] = answers["idea"]["apps"]
    if stage == "phone":
        return [_say("phone"), _listed("Tables and fields", v.table_lines(catalog(), apps))]
    if stage == "events":
        named = f"Labels there are: {', '.join(labels(answers))}"
        calls = happenings(request, apps)
        return [_say("events"), named, _calls("Happenings", calls)]
    if stage == "solution":
        if not goal:
            return [f"Stage solution. {_say('judged')}"]
        both = f"{_say('solution')} {_say('judged')}"
        return [both, _calls("Tools", v.writes_of(catalog(), apps))]
    rubric = _say("rubric", acts=", ".join(f"~{name}" for name in acts()))
    return [f"{_say('offers' if goal else 'bait')} {rubric}"]


def _people(answers: Answers) -> list[str]:
    return [person["name"] for person in answers["idea"]["people"]]


def _calls(what: str, calls: Sequence[str]) -> str:
    return _listed(f"{what} (* must be given)", v.call_lines(catalog(), calls))


def _listed(what: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{what}:", *lines])


def _say(name: str, **words: str) -> str:
    return Template(_texts()[name]).substitute(words)


@cache
def _texts() -> dict[str, str]:
    text = files("heron.scenarios.generator").joinpath("prompts.yaml").read_text("utf-8")
    found: dict[str, str] = parse(text, "prompts.yaml").data
    return found
