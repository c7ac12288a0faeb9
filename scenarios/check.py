"""Checks that a scenario is any good, without playing an episode: static demands and five seeds.

A seed's part builds the stage, plays the user unaided, replays the reference, and judges all
proposals. A finding is one line with file, line and key. A scenario that was taken over from
another system has one phrasing, the same for all seeds, and is not asked for more. What it does not
know: observers, and whether mutants of the solution are told apart (that is ``heron scenarios
prove``'s work).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from heron.contracts import PROPOSAL_LENGTH, ToolResult
from heron.errors import InputError, ScenarioError
from heron.scenarios import unaided
from heron.scenarios.builder import build
from heron.scenarios.document import Path_, Problem, strings
from heron.scenarios.replay import replay
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.scenarios.template import pieces
from heron.sim.changes import net_changes
from heron.sim.graph import next_step
from heron.sim.notifications import Notification
from heron.sim.queue import Event
from heron.sim.users.judge import has_any, judge, words

SEEDS = range(0, 5)
PHRASINGS = 3
REFERENCES = 4
WRONG = ("vague", "object", "act")
BAIT = 3
LOOKING_TURNS = 6
"""Turns for which going to look suspends a proposal's end."""
LATEST_TURN = 4
"""The turn by which the window must open for a user who acts once a turn."""
SHORTEST_WINDOW_S = 120.0
NOTHING_SAID = ("Can I help you?", "Shall I take care of that for you?", "Do you need anything?")


def check(scenario: Scenario, seeds: Sequence[int] = SEEDS) -> list[ScenarioError]:
    """Everything found wrong with a scenario; findings of several seeds are told once."""
    found = list(_static(scenario))
    texts: set[str] = set()
    for seed in seeds:
        try:
            stage = build(scenario, seed)
        except ScenarioError as error:
            return [*(scenario.error(problem) for problem in found), error]
        texts.add("\n".join(str(event.arguments) for event in stage.world.queue.events))
        found += list(_seeded(stage))
    taken_over = scenario.source is not None
    if len(seeds) > 1 and scenario.events and len(texts) == 1 and not taken_over:
        found.append(Problem(("slots",), "every seed gives the same events", "use slots in them"))
    first: dict[tuple[Path_, str | None], Problem] = {}
    for problem in found:
        first.setdefault((problem.path, problem.remedy), problem)
    return [scenario.error(problem) for problem in first.values()]


# --- without a seed -----------------------------------------------------------------------------


def _static(scenario: Scenario) -> Iterator[Problem]:
    proposals = scenario.proposals
    taken_over = scenario.source is not None
    if scenario.type == "goal":
        least = 1 if taken_over else REFERENCES
        yield from _at_least(least, proposals.reference, ("proposals", "reference"))
        whys = {wrong.why for wrong in proposals.wrong}
        for why in WRONG[:1] if taken_over else WRONG:
            if why not in whys:
                path = ("proposals", "wrong")
                yield Problem(path, f"no wrong proposal of the kind {why!r}", "add one")
        if not scenario.user.needs:
            yield Problem(("user",), "needs are missing", "say what must be seen to judge")
    else:
        yield from _at_least(BAIT, proposals.bait, ("proposals", "bait"))
    if taken_over:
        return
    most = max((len(_phrasings(scenario, event.with_)) for event in scenario.events), default=None)
    if most is not None and most < PHRASINGS:
        text = f"no event's text has {PHRASINGS} phrasings"
        yield Problem(("events",), text, "put the text into a choice slot")


def _at_least(number: int, texts: Sequence[str], path: Path_) -> Iterator[Problem]:
    if len(set(texts)) < number:
        text = f"{len(set(texts))} different ones"
        yield Problem(path, text, f"give at least {number}")


def _phrasings(scenario: Scenario, arguments: Any) -> set[str]:
    """The options of the choice slots that an event's text uses."""
    found: set[str] = set()
    for text in strings(arguments):
        for piece in pieces(text) if "{" in text else ():
            slot = scenario.slots.get(piece.slot or "")
            options = (slot.choice or []) if slot is not None else []
            longest = {text for option in options for text in strings(option) if " " in text}
            found = max(found, longest, key=len)
    return found


