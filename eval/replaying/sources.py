"""What can be replayed: a recorded stream, or an episode of Heron's on its scenario's phone.

A foreign record answers a look where the recorded assistant took the same one by then. In an
episode the phone itself answers: the scenario is staged again and everybody does what was recorded,
so that at each moment it is as it was. What it does not know: who watches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from heron.contracts import (
    Decision,
    EpisodeRecord,
    LookSeen,
    Observation,
    ObserverAnswer,
    Seen,
    StepCost,
    ToolCall,
    ToolResult,
    TurnRecord,
    UserStep,
    UserView,
)
from heron.eval.course import Course
from heron.eval.episode import Episode, Limits, Parts
from heron.eval.judging.export import played_turns
from heron.eval.judging.replay import ExecutorAgain, LeftBehind, ObserverAgain
from heron.eval.judging.scenes import Scenes
from heron.eval.replaying.seat import NOT_RECORDED, Looks
from heron.eval.replaying.stream import Done, Header, Moment, Offer, RecordedStream
from heron.eval.staging import cue_of, failures_of, staged
from heron.observer.setup import Cue
from heron.scenarios.schema import Scenario
from heron.sim.toolset import ReadTools

Tell = Callable[[Moment, Looks], None]


class Source(Protocol):
    """A record that can be shown."""

    @property
    def stream(self) -> RecordedStream:
        """All of it."""

    @property
    def seed(self) -> int:
        """For observers that draw."""

    @property
    def cue(self) -> Cue | None:
        """For the ``oracle``; ``None`` where nothing is known or wanted."""

    def play(self, tell: Tell) -> None:
        """Tell of each moment, in order, with what answers looks there."""


@dataclass(frozen=True)
class StreamSource:
    """A recorded stream on its own."""

    stream: RecordedStream
    seed: int = 0
    cue: Cue | None = None

    def play(self, tell: Tell) -> None:
        """Moment by moment; a look is answered if it was taken at this moment or before."""
        defaults = _defaults(self.stream.header)
        taken: dict[str, ToolResult] = {}
        for moment in self.stream.moments:
            for result in moment.done.looks:
                taken[_key(result.call, defaults)] = result

            def look(call: ToolCall) -> ToolResult:
                found = taken.get(_key(call, defaults))
                if found is None:
                    return ToolResult(call=call, ok=False, error=NOT_RECORDED)
                return found.model_copy(update={"call": call})

            tell(moment, look)


def _defaults(header: Header) -> dict[str, dict[str, JsonValue]]:
    """Tool → argument → the value that leaving it out means."""
    found: dict[str, dict[str, JsonValue]] = {}
    for spec in header.brief.tools:
        properties = spec.parameters.get("properties")
        schemas = properties.items() if isinstance(properties, dict) else ()
        found[spec.name] = {
            name: schema["default"]
            for name, schema in schemas
            if isinstance(schema, dict) and "default" in schema
        }
    return found


def _key(call: ToolCall, defaults: dict[str, dict[str, JsonValue]]) -> str:
    usual = defaults.get(call.name, {})
    told = {k: v for k, v in call.arguments.items() if v is not None and usual.get(k) != v}
    return ToolCall(name=call.name, arguments=dict(sorted(told.items()))).model_dump_json()


# --- Heron's own episodes -----------------------------------------------------------------------


class EpisodeSource:
    """A stored episode, played again on its scenario's phone.

    Args:
        episode: as stored.
        scenes: finds its scenario.

    Raises:
        LeftBehind: it cannot be played again as it was.
    """

    def __init__(self, episode: EpisodeRecord, scenes: Scenes) -> None:
        self._episode = episode
        name = f"{episode.scenario}#{episode.seed}"
        if episode.config.clock == "measured":
            raise LeftBehind(f"{name} ran by the measured clock: how long models thought is in it")
        scenario = scenes.find(episode.scenario)
        if scenario is None:
            raise LeftBehind(f"there is no scenario {episode.scenario!r}")
        if scenario.hash != episode.scenario_hash:
            raise LeftBehind(f"scenario {episode.scenario!r} has changed since it was played")
        self._scenario: Scenario = scenario
        moments: list[Moment] = []
        self.cue: Cue | None = None
        first = self._play(lambda moment, _: moments.append(moment))
        self.stream = RecordedStream(
            header=self._header(name, first, len(moments)), moments=tuple(moments)
        )

    @property
    def seed(self) -> int:
        """Of the episode."""
        return self._episode.seed

    def play(self, tell: Tell) -> None:
        """Moment by moment, on the phone as it was then."""
        self._play(tell)

    def _play(self, tell: Tell) -> Observation | None:
        """The first observation, which has the brief.

        Raises:
            LeftBehind: what happens is not what is stored.
        """
        episode, config = self._episode, self._episode.config
        stage = staged(self._scenario, episode.seed, config)
        try:
            self.cue = cue_of(stage)
            turns = played_turns(episode.turns)
            tools = ReadTools(stage.world)
            recall = _Recall(episode, tools, tell)
            parts = Parts(
                observer=recall,
                executor=ExecutorAgain(turns),
                user=_Steps(episode.turns),
                failures=failures_of(stage, config),
            )
            limits = Limits(turns=len(turns), looks=config.max_looks, steps=config.max_steps)
            course = Episode(stage.world, parts, limits).play()
        finally:
            stage.world.close()
        self._check(course)
        return recall.first

    def _check(self, course: Course) -> None:
        name = f"{self._episode.scenario}#{self._episode.seed}"
        if course.fault is not None:
            raise LeftBehind(f"{name}: {course.fault.message}")
        for was, now in zip(self._episode.turns, course.turns, strict=True):
            if _gist(was) != _gist(now):
                raise LeftBehind(f"{name}: turn {was.turn} does not go as it is stored")

    def _header(self, name: str, first: Observation | None, moments: int) -> Header:
        episode = self._episode
        if first is None or first.brief is None:
            raise LeftBehind(f"{name}: its observer never saw anything")
        assessed = episode.assessment
        cue = self.cue
        goal = episode.type == "goal"
        return Header(
            source="heron",
            name=name,
            assistant=episode.config.observer,
            user=episode.config.user,
            brief=first.brief,
            looks=episode.config.max_looks,
            wanted=goal,
            opened=assessed.opened if assessed else (cue.opens if cue and goal else None),
            closes=assessed.closes if assessed else (cue.closes if cue and goal else None),
            moments=moments,
        )


def _gist(turn: TurnRecord) -> TurnRecord:
    """What must be the same when a turn is played again: all but what the executor says it used."""
    return turn.model_copy(update={"execution": None})


class _Steps:
    """A user that does what is stored."""

    def __init__(self, turns: tuple[TurnRecord, ...]) -> None:
        self._steps = iter([turn.step for turn in turns])

    def step(self, view: UserView) -> UserStep:
        """The next."""
        return next(self._steps)


class _Recall(ObserverAgain):
    """The recorded observer; tells of each turn when it has ended its part."""

    def __init__(self, episode: EpisodeRecord, tools: ReadTools, tell: Tell) -> None:
        super().__init__(played_turns(episode.turns))
        self._episode, self._tools, self._tell = episode, tools, tell
        self.first: Observation | None = None
        self._at: Observation | None = None
        self._looks: list[ToolResult] = []
        self._before: tuple[Seen, ...] = ()
        self._late: tuple[Seen, ...] = ()
        """What came while it looked: with the next turn, as nobody else may have looked."""
        self._endings = dict(_endings(episode))

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        """The recorded answer."""
        if self.first is None:
            self.first = observation
        if observation.step == 0:
            self._at, self._looks = observation, []
        else:
            looked = [seen for seen in observation.new if isinstance(seen, LookSeen)]
            self._looks += [seen.result for seen in looked]
            self._late += tuple(s for s in observation.new if not isinstance(s, LookSeen))
        answer, cost = super().observe(observation)
        if answer.type != "look" or observation.looks_left == 0:
            self._turn()
        return answer, cost

    def _turn(self) -> None:
        at = self._at
        assert at is not None  # noqa: S101  (every turn has a first step)
        late, self._before, self._late = self._before, self._late, ()
        stored = next(turn for turn in self._episode.turns if turn.turn == at.turn)
        made = stored.proposal
        offer = None
        if made is not None:
            offer = self._endings[made.proposal_id]
        moment = Moment(
            turn=at.turn,
            time=at.time,
            new=(*late, *at.new),
            device=at.device,
            done=Done(looks=tuple(self._looks), offer=offer, withdrew=stored.withdrawn is not None),
        )
        taken = {result.call.model_dump_json(): result for result in self._looks}

        def look(call: ToolCall) -> ToolResult:
            found = taken.get(call.model_dump_json())
            return found if found is not None else self._tools.call(call)

        self._tell(moment, look)


def _endings(episode: EpisodeRecord) -> Iterator[tuple[str, Offer]]:
    """Each offer with how it ended."""
    decisions: dict[str, list[Decision]] = {}
    ended: dict[str, str] = {}
    for turn in episode.turns:
        if turn.decision is not None:
            decisions.setdefault(turn.decision.proposal_id, []).append(turn.decision)
        if turn.expired is not None:
            ended[turn.expired] = "expired"
        if turn.withdrawn is not None:
            ended[turn.withdrawn] = "withdrawn"
    for turn in episode.turns:
        made = turn.proposal
        if made is None:
            continue
        given = decisions.get(made.proposal_id, [])
        final = next((d for d in given if d.answer in ("accept", "reject")), None)
        yield (
            made.proposal_id,
            Offer.model_validate(
                {
                    "proposal_id": made.proposal_id,
                    "text": made.text,
                    "plan": made.plan,
                    "answer": final.answer if final else ended.get(made.proposal_id, "open"),
                    "gathered": any(d.answer == "gather_context" for d in given),
                    "reason": final.reason if final else "",
                }
            ),
        )
