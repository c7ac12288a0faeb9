"""The observer on a small local model: decide on three logits, and word only what is decided.

Each observation is appended to the model's context, so it costs the new tokens alone. The last
position's logits give the scores of the three answers; a wait is closed with its word, a look and
a proposal are generated under a schema. What it does not know: the LLM library, the process it
runs in, the phone.
"""

from __future__ import annotations

import json
from collections import deque
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from heron.contracts import (
    PROPOSAL_LENGTH,
    AnswerSeen,
    Brief,
    Look,
    LookSeen,
    NotificationSeen,
    Observation,
    ObserverState,
    Propose,
    Scores,
    ToolCall,
    Wait,
)
from heron.errors import InputError, ModelFault
from heron.observer.decide import (
    OPTIONS,
    Decider,
    Option,
    Reading,
    ThresholdDecider,
    scores_from,
)
from heron.observer.encode import Told, encode
from heron.observer.prompt import ordinary, prompt
from heron.observer.recent import RecentTurns
from heron.observer.restraint import Budget, PastProposals, Unlimited, is_quiet
from heron.observer.schemas import look_schema, proposal_schema
from heron.observer.seen import SeenRecords
from heron.observer.settings import GgufSettings, settings_for
from heron.observer.setup import Setup
from heron.observer.text import flat
from heron.protocols import DecisionModel, HiddenStates, Schema

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FACTS: Final = (NotificationSeen, AnswerSeen)
"""What later turns may need: it outlives what the user did and what was looked up."""

MOST_SPENT: Final = 64
"""Times of its newest offers that outlive its process, for the budget of the next one."""

_BRIEFLESS: Final = "the first observation has no brief: set Observation.brief to begin an episode"


