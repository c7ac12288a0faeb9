"""Personas: what sets one simulated user apart from another, as data.

A persona changes how a user judges, waits and answers, never what it wants: that is the
scenario's. Heron's own lie in ``personas/``, one YAML file each; anybody's file will do. What it
does not know: scenarios, how a user acts on it (see ``scripted``).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field, ValidationError

from heron.contracts import PROPOSAL_LENGTH, Probability, Record
from heron.errors import InputError, UnknownName
from heron.registry import nearest
from heron.sim.users.brief import Preferences
from heron.sim.users.judge import Strictness
from heron.sim.users.reasons import Language

FOLDER = Path(__file__).parent / "personas"
SUFFIXES = (".yaml", ".yml")
NEUTRAL = "neutral"

LONGEST_OPEN = 9
"""Turns that an offer can be in hand: three unanswered, six of looking."""


class Persona(Record):
    """One kind of user. The defaults are the neutral one: it judges by the rubric and by what it
    has seen, and nothing is left to chance.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    summary: Annotated[str, Field(min_length=1)]
    """One line."""
    patience: Annotated[int, Field(ge=1, le=LONGEST_OPEN)] = LONGEST_OPEN
    """Looks that it takes for one offer at most; then it loses interest and says no."""
    trust: Probability = 0.0
    """Probability that it answers an offer by its words alone, right or wrong, without having
    seen all that it rests on."""
    strictness: Strictness = "normal"
    """How much of the matter a sentence must name; see ``judge``."""
    longest_offer: Annotated[int, Field(ge=1)] = PROPOSAL_LENGTH
    """Characters; what is longer it does not read but refuses."""
    attention: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Probability, at each turn, that it looks at the phone at all; else it does nothing."""
    fatigue: Annotated[float, Field(ge=0, le=1)] = 0.0
    """What each earlier interruption takes off the probability of a yes, while it is fresh."""
    recovery_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1800.0
    """Seconds in which an interruption loses half of that weight."""
    pace: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    """How long its steps take, relative to what their actions are declared to take."""
    preferences: Preferences = Preferences()
    language: Language = "en"
    """Of the reasons that it gives."""


def persona_of(argument: str) -> Persona:
    """The persona that stands after the colon of ``scripted:…``; neutral if nothing does.

    Args:
        argument: the name of one of Heron's, or the path of a YAML file.

    Raises:
        UnknownName: there is no such persona.
        InputError: the file cannot be read, or is no persona.
    """
    if argument.endswith(SUFFIXES) or "/" in argument:
        return read_persona(Path(argument))
    known = _shipped()
    if argument and argument not in known:
        remedy = "or give the path of a persona's .yaml file"
        raise UnknownName(f"unknown persona {argument!r}; {nearest(argument, known)}; {remedy}")
    return known[argument or NEUTRAL]


def personas() -> tuple[Persona, ...]:
    """Heron's own, the neutral one first, then by name."""
    return tuple(sorted(_shipped().values(), key=lambda p: (p.name != NEUTRAL, p.name)))


def read_persona(file: Path) -> Persona:
    """A persona from its file.

    Raises:
        InputError: it cannot be read, or is no persona; the message names file, key and remedy.
    """
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"cannot read the persona {file}: {why}") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{file}:{mark.line + 1}" if mark is not None else str(file)
        raise InputError(f"{place}: no YAML: {getattr(error, 'problem', None)}") from error
    if not isinstance(content, dict):
        raise InputError(f"{file}: a persona is a table of keys; see docs/users.md")
    try:
        return Persona.model_validate(content)
    except ValidationError as error:
        raise InputError(_complaint(file, error)) from error


def _complaint(file: Path, error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    key = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        record = Preferences if len(first["loc"]) > 1 else Persona
        return f"{file}: {key}: there is no such key; {nearest(key, record.model_fields)}"
    if first["type"] == "missing":
        return f"{file}: {key} is missing; add it"
    return f"{file}: {key}: {first['msg'][0].lower()}{first['msg'][1:]}, not {first['input']!r}"


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Persona]:
    found = (read_persona(file) for file in sorted(FOLDER.glob("*.yaml")))
    return {persona.name: persona for persona in found}
