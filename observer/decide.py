"""From the logits of three words to a decision.

What it does not know: where the logits come from and what the words lead to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Final, Literal, Protocol

from pydantic import Field

from heron.contracts import Record, Scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Option = Literal["wait", "look", "propose"]

OPTIONS: Final[tuple[Option, ...]] = ("wait", "look", "propose")
"""The first words of the three answers; they must differ in their first token."""


class Thresholds(Record):
    """From which share on an option is taken. Shares are of the three words alone."""

    look: float = Field(default=0.5, gt=0)
    propose: float = Field(default=0.5, gt=0)
    after_look: float = Field(default=0.5, gt=0)
    """For a proposal when a look has just come back."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a model made of one observation."""

    logprobs: tuple[float, ...]
    """Of the options."""
    baseline: tuple[float, ...] | None = None
    """The same where nothing happened at all; ``None`` if it is not to be compared."""
    has_note: bool = False
    """A notification came."""
    may_look: bool
    may_propose: bool
    has_looked: bool = False
    """A look has just come back."""
    hidden: NDArray[np.float32] | None = None
    """The model's hidden state at the last position, for those who ask for it."""


class Decider(Protocol):
    """Turns what a model made of an observation into an option."""

    @property
    def reads_hidden(self) -> bool:
        """Whether it needs ``Reading.hidden``."""

    def decide(self, reading: Reading) -> Option:
        """The option to take; one that is not possible now must not be."""


def scores_from(logprobs: Sequence[float]) -> Scores:
    """The options' probabilities, as the model gave them.

    They are kept raw: what is missing to one went to other words, and ``shares`` gives what the
    decision rests on. Rounded to six places, so that a record is short.
    """
    wait, look, propose = (round(exp(value), 6) for value in logprobs)
    return Scores(wait=wait, look=look, propose=propose)


def shares(logprobs: Sequence[float], baseline: Sequence[float] | None = None) -> Scores:
    """Softmax over the options.

    Args:
        logprobs: one per option.
        baseline: log-probabilities of the options where nothing happened at all. They are
            subtracted, so that a model's liking for a word counts for nothing (contextual
            calibration: Zhao et al. 2021, "Calibrate Before Use").
    """
    zero = baseline or (0.0,) * len(OPTIONS)
    values = [value - base for value, base in zip(logprobs, zero, strict=True)]
    top = max(values)
    weights = [exp(value - top) for value in values]
    wait, look, propose = (weight / sum(weights) for weight in weights)
    return Scores(wait=wait, look=look, propose=propose)


def decide(
    scores: Scores,
    thresholds: Thresholds,
    *,
    may_look: bool,
    may_propose: bool,
    has_looked: bool = False,
) -> Option:
    """The option to take.

    An option is taken from its threshold on, if it is possible now; of two, the one that exceeds
    its threshold by the larger factor.
    """
    look = scores.look / thresholds.look if may_look else 0.0
    threshold = thresholds.after_look if has_looked else thresholds.propose
    propose = scores.propose / threshold if may_propose else 0.0
    if max(look, propose) < 1.0:
        return "wait"
    return "propose" if propose >= look else "look"


@dataclass(frozen=True)
class ThresholdDecider:
    """Compares shares with thresholds."""

    thresholds: Thresholds
    reads_hidden: bool = False

    def decide(self, reading: Reading) -> Option:
        return decide(
            shares(reading.logprobs, reading.baseline),
            self.thresholds,
            may_look=reading.may_look,
            may_propose=reading.may_propose,
            has_looked=reading.has_looked,
        )