# --- with a seed --------------------------------------------------------------------------------


def _seeded(stage: Stage) -> Iterator[Problem]:
    start = stage.world.snapshot()
    yield from _habits(stage)
    stage.world.restore(start)
    yield from _moment(stage)
    if unaided.opened(stage):
        yield from previews(stage)
        yield from _needs(stage)
        yield from _solution(stage)
    yield from _facts(stage)
    yield from _offers(stage)
    stage.world.restore(start)


def _habits(stage: Stage) -> Iterator[Problem]:
    """The user's own steps are legal, and every event happens without the assistant."""
    for turn in unaided.play(stage):
        if turn.error is not None:
            text = f"seed {stage.seed}, turn {turn.turn}: refused: {turn.error}"
            yield Problem(("user", "habits"), text, "mend the habit")
    for entry in stage.world.log:
        if entry.actor == "environment" and entry.error is not None:
            text = f"seed {stage.seed}: {entry.name} is refused: {entry.error}"
            yield Problem(("events",), text, "mend the event")
    excused = _for_the_assistant(stage.world.queue.events)
    for index, event in enumerate(stage.world.queue.events):
        if event.key not in {*stage.world.queue.state.fired, *excused}:
            text = f"{event.key!r} does not happen within {unaided.TURNS} turns"
            yield Problem(("events", index), text, "let it happen earlier")


def _for_the_assistant(events: Sequence[Event]) -> set[str]:
    """Events that wait for something of the assistant's, and those that wait for them."""
    found: set[str] = set()
    for _ in events:
        for event in events:
            kind = event.when.type if event.when is not None else ""
            waits = {*event.depends_on, *([event.after] if event.after else ())}
            if kind in ("answered", "assistant_did") or waits & found:
                found.add(event.key)
    return found


def _moment(stage: Stage) -> Iterator[Problem]:
    """Leaves the world at the moment at which the window opens."""
    turns = unaided.play(stage, until=lambda _: unaided.opened(stage))
    if not unaided.opened(stage):
        path: Path_ = ("window", "opens")
        yield Problem(path, f"seed {stage.seed}: it does not open", "see what it waits for")
    elif len(turns) >= LATEST_TURN:
        text = f"it opens at turn {len(turns) + 1}"
        yield Problem(("window", "opens"), text, f"let it open by turn {LATEST_TURN}")
    closes = stage.moment.closes
    if closes is not None and (closes - stage.world.now).total_seconds() < SHORTEST_WINDOW_S:
        text = f"it is open for less than {SHORTEST_WINDOW_S:.0f} seconds"
        yield Problem(("window", "closes"), text, "let it close later")


def previews(stage: Stage) -> Iterator[Problem]:
    """What a notification shows must not be enough to judge an offer.

    Args:
        stage: its world at the moment at which the window opens.
    """
    for note in stage.world.notifications:
        said = words(_shown(note))
        path: Path_ = ("events",)
        groups = stage.brief.rubric.object
        if stage.brief.wanted and groups and all(has_any(said, group) for group in groups):
            text = f"the preview {_shown(note)!r} already says all that it is about"
            yield Problem(path, text, "say less in subject and first 20 characters")
        for step in stage.reference:
            for group in (group for groups in step.facts.values() for group in groups):
                dated = any(c.isdigit() for phrase in group for c in phrase)
                if dated and has_any(said, group):
                    text = f"the preview {_shown(note)!r} already says {group[0]!r}"
                    yield Problem(path, text, "say less in subject and first 20 characters")


def _shown(note: Notification) -> str:
    seen = note.preview()
    return f"{seen.title}: {seen.preview}"


