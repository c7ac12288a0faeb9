"""A recorded run of ARE or PARE → a recorded stream, with remarks on all that has no counterpart.

Happenings of the environment become notifications, the user's actions get Heron's names, the
assistant's reads are its looks, its messages its offers, unless it was executing. PARE logs many
of the user's actions a second time as the assistant's: such an echo is told apart by coming at the
same moment, and is used for nothing but the ids in it. What it does not know: files.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from heron.contracts import (
    ActionSeen,
    AnswerSeen,
    Brief,
    Evidence,
    ExecutionSeen,
    NotificationSeen,
    Seen,
    ToolCall,
    ToolResult,
)
from heron.eval.replaying.actions import ACTIONS, BACK, PAGING, Named
from heron.eval.replaying.carrying import restored_stream
from heron.eval.replaying.naming import Names, clean
from heron.eval.replaying.returned import records_in
from heron.eval.replaying.stream import Done, Header, Moment, Offer, RecordedStream
from heron.eval.replaying.trace import Happened, Trace
from heron.scenarios.are.apps import ASSISTANT, SYSTEM
from heron.scenarios.are.calls import EVENTS, TOOLS
from heron.scenarios.are.remarks import Refused
from heron.scenarios.are.values import Placeholder, naive
from heron.sim.installed import installed

ECHO_S: Final = 0.05
"""Sooner after the user's action than any model answers."""
MOST_TURNS: Final = 10_000
NOBODYS: Final = "none"
"""Id of an offer that the record answers and does not hold."""
_OFFERED: Final = "send_message_to_user"
_VALUE: Final = 2000


def stream_of(trace: Trace) -> RecordedStream:
    """The stream of a run.

    Raises:
        Refused: there is nothing in it, or a time is none.
    """
    found, altered = restored_stream(trace.carried)
    if found is not None:
        return found
    if not trace.events:
        raise Refused("nothing happens in it")
    return _Turning(trace, altered).stream()


