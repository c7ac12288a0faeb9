"""Builds a scenario for a seed: slots drawn, phone made, everything that is known resolved.

Deterministic: the same file and seed give the same stage in every process. What it does not know:
how a stage is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import cast

from heron.contracts import Arguments, Background, ToolCall
from heron.errors import IllegalCall
from heron.scenarios import phone
from heron.scenarios.catalog import Catalog, catalog
from heron.scenarios.document import Path_, Problem
from heron.scenarios.labels import resolve, split
from heron.scenarios.schema import HabitSpec, Phrases, Scenario, StepSpec
from heron.scenarios.slots import SlotError, draw
from heron.scenarios.stage import (
    Checks,
    Cue,
    Moment,
    Privacy,
    Proposals,
    ReferenceStep,
    Stage,
    WrongProposal,
)
from heron.scenarios.template import Scope, fill, phrases, render
from heron.seeds import stream
from heron.sim.app import App, Declaration
from heron.sim.marks import marks_of, ref_kind
from heron.sim.shown import shown_in
from heron.sim.signature import Signature
from heron.sim.tables import AppRecord
from heron.sim.users.brief import Do, Habit, Need, Rest, Rubric, See, UserBrief, Window
from heron.sim.world import MAX_SHOWN


def build(scenario: Scenario, seed: int, background: Background | None = None) -> Stage:
    """The stage of a scenario under a seed.

    Args:
        scenario: what is to be built.
        seed: the variant.
        background: how lived-in the phone is; as the scenario says, if not given.

    Raises:
        ScenarioError: a value does not suit its app; the message names file, line and key.
    """
    try:
        scope = draw(scenario.id, seed, scenario.slots, scenario.phone.start, scenario.locale)
    except SlotError as error:
        raise scenario.error(Problem(error.path, error.problem, error.remedy)) from error
    made = phone.make(scenario, scope, seed, background or scenario.background)
    return _Building(scenario, seed, scope, made).stage()


@dataclass(frozen=True)
class _Building:
    scenario: Scenario
    seed: int
    scope: Scope
    phone: phone.Phone

    @property
    def known(self) -> Catalog:
        return catalog(tuple(self.phone.world.apps))

    def stage(self) -> Stage:
        spec = self.scenario
        reference = tuple(self._step(i, step) for i, step in enumerate(spec.reference))
        writes = tuple(dict.fromkeys(s.call.name for s in reference if s.effect == "write"))
        moment, needs = self._moment(), self._needs(spec.user.needs)
        return Stage(
            scenario=spec,
            seed=self.seed,
            world=self.phone.world,
            brief=UserBrief(
                goal=self._text(spec.user.goal),
                habits=tuple(self._habit(i, habit) for i, habit in enumerate(spec.user.habits)),
                needs=needs,
                rubric=self._rubric(writes),
                wanted=spec.type == "goal",
                window=Window(opens=moment.opens, closes=moment.closes),
                reply=self._text(spec.user.reply),
                preferences=spec.user.preferences,
            ),
            moment=moment,
            cue=self._cue(reference, writes, needs, moment) if reference else None,
            reference=reference,
            report=self._text(spec.report),
            checks=Checks(
                allowed=tuple(spec.checks.allowed), forbidden=tuple(spec.checks.forbidden)
            ),
            proposals=self._proposals(),
            privacy=Privacy(
                sensitive=self._needs(spec.privacy.sensitive),
                may_know={who: self._needs(t) for who, t in spec.privacy.may_know.items()},
            ),
            labels=self.phone.labels,
        )

    # --- user ---

    def _habit(self, index: int, habit: HabitSpec) -> Habit:
        if habit.see is not None:
            return See(ref=self.phone.labels[habit.see])
        if habit.rest is not None:
            return Rest(turns=habit.rest)
        assert habit.do is not None  # noqa: S101  (exactly one is given)
        do = habit.do
        arguments = cast(Arguments, self._values(do.arguments))
        found = self.known.actions.get(do.app, {}).get(do.action, ())
        name, signatures = f"{do.app}.{do.action}", [a.signature for a in found]
        misfits = list(_misfits(name, signatures, arguments))
        if found and len(misfits) == len(found):
            path: Path_ = ("user", "habits", index, "do", "arguments")
            raise self.scenario.error(Problem(path, misfits[0]))
        return Do(app=do.app, action=do.action, arguments=arguments)

    def _needs(self, texts: Iterable[str]) -> tuple[Need, ...]:
        """One need per record; all of it where any of the texts says so."""
        fields: dict[str, list[str] | None] = {}
        for text in texts:
            label, field = split(text)
            if field is None:
                fields[label] = None
            else:
                named = fields.setdefault(label, [])
                if named is not None and field not in named:
                    named.append(field)
        labels = self.phone.labels
        return tuple(
            Need(ref=labels.get(label, f"@{label}"), fields=tuple(named or ()))
            for label, named in fields.items()
        )

    def _rubric(self, tools: tuple[str, ...]) -> Rubric:
        spec = self.scenario.rubric
        return Rubric(
            object=self._groups(spec.object),
            act=self._groups(spec.act),
            against=phrases(spec.against, self.scope),
            topic=phrases(spec.topic, self.scope),
            tools=tools,
        )

    def _moment(self) -> Moment:
        window, start = self.scenario.window, self.scope.start()
        closes = None if window.closes is None else start + timedelta(seconds=window.closes)
        if not isinstance(window.opens, str):
            opens = None if window.opens is None else start + timedelta(seconds=window.opens)
            return Moment(opens=opens, closes=closes)
        event = next(e for e in self.scenario.events if e.key == window.opens)
        return Moment(
            event=event.key,
            ref=self.phone.labels.get(event.label or ""),
            opens=self._time_of(event.key, start),
            closes=closes,
        )

    def _time_of(self, key: str, start: datetime) -> datetime | None:
        """When an event happens, if that is known at the start."""
        events = {event.key: event for event in self.scenario.events}
        event, seconds = events[key], 0.0
        while event.at is None:
            if event.after is None:
                return None
            seconds += event.delay
            event = events[event.after]
        return start + timedelta(seconds=seconds + event.at)

    # --- solution ---

    def _step(self, index: int, step: StepSpec) -> ReferenceStep:
        declared = self.known.tools[step.tool]
        arguments = cast(Arguments, self._values(step.arguments))
        try:
            declared.signature.check(step.tool, arguments)
        except IllegalCall as error:
            path: Path_ = ("reference", index, "arguments")
            raise self.scenario.error(Problem(path, str(error))) from error
        return ReferenceStep(
            call=ToolCall(name=step.tool, arguments=arguments),
            effect=declared.effect,
            facts={name: self._groups(groups) for name, groups in step.facts.items()},
            free=frozenset(step.free),
            label=step.label,
        )

    def _proposals(self) -> Proposals:
        spec = self.scenario.proposals
        return Proposals(
            reference=tuple(map(self._text, spec.reference)),
            wrong=tuple(WrongProposal(text=self._text(w.text), why=w.why) for w in spec.wrong),
            bait=tuple(map(self._text, spec.bait)),
        )

    def _cue(
        self,
        reference: tuple[ReferenceStep, ...],
        writes: tuple[str, ...],
        needs: tuple[Need, ...],
        moment: Moment,
    ) -> Cue:
        texts = self.scenario.proposals.reference
        chosen = stream(self.seed, self.scenario.id, "proposal").choice(texts)
        refs = tuple(dict.fromkeys([*(need.ref for need in needs), *self._named(reference)]))
        return Cue(
            text=self._text(chosen),
            plan=writes,
            refs=refs,
            after=(moment.ref,) if moment.ref is not None else (),
            opens=moment.opens,
            closes=moment.closes,
            looks=tuple(self._looks(refs)),
        )

    def _named(self, reference: tuple[ReferenceStep, ...]) -> Iterator[str]:
        """Ids of records that the reference's arguments name."""
        for step in reference:
            hints = self.known.tools[step.call.name].signature.hints
            for name, value in step.call.arguments.items():
                if ref_kind(marks_of(hints[name])) is None:
                    continue
                for ref in value if isinstance(value, list) else [value]:
                    if isinstance(ref, str) and not ref.startswith("@"):
                        yield ref

    def _looks(self, refs: Iterable[str]) -> Iterator[ToolCall]:
        """For each record that is there from the start, the first read that shows it: one that
        asks for it alone, else one that asks for nothing.
        """
        world = self.phone.world
        for ref in refs:
            record = world.record(ref)
            if record is None:
                continue
            calls = (_look(app, record) for app in world.apps.values())
            yield from islice((call for call in calls if call is not None), 1)

    # --- texts ---

    def _text(self, template: str) -> str:
        return render(template, self.scope)

    def _values(self, arguments: Arguments) -> object:
        return resolve(fill(arguments, self.scope), self.phone.labels)

    def _groups(self, groups: Iterable[Phrases]) -> tuple[tuple[str, ...], ...]:
        return tuple(phrases(group, self.scope) for group in groups)


