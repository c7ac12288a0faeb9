"""Calibrations turn scores into decisions by arithmetic that can be done by hand."""

from __future__ import annotations

import subprocess
import sys
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from tests.observer.moments import Episode, PlayedModel, note

from heron.contracts import Scores
from heron.errors import InputError
from heron.observer import calibrated
from heron.observer.calibrated import CalibratedDecider
from heron.observer.calibration import (
    SUFFIX,
    Calibration,
    CalibrationKey,
    Costs,
    Fitted,
    Isotonic,
    Platt,
    Probe,
    Quality,
    Sources,
    find_calibration,
    gate_score,
    key_of,
    read_calibration,
)
from heron.observer.decide import Reading
from heron.observer.encode import ENCODING
from heron.observer.prompt import prompt
from heron.observer.setup import Setup
from heron.protocols import HiddenStates

INFO: dict[str, Any] = {
    "sha256": "ab" * 32,
    "quantisation": "Q4_1",
    "window": 4096,
    "flash_attention": "off",
    "library": "one 1.0",
}
IDENTITY = Platt(slope=1.0, intercept=0.0)


def fitted(threshold: float, curve: Platt | Isotonic = IDENTITY) -> Fitted:
    quality = Quality(brier=0.2, ece=0.1, auroc=0.6)
    return Fitted(curve=curve, threshold=threshold, cost=1.0, before=quality, after=quality)


def calibration(threshold: float = 0.6, probe: Probe | None = None, **changed: Any) -> Calibration:
    given: dict[str, Any] = {
        "name": "small",
        "key": key_of(INFO),
        "contrast": False,
        "costs": Costs(),
        "gate": fitted(threshold),
        "probe": probe,
        "sources": Sources(
            part="dev",
            seeds=(1000,),
            scenarios=3,
            families=2,
            observations=30,
            useful=0.5,
            digest="0",
        ),
        "command": "heron observer calibrate small",
    }
    return Calibration(**(given | changed))


def reading(wait: float, look: float, propose: float, **changed: Any) -> Reading:
    given: dict[str, Any] = {"may_look": True, "may_propose": True}
    values = tuple(log(value) for value in (wait, look, propose))
    return Reading(logprobs=values, **(given | changed))


# --- costs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "joules", "expected"),
    [("1:2:0", 0.0, 1 / 3), ("3:1:0", 0.0, 0.75), ("0:1:0", 0.0, 0.0), ("1:2:0.1", 2.0, 0.4)],
)
def test_the_break_even_follows_from_the_costs(text: str, joules: float, expected: float) -> None:
    assert Costs.parse(text, joules).break_even == pytest.approx(expected)


@pytest.mark.parametrize("text", ["1:2", "1:2:x", "-1:2:0", "0:0:0", "1:inf:0", "1:2:0.5"])
def test_costs_that_make_no_sense_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as refused:
        Costs.parse(text)
    assert "\n" not in str(refused.value)


# --- curves -------------------------------------------------------------------------------------


def test_a_logistic_curve_is_where_its_formula_says() -> None:
    curve = Platt(slope=2.0, intercept=-1.0)
    assert curve.probability(0.5) == pytest.approx(0.5)
    assert curve.probability(1.5) == pytest.approx(1 / (1 + 2.718281828**-2))
    assert curve.probability(-1000.0) == pytest.approx(0.0)
    assert curve.probability(1000.0) == pytest.approx(1.0)


def test_an_isotonic_curve_is_a_line_between_centres_and_level_beyond() -> None:
    curve = Isotonic(scores=(0.0, 2.0, 3.0), probabilities=(0.1, 0.5, 0.9))
    found = [curve.probability(score) for score in (-5.0, 0.0, 1.0, 2.5, 3.0, 9.0)]
    assert found == pytest.approx([0.1, 0.1, 0.3, 0.7, 0.9, 0.9])


@pytest.mark.parametrize(
    ("scores", "probabilities"),
    [((1.0, 0.0), (0.1, 0.2)), ((0.0, 1.0), (0.2, 0.1)), ((0.0,), (0.1, 0.2)), ((), ())],
)
def test_an_isotonic_curve_that_falls_or_is_uneven_is_refused(
    scores: tuple[float, ...], probabilities: tuple[float, ...]
) -> None:
    with pytest.raises(ValidationError):
        Isotonic(scores=scores, probabilities=probabilities)


