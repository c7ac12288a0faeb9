"""The observer that never speaks: the score of doing nothing."""

from __future__ import annotations

from heron.contracts import Observation, Wait
from heron.observer.setup import Setup


class NeverObserver:
    """Waits, whatever happens."""

    def observe(self, observation: Observation) -> Wait:
        """Wait."""
        return Wait()


def make(setup: Setup) -> NeverObserver:  # noqa: ARG001
    """The observer ``never``; it needs nothing."""
    return NeverObserver()
