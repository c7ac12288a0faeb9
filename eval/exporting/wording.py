"""Tells an episode's situation and turns in words, as a chat needs them.

What it does not know: formats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from heron.contracts import (
    DeviceStatus,
    EpisodeRecord,
    Execution,
    LogEntry,
    ObserverAnswer,
    ScreenView,
    ToolResult,
    TurnRecord,
)
from heron.eval.account import account
from heron.eval.exporting.matter import Matter

TYPES = {
    "goal": "help is wanted",
    "quiet": "no help is wanted",
    "restraint": "help would be wrong to offer",
}


def situation(episode: EpisodeRecord, matter: Matter | None) -> str:
    """What the episode is about.

    Args:
        episode: the episode.
        matter: of its scenario; ``None``: it is not known any more.
    """
    lines = [f"Scenario {episode.scenario}, seed {episode.seed}: {TYPES[episode.type]}."]
    if matter is not None:
        lines.append(matter.summary)
        lines.append(f"What the user has in mind, which no assistant is told: {matter.goal}")
    if episode.turns:
        first = episode.turns[0]
        lines.append(f"It is {first.time:%A, %d %B %Y, %H:%M}. The phone shows {_at(first.view)}.")
    if episode.assessment is not None:
        lines += _device(episode.assessment.device)
    return "\n".join(lines)


def turn_words(episode: EpisodeRecord, turn: TurnRecord) -> str:
    """What happened in a turn before the assistant was asked, a line each."""
    return "\n".join([f"Turn {turn.turn}, {turn.time:%H:%M:%S}", *_happened(episode, turn)])


def execution_words(execution: Execution) -> str:
    """What an execution said in the end."""
    return execution.message or f"(ended with {execution.end})"


def answer_words(answer: ObserverAnswer) -> str:
    """What the observer answered, without the call of a look."""
    if answer.type == "propose":
        plan = f"\nplan: {', '.join(answer.plan)}" if answer.plan else ""
        refs = f"\nrests on: {', '.join(answer.refs)}" if answer.refs else ""
        return f"{answer.text}{plan}{refs}"
    return {"wait": "(waits)", "withdraw": "(takes its offer back)", "look": ""}[answer.type]


def result_words(result: ToolResult) -> str:
    """What a tool came back with."""
    if not result.ok:
        return result.error or "refused"
    shown = "\n".join(f"{line.ref} {line.kind}: {line.text}" for line in result.shown)
    return shown or plain(result.value)


def verdict_words(episode: EpisodeRecord) -> str:
    """How it went and whose fault it was."""
    return "\n".join(account(episode))


def plain(value: Any) -> str:
    """A JSON value as text."""
    if isinstance(value, str):
        return value
    return "" if value is None else str(value)


def call_words(name: str, arguments: Mapping[str, Any]) -> str:
    """``app.tool(argument=value)``."""
    return f"{name}({', '.join(f'{key}={value}' for key, value in arguments.items())})"


def _at(view: ScreenView) -> str:
    return view.title if view.app == "system" else f"{view.app}: {view.title}"


def _device(device: DeviceStatus) -> Iterator[str]:
    told: list[str] = [device.activity] if device.activity != "free" else []
    told += ["do not disturb"] if device.do_not_disturb else []
    if told:
        yield f"The user's state: {', '.join(told)}."


def _happened(episode: EpisodeRecord, turn: TurnRecord) -> Iterator[str]:
    yield from (_entry(e) for e in episode.log if e.turn == turn.turn and e.actor == "environment")
    for preview in turn.previews:
        yield f"notification: {preview.app}: {preview.title}: {preview.preview}"
    yield from _moved(turn)
    if turn.expired is not None:
        yield f"{turn.expired} expires unanswered"


def _entry(entry: LogEntry) -> str:
    return f"event: {call_words(entry.name, entry.arguments)}"


def _moved(turn: TurnRecord) -> Iterator[str]:
    move = turn.step.move
    if move.type == "act":
        looking = " (to look before answering)" if turn.step.looking else ""
        refused = f" – refused: {turn.error}" if turn.error else ""
        yield f"user: {call_words(f'{move.app}.{move.action}', move.arguments)}{looking}{refused}"
    elif move.type == "answered":
        named = f" {turn.decision.proposal_id}" if turn.decision is not None else ""
        reason = f": {move.reason}" if move.reason else ""
        yield f"user: {move.answer}s{named}{reason}"
    elif move.type == "reply":
        yield f"user: {move.text}"
    else:
        yield "user: does nothing"
