"""Observers that speak where a calibrated probability says that an offer is worth it.

``calibrated:<model>`` reads the probability off the three words' scores, ``probe:<model>`` off the
hidden state; either takes ``?calibration=FILE`` behind the model, and the options of ``manners``.
All else is the observer ``gguf``. What it does not know: how calibrations are fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from heron.errors import InputError
from heron.observer.calibration import (
    Calibration,
    find_calibration,
    gate_score,
    key_of,
    read_calibration,
)
from heron.observer.decide import Option, Reading, shares
from heron.observer.gate import gate_from
from heron.observer.gguf import GgufObserver
from heron.observer.manners import OPTIONS as MANNERS
from heron.observer.manners import manners_from
from heron.observer.settings import settings_for
from heron.observer.setup import Setup, model_of, options_of

OPTION = "calibration"


@dataclass(frozen=True)
class CalibratedDecider:
    """Speaks from a probability on.

    A look is taken for the offer's wording: when it has come back, the offer is made. What the
    model scores then is calibrated by nothing, and would decide by another measure than the costs.

    Args:
        calibration: with a probe, if that is to be used.
        by_probe: take the probability from the hidden state.
    """

    calibration: Calibration
    by_probe: bool = False

    @property
    def reads_hidden(self) -> bool:
        """Only a probe does."""
        return self.by_probe

    def _is_worth_it(self, reading: Reading) -> bool:
        if not self.by_probe:
            found = shares(reading.logprobs, self._baseline(reading))
            return self.calibration.gate.speaks(gate_score(found))
        probe = self.calibration.probe
        if probe is None or reading.hidden is None:
            raise InputError("the probe needs a calibration with a probe, and a hidden state")
        return probe.fitted.speaks(probe.score(reading.hidden))

    def decide(self, reading: Reading) -> Option:
        if not reading.may_propose:
            return "wait"
        if reading.has_looked:
            return "propose"
        if not self._is_worth_it(reading):
            return "wait"
        found = shares(reading.logprobs, self._baseline(reading))
        return "look" if reading.may_look and found.look > found.propose else "propose"

    def _baseline(self, reading: Reading) -> tuple[float, ...] | None:
        return reading.baseline if self.calibration.contrast else None


def make(setup: Setup) -> GgufObserver:
    """The observer ``calibrated:<model>``.

    Raises:
        InputError: no model, no calibration, or one of another model or setting.
    """
    return _make(setup, by_probe=False)


def make_probe(setup: Setup) -> GgufObserver:
    """The observer ``probe:<model>``.

    Raises:
        InputError: as ``make``, or the calibration holds no probe.
    """
    return _make(setup, by_probe=True)


def _make(setup: Setup, *, by_probe: bool) -> GgufObserver:
    kind, name = "probe" if by_probe else "calibrated", model_of(setup.argument)
    if setup.model is None:
        raise InputError(f"observer {kind!r} needs a model: {kind}:<catalogue name or path>")
    given = options_of(setup.argument, (OPTION, *MANNERS))
    file = (
        Path(given[OPTION]).expanduser()
        if OPTION in given
        else find_calibration(name, setup.folder)
    )
    calibration = read_calibration(file)
    calibration.check(key_of(setup.info), str(file))
    if by_probe and calibration.probe is None:
        raise InputError(f"{file}: holds no probe: run heron observer calibrate {name} --probe")
    settings = settings_for(name).model_copy(update={"contrast": calibration.contrast})
    decider = CalibratedDecider(calibration, by_probe=by_probe)
    return GgufObserver(
        setup.model,
        settings,
        decider=decider,
        manners=manners_from(given),
        gate=gate_from(given),
    )