def test_the_gate_scores_the_larger_of_look_and_propose_in_log_odds() -> None:
    assert gate_score(Scores(wait=0.2, look=0.7, propose=0.1)) == pytest.approx(log(7 / 3))
    assert gate_score(Scores(wait=1.0, look=0.0, propose=0.0)) == pytest.approx(log(1e-6), rel=1e-4)


# --- decisions ----------------------------------------------------------------------------------


def test_it_speaks_from_the_threshold_on() -> None:
    decider = CalibratedDecider(calibration(threshold=0.6))
    assert not decider.reads_hidden
    assert decider.decide(reading(0.41, 0.0001, 0.59)) == "wait"
    assert decider.decide(reading(0.39, 0.0001, 0.61)) == "propose"
    assert decider.decide(reading(0.29, 0.7, 0.01)) == "look"
    assert decider.decide(reading(0.29, 0.7, 0.01, may_look=False)) == "propose"
    assert decider.decide(reading(0.1, 0.1, 0.8, may_propose=False)) == "wait"


def test_the_curve_and_not_the_raw_share_decides() -> None:
    steep = calibration(gate=fitted(0.6, Platt(slope=1.0, intercept=5.0)))
    assert CalibratedDecider(steep).decide(reading(0.9, 0.001, 0.099)) == "propose"
    level = calibration(gate=fitted(0.6, Platt(slope=0.0, intercept=0.0)))
    assert CalibratedDecider(level).decide(reading(0.01, 0.01, 0.98)) == "wait"


def test_ordinary_minutes_are_subtracted_only_if_they_were_when_it_was_fitted() -> None:
    seen = reading(0.3, 0.0001, 0.7, baseline=(log(0.3), log(0.0001), log(0.7)))
    plain = CalibratedDecider(calibration(threshold=0.6))
    contrasted = CalibratedDecider(calibration(threshold=0.6, contrast=True))
    assert (plain.decide(seen), contrasted.decide(seen)) == ("propose", "wait")


def test_a_look_only_serves_the_offer_that_is_decided() -> None:
    decider = CalibratedDecider(calibration(threshold=0.99))
    assert decider.decide(reading(0.9, 0.09, 0.01, has_looked=True)) == "propose"
    assert decider.decide(reading(0.1, 0.1, 0.8, has_looked=True, may_propose=False)) == "wait"


def test_a_probe_reads_the_hidden_state_and_nothing_else() -> None:
    probe = Probe(weights=(1.0, -2.0), intercept=0.5, strength=0.01, fitted=fitted(0.6))
    decider = CalibratedDecider(calibration(probe=probe), by_probe=True)
    assert decider.reads_hidden
    for hidden, option in (((1.0, 0.0), "propose"), ((0.0, 1.0), "wait")):
        seen = reading(0.99, 0.001, 0.009, hidden=np.array(hidden, np.float32))
        assert decider.decide(seen) == option
    assert probe.score(np.array([1.0, 1.0], np.float32)) == pytest.approx(-0.5)
    with pytest.raises(InputError, match="wants 2 numbers"):
        probe.score(np.zeros(3, np.float32))


# --- files and keys -----------------------------------------------------------------------------


def test_a_file_is_read_as_it_was_written_and_a_broken_one_is_told(tmp_path: Path) -> None:
    file = tmp_path / f"small{SUFFIX}"
    file.write_text(calibration().model_dump_json(), encoding="utf-8")
    assert read_calibration(file) == calibration()
    file.write_text('{"version": 1}', encoding="utf-8")
    with pytest.raises(InputError, match="no calibration"):
        read_calibration(file)
    with pytest.raises(InputError, match="No such file"):
        read_calibration(tmp_path / "none.json")


def test_another_key_is_refused_with_what_differs() -> None:
    own = calibration()
    own.check(key_of(INFO), "here")
    other = key_of(INFO | {"window": 2048, "sha256": "cd" * 32})
    with pytest.raises(InputError) as refused:
        own.check(other, "here")
    message = str(refused.value)
    assert "window is 4096 and not 2048" in message
    assert "model is 'abab" in message
    assert "quantisation" not in message
    assert "heron observer calibrate small" in message


