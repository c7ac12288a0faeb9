"""The course of an ARE scenario: what happens when, what the reference does, what it asks first.

Events hang on each other by dependencies and have times, of their own, after what they depend on,
or as the recorded run had them. What it does not know: phones, and what functions do beyond
reading, writing and happening.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from heron.scenarios.are.apps import ASSISTANT, CLASSES, SYSTEM, app_of
from heron.scenarios.are.calls import EVENTS, TOOLS, Call
from heron.scenarios.are.ordering import ordered, times_of
from heron.scenarios.are.reading import AreDone, AreEvent, AreFile
from heron.scenarios.are.remarks import Refused, Remark

Part = Literal[
    "happens", "writes", "reads", "asks", "accepts", "rejects", "tasks", "waits", "other"
]
"""What an event is in the course."""
_SAID: dict[str, Part] = {
    "send_message_to_user": "asks",
    "accept_proposal": "accepts",
    "reject_proposal": "rejects",
    "send_message_to_agent": "tasks",
}
_ALWAYS = {
    "AgentUserInterface": ASSISTANT,
    "PAREAgentUserInterface": ASSISTANT,
    "SystemApp": SYSTEM,
    "System": SYSTEM,
}
"""Apps that events may name without the file listing them."""


@dataclass(frozen=True)
class Moved:
    """An event of the file with what it is here."""

    event: AreEvent
    part: Part
    app: str
    """Heron's app."""
    call: Call | None
    time: float
    """Seconds from the start of the file."""
    done: AreDone | None

    @property
    def raised(self) -> str | None:
        """Why it failed in the recorded run."""
        return None if self.done is None else self.done.exception

    @property
    def said(self) -> str:
        """What is said, of an event that says something."""
        args = self.done.args if self.done is not None else self.event.args
        found = args.get("content")
        return found.strip() if isinstance(found, str) else ""

    @property
    def name(self) -> str:
        """App and function, for remarks."""
        return f"{self.event.app}.{self.event.function}"


@dataclass
class Course:
    """All events of a file in order, and what follows from it."""

    file: AreFile
    order: list[Moved]
    remarks: list[Remark] = field(default_factory=list)

    def note(self, kind: str, detail: str) -> None:
        """Remark on something, once."""
        remark = Remark(kind, detail)  # type: ignore[arg-type]
        if remark not in self.remarks:
            self.remarks.append(remark)

    # --- who hangs on whom ---

    @cached_property
    def before(self) -> Mapping[str, frozenset[str]]:
        """Event → all that it hangs on, directly or not."""
        found: dict[str, frozenset[str]] = {}
        for moved in self.order:
            needs = moved.event.needs
            found[moved.event.id] = frozenset(needs).union(*(found[need] for need in needs))
        return found

    def hangs_on(self, moved: Moved, others: Iterable[Moved]) -> bool:
        """Whether an event hangs on any of others."""
        above = self.before[moved.event.id]
        return any(other.event.id in above for other in others)

    @cached_property
    def happening(self) -> list[Moved]:
        """What the environment does."""
        return [m for m in self.order if m.part == "happens" and m.event.type != "AGENT"]

    @cached_property
    def acting(self) -> list[Moved]:
        """What the agent changes, by tools or by what only the environment can do."""
        return [
            m
            for m in self.order
            if m.part == "writes" or (m.part == "happens" and m.event.type == "AGENT")
        ]

    @cached_property
    def reacting(self) -> list[Moved]:
        """What happens because the agent did something, or because the user agreed."""
        causes = [*self.acting, *(m for m in self.order if m.part == "accepts")]
        found = [m for m in self.happening if self.hangs_on(m, causes) or self._awaits(m)]
        found += [m for m in self.happening if m not in found and self.hangs_on(m, found)]
        rest = [m for m in self.acting if m.raised is None and not self.hangs_on(m, found)]
        # Where nothing would be left to do, the world goes on whatever the agent does.
        return found if rest or not self.acting else []

    @cached_property
    def steps(self) -> list[Moved]:
        """What the reference does, as far as it did it and nothing has to answer it before."""
        found = []
        for moved in self.acting:
            if moved.raised is not None:
                why = moved.raised.strip().splitlines() or ["it raised"]
                self.note("reference_raised", f"{moved.name}: {why[0][:160]}")
            elif self.file.run and moved.done is None:
                self.note("reference_raised", f"{moved.name}: it did not come to it")
            elif self.hangs_on(moved, self.reacting):
                self.note("reference_after_reaction", moved.name)
            else:
                found.append(moved)
        return found

    # --- the offer ---

    @cached_property
    def accepted(self) -> Moved | None:
        """The agreement under which the reference acts."""
        all_of_them = self._of("accepts")
        if not all_of_them:
            return None
        if len(all_of_them) > 1:
            self.note("several_proposals", f"{len(all_of_them)} of them were accepted")
        if not self.steps:
            return all_of_them[0]
        first = self.order.index(self.steps[0])
        earlier = [m for m in all_of_them if self.order.index(m) < first]
        if not earlier:
            early = [m.name for m in self.steps if self.order.index(m) < self._at(all_of_them[0])]
            self.note("reference_before_consent", ", ".join(dict.fromkeys(early)))
            return all_of_them[0]
        return earlier[-1]

    @cached_property
    def asked(self) -> Moved | None:
        """The question that was agreed to; without any agreement, what is said before acting."""
        asks = self._of("asks")
        if self.accepted is None:
            first = self._at(self.steps[0]) if self.steps else len(self.order)
            early = [m for m in asks if self._at(m) < first]
            return early[-1] if early else None
        earlier = [m for m in asks if self._at(m) < self._at(self.accepted)]
        return earlier[-1] if earlier else None

    @cached_property
    def report(self) -> str:
        """What the agent says when it is done."""
        since = self._at(self.accepted) if self.accepted is not None else -1
        said = [m.said for m in self._of("asks") if self._at(m) > since and m is not self.asked]
        return said[-1] if said else ""

    @cached_property
    def task(self) -> str:
        """What the user tells the agent to do, if they do."""
        return "\n".join(m.said for m in self._of("tasks") if m.said)

    # --- times ---

    @cached_property
    def timed(self) -> list[Moved]:
        """What happens by the clock, in order of time."""
        found = []
        for moved in self.happening:
            if moved in self.reacting:
                continue
            if moved.raised is not None:
                why = moved.raised.strip().splitlines() or ["it raised"]
                self.note("environment_raised", f"{moved.name}: {why[0][:160]}")
                continue
            if any(self._by_agent(need) for need in moved.event.needs):
                self.note("depends_on_agent", f"{moved.name} comes by the clock")
            found.append(moved)
        return sorted(found, key=lambda m: m.time)

    @cached_property
    def trigger(self) -> Moved | None:
        """The last thing that happened before the agent spoke, or acted."""
        first = self.asked or next(iter(self.steps), None)
        if first is None or not self.timed:
            return self.timed[-1] if self.timed else None
        above = self.before[first.event.id]
        known = [m for m in self.timed if m.event.id in above or m.time <= first.time]
        return known[-1] if known else None

    @property
    def first_word(self) -> float:
        """When the agent first speaks or acts, in seconds from the start."""
        first = self.asked or next(iter(self.steps), None)
        return 0.0 if first is None else first.time

    def _awaits(self, moved: Moved) -> bool:
        """Whether an event hangs on a condition that what the agent does may fulfil.

        A file has no more of a condition than its function's name.
        """
        above = self.before[moved.event.id]
        conditions = [m for m in self.order if m.part == "waits" and m.event.id in above]
        for one in conditions:
            self.note(
                "depends_on_agent", f"{moved.name} waits for the condition {one.event.function}"
            )
        return bool(conditions) and any(m.time <= moved.time for m in self.acting)

    # --- inside ---

    def _of(self, part: Part) -> list[Moved]:
        return [m for m in self.order if m.part == part]

    def _at(self, moved: Moved) -> int:
        return self.order.index(moved)

    def _by_agent(self, event_id: str) -> bool:
        return any(m.event.id == event_id and m.event.type == "AGENT" for m in self.order)


