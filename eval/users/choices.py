"""What a model user can do at a view: one JSON schema, and what an answer under it means.

An answer is ``{"why": …, "move": …}``. A move is ``{"do": action, "with": arguments}``; while an
offer is open it begins with ``"answer"``: ``accept`` and ``reject`` stand alone, ``gather_context``
goes with an action that only looks, ``ignore`` with any. Arguments that name a record are limited
to those on the screen, dates to days that there are. What this file does not know: models, apps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from heron.contracts import (
    Act,
    ActionOffer,
    Answered,
    Arguments,
    Evidence,
    Idle,
    Item,
    Reply,
    UserMove,
    UserStep,
    UserView,
)
from heron.executor.references import MONTH_DAY, YEAR, Shown, narrow
from heron.protocols import Schema

MOST_ITEMS = 20
"""Items of a screen that the user sees; what is further down cannot be named either."""
LONGEST_WHY = 60
LONGEST_TEXT = 160
"""Characters of any other free text."""
LONGEST_ANSWER = 4000
"""Characters of an answer that are read at all."""
LONGEST_PROBLEM = 200

REAL_DAY = (
    "-(02-(0[1-9]|1[0-9]|2[0-8])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
    "|(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))"
)
"""Days that every year has."""

ANSWERS = ("accept", "reject", "gather_context", "ignore")
IDLE, REPLY = "idle", "reply"
RESERVED = (IDLE, REPLY)


class InvalidMove(ValueError):
    """An answer is no legal move; the message says in one line what was wrong."""


@dataclass(frozen=True)
class Choice:
    """Something that can be done."""

    name: str
    """What stands after ``do``."""
    arguments: Mapping[str, Any] | None = None
    """Schema of what stands after ``with``; nothing does, if not given."""
    offer: ActionOffer | None = None
    """The action; ``None`` for replying and idling."""


class Choices:
    """The moves that are legal at a view.

    Args:
        view: what the user has before it.
        complete: every argument must be given, ``null`` where it is not wanted; the strict mode
            of remote providers asks for that.
    """

    def __init__(self, view: UserView, *, complete: bool = False) -> None:
        self._asked = view.proposal is not None
        self._complete = complete
        self.choices = {choice.name: choice for choice in _choices(view)}
        """Name → what can be done under it."""

    @property
    def schema(self) -> Schema:
        """JSON schema of an answer."""
        move = {"anyOf": [_closed(branch) for branch in self._branches()]}
        why = {"type": "string", "maxLength": LONGEST_WHY}
        return _closed({"why": why, "move": move})

    def read(self, text: str) -> UserStep:
        """What an answer means.

        Args:
            text: a JSON object, in a code fence or not.

        Raises:
            InvalidMove: it is no answer of the schema. Too long a ``why`` is cut instead.
        """
        said = _object(text)
        _has(said, "the answer", ("why", "move"))
        why, move = said["why"], said["move"]
        if not isinstance(why, str) or not isinstance(move, dict):
            raise InvalidMove("why must be a text and move an object")
        note = why.strip()[:LONGEST_WHY]
        if not self._asked:
            if "answer" in move:
                raise InvalidMove("move.answer: there is no offer to answer")
            return UserStep(move=self._move(move), note=note)
        answer = move.get("answer")
        if answer not in ANSWERS:
            raise InvalidMove(f"move.answer must be one of {', '.join(ANSWERS)}")
        if answer in ("accept", "reject"):
            _has(move, f"the move of an {answer}", ("answer",))
            return UserStep(move=Answered(answer=answer, reason=note), note=note)
        own = {name: value for name, value in move.items() if name != "answer"}
        if answer == "ignore":
            return UserStep(move=self._move(own), note=note)
        return UserStep(move=self._move(own, looking=True), looking=True, note=note)

    def _branches(self) -> Iterable[dict[str, Any]]:
        acts = {choice.name: self._branch(choice) for choice in self.choices.values()}
        if not self._asked:
            return acts.values()
        looks = [acts[name] for name, choice in self.choices.items() if _looks(choice)]
        return [
            {"answer": {"const": "accept"}},
            {"answer": {"const": "reject"}},
            *({"answer": {"const": "gather_context"}, **act} for act in looks),
            *({"answer": {"const": "ignore"}, **act} for act in acts.values()),
        ]

    def _branch(self, choice: Choice) -> dict[str, Any]:
        branch: dict[str, Any] = {"do": {"const": choice.name}}
        if choice.arguments is not None:
            branch["with"] = _whole(choice.arguments) if self._complete else choice.arguments
        return branch

    def _move(self, said: Mapping[str, Any], *, looking: bool = False) -> UserMove:
        choice = self.choices.get(str(said.get("do")))
        if choice is None:
            raise InvalidMove(f"move.do must be one of {', '.join(self.choices)}")
        if looking and not _looks(choice):
            raise InvalidMove(f"move.do: {choice.name} is no way to look")
        needed = ("do",) if choice.arguments is None else ("do", "with")
        _has(said, f"the move {choice.name}", needed)
        given = _given(choice, said.get("with"))
        if choice.offer is not None:
            return Act(app=choice.offer.app, action=choice.offer.name, arguments=given)
        return Idle() if choice.name == IDLE else Reply(text=str(given["text"]))


def visible(view: UserView) -> tuple[Item, ...]:
    """The items of the screen that the user sees."""
    return view.screen.items[:MOST_ITEMS]


def _choices(view: UserView) -> Iterable[Choice]:
    items = [item for item in visible(view) if item.ref is not None]
    shown = Shown(Evidence(ref=str(i.ref), kind=i.kind, text=i.text) for i in items)
    years = range(view.time.year - 1, view.time.year + 2)
    taken = set(RESERVED)
    for offer in view.actions:
        name = offer.name if offer.name not in taken else f"{offer.app}.{offer.name}"
        taken.add(name)
        parameters = _elsewhere(offer.parameters, view.screen.app)
        if parameters is None:
            continue
        schema = narrow(parameters, shown, prose=LONGEST_TEXT, years=years)
        if schema is not None:
            takes = _real_days(schema, years) if schema.get("properties") else None
            yield Choice(name, cast("Mapping[str, Any] | None", takes), offer)
    if view.question is not None:
        text = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
        yield Choice(REPLY, _closed({"text": text}))
    yield Choice(IDLE)


def _elsewhere(parameters: Mapping[str, Any], app: str) -> Mapping[str, Any] | None:
    """Without the app in front: to open it once more is what a small model does for ever.

    ``None`` if there is no other.
    """
    node = parameters.get("properties", {}).get("app", {})
    if app not in node.get("enum", ()):
        return parameters
    others = [name for name in node["enum"] if name != app]
    named = {**parameters["properties"], "app": {**node, "enum": others}}
    return {**parameters, "properties": named} if others else None


def _looks(choice: Choice) -> bool:
    return choice.offer is not None and choice.offer.effect == "read"


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object of exactly these properties, in this order."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _whole(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same object with every property required; what may be left out may be ``null``."""
    required = schema.get("required", [])
    return _closed(
        {
            name: node if name in required else {"anyOf": [node, {"type": "null"}]}
            for name, node in schema["properties"].items()
        }
    )


