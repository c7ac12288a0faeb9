"""Answers of the stages → the data of a scenario file.

What is not written yet is left out, or stands there as a stopgap that loads. What it does not
know: models, and whether the file is any good.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from heron.scenarios.catalog import catalog
from heron.scenarios.generator import vocabulary as v
from heron.scenarios.generator.answers import TEXT_SLOT, Answer, Answers
from heron.scenarios.generator.names import events_of
from heron.scenarios.generator.request import Request

FAMILY = "generated"
"""Family of a scenario until somebody has accepted it into another."""
_STOPGAP = "not written yet"


def assemble(
    request: Request, answers: Answers, provenance: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The data of the file, as far as there are answers.

    Before the solution is there, the file is a quiet one, since that loads without any.
    """
    idea = answers["idea"]
    whole = "solution" in answers
    data: dict[str, Any] = {
        "schema": 1,
        "id": idea["id"],
        "family": FAMILY,
        "type": request.type if whole else "quiet",
        "kind": request.kind if whole else "settled",
        "splits": [],
        "setting": request.setting,
        "locale": request.locale,
        "summary": idea["summary"],
        "slots": _slots(request, answers),
        "phone": _phone(request, answers),
        "events": [_event(event) for event in events_of(answers)],
        "user": {"goal": idea["goal"]},
    }
    if whole and request.type == "goal":
        data |= _solution(answers)
    elif whole:
        data |= _quiet(answers)
    else:
        data |= {"proposals": {}, "rubric": {}}
    if provenance is not None:
        data["provenance"] = dict(provenance)
    return data


# --- slots and phone ----------------------------------------------------------------------------


def _slots(request: Request, answers: Answers) -> dict[str, Any]:
    slots: dict[str, Any] = {"me": {"person": {}}}
    slots |= {person["name"]: {"person": {}} for person in answers["idea"]["people"]}
    slots["start"] = {"choice": list(request.starts)}
    # Long before every start, so that no record lies in the future.
    slots["before"] = {"time": {"from": "06:40", "to": "07:40", "step": 10}}
    slots["yesterday"] = {"shift": {"of": "before", "days": -1, "hours": 9}}
    slots["town"] = {"pool": "city"}
    for slot in answers.get("slots", {}).get("slots", []):
        slots[slot["name"]] = _slot(slot)
    for event in events_of(answers):
        if "texts" in event:
            slots[event["key"] + TEXT_SLOT] = {"choice": list(event["texts"])}
    return slots


def _slot(slot: Answer) -> dict[str, Any]:
    kind = slot["kind"]
    match kind:
        case "person":
            return {kind: {} if slot["gender"] == "any" else {"gender": slot["gender"]}}
        case "time":
            on = {"on": slot["day"]} if slot["day"] else {}
            return {kind: {**on, "from": slot["from"], "to": slot["to"], "step": slot["step"]}}
        case "date":
            on = {} if slot["on"] == "any" else {"on": slot["on"]}
            return {kind: {"offset_days": [slot["first"], slot["last"]], **on}}
        case "shift":
            amounts = {unit: slot[unit] for unit in ("minutes", "hours", "days") if slot[unit]}
            return {kind: {"of": slot["of"], **amounts}}
        case "number":
            return {kind: {name: _whole(slot[name]) for name in ("from", "to", "step")}}
    return {kind: list(slot["options"])}


def _whole(number: float) -> float | int:
    return int(number) if float(number).is_integer() else number


def _phone(request: Request, answers: Answers) -> dict[str, Any]:
    phone: dict[str, Any] = {"owner": "me", "start": "{start}"}
    if request.activity != "free":
        phone["device"] = {"activity": request.activity}
    for record in answers.get("phone", {}).get("records", []):
        app, _, table = record["table"].partition(".")
        fields = v.fields_of(catalog(), record["table"])
        row = {"label": record["label"], **_pairs(record["fields"], fields)}
        phone.setdefault(app, {}).setdefault(table, []).append(row)
    return phone


def _pairs(given: Iterable[Answer], fields: Mapping[str, Any]) -> dict[str, Any]:
    return {one["name"]: v.read_value(fields.get(one["name"], {}), one["value"]) for one in given}


# --- events, solution, offers -------------------------------------------------------------------


def _event(event: Mapping[str, Any]) -> dict[str, Any]:
    call = event["call"]
    given = _pairs(event["arguments"], v.parameters_of(catalog(), call))
    if "texts" in event:
        slot = "{" + event["key"] + TEXT_SLOT + "}"
        given = {
            name: value.replace("{text}", slot) if isinstance(value, str) else value
            for name, value in given.items()
        }
        if slot not in str(given):
            given[v.text_of(catalog(), call) or "content"] = slot
    made: dict[str, Any] = {"key": event["key"], "at": event["at"], "do": call, "with": given}
    return {**made, "label": event["key"]} if v.makes_record(catalog(), call) else made


def _solution(answers: Answers) -> dict[str, Any]:
    solution, offers = answers["solution"], answers.get("offers")
    trigger = answers["events"]["news"]["key"]
    closes = solution["closes_minutes"]
    window = {"opens": trigger, **({"closes": closes * 60} if closes else {})}
    shown = ("reference", "wrong")
    return {
        "user": _user(answers),
        "window": window,
        "proposals": {k: list(offers[k]) for k in shown} if offers else {"reference": [_STOPGAP]},
        "rubric": _rubric(offers, ("object", "act", "against", "topic")),
        "reference": [_step(step) for step in solution["steps"]],
        "report": solution["report"],
        "checks": {"forbidden": list(dict.fromkeys(solution["forbidden"]))},
        "privacy": {"sensitive": list(dict.fromkeys(solution["sensitive"]))},
    }


def _quiet(answers: Answers) -> dict[str, Any]:
    offers = answers.get("offers")
    return {
        "user": _user(answers),
        "proposals": {"bait": list(offers["bait"])} if offers else {},
        "rubric": _rubric(offers, ("object", "act", "topic")),
        "privacy": {"sensitive": list(dict.fromkeys(answers["solution"]["sensitive"]))},
    }


def _user(answers: Answers) -> dict[str, Any]:
    solution = answers["solution"]
    habits = [
        {"see": habit["label"]} if habit["do"] == "see" else {"rest": habit["turns"]}
        for habit in solution["habits"]
    ]
    needs = list(dict.fromkeys(solution["needs"]))
    return {"goal": answers["idea"]["goal"], "habits": habits, "needs": needs}


def _rubric(offers: Answer | None, names: Iterable[str]) -> dict[str, Any]:
    if offers is None:
        return {"object": [[_STOPGAP]], "act": [[_STOPGAP]]}
    return {name: offers[name] for name in names if offers[name]}


def _step(step: Answer) -> dict[str, Any]:
    given = _pairs(step["arguments"], v.parameters_of(catalog(), step["call"]))
    made: dict[str, Any] = {"tool": step["call"], "arguments": given}
    facts = {fact["argument"]: fact["groups"] for fact in step["facts"]}
    return {**made, "facts": facts} if facts else made