def test_every_part_of_the_key_counts() -> None:
    own = key_of(INFO)
    for name, value in own.model_dump().items():
        changed = own.model_copy(update={name: 7 if isinstance(value, int) else f"{value}x"})
        assert len(own.differences(changed)) == 1, name
    assert (own.prompt, own.encoding) == (prompt().digest, ENCODING)


def test_a_model_that_was_never_hashed_has_no_key() -> None:
    with pytest.raises(InputError, match="sha256 is not known"):
        key_of(INFO | {"sha256": None})


def test_a_file_beside_the_model_comes_before_the_one_that_heron_ships(tmp_path: Path) -> None:
    file = tmp_path / f"small{SUFFIX}"
    with pytest.raises(InputError, match="no calibration of small"):
        find_calibration("small", tmp_path)
    file.write_text("{}", encoding="utf-8")
    assert find_calibration("small", tmp_path) == file
    assert find_calibration("some/where/small.gguf", tmp_path) == file


class WithHidden(PlayedModel):
    """A scripted model that has hidden states."""

    def hidden(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        return np.array([0.0, 1.0], np.float32)


def test_observers_are_made_with_a_file_that_fits(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    probe = Probe(weights=(0.0, 9.0), intercept=0.0, strength=0.01, fitted=fitted(0.6))
    file.write_text(calibration(probe=probe).model_dump_json(), encoding="utf-8")
    setup = Setup(argument=f"small?calibration={file}", model=WithHidden((0.9, 0.05, 0.05)))
    with pytest.raises(InputError, match="sha256 is not known"):
        calibrated.make(setup)
    with pytest.raises(InputError, match=r"library is 'one 1\.0' and not 'one 2\.0'"):
        calibrated.make(Setup(**(vars(setup) | {"info": INFO | {"library": "one 2.0"}})))
    fits = Setup(**(vars(setup) | {"info": INFO}))
    first = Episode().next(note("Can we move it?"), looks_left=5)
    assert calibrated.make(fits).observe(first).type == "wait"
    fresh = Setup(**(vars(fits) | {"model": WithHidden((0.9, 0.05, 0.05))}))
    speaks = calibrated.make_probe(fresh)
    assert speaks.observe(Episode().next(note("Can we move it?"), looks_left=5)).type == "look"


def test_a_probe_needs_a_model_with_hidden_states(tmp_path: Path) -> None:
    assert isinstance(WithHidden(), HiddenStates)
    assert not isinstance(PlayedModel(), HiddenStates)
    file = tmp_path / "mine.json"
    probe = Probe(weights=(0.0, 9.0), intercept=0.0, strength=0.01, fitted=fitted(0.6))
    file.write_text(calibration(probe=probe).model_dump_json(), encoding="utf-8")
    argument = f"small?calibration={file}"
    watching = calibrated.make_probe(Setup(argument=argument, model=PlayedModel(), info=INFO))
    with pytest.raises(InputError, match="the model gives none"):
        watching.observe(Episode().next(note("Can we move it?")))


def test_a_calibration_without_a_probe_makes_no_probe(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(calibration().model_dump_json(), encoding="utf-8")
    argument = f"small?calibration={file}"
    with pytest.raises(InputError, match="holds no probe"):
        calibrated.make_probe(Setup(argument=argument, model=PlayedModel(), info=INFO))
    with pytest.raises(InputError, match="is no option"):
        calibrated.make(Setup(argument="small?calibrated=x", model=PlayedModel(), info=INFO))
    with pytest.raises(InputError, match="needs a model"):
        calibrated.make(Setup(argument="small"))


# --- what is shipped ----------------------------------------------------------------------------

SHIPPED = sorted((Path(calibrated.__file__).parent / "data" / "calibrations").glob(f"*{SUFFIX}"))


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_shipped_calibrations_are_small_current_and_say_where_they_come_from(file: Path) -> None:
    found = read_calibration(file)
    assert file.name == f"{found.name}{SUFFIX}"
    assert file.stat().st_size <= 40_000
    assert (found.key.prompt, found.key.encoding) == (prompt().digest, ENCODING)
    assert found.sources.part == "dev"
    assert min(found.sources.seeds) >= 1000
    assert found.name in found.command
    assert isinstance(found.key, CalibrationKey)


def test_the_observer_needs_no_scikit_learn() -> None:
    code = (
        "import sys, heron.eval.workers.observer, heron.observer.calibrated; "
        "print([n for n in ('sklearn', 'scipy') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
