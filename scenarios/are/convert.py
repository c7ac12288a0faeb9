"""An ARE file → the data of a Heron scenario, and what is to be said of it.

First everything is turned over, then it is tried on its own phone; what the phone refuses is left
out with a remark; then offer, rubric, facts and needs are made of what is left. What it does not
know: episodes, the file's final state (see ``heron.eval.importing``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heron import __version__
from heron.scenarios.are import aim
from heron.scenarios.are.assembly import Assembly, Happening, Step, shift_of
from heron.scenarios.are.book import Book, Row
from heron.scenarios.are.course import Course, course_of, unknown_apps
from heron.scenarios.are.offer import ACTS, Offer, offer
from heron.scenarios.are.phone import phone_of
from heron.scenarios.are.reading import AreFile
from heron.scenarios.are.remarks import Refused, Remark
from heron.scenarios.are.trial import Trial, attempt, missing
from heron.scenarios.are.values import naive, phrase, plain, read_time
from heron.scenarios.are.wording import cut, sentences

ROUNDS = 40
"""How often a scenario is tried, each time without what was refused."""
MOST_NEEDS = 3
SUMMARY = 100


@dataclass(frozen=True)
class Converted:
    """A scenario, and how it came to be."""

    data: Row
    remarks: tuple[Remark, ...]
    labels: dict[tuple[str, str], str]
    """Kind and ARE's id → label."""
    book: Book