def _real_days(node: Any, years: Sequence[int]) -> Any:
    """The schema with patterns of dates limited to days that there are, in years close by."""
    if isinstance(node, list):
        return [_real_days(part, years) for part in node]
    if not isinstance(node, dict):
        return node
    found = {word: _real_days(part, years) for word, part in node.items()}
    pattern = node.get("pattern")
    if isinstance(pattern, str) and MONTH_DAY in pattern:
        near = f"({'|'.join(map(str, years))})"
        found["pattern"] = pattern.replace(YEAR, near).replace(MONTH_DAY, REAL_DAY)
    return found


def _given(choice: Choice, said: Any) -> Arguments:
    """The arguments; ``null`` is the same as leaving out what may be left out."""
    if choice.arguments is None:
        return {}
    if not isinstance(said, dict):
        raise InvalidMove("move.with must be an object")
    required = choice.arguments.get("required", ())
    given = {name: v for name, v in said.items() if v is not None or name in required}
    from jsonschema import Draft202012Validator

    error = next(iter(Draft202012Validator(choice.arguments).iter_errors(given)), None)
    if error is not None:
        where = ".".join(map(str, ("move", "with", *error.absolute_path)))
        problem = error.message
        if len(problem) > LONGEST_PROBLEM:  # it quotes what was said
            problem = f"breaks {error.validator} {error.validator_value}"[:LONGEST_PROBLEM]
        raise InvalidMove(f"{where}: {problem}")
    return given


def _object(text: str) -> dict[str, Any]:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start or len(text) > LONGEST_ANSWER:
        raise InvalidMove("the answer must be one JSON object")
    try:
        said = json.loads(text[start : end + 1], parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InvalidMove(f"the answer is no JSON object: {error}"[:LONGEST_PROBLEM]) from None
    if not isinstance(said, dict):
        raise InvalidMove("the answer must be one JSON object")
    return said


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number in JSON")


def _has(said: Mapping[str, Any], what: str, names: Sequence[str]) -> None:
    if set(said) != set(names):
        raise InvalidMove(f"{what} must have {' and '.join(names)}, and nothing else")