def course_of(file: AreFile) -> Course:
    """The course of a file's events.

    Raises:
        Refused: an event has no counterpart, or they hang on each other in a circle.
    """
    apps = {**_ALWAYS, **{app.name: app_of(app.class_name) for app in file.apps}}
    unknown: list[str] = []
    parts = {event.id: _part(event, apps, unknown) for event in file.events}
    if unknown:
        raise Refused(*unknown)
    times = times_of(file)
    ranked = ordered(file, times)
    order = [
        Moved(event, *parts[event.id], times[event.id], file.done.get(event.id)) for event in ranked
    ]
    course = Course(file, order)
    for moved in order:
        if moved.part == "other":
            course.note("user_step", moved.name)
        if moved.event.comparator is not None:
            course.note("approximated", f"{moved.name}: the time of a step is not compared")
    return course


def _part(
    event: AreEvent, apps: Mapping[str, str | None], unknown: list[str]
) -> tuple[Part, str, Call | None]:
    """What an event is; what it cannot be is put to ``unknown``."""
    name = f"{event.app}.{event.function}" if event.app else str(event.function)
    nothing: tuple[Part, str, None] = ("other", "", None)
    if event.type == "CONDITION" and event.app is None:
        return "waits", "", None
    if event.type not in ("AGENT", "ENV", "USER"):
        unknown.append(f"event of type {event.type[:40]} ({event.class_name[:60]}: {name[:80]})")
        return nothing
    if event.app is None or event.function is None:
        unknown.append(f"event {event.id[:60]!r} without an app and a function")
        return nothing
    app = apps.get(event.app)
    if app is None:
        if event.app not in apps:
            unknown.append(f"app {event.app[:60]!r} of {name[:80]}")
        return nothing
    return _role(event, app, name, unknown)


def _role(
    event: AreEvent, app: str, name: str, unknown: list[str]
) -> tuple[Part, str, Call | None]:
    key = (app, event.function or "")
    tool, happening = TOOLS.get(key), EVENTS.get(key)
    if app == ASSISTANT and key[1] in _SAID:
        return _SAID[key[1]], app, tool
    if event.type == "USER":
        return "other", app, None
    if event.type == "AGENT" and tool is not None:
        return ("reads" if tool.role == "read" else "writes"), app, tool
    if happening is not None:
        return "happens", app, happening
    if tool is not None and tool.role == "read":
        return "reads", app, tool
    if tool is not None:
        unknown.append(f"{name[:80]} by the environment")
    else:
        unknown.append(f"function {name[:120]}")
    return "other", app, None


def unknown_apps(file: AreFile) -> list[str]:
    """Apps of a file that Heron lacks, and second ones of a kind of which it has one."""
    found, seen = [], set()
    for app in file.apps:
        known = app_of(app.class_name)
        if known is None:
            found.append(f"app {app.name[:60]} (class {app.class_name[:60]})")
        elif known in seen and known not in (ASSISTANT, SYSTEM):
            found.append(f"app {app.name[:60]} (class {app.class_name[:60]}): a second {known}")
        seen.add(known)
    return found


assert set(_ALWAYS.values()) <= set(CLASSES)  # noqa: S101 - both are tables of this package
