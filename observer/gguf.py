"""The observer on a small local model: decide on three logits, and word only what is decided.

Each observation is appended to the model's context, so it costs the new tokens alone. The last
position's logits give the scores of the three answers; a wait is closed with its word, a look and
a proposal are generated under a schema. A gate, if there is one, leaves the model asleep where
nothing calls for it. What it does not know: the LLM library, the process it runs in, the phone.
"""

from __future__ import annotations

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
    Seen,
    ToolCall,
    Wait,
    Withdraw,
)
from heron.errors import InputError
from heron.observer.conduct import Conduct
from heron.observer.decide import (
    OPTIONS,
    Decider,
    Option,
    Reading,
    ThresholdDecider,
    scores_from,
)
from heron.observer.gate import Gate, SinceWake, gate_from
from heron.observer.manners import OPTIONS as MANNERS
from heron.observer.manners import Manners, manners_from
from heron.observer.prompt import ordinary, prompt
from heron.observer.recent import RecentTurns
from heron.observer.restraint import Budget
from heron.observer.schemas import look_schema, once, parsed, proposal_schema
from heron.observer.seen import SeenRecords
from heron.observer.settings import GgufSettings, settings_for
from heron.observer.setup import Setup, model_of, options_of
from heron.observer.text import flat
from heron.observer.unread import Unread
from heron.protocols import DecisionModel, HiddenStates, Schema

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FACTS: Final = (NotificationSeen, AnswerSeen)
"""What later turns may need: it outlives what the user did and what was looked up."""


_BRIEFLESS: Final = "the first observation has no brief: set Observation.brief to begin an episode"


class GgufObserver:
    """Watches through a ``DecisionModel``.

    Args:
        model: its context belongs to this observer from now on.
        settings: thresholds and limits.
        budget: how often the user may be interrupted.
        decider: makes an option of what the model made of an observation; by default the
            settings' thresholds.
        manners: quiet hours and the like; off, if not given.
        gate: decides whether to wake the model at all; none, if not given.
    """

    def __init__(
        self,
        model: DecisionModel,
        settings: GgufSettings | None = None,
        budget: Budget | None = None,
        decider: Decider | None = None,
        *,
        manners: Manners | None = None,
        gate: Gate | None = None,
    ) -> None:
        self.settings = settings or GgufSettings()
        self._decider = decider or ThresholdDecider(self.settings.thresholds)
        self._model = model
        self._budget, self._manners, self._gate = budget, manners, gate
        self.woken: bool | None = None
        """Whether the gate woke the model for the last observation; ``None`` without a gate."""
        self._curve: tuple[tuple[float, ...], ...] = ()
        self._brief: Brief | None = None
        self._unread, self._since = Unread(self.settings.limits), SinceWake()
        self._conduct = Conduct(manners, budget)
        self._seen = SeenRecords()
        self._looked: set[str] = set()
        self._waits = 0
        self._grounded = False
        self._recent = RecentTurns()

    def observe(self, observation: Observation) -> Wait | Look | Propose | Withdraw:
        """Decide on what is new. A look is taken only where a proposal could follow.

        Raises:
            InputError: the first observation has no brief.
            ModelFault: the model failed.
        """
        if observation.brief is not None:
            self._begin(observation.brief)
        if self._brief is None:
            raise InputError(_BRIEFLESS)
        self._unread.add(observation)
        self._since.note(observation, self._seen)
        self._seen.note(observation)
        if _has_note(observation.new):
            self._grounded = False
            self._looked.clear()
        if self._conduct.note(observation):
            self.woken = None if self._gate is None else False
            return Withdraw()
        may_propose = self._seen.has_any and self._conduct.allows(observation)
        if self._gate is not None:
            self.woken = self._wakes(self._gate, observation, may_propose=may_propose)
            if not self.woken:
                return Wait()
            self._since = SinceWake()
        return self._decide(observation, self._brief, may_propose=may_propose)

    def _wakes(self, gate: Gate, observation: Observation, *, may_propose: bool) -> bool:
        """Where no offer may be made the model would decide nothing, unless it asked to look."""
        if self._unread.is_full or any(isinstance(seen, LookSeen) for seen in observation.new):
            return True
        return may_propose and gate.wakes(self._since)

    def _decide(
        self, observation: Observation, brief: Brief, *, may_propose: bool
    ) -> Wait | Look | Propose:
        delta, new = self._unread.take()
        keep = any(isinstance(seen, FACTS) for seen in new)
        self._model.extend(delta, keep=keep)
        self._recent.open(delta, keep=keep)
        logprobs = self._model.option_logprobs(OPTIONS)
        scores = scores_from(logprobs)
        may_look = may_propose and observation.looks_left > 0
        option = self._decider.decide(
            Reading(
                logprobs=logprobs,
                baseline=self._baseline(),
                has_note=_has_note(new),
                may_look=may_look,
                may_propose=may_propose,
                has_looked=any(isinstance(seen, LookSeen) for seen in new),
                hidden=self._hidden(),
            )
        )
        looks = None
        if may_look and (option == "look" or (option == "propose" and self._looks_first)):
            looks = look_schema(brief.tools, self._seen)
        return self._answer(option, looks, brief, observation.time, scores)

    def save(self) -> ObserverState:
        """The newest turns, and all that keeps it from repeating itself."""
        return ObserverState(
            turns=self._recent.turns(),
            own={
                "kind": "gguf",
                "unread": self._unread.save(),
                "since": self._since.save(),
                "seen": self._seen.save(),
                "conduct": self._conduct.save(),
                "looked": [*sorted(self._looked)],
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
        self._unread.load(own["unread"])
        self._since.load(own["since"])
        self._seen.load(own["seen"])
        self._conduct.load(own["conduct"])
        self._looked = set(own["looked"])
        self._waits, self._grounded = own["waits"], own["grounded"]
        self._recent = RecentTurns(state.turns)
        self._recent.read_into(self._model)

    @property
    def _looks_first(self) -> bool:
        return self.settings.look_first and not self._grounded

    def _begin(self, brief: Brief) -> None:
        self._brief, self._unread = brief, Unread(self.settings.limits)
        self._since = SinceWake()
        self._conduct, self._looked = Conduct(self._manners, self._budget), set()
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
        said = parsed(text)
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
        said = parsed(text)
        proposal = Propose(
            text=flat(said["text"])[:PROPOSAL_LENGTH],
            plan=once(said.get("plan", [])),
            refs=once(said.get("refs", [])),
            scores=scores,
        )
        if not proposal.text or self._conduct.repeats(proposal.text, proposal.refs):
            return Wait(scores=scores)
        self._conduct.propose(proposal, now)
        return proposal


def _has_note(new: tuple[Seen, ...]) -> bool:
    return any(isinstance(seen, NotificationSeen) for seen in new)


def make(setup: Setup) -> GgufObserver:
    """The observer ``gguf:<model>``, with the options of ``manners`` behind a question mark.

    Raises:
        InputError: the setup holds no model, or an option is none.
    """
    if setup.model is None:
        raise InputError("observer 'gguf' needs a model: gguf:<catalogue name or path>")
    asked = options_of(setup.argument, MANNERS)
    return GgufObserver(
        setup.model,
        settings_for(model_of(setup.argument)),
        manners=manners_from(asked),
        gate=gate_from(asked),
    )
