"""From which share on an observer takes an option, as far as its settings here say so.

An episode does not store them, so they are those of the Heron that makes the report. What it does
not know: what the scores were in the episode.
"""

from __future__ import annotations

from functools import cache
from math import log

from heron.errors import HeronError
from heron.eval.reporting.viewer.compact import Data, compact
from heron.observer.calibration import find_calibration, read_calibration
from heron.observer.settings import settings_for
from heron.observer.setup import model_of

SHARES = tuple(step / 1000 for step in range(1, 1000))
"""Shares that are tried in search of a calibrated threshold, in order."""


@cache
def thresholds_of(observer: str) -> Data | None:
    """Thresholds of an observer; ``None`` where it has none that can be told.

    Args:
        observer: as given on the command line, ``kind:model?options``.
    """
    kind, _, argument = observer.partition(":")
    if kind == "gguf":
        return _of_shares(model_of(argument))
    if kind == "calibrated" and "?" not in argument:
        return _of_probability(model_of(argument))
    return None


def _of_shares(model: str) -> Data:
    """Of the three words' shares; those of ordinary minutes are taken off where ``contrast`` is."""
    settings = settings_for(model)
    found = settings.thresholds
    return compact(
        look=found.look,
        propose=found.propose,
        after_look=found.after_look,
        contrast=settings.contrast,
    )


def _of_probability(model: str) -> Data | None:
    """Of the calibrated probability that an offer is of use, and the share that it amounts to."""
    try:
        calibration = read_calibration(find_calibration(model, None))
    except HeronError:
        return None
    fitted = calibration.gate
    share = next((s for s in SHARES if fitted.speaks(log(s / (1 - s)))), None)
    return compact(
        look=share,
        propose=share,
        probability=round(fitted.threshold, 4),
        contrast=calibration.contrast,
        never=share is None,
    )
