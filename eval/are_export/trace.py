"""A stored episode → a recorded run in ARE's format: who did what, when, in which turn.

Happenings, the user's actions and answers, the assistant's looks, offers and calls get ARE's names
and arguments; what has none keeps Heron's, and is told. The observation stream is carried beside
them (see ``heron.scenarios.are.export.carried``). What it does not know: files on disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from heron import __version__
from heron.contracts import EpisodeRecord, LogEntry, ToolResult, TurnRecord
from heron.eval.are_export.returned import printed
from heron.eval.are_export.scenario import Exported
from heron.eval.judging.replay import LeftBehind
from heron.eval.judging.scenes import Scenes
from heron.eval.replaying.actions import ACTIONS
from heron.eval.replaying.sources import EpisodeSource
from heron.eval.replaying.stream import RecordedStream
from heron.eval.staging import staged
from heron.scenarios.are.apps import ASSISTANT, SYSTEM
from heron.scenarios.are.export import layout
from heron.scenarios.are.export.calls import Action, Desk, NoCounterpart
from heron.scenarios.are.export.carried import EPISODE, KEY, seal
from heron.scenarios.are.export.layout import Json, Who
from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.export.phone import apps, states
from heron.scenarios.are.values import epoch
from heron.scenarios.stage import Stage

Mode = Literal["observe", "execute"]
_SAYS = "send_message_to_user"
_BY_THE_CLOCK = "by_the_clock"
THINKING = timedelta(seconds=0.1)
"""The assistant's events come so much later, since at the very moment of a user's action they would
be taken for that action's echo, which PARE's runs have."""


def export_episode(episode: EpisodeRecord, scenes: Scenes) -> Exported:
    """The recorded run of an episode.

    Args:
        episode: as stored.
        scenes: finds its scenario, which says what was on the phone.

    Raises:
        LeftBehind: there is no such scenario, or it has changed since.
    """
    name = f"{episode.scenario}#{episode.seed}"
    scenario = scenes.find(episode.scenario)
    if scenario is None:
        raise LeftBehind(f"there is no scenario {episode.scenario!r}")
    if scenario.hash != episode.scenario_hash:
        raise LeftBehind(f"scenario {episode.scenario!r} has changed since it was played")
    ledger = Ledger()
    stream: RecordedStream | None = None
    try:
        stream = EpisodeSource(episode, scenes).stream
    except LeftBehind as reason:
        ledger.note(f"the observation stream: {reason}")
    stage = staged(scenario, episode.seed, episode.config)
    try:
        data = _Tracing(episode, stage, ledger, stream).data()
    finally:
        stage.world.close()
    data["metadata"][KEY] = {
        "format": EPISODE,
        "version": 1,
        "heron": __version__,
        "episode": name,
        "run": episode.run,
        "scenario_hash": episode.scenario_hash,
        "stream": _lines(stream),
        "left_out": list(ledger.left_out),
        "seal": seal(data),
    }
    return Exported(trace_name(episode), data, tuple(ledger.left_out))


def trace_name(episode: EpisodeRecord) -> str:
    """Of an episode's file, without the suffix."""
    return f"{episode.scenario}_run_{episode.seed}"


def _lines(stream: RecordedStream | None) -> list[Json] | None:
    if stream is None:
        return None
    return [one.model_dump(mode="json") for one in (stream.header, *stream.moments)]