class GgufObserver:
    """Watches through a ``DecisionModel``.

    Args:
        model: its context belongs to this observer from now on.
        settings: thresholds and limits.
        budget: how often the user may be interrupted.
        decider: makes an option of what the model made of an observation; by default the
            settings' thresholds.
    """

    def __init__(
        self,
        model: DecisionModel,
        settings: GgufSettings | None = None,
        budget: Budget | None = None,
        decider: Decider | None = None,
    ) -> None:
        self.settings = settings or GgufSettings()
        self._decider = decider or ThresholdDecider(self.settings.thresholds)
        self._model = model
        self._budget: Budget = budget or Unlimited()
        self._curve: tuple[tuple[float, ...], ...] = ()
        self._brief: Brief | None = None
        self._told = Told()
        self._seen = SeenRecords()
        self._past = PastProposals()
        self._looked: set[str] = set()
        self._waits = 0
        self._grounded = False
        self._recent = RecentTurns()
        self._spent: deque[datetime] = deque(maxlen=MOST_SPENT)

    def observe(self, observation: Observation) -> Wait | Look | Propose:
        """Decide on what is new. A look is taken only where a proposal could follow.

        Raises:
            InputError: the first observation has no brief.
            ModelFault: the model failed.
        """
        if observation.brief is not None:
            self._begin(observation.brief)
        if self._brief is None:
            raise InputError(_BRIEFLESS)
        self._seen.note(observation)
        self._past.note(observation)
        if any(isinstance(seen, NotificationSeen) for seen in observation.new):
            self._grounded = False
            self._looked.clear()
        delta, self._told = encode(observation, self._told, self.settings.limits)
        keep = any(isinstance(seen, FACTS) for seen in observation.new)
        self._model.extend(delta, keep=keep)
        self._recent.open(delta, keep=keep)
        logprobs = self._model.option_logprobs(OPTIONS)
        scores = scores_from(logprobs)
        may_propose = self._may_propose(observation)
        may_look = may_propose and observation.looks_left > 0
        option = self._decider.decide(
            Reading(
                logprobs=logprobs,
                baseline=self._baseline(),
                has_note=any(isinstance(seen, NotificationSeen) for seen in observation.new),
                may_look=may_look,
                may_propose=may_propose,
                has_looked=any(isinstance(seen, LookSeen) for seen in observation.new),
                hidden=self._hidden(),
            )
        )
        looks = None
        if may_look and (option == "look" or (option == "propose" and self._looks_first)):
            looks = look_schema(self._brief.tools, self._seen)
        return self._answer(option, looks, self._brief, observation.time, scores)

    def save(self) -> ObserverState:
        """The newest turns, and all that keeps it from repeating itself."""
        return ObserverState(
            turns=self._recent.turns(),
            own={
                "kind": "gguf",
                "told": self._told.model_dump(mode="json"),
                "seen": self._seen.save(),
                "past": self._past.save(),
                "spent": [f"{time}" for time in self._spent],
                "looked": sorted(self._looked),
                "waits": self._waits,
                "grounded": self._grounded,
            },
        )

    def load(self, state: ObserverState, brief: Brief) -> None:
        """Go on with the state of another process; the context is made again from its turns.

        Raises:
            InputError: the state is not of this kind of observer.
            ModelFault: the context could not be made again.
        """
        own: Any = state.own
        if own.get("kind") != "gguf":
            raise InputError("the state was saved by another kind of observer")
        self._begin(brief)
        self._told = Told.model_validate(own["told"])
        self._seen.load(own["seen"])
        self._past = PastProposals.load(own["past"])
        for spent in map(datetime.fromisoformat, own["spent"]):
            self._spend(spent)
        self._looked = set(own["looked"])
        self._waits, self._grounded = own["waits"], own["grounded"]
        self._recent = RecentTurns(state.turns)
        self._recent.read_into(self._model)

    @property
    def _looks_first(self) -> bool:
        return self.settings.look_first and not self._grounded

    def _begin(self, brief: Brief) -> None:
        self._brief, self._told = brief, Told()
        self._past, self._looked = PastProposals(), set()
        self._waits, self._grounded = 0, False
        self._recent = RecentTurns()
        self._seen = SeenRecords(brief.tools, per_look=self.settings.limits.lines)
        if self.settings.contrast and not self._curve:
            self._curve = self._measure()
        self._go_back()

    def _go_back(self) -> None:
        self._model.begin(prompt().system, prompt().examples)

    def _measure(self) -> tuple[tuple[float, ...], ...]:
        """What the options score where nothing calls for help, by the number of waits before.

        A model repeats itself: the more often it has waited, the likelier it waits. Compared with
        a run of ordinary minutes of the same length, that cancels out. Measured once per process.
        """
        self._go_back()
        curve = []
        for delta in ordinary():
            self._model.extend(delta)
            curve.append(self._model.option_logprobs(OPTIONS))
            self._model.choose("wait")
        return tuple(curve)

    def _baseline(self) -> tuple[float, ...] | None:
        return self._curve[min(self._waits, len(self._curve) - 1)] if self._curve else None

    def _hidden(self) -> NDArray[np.float32] | None:
        """The hidden state, where the decider wants it.

        Raises:
            InputError: the model gives none.
        """
        if not self._decider.reads_hidden:
            return None
        if not isinstance(self._model, HiddenStates):
            raise InputError("the decision needs hidden states, and the model gives none")
        return self._model.hidden()

    def _may_propose(self, observation: Observation) -> bool:
        return (
            self._seen.has_any
            and observation.open_proposal is None
            and self._past.has_news
            and not is_quiet(observation.device)
            and self._budget.allows(observation.time)
        )

    def _answer(
        self, option: Option, looks: Schema | None, brief: Brief, now: datetime, scores: Scores
    ) -> Wait | Look | Propose:
        if looks is not None:
            self._waits, self._grounded = 0, True
            return self._look(looks, scores)
        if option == "propose":
            self._waits = 0
            return self._propose(brief, now, scores)
        self._waits += 1
        self._model.choose("wait")
        self._recent.close("wait")
        return Wait(scores=scores)

    def _look(self, schema: Schema, scores: Scores) -> Wait | Look:
        text = self._model.generate(schema, opening="look ", max_tokens=self.settings.look_tokens)
        self._recent.close(f"look {text}")
        said = _parsed(text)
        call = ToolCall(name=said["tool"], arguments=said["args"])
        key = call.model_dump_json()
        if key in self._looked:
            return Wait(scores=scores)
        self._looked.add(key)
        return Look(call=call, scores=scores)

    def _propose(self, brief: Brief, now: datetime, scores: Scores) -> Wait | Propose:
        schema = proposal_schema(self._seen.refs(), brief.write_tools)
        text = self._model.generate(
            schema, opening="propose ", max_tokens=self.settings.proposal_tokens
        )
        self._recent.close(f"propose {text}")
        said = _parsed(text)
        proposal = Propose(
            text=flat(said["text"])[:PROPOSAL_LENGTH],
            plan=_once(said.get("plan", [])),
            refs=_once(said.get("refs", [])),
            scores=scores,
        )
        if not proposal.text or self._past.repeats(proposal.text, proposal.refs):
            return Wait(scores=scores)
        self._past.propose(proposal)
        self._spend(now)
        return proposal

    def _spend(self, time: datetime) -> None:
        self._budget.spend(time)
        self._spent.append(time)


def _parsed(text: str) -> dict[str, Any]:
    """A generated JSON object.

    Raises:
        ModelFault: it is none; a grammar that works does not let that happen.
    """
    try:
        said = json.loads(text)
    except ValueError as error:
        raise ModelFault(f"constrained text is no JSON: {error}") from error
    if not isinstance(said, dict):
        raise ModelFault("constrained text is no JSON object")
    return said


def _once(values: list[str]) -> tuple[str, ...]:
    """Each value once, in order."""
    return tuple(dict.fromkeys(values))


def make(setup: Setup) -> GgufObserver:
    """The observer ``gguf:<model>``.

    Raises:
        InputError: the setup holds no model.
    """
    if setup.model is None:
        raise InputError("observer 'gguf' needs a model: gguf:<catalogue name or path>")
    return GgufObserver(setup.model, settings_for(setup.argument))