class _Turning:
    """One run on its way."""

    def __init__(self, trace: Trace, altered: str = "") -> None:
        self._trace = trace
        self._names = Names(trace.apps)
        self._remarks: Counter[str] = Counter([altered] if altered else [])
        self._moments: list[Moment] = []
        self._offers: dict[str, Offer] = {}
        self._open: str | None = None
        self._accepted: str = NOBODYS
        self._new: list[Seen] = []
        self._late: list[Seen] = []
        self._looks: list[ToolResult] = []
        self._offer: str | None = None
        self._spoke = False
        self._last_user: Happened | None = None

    def stream(self) -> RecordedStream:
        """All of it."""
        events = sorted(self._trace.events, key=lambda event: event.turn)
        last = events[-1].turn
        if last - events[0].turn >= MOST_TURNS:
            raise Refused(f"turn {last}: more than {MOST_TURNS} turns")
        turn = events[0].turn
        for number, group in groupby(events, key=lambda event: event.turn):
            for empty in range(turn, number):
                self._moment(empty, [])
            self._moment(number, list(group))
            turn = number + 1
        moments = [self._settled(moment) for moment in self._moments]
        models = self._trace.models
        header = Header(
            source="are",
            name=clean(self._trace.name),
            assistant=clean(models.get("observe") or models.get("proactive") or ""),
            user=clean(models.get("user", "")),
            brief=self._brief(),
            ids={short: clean(ref) for ref, short in self._names.ids.items()},
            remarks=tuple(
                what if count == 1 else f"{what} ({count} times)"
                for what, count in sorted(self._remarks.items())
            ),
            moments=len(moments),
        )
        return RecordedStream(header=header, moments=tuple(moments))

    def _settled(self, moment: Moment) -> Moment:
        """With how its offer ended, which is known only now."""
        offer = moment.done.offer
        if offer is None:
            return moment
        done = moment.done.model_copy(update={"offer": self._offers[offer.proposal_id]})
        return moment.model_copy(update={"done": done})

    def _brief(self) -> Brief:
        kinds = installed()
        here = [kinds[app] for app in dict.fromkeys(self._names.apps.values()) if app in kinds]
        specs = [tool.spec(kind.NAME) for kind in here for tool in kind.TOOLS.values()]
        return Brief(
            user_name=self._names.owner,
            tools=tuple(spec for spec in specs if spec.effect == "read"),
            write_tools=tuple(spec.name for spec in specs if spec.effect == "write"),
        )

    # --- a turn ---

    def _moment(self, turn: int, events: list[Happened]) -> None:
        self._new, self._late = self._late, []
        self._looks, self._offer, self._spoke = [], None, False
        told = [event.time for event in events if event.who != "AGENT"]
        for place, event in enumerate(events):
            if event.who == "ENV":
                self._new.append(self._notification(event))
            elif event.who == "USER":
                self._last_user = event
                self._user(event, self._echo_of(event, events[place + 1 :]))
            else:
                self._agent(event)
        now = self._time(max(told) if told else None)
        new = sorted(self._new, key=lambda seen: seen.type in ("answer", "execution"))
        done = Done(looks=tuple(self._looks), offer=self._made(), absent=not self._spoke)
        self._moments.append(Moment(turn=turn + 1, time=now, new=tuple(new), done=done))

    def _made(self) -> Offer | None:
        """The turn's offer."""
        return None if self._offer is None else self._offers[self._offer]

    def _time(self, seconds: float | None) -> datetime:
        """Never before the moment before."""
        before = self._moments[-1].time if self._moments else naive(self._trace.start, "start_time")
        return before if seconds is None else max(before, naive(seconds, "event_time"))

    def _remark(self, what: str) -> None:
        self._remarks[clean(" ".join(what.split()))[:300]] += 1

    def _app(self, event: Happened) -> str:
        app = self._names.apps.get(event.app)
        if app is None:
            self._remark(f"app {event.app!r} has no counterpart; it keeps its name")
        return app or clean(event.app).lower().replace(" ", "_")[:60]

    def _arguments(self, event: Happened, named: Mapping[str, str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in event.args.items():
            if name in PAGING:
                continue
            found[clean(named.get(name, name))] = self._names.argument(name, _plain(value))
        return found

    # --- environment ---

    def _notification(self, event: Happened) -> NotificationSeen:
        app, args = self._app(event), event.args
        call = EVENTS.get((app, event.function))
        if call is None:
            self._remark(
                f"event {event.app}.{event.function} has no counterpart; told in its words"
            )
        said = str(_plain(args.get("content") or ""))
        if app == "email" and "content" in args:
            title = f"{_plain(args.get('sender'))}: {_plain(args.get('subject') or '')}"
            ref = event.value or args.get("email_id")
            return self._told(app, title, said, ("email", ref))
        if app == "messaging" and "content" in args:
            chat = args.get("conversation_id")
            who, group = self._names.person(args.get("sender_id", "?")), self._names.chat(chat)
            return self._told(
                app, f"{who}: {group}" if group else who, said, ("conversation", chat)
            )
        title = str(_plain(args.get("title") or event.function.replace("_", " ")))
        rest = [f"{name} {self._names.argument(name, _plain(v))}" for name, v in args.items() if v]
        return self._told(
            app, title, ", ".join(rest), (call.returns or "" if call else "", event.value)
        )

    def _told(self, app: str, title: str, said: str, about: tuple[str, Any]) -> NotificationSeen:
        kind, ref = about
        record = None
        if kind and isinstance(ref, str) and ref and " " not in ref:
            line = clean(f"{title}, {said}")[:200]
            record = Evidence(ref=self._names.short(kind, ref), kind=kind, text=line)
        return NotificationSeen(app=app, title=clean(title), text=clean(said), record=record)

    # --- user ---

    def _user(self, event: Happened, echo: Happened | None) -> None:
        app = self._app(event)
        if app == ASSISTANT and event.function in ("accept_proposal", "reject_proposal"):
            self._answer(event)
            return
        if self._open is not None:
            offer = self._offers[self._open]
            self._offers[self._open] = offer.model_copy(update={"gathered": True})
        self._new.append(self._action(app, event, echo))

    def _action(self, app: str, event: Happened, echo: Happened | None) -> ActionSeen:
        named = ACTIONS.get(app, {}).get(event.function)
        if event.function == BACK:
            app, named = SYSTEM, Named("back")
        if named is None:
            self._remark(
                f"action {event.app}.{event.function} has no counterpart; it keeps its name"
            )
        elif named.near:
            self._remark(f"action {event.app}.{event.function} is told as {app}.{named.name}")
        arguments = self._arguments(event, named.arguments if named else {})
        if app == SYSTEM and isinstance(arguments.get("app"), str):
            name = arguments["app"]
            arguments["app"] = self._names.apps.get(name) or name
        if echo is not None and "index" in arguments:
            # The echo names the record at that place of the list.
            ids = {n: v for n, v in echo.args.items() if n.endswith("_id") and isinstance(v, str)}
            if ids:
                del arguments["index"]
                arguments |= {name: self._names.argument(name, ref) for name, ref in ids.items()}
        return ActionSeen(
            app=app,
            action=named.name if named else clean(event.function),
            arguments=arguments,
            error=None if event.exception is None else clean(event.exception),
        )

    def _echo_of(self, event: Happened, following: list[Happened]) -> Happened | None:
        first = following[0] if following else None
        return first if first is not None and self._echoes(first, event) else None

    def _echoes(self, event: Happened, deed: Happened | None) -> bool:
        return (
            deed is not None
            and event.who == "AGENT"
            and event.app == deed.app
            and 0 <= event.time - deed.time <= ECHO_S
        )

    def _answer(self, event: Happened) -> None:
        answer = "accept" if event.function == "accept_proposal" else "reject"
        reason = str(_plain(event.args.get("content") or ""))
        proposal_id = self._open or NOBODYS
        if self._open is None:
            self._remark(f"an answer ({answer}) with no offer open")
        else:
            offer = self._offers[self._open]
            update = {"answer": answer, "reason": clean(reason)}
            self._offers[self._open] = offer.model_copy(update=update)
            self._open = None
        if answer == "accept":
            self._accepted = proposal_id
        self._new.append(
            AnswerSeen.model_validate(
                {"proposal_id": proposal_id, "answer": answer, "reason": clean(reason)}
            )
        )

    # --- assistant ---

    def _agent(self, event: Happened) -> None:
        if self._echoes(event, self._last_user):
            self._remark("the user's action is logged once more as the assistant's")
            return
        app = self._app(event)
        self._spoke = True
        if app == ASSISTANT:
            self._said(event)
        elif event.mode == "execute":
            self._remark("a call of the executor's is no look")
        else:
            call = TOOLS.get((app, event.function))
            if call is None or call.heron is None:
                self._remark(f"look {event.app}.{event.function} has no counterpart")
            elif call.role == "write":
                self._remark(f"the assistant calls {event.app}.{event.function} without consent")
            self._looks.append(self._look(app, event))

    def _said(self, event: Happened) -> None:
        if event.function != _OFFERED:
            if event.function != "wait":
                self._remark(f"the assistant calls {event.function}; taken for waiting")
            return
        words = clean(str(_plain(event.args.get("content") or "")))
        if event.mode == "execute":
            done = ExecutionSeen(proposal_id=self._accepted, end="done", message=words)
            # The user reads it at once; an observer is told with what is new next.
            self._late.append(done)
            return
        if self._offer is not None:
            self._remark("a second offer in one turn; the first counts")
            return
        if self._open is not None:
            offer = self._offers[self._open]
            self._offers[self._open] = offer.model_copy(update={"answer": "expired"})
        self._offer = self._open = f"r{len(self._offers) + 1}"
        self._offers[self._open] = Offer(proposal_id=self._open, text=words)

    def _look(self, app: str, event: Happened) -> ToolResult:
        call = TOOLS.get((app, event.function))
        known = {a.are: a.heron for a in call.arguments} if call else {}
        arguments = {
            known.get(name) or name: self._names.argument(name, _plain(value))
            for name, value in event.args.items()
            if value is not None and (call is None or known.get(name, name) is not None)
        }
        heron = call.heron if call and call.heron else event.function
        shown = tuple(
            record.model_copy(update={"ref": self._names.short(record.kind, record.ref)})
            for record in records_in(event.value)
        )
        return ToolResult(
            call=ToolCall(name=clean(f"{app}.{heron}"), arguments=arguments),
            ok=event.exception is None,
            value=None if shown or event.value is None else clean(event.value)[:_VALUE],
            error=None if event.exception is None else clean(event.exception)[:_VALUE],
            shown=shown,
        )


def _plain(value: Any) -> Any:
    """Without what JSON cannot hold."""
    if isinstance(value, Placeholder):
        return f"{{{{{value.path}}}}}"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    return value