@dataclass
class _Tracing:
    episode: EpisodeRecord
    stage: Stage
    ledger: Ledger
    stream: RecordedStream | None
    rows: list[Json] = field(default_factory=list)

    def data(self) -> Json:
        """The whole file."""
        world, episode, ledger = self.stage.world, self.episode, self.ledger
        there = apps(states(world, ledger), world.apps, ledger)
        self._desk = Desk(ledger, world)
        self._results = self._answers()
        starts = {turn.turn: turn.time for turn in episode.turns}
        for turn in episode.turns:
            self._turn(turn, [one for one in episode.log if _seen_in(one, starts) == turn.turn])
        definition = {
            "scenario_id": episode.scenario,
            "seed": episode.seed,
            "run_number": episode.seed,
            "start_time": epoch(world.now),
        }
        config = episode.config
        simulation = {
            "agent_id": "user:heron|proactive:heron",
            "model_id": f"user:{config.user}|observe:{config.observer}|execute:{config.executor}",
        }
        return layout.document(
            definition=definition,
            apps=there,
            events=[],
            run=self.rows,
            final=None,
            simulation=simulation,
        )

    # --- turns ---

    def _turn(self, turn: TurnRecord, log: list[LogEntry]) -> None:
        """First what came and what the user did, then the executor, then the observer."""
        for entry in log:
            if entry.actor == "environment":
                self._happened(turn, entry)
            elif entry.actor == "user":
                self._did(turn, entry)
        decision = turn.decision
        if decision is not None and decision.answer in ("accept", "reject"):
            reason = decision.reason
            self._say(turn, "USER", f"{decision.answer}_proposal", reason, turn.time, None)
        assistant = [entry for entry in log if entry.actor == "assistant"]
        self._executed(turn, [entry for entry in assistant if entry.grant_id is not None])
        self._observed(turn, [entry for entry in assistant if entry.grant_id is None])

    def _executed(self, turn: TurnRecord, calls: list[LogEntry]) -> None:
        for entry in calls:
            self._called(turn, entry, "execute")
        if turn.execution is not None and turn.execution.message:
            at = max([turn.time, *(entry.time for entry in calls)])
            self._say(turn, "AGENT", _SAYS, turn.execution.message, at, "execute")

    def _observed(self, turn: TurnRecord, looks: list[LogEntry]) -> None:
        for entry in looks:
            self._called(turn, entry, "observe")
        if turn.proposal is not None:
            self._say(turn, "AGENT", _SAYS, turn.proposal.text, turn.time, "observe")
        elif turn.observer:
            self._say(turn, "AGENT", "wait", "", turn.time, "observe")
        if turn.withdrawn is not None:
            self.ledger.note("an offer that is withdrawn")

    def _happened(self, turn: TurnRecord, entry: LogEntry) -> None:
        app, _, function = entry.name.partition(".")
        if function == _BY_THE_CLOCK or app in ("device", ASSISTANT):
            self.ledger.note(f"happening {entry.name}")
            return
        ref = next((c.ref for c in entry.changes if c.op == "create"), "")
        mail = ref if entry.name == "email.receive" else ""
        for action in self._turned(entry.name, "event", entry.arguments, mail):
            self._row(turn, "ENV", action, entry.time, ref or None, entry.error)

    def _did(self, turn: TurnRecord, entry: LogEntry) -> None:
        app, _, action = entry.name.partition(".")
        named = _PARE.get((app, action))
        arguments = dict(entry.arguments)
        if named is None:
            self.ledger.note(f"action {entry.name}")
        else:
            action, renamed = named
            arguments = {renamed.get(key, key): value for key, value in arguments.items()}
        if app == SYSTEM and isinstance(entry.arguments.get("app"), str):
            arguments["app_name"] = self._app_name(str(entry.arguments["app"]))
        made = Action(app, action, arguments, entry.effect == "write")
        self._row(turn, "USER", made, entry.time, None, entry.error)

    def _called(self, turn: TurnRecord, entry: LogEntry, mode: Mode) -> None:
        """A call of the assistant's, with what came back of it."""
        result = self._result(entry)
        value = None if result is None else printed(result)
        for action in self._turned(entry.name, entry.effect, entry.arguments, ""):
            self._row(turn, "AGENT", action, entry.time, value, entry.error, mode)

    def _turned(
        self, name: str, role: Literal["read", "write", "event"], given: Mapping[str, Any], ref: str
    ) -> list[Action]:
        try:
            return self._desk.turn(name, role, given, ref)
        except NoCounterpart:
            self.ledger.note(f"{'happening' if role == 'event' else 'call'} {name}")
            app, _, function = name.partition(".")
            return [Action(app, function, dict(given), role != "read")]

    # --- results ---

    def _answers(self) -> list[ToolResult]:
        """What the assistant's calls came back with, as far as that is stored."""
        looks = [
            result
            for moment in (self.stream.moments if self.stream is not None else ())
            for result in moment.done.looks
        ]
        calls = [
            result
            for turn in self.episode.turns
            if turn.execution is not None
            for result in turn.execution.calls
        ]
        return [*looks, *calls]

    def _result(self, entry: LogEntry) -> ToolResult | None:
        for place, result in enumerate(self._results):
            if result.call.name == entry.name and result.call.arguments == entry.arguments:
                return self._results.pop(place)
        return None

    # --- rows ---

    def _say(
        self,
        turn: TurnRecord,
        who: Who,
        function: str,
        content: str,
        at: datetime,
        mode: Mode | None,
    ) -> None:
        args = {"content": content} if content else {}
        action = Action(ASSISTANT, function, args, writes=function != "wait")
        self._row(turn, who, action, at, None, None, mode)

    def _row(
        self,
        turn: TurnRecord,
        who: Who,
        action: Action,
        at: datetime,
        value: str | None,
        error: str | None,
        mode: Mode | None = None,
    ) -> None:
        key = f"{turn.turn}-{len(self.rows) + 1}"
        at += THINKING if who == "AGENT" else timedelta()
        more: Json = {"turn_number": turn.turn - 1}
        if mode is not None:
            more["proactive_mode"] = mode
        self.rows.append(
            layout.completed(
                who,
                layout.event_id(who, action, self.ledger, key),
                action,
                self.ledger,
                at=epoch(at),
                value=value,
                error=error,
                more=more,
            )
        )

    def _app_name(self, app: str) -> str:
        return self.ledger.name_of(app) if app in self.stage.world.apps else app


def _seen_in(entry: LogEntry, starts: Mapping[int, datetime]) -> int:
    """The turn in which somebody learns of it: what comes while time passes, in the next one."""
    start = starts.get(entry.turn)
    later = entry.actor == "environment" and start is not None and entry.time > start
    return entry.turn + later


def _pare() -> Iterator[tuple[tuple[str, str], tuple[str, Mapping[str, str]]]]:
    """Heron's app and action → PARE's action and its arguments' names; the first that is equal."""
    for app, named in ACTIONS.items():
        for function, one in reversed(list(named.items())):
            if not one.near:
                back = {heron: pare for pare, heron in one.arguments.items()}
                yield (app, one.name), (function, back)
    yield (SYSTEM, "back"), ("go_back", {})


_PARE = dict(_pare())
