"""The observer made of keyword rules: what can be had without any model.

It reads each notification for a want (``signals``), looks the calendar up where a date changed,
and fills a sentence (``offers``). It was written without a look at the scenarios. What it does not
know: grammar, context, other languages than English.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from heron.contracts import (
    ActionSeen,
    Brief,
    Evidence,
    Look,
    LookSeen,
    NotificationSeen,
    Observation,
    Propose,
    ToolCall,
    ToolSpec,
    Wait,
)
from heron.observer.baselines.offers import best_match, key_words, offer
from heron.observer.baselines.signals import Signal, read
from heron.observer.restraint import PastProposals, is_quiet
from heron.observer.setup import Setup

PATIENCE = 3
"""Turns after which a want that could not be spoken about is dropped."""

_DOING = ("reply", "send", "save", "create", "add", "edit", "delete", "forward", "set_")
"""In an action's name: the user is seeing to things."""


@dataclass
class _Want:
    """A notification that seems to want something."""

    signal: Signal
    notification: NotificationSeen
    turn: int
    searches: list[str]
    """Words to look the calendar up by, next one first."""
    events: list[Evidence] = field(default_factory=list)


class RulesObserver:
    """Speaks at once about what a keyword gives away, unless the user is busy or on it."""

    def __init__(self) -> None:
        self._begin(None)

    def _begin(self, brief: Brief | None) -> None:
        self._search = _event_search(brief.tools if brief else ())
        self._writes = brief.write_tools if brief else ()
        self._wants: list[_Want] = []
        self._done: set[str] = set()
        self._past = PastProposals()

    def observe(self, observation: Observation) -> Wait | Look | Propose:
        """Look where a date changed, propose on the newest want, else wait."""
        if observation.brief is not None:
            self._begin(observation.brief)
        self._past.note(observation)
        self._note(observation)
        if observation.open_proposal is not None or is_quiet(observation.device):
            return Wait()
        while self._wants:
            want = self._wants[-1]
            if want.searches and self._search is not None and observation.looks_left > 0:
                tool, parameter = self._search
                return Look(call=ToolCall(name=tool, arguments={parameter: want.searches.pop(0)}))
            self._wants.pop()
            proposal = self._word(want)
            if proposal is not None:
                self._past.propose(proposal)
                return proposal
        return Wait()

    def _note(self, observation: Observation) -> None:
        for seen in observation.new:
            match seen:
                case NotificationSeen():
                    self._want(seen, observation.turn)
                case LookSeen() if self._wants:
                    want = self._wants[-1]
                    want.events += [e for e in seen.result.shown if e.kind == "event"]
                    if best_match(want.signal, want.notification.text, want.events) is not None:
                        want.searches.clear()
                case ActionSeen(error=None) if any(verb in seen.action for verb in _DOING):
                    self._wants = [w for w in self._wants if w.notification.app != seen.app]
        oldest = observation.turn - PATIENCE
        self._wants = [want for want in self._wants if want.turn >= oldest]

    def _want(self, seen: NotificationSeen, turn: int) -> None:
        ref = seen.record.ref if seen.record is not None else ""
        signal = read(seen)
        if signal is None or ref in self._done:
            return
        dated = signal.want in ("change", "cancel")
        searches = list(key_words(signal)) if dated else []
        self._wants.append(_Want(signal, seen, turn, searches))

    def _word(self, want: _Want) -> Propose | None:
        seen = want.notification
        event = best_match(want.signal, seen.text, want.events)
        made = offer(want.signal, seen.record, event, seen.app, self._writes)
        if seen.record is not None:
            self._done.add(seen.record.ref)
        return None if made is None or self._past.repeats(made.text, made.refs) else made


def _event_search(tools: Iterable[ToolSpec]) -> tuple[str, str] | None:
    """A calendar's search tool and the name of its one needed parameter."""
    for tool in tools:
        app, _, name = tool.name.partition(".")
        match tool.parameters.get("required"):
            case [str() as parameter] if app == "calendar" and "search" in name:
                return tool.name, parameter
    return None


def make(setup: Setup) -> RulesObserver:  # noqa: ARG001
    """The observer ``rules``; it needs nothing."""
    return RulesObserver()
