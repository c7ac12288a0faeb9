"""What a model user is told of a scenario: goal, habits and persona, in words.

The solution, the rubric, the needs and the window stay in the harness. What it does not know:
prompts, models.
"""

from __future__ import annotations

from collections.abc import Iterator

from heron.contracts import PROPOSAL_LENGTH
from heron.eval.users.intentions import Intention
from heron.eval.users.prompt import Briefing
from heron.registry import split_spec
from heron.scenarios.stage import Stage
from heron.seeds import derive
from heron.sim.users.brief import Do, Habit, Preferences, See
from heron.sim.users.judge import Strictness
from heron.sim.users.persona import LONGEST_OPEN, Persona, persona_of

LANGUAGES = {"de": "German", "es": "Spanish"}
_STRICTNESS: dict[Strictness, str] = {
    "lenient": "You are easily pleased: what is roughly right will do.",
    "normal": "You are an ordinary person, neither strict nor easily pleased.",
    "strict": "You are strict: an offer must say exactly who, what and when.",
}
MUCH_TRUST = 0.5
SEEDS = 2**31
"""Providers take seeds of 31 bits."""


def split_persona(argument: str) -> tuple[str, Persona]:
    """``"qwen#strict"`` → the model's name and the persona; neutral, where none is named.

    Raises:
        UnknownName: there is no such persona.
        InputError: its file is no persona.
    """
    model, _, persona = argument.partition("#")
    return model, persona_of(persona)


def briefing_of(stage: Stage, persona: Persona) -> Briefing:
    """What the user of one episode is told."""
    world = stage.world
    wishes = (*_wishes(persona.preferences), *_wishes(stage.brief.preferences))
    return Briefing(
        user_name=world.owner.name,
        persona=" ".join(dict.fromkeys((*_manner(persona), *wishes))),
        goal=stage.brief.goal,
        habits=tuple(_habit(habit, stage) for habit in stage.brief.habits),
        apps=tuple(world.apps),
        seed=derive(stage.seed, stage.scenario.id, "user") % SEEDS,
    )


def _manner(persona: Persona) -> Iterator[str]:
    yield _STRICTNESS[persona.strictness]
    if persona.trust >= MUCH_TRUST:
        yield "You trust the assistant and seldom look for yourself."
    if persona.patience < LONGEST_OPEN:
        yield f"You look at no more than {persona.patience} things before you lose patience."
    if persona.longest_offer < PROPOSAL_LENGTH:
        yield "You refuse long offers without reading them."
    if persona.attention < 1:
        yield "You look at your phone only now and then."
    if persona.fatigue > 0:
        yield "Each interruption makes you less willing for a while."
    if persona.language in LANGUAGES:
        yield f"You think and write in {LANGUAGES[persona.language]}."


def _wishes(preferences: Preferences) -> Iterator[str]:
    if preferences.not_before is not None:
        yield f"You want no offers before {preferences.not_before}."
    if preferences.confirm_purchases:
        yield "You want to be asked twice before money is spent."


def _habit(habit: Habit, stage: Stage) -> Intention:
    if isinstance(habit, See):
        return Intention(text=f"read {habit.ref}{_what(habit.ref, stage)}", ref=habit.ref)
    if isinstance(habit, Do):
        given = ", ".join(f"{name}={value}" for name, value in habit.arguments.items())
        text = f"in {habit.app}, {habit.action}({given})"
        return Intention(text=text, action=f"{habit.app}.{habit.action}")
    often = "a turn" if habit.turns == 1 else f"{habit.turns} turns"
    return Intention(text=f"do nothing for {often}", turns=habit.turns)


def _what(ref: str, stage: Stage) -> str:
    """What a record is, and where; of one that is still to come, not what is in it."""
    world = stage.world
    record = world.record(ref)
    if record is not None:
        return f" ({record.KIND} in {_app_of(record.KIND, stage)})"
    for event in world.queue.events:
        if event.reserve is not None and event.reserve[1] == ref:
            app, _ = split_spec(event.name.replace(".", ":", 1))
            return f" ({event.reserve[0]} in {app}) when it has come"
    return ""


def _app_of(kind: str, stage: Stage) -> str:
    found = (app.NAME for app in stage.world.apps.values() if app.table_of(kind) is not None)
    return next(found, "")
