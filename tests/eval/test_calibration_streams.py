"""Recorded streams are what an observer sees, with the moments at which an offer is of use; scores
of them are read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from heron.contracts import EpisodeConfig, StepCost
from heron.errors import HeronError, InputError
from heron.eval.batch import Bench, Plan
from heron.eval.calibration.scores import Scorer
from heron.eval.calibration.streams import Stream, read, record, sample, write
from heron.eval.staging import cue_of
from heron.models.decision import LlamaDecisionModel, load_decision_model
from heron.models.scripted import ScriptedDecisionModel, ScriptedTurn
from heron.observer.decide import scores_from
from heron.observer.gguf import GgufObserver
from heron.observer.settings import GgufSettings
from heron.scenarios.builder import build
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario

SUITE = load_suite("smoke").scenarios
GOAL = next(scenario for scenario in SUITE if scenario.type == "goal")
QUIET = next(scenario for scenario in SUITE if scenario.type == "quiet")
SMALLEST = "smollm2-135m-instruct-q4_1"


LATE = load_suite(ids=["clogs_for_two", "rehearsal_other_hall"]).scenarios
"""One in which all that the offer names is there before the window opens, and one in which the
window closes before the tenth turn."""


@pytest.mark.parametrize(
    "scenario",
    [scenario for scenario in (*SUITE, *LATE) if scenario.type == "goal"],
    ids=lambda s: s.id,
)
def test_an_offer_is_of_use_from_the_moment_at_which_the_oracle_acts(scenario: Scenario) -> None:
    config = EpisodeConfig(observer="oracle", executor="none", user="scripted")
    bench = Bench(Plan(config=config, seed=3))
    try:
        episode = bench.episode(scenario, 0)
    finally:
        bench.close()
    acts = [
        turn.turn
        for turn in episode.turns
        if any(step.answer.type in ("look", "propose") for step in turn.observer)
    ]
    assert record(scenario, 3).useful.index(True) == acts[0] - 1


def test_no_offer_is_of_use_before_the_window_opens_or_after_it_closes() -> None:
    for scenario in LATE:
        stream = record(scenario, 1000)
        cue = cue_of(build(scenario, 1000))
        assert cue is not None
        times = [each.time for each in stream.observations]
        used = [time for time, useful in zip(times, stream.useful, strict=True) if useful]
        assert not stream.useful[0]
        assert cue.closes is None or used[-1] <= cue.closes
    assert not record(LATE[1], 1000).useful[-1]


def test_no_offer_is_of_use_where_none_is_wanted() -> None:
    for scenario in SUITE:
        stream = record(scenario, 1000)
        assert any(stream.useful) == (scenario.type == "goal"), scenario.id
        assert len(stream.observations) == len(stream.useful) == 10


def test_the_same_seed_gives_the_same_stream_and_another_one_another() -> None:
    assert record(GOAL, 1000) == record(GOAL, 1000)
    assert record(GOAL, 1000).digest != record(GOAL, 1001).digest


def test_streams_are_read_as_they_were_written(tmp_path: Path) -> None:
    streams = [record(GOAL, 1000), record(QUIET, 1000)]
    file = tmp_path / "streams.jsonl"
    assert write(streams, file) == 2
    assert list(read(file)) == streams
    file.write_text(file.read_text(encoding="utf-8") + '{"scenario": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"streams\.jsonl:3: no stream: "):
        list(read(file))
    with pytest.raises(InputError, match="No such file"):
        list(read(tmp_path / "none.jsonl"))
    with pytest.raises(InputError, match="No such file"):
        write(streams, tmp_path / "none" / "streams.jsonl")


def test_a_file_that_is_no_text_is_told_as_that(tmp_path: Path) -> None:
    file = tmp_path / "streams.jsonl"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        list(read(file))


def test_a_sample_is_spread_over_the_families() -> None:
    suite = load_suite(part="dev").scenarios
    few = sample(suite, 20)
    assert len(few) == 20
    assert len({scenario.family for scenario in few}) == 20
    many = sample(suite, 60)
    counts = [len(list(of)) for _, of in groupby(sorted(many, key=_family), key=_family)]
    assert max(counts) - min(counts) <= 1
    assert sample(suite, 60) == many
    assert sample(suite, 10_000) == suite


def _family(scenario: Scenario) -> str:
    return scenario.family


class Hidden(ScriptedDecisionModel):
    """A scripted model with hidden states: how many observations it has read."""

    def __init__(self, turns: int) -> None:
        script = [ScriptedTurn(logprobs=(-0.1 * n, -2.0, -3.0)) for n in range(turns)]
        super().__init__(script, cost=StepCost(wall_s=1.0, cpu_s=0.5))

    def hidden(self) -> NDArray[np.float32]:
        return np.array([len(self.extended), 7.0], np.float32)


ORDINARY = 7
"""Minutes in which nothing happens, read once for the baseline."""


@pytest.fixture
def streams() -> list[Stream]:
    return [record(GOAL, 1000), record(QUIET, 1000)]


def test_scores_are_the_observers_own(streams: Sequence[Stream]) -> None:
    model = Hidden(ORDINARY + 20)
    first, second = Scorer(model, key="k").scores(streams)
    assert first.logprobs[:, 0] == pytest.approx([-0.1 * n for n in range(7, 17)])
    assert first.baseline[:, 0] == pytest.approx([-0.1 * min(n, 6) for n in range(10)])
    assert first.hidden[:, 0].tolist() == list(range(8, 18))
    assert second.hidden.shape == (10, 2)
    notes = [
        any(seen.type == "notification" for seen in observation.new)
        for observation in first.stream.observations
    ]
    assert first.has_note.tolist() == notes
    assert not first.may_propose[0]  # nothing was shown yet
    assert first.may_propose[notes.index(True) :].all()
    assert model.answers == ["wait"] * len(model.extended)


def test_what_was_read_is_not_read_again(streams: Sequence[Stream], tmp_path: Path) -> None:
    first = Scorer(Hidden(ORDINARY + 10), key="k", folder=tmp_path)
    with pytest.raises(InputError, match="no turn"):
        first.scores(streams)  # broke off after the first stream
    second = Scorer(Hidden(ORDINARY + 10), key="k", folder=tmp_path)
    found = second.scores(streams)
    assert second.evaluated == 1
    assert [scores.stream for scores in found] == streams
    third = Scorer(Hidden(0), key="k", folder=tmp_path)
    again = third.scores(streams)
    assert third.evaluated == 0
    for one, other in zip(found, again, strict=True):
        assert np.array_equal(one.logprobs, other.logprobs)
        assert np.array_equal(one.hidden, other.hidden)
    with pytest.raises(InputError):
        Scorer(Hidden(0), key="other", folder=tmp_path).scores(streams)
    with pytest.raises(InputError):
        Scorer(Hidden(0), key="k", folder=tmp_path, resume=False).scores(streams)


def test_a_damaged_file_of_scores_is_read_anew(streams: Sequence[Stream], tmp_path: Path) -> None:
    Scorer(Hidden(ORDINARY + 10), key="k", folder=tmp_path).scores(streams[:1])
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:200])
    scorer = Scorer(Hidden(ORDINARY + 10), key="k", folder=tmp_path)
    scorer.scores(streams[:1])
    assert scorer.evaluated == 1


# --- on real weights ----------------------------------------------------------------------------


@pytest.fixture
def model() -> Iterator[LlamaDecisionModel]:
    try:
        loaded = load_decision_model(SMALLEST, hidden=True)
    except HeronError as missing:
        pytest.skip(str(missing))
    yield loaded
    loaded.close()


@pytest.mark.weights
def test_the_smallest_model_reads_streams_as_the_observer_does(model: LlamaDecisionModel) -> None:
    recorded = [record(scenario, 1000) for scenario in SUITE[:3]]
    scores = Scorer(model, key="k").scores(recorded)
    silent: dict[str, Any] = {"look": 9.0, "propose": 9.0, "after_look": 9.0}
    settings = GgufSettings.model_validate({"thresholds": silent, "contrast": True})
    watching = GgufObserver(model, settings)
    for found in scores:
        said = [watching.observe(observation).scores for observation in found.stream.observations]
        assert said == [scores_from([float(x) for x in row]) for row in found.logprobs]
        assert found.hidden.shape == (10, model.width)
        assert np.isfinite(found.hidden).all()
    assert scores[0].cpu_s > 0