def _misfits(name: str, signatures: Iterable[Signature], arguments: Arguments) -> Iterator[str]:
    """Why arguments do not suit signatures, for each that they do not suit."""
    for signature in signatures:
        try:
            signature.check(name, arguments)
        except IllegalCall as error:
            yield str(error)


def _look(app: App, record: AppRecord) -> ToolCall | None:
    """A read of this app that shows a record."""
    if app.table_of(record.KIND) is None:
        return None
    reads = [tool for tool in app.TOOLS.values() if tool.effect == "read"]
    for tool in reads:
        needed = [p for p in tool.signature.parameters if p.default is p.empty]
        kinds = [ref_kind(marks_of(tool.signature.hints[p.name])) for p in needed]
        if kinds == [record.KIND]:
            return ToolCall(name=f"{app.NAME}.{tool.name}", arguments={needed[0].name: record.ref})
    for tool in reads:
        if any(p.default is p.empty for p in tool.signature.parameters):
            continue
        if record.ref in _shown(app, tool):
            return ToolCall(name=f"{app.NAME}.{tool.name}")
    return None


def _shown(app: App, tool: Declaration) -> list[str]:
    """Ids that a read shows; none where there is nothing to be read just now."""
    try:
        return [shown.ref for shown in shown_in(app.call(tool, {}), MAX_SHOWN)]
    except IllegalCall:
        return []