def convert(file: AreFile, name: str, source: str, sha256: str, altered: str = "") -> Converted:
    """The scenario of a file.

    Args:
        file: what was read.
        name: the scenario's id.
        source: name of the file.
        sha256: of the file.
        altered: why a scenario that the file carries was not restored, if that is so.

    Raises:
        Refused: something has no counterpart; the error names all that was found.
    """
    unknown = unknown_apps(file)
    if unknown:
        raise Refused(*unknown)
    course = course_of(file)
    shift = shift_of(course)
    book = Book(start=naive((file.start + shift) // 60 * 60, "start_time"))
    book.help_at = max(0.0, course.first_word - shift)
    if altered:
        book.note("not_restored", altered)
    try:
        owner, phone = phone_of(file, book)
        made = Assembly(book, course, shift)
        made.run()
    except Refused as error:
        raise Refused(*book.refused, *error.names) from error
    if book.refused:
        raise Refused(*book.refused)
    book.remarks += [remark for remark in course.remarks if remark not in book.remarks]
    origin = {"format": "are", "file": source, "id": file.scenario_id, "sha256": sha256}
    making = _Making(name, made, owner, phone, {**origin, "heron": __version__})
    data = making.data()
    return Converted(data, tuple(sorted(set(book.remarks))), dict(book.labels), book)


@dataclass
class _Making:
    name: str
    made: Assembly
    owner: Row
    phone: Row
    source: Row
    advice: bool = False

    @property
    def course(self) -> Course:
        return self.made.course

    @property
    def book(self) -> Book:
        return self.made.book

    def data(self) -> Row:
        """The whole scenario."""
        self._advise()
        trial = self._tried()
        aim.hold_to_facts(self.made, trial.shown)
        needs = list(trial.reachable)[:MOST_NEEDS]
        if not needs:
            # What brings it about cannot be looked at, or is gone: then whatever can.
            rest = attempt(self._draft([], None), self.name, self._anything())
            needs = list(rest.reachable)[:1]
            self.book.note("approximated", "what must be seen is none of what the event names")
        if not needs:
            raise Refused("nothing on the phone that could be seen before an answer")
        return self._draft(needs, self._offer(trial))

    # --- trying ---

    def _tried(self) -> Trial:
        for _ in range(ROUNDS):
            self._drop_dangling()
            self._advise()
            trial = attempt(self._draft([], None), self.name, self._looks())
            if trial.passed:
                return trial
            self._drop(trial)
        raise Refused("more is refused than is left")

    def _drop(self, trial: Trial) -> None:
        made = self.made
        for place, why in trial.events.items():
            self.book.note("environment_refused", f"{made.events[place].moved.name}: {why}")
        for place in trial.late:
            self.book.note("later_than_run", made.events[place].moved.name)
        gone = {*trial.events, *trial.late}
        made.events = [one for place, one in enumerate(made.events) if place not in gone]
        if gone:
            return
        for place, why in trial.steps.items():
            self.book.note("reference_refused", f"{made.steps[place].moved.name}: {why}")
        made.steps = [one for place, one in enumerate(made.steps) if place not in trial.steps]

    def _drop_dangling(self) -> None:
        made = self.made
        events, steps = missing(self._draft([], None))
        while events or steps:
            for place in events:
                self.book.note("dangling", f"{made.events[place].moved.name}: what it names")
            for place in steps:
                name = made.steps[place].moved.name
                self.book.note("reference_refused", f"{name}: what it names is not there")
            made.events = [one for place, one in enumerate(made.events) if place not in events]
            made.steps = [one for place, one in enumerate(made.steps) if place not in steps]
            events, steps = missing(self._draft([], None))

    def _advise(self) -> None:
        """Where the reference changes nothing, a read stands for it: advice is all it gives."""
        made, course = self.made, self.course
        if made.steps:
            return
        by_world = [one for one in made.events if "when" in one.data and one.moved in course.steps]
        if course.acting and not by_world and all(one.raised for one in course.acting):
            raised = [f"{one.name}: {one.raised}" for one in course.acting]
            raise Refused("every step of the reference raises", *raised[:3])
        if course.accepted is None or course.asked is None:
            raise Refused("the reference neither changes anything nor offers anything")
        self.advice = True
        if not by_world:
            self.book.note("advice_only", "the reference changes nothing on this phone")
        made.steps.append(self._read())

    def _read(self) -> Step:
        """A read of the reference's own that the phone takes, else one that it always takes."""
        asked = self.course.asked
        assert asked is not None  # noqa: S101  (advice is asked for)
        reads = [m for m in self.course.order if m.part == "reads" and m.call is not None]
        for moved in reads:
            call = moved.call
            if call is None or call.heron is None or call.arguments or moved.app not in self.phone:
                continue
            tool = f"{call.app}.{call.heron}"
            if tool in aim.LOOKS.values():
                return Step(moved, {"tool": tool, "arguments": {}})
        app = next(iter(self.phone["apps"]), None)
        if app is None:
            raise Refused("the file has no app that Heron has")
        return Step(asked, {"tool": aim.LOOKS[app], "arguments": {}})

    # --- what the user sees ---

    def _trigger(self) -> Happening | None:
        trigger = self.course.trigger
        timed = [one for one in self.made.events if "at" in one.data]
        own = [one for one in timed if trigger is not None and one.moved is trigger]
        named = {label for step in self.made.steps for label in aim.labels_in(step.data)}
        later = [one for one in timed if one.data.get("label") in named]
        if own and later and later[-1].data["at"] > own[-1].data["at"]:
            # The reference needs what comes only then.
            return later[-1]
        early = [one for one in timed if one.moved.time <= self.course.first_word]
        found = own or early
        return found[-1] if found else None

    def _looks(self) -> list[str]:
        """Labels of what an offer rests on, the trigger's own record first."""
        trigger = self._trigger()
        found = [trigger.record] if trigger is not None and trigger.record else []
        earlier = [one for one in self.made.events if "at" in one.data and one is not trigger]
        if trigger is not None:
            at = trigger.data["at"]
            found += [one.record for one in earlier if one.record and one.data["at"] <= at]
        due = self._reminder()
        if trigger is None and due is not None:
            found.append(due["label"])
        return self._known(found) if found else self._anything()

    def _anything(self) -> list[str]:
        """Labels of what the reference touches, then of what is on the phone at all."""
        named = [label for step in self.made.steps for label in aim.labels_in(step.data)]
        return self._known([*named, *self.book.rows])

    def _known(self, labels: Sequence[str | None]) -> list[str]:
        by_steps = {step.data.get("label") for step in self.made.steps}
        return [label for label in dict.fromkeys(labels) if label and label not in by_steps][:8]

    def _reminder(self) -> Row | None:
        """The reminder that falls due before the agent speaks, if there is one."""
        rows = self.phone.get("reminder", {}).get("reminders", [])
        until = self.course.first_word - self.made.shift + 90
        for row in rows:
            due = (read_time(row["due_datetime"], "due") - self.book.start).total_seconds()
            if 0 < due <= until:
                return {**row, "due": due}
        return None

    # --- the offer ---

    def _tools(self) -> list[str]:
        return [s.data["tool"] for s in self.made.steps if s.data["tool"] in ACTS]

    def _offer(self, trial: Trial) -> Offer:
        course, trigger = self.course, self._trigger()
        asked = course.asked.said if course.asked is not None else ""
        tools = self._tools()
        objects = aim.objects(self.made, trigger)
        if course.task:
            self.book.note("task_given", cut(" ".join(course.task.split()), 120))
        if not asked:
            if not course.task:
                self.book.note("no_proposal", "an offer was made from what the reference does")
            asked = course.task or self._invented(tools, objects)
        otherwise = self._invented(tools, objects)
        apps = [tool.partition(".")[0] for tool in tools]
        apps += [trigger.data["do"].partition(".")[0]] if trigger is not None else []
        nouns = [noun for app in dict.fromkeys(apps) for noun in aim.NOUNS.get(app, ())]
        return offer(asked, tools, objects, nouns or ["matter"], trial.shown, otherwise)

    def _invented(self, tools: Sequence[str], objects: Sequence[Sequence[str]]) -> str:
        acts = [ACTS[tool][1] for tool in dict.fromkeys(tools)]
        about = objects[0][0] if objects else "what has just come"
        return f"Shall I {' and '.join(acts[:3]) or 'look into it'} ({cut(about, 60)})?"

    # --- the whole ---

    def _draft(self, needs: list[str], made: Offer | None) -> Row:
        course = self.course
        goal = course.file.instructions or (course.accepted.said if course.accepted else "")
        asked = course.asked.said if course.asked is not None else ""
        goal = goal or course.task or asked or "Help with what has come up."
        summary = cut((sentences(asked or goal) or [course.file.scenario_id])[0], SUMMARY)
        window: Row = {}
        trigger, due = self._trigger(), self._reminder()
        if trigger is not None:
            window["opens"] = trigger.data["key"]
        elif due is not None:
            window["opens"] = due["due"]
        user: Row = {"goal": plain(goal), "needs": needs}
        if course.accepted is not None and course.accepted.said:
            user["reply"] = plain(course.accepted.said)
        shown = made or Offer("Shall I help?", [["help"]], [["help"]])
        source = {**self.source, "remarks": [r.line() for r in sorted(set(self.book.remarks))]}
        if self.advice:
            source["advice"] = True
        return {
            "schema": 1,
            "id": self.name,
            "family": self.name,
            "type": "goal",
            "kind": aim.kind_of(self._tools() or self.phone["apps"]),
            "setting": "imported",
            "locale": "en_US",
            "summary": summary,
            "slots": {"me": self.owner},
            "phone": self.phone,
            "events": [one.data for one in self.made.events],
            "user": user,
            "window": window,
            "proposals": {
                "reference": [plain(shown.text)],
                "wrong": [{"text": plain(text), "why": why} for text, why in shown.wrong],
            },
            "rubric": {
                "object": [_group(group) for group in shown.object],
                "act": [list(group) for group in shown.act],
                "topic": _group(shown.topic),
            },
            "reference": [one.data for one in self.made.steps],
            "report": plain(course.report),
            "source": source,
        }


def _group(phrases: Sequence[str]) -> list[str]:
    return [phrase(one) for one in phrases if phrase(one).strip()]