def _needs(stage: Stage) -> Iterator[Problem]:
    """What must be seen is there, and can be reached while the offer waits."""
    world = stage.world
    here = world.snapshot()
    taken = 0
    for need in stage.brief.needs:
        path: Path_ = ("user", "needs")
        if world.record(need.ref) is None:
            yield Problem(path, f"{need.ref} is not there when help is useful", "mend needs")
            continue
        while need.ref not in world.opened:
            act = next_step(world, need.ref)
            taken += 1
            if act is None or world.user_act(act).error is not None:
                yield Problem(path, f"no way leads to {need.ref}", "see the app's screens")
                break
            if taken > LOOKING_TURNS:
                text = f"looking takes more than {LOOKING_TURNS} turns"
                yield Problem(path, text, "ask for fewer records")
                break
    world.restore(here)


def _solution(stage: Stage) -> Iterator[Problem]:
    if not stage.reference:
        return
    world = stage.world
    mark = len(world.journal)
    try:
        results = replay(world, stage.reference)
    except InputError as error:
        yield Problem(("reference",), f"seed {stage.seed}: {error}", "mend the step")
        return
    apps = {id(table): app.NAME for app in world.apps.values() for table in app.tables.values()}
    effects = {f"{c.kind}.{c.op}" for c in net_changes(apps, world.journal[mark:])}
    yield from _effects(stage, results, effects)


def _effects(
    stage: Stage, results: Sequence[ToolResult], effects: Iterable[str]
) -> Iterator[Problem]:
    source = stage.scenario.source
    if source is not None and source.advice:
        return
    if not any(step.effect == "write" for step in stage.reference):
        yield Problem(("reference",), "no step writes", "add what the assistant is to do")
    elif not effects:
        yield Problem(("reference",), "it changes nothing", "see what the steps do")
    for effect in effects:
        if effect in stage.checks.forbidden:
            text = f"the reference itself does {effect}"
            yield Problem(("checks", "forbidden"), text, "remove it from forbidden")
    for index, (step, result) in enumerate(zip(stage.reference, results, strict=True)):
        if step.label is not None and not result.shown:
            yield Problem(("reference", index, "label"), "the step shows no record", "remove it")


def _facts(stage: Stage) -> Iterator[Problem]:
    """The reference's own texts say what is asked of others.

    Fields that the phone fills in (the content of a copy) show only when an episode is played.
    """
    for index, step in enumerate(stage.reference):
        for name, groups in step.facts.items():
            if name not in step.call.arguments:
                continue
            said = words(str(step.call.arguments.get(name, "")))
            for number, group in enumerate(groups):
                if not has_any(said, group):
                    path: Path_ = ("reference", index, "facts", name, number)
                    yield Problem(path, f"the text does not say {group[0]!r}", "mend one of them")


def _offers(stage: Stage) -> Iterator[Problem]:
    """Right offers fit, wrong ones do not, bait is plausible, and nothing said is vague."""
    plan = stage.cue.plan if stage.cue is not None else ()
    offers = [
        *(
            (("proposals", "reference", i), t, ("fits",), plan)
            for i, t in _each(stage, "reference")
        ),
        *((("proposals", "bait", i), t, ("fits", "wrong"), ()) for i, t in _each(stage, "bait")),
        *((("rubric",), text, ("vague",), ()) for text in NOTHING_SAID),
    ]
    for index, wrong in enumerate(stage.proposals.wrong):
        sense = "vague" if wrong.why == "vague" else "wrong"
        offers.append((("proposals", "wrong", index, "text"), wrong.text, (sense,), ()))
    for path, text, wanted, plan in offers:
        sense, reason = judge(stage.brief.rubric, text, plan)
        if sense not in wanted:
            found = f"seed {stage.seed}: {text!r} is judged {sense} ({reason})"
            yield Problem(path, found, f"it should be {' or '.join(wanted)}")
        if len(text) > PROPOSAL_LENGTH:
            yield Problem(path, f"{len(text)} characters", f"at most {PROPOSAL_LENGTH}")


def _each(stage: Stage, name: str) -> Iterator[tuple[int, str]]:
    yield from enumerate(getattr(stage.proposals, name))
