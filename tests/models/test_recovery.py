"""After every fault the dialogue goes on, and the context holds what it should."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llama_cpp.llama_cpp as c
import numpy as np
import pytest

from heron.errors import InputError, ModelFault
from heron.models.decision import ANSWER_ROOM, KEPT, LlamaDecisionModel, load_decision_model
from heron.models.llama_context import LlamaContext
from heron.models.prefixes import PrefixStore
from heron.models.tiny_gguf import write_tiny_gguf
from heron.protocols import Schema

OPTIONS = ("wait", "look", "propose")
SYSTEM = "You watch a phone and say wait, look or propose."
PROPOSAL: Schema = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 30}},
    "required": ["text"],
}


class Failing:
    """llama.cpp's function, failing at the next ``times`` calls."""

    def __init__(self, name: str, answer: Any) -> None:
        self._real, self._answer = getattr(c, name), answer
        self.times = 0

    def __call__(self, *arguments: Any) -> Any:
        if self.times:
            self.times -= 1
            return self._answer
        return self._real(*arguments)


@pytest.fixture
def model(tiny_path: Path) -> Iterator[LlamaDecisionModel]:
    loaded = load_decision_model(str(tiny_path), window=1536)
    loaded.begin(SYSTEM)
    yield loaded
    loaded.close()


@pytest.fixture
def decode(monkeypatch: pytest.MonkeyPatch) -> Failing:
    failing = Failing("llama_decode", 1)
    monkeypatch.setattr(c, "llama_decode", failing)
    return failing


@pytest.fixture
def no_numbers(monkeypatch: pytest.MonkeyPatch) -> Failing:
    row = np.full(4096, np.nan, dtype=np.float32)
    pointer = row.ctypes.data_as(c.ctypes.POINTER(c.ctypes.c_float))
    failing = Failing("llama_get_logits_ith", pointer)
    monkeypatch.setattr(c, "llama_get_logits_ith", failing)
    return failing


def text_of(model: LlamaDecisionModel) -> str:
    return b"".join(map(model._model.piece, model._context.tokens)).decode()


def check_goes_on(model: LlamaDecisionModel) -> None:
    """The context holds what the turns say, and the next turns can be played."""
    for number in range(2):
        model.extend(f"Afterwards {number}.")
        assert all(np.isfinite(model.option_logprobs(OPTIONS)))
        model.choose("wait")
    model.extend("Mail.")
    json.loads(model.generate(PROPOSAL, opening="propose "))
    model.extend("Last.")
    assert model._context.tokens == model._turns.tokens


def test_a_failed_evaluation_is_tried_once_more_from_nothing(
    model: LlamaDecisionModel, decode: Failing
) -> None:
    model.extend("Mail of Anna.")
    model.choose("wait")
    decode.times = 1
    model.extend("Mail of Bob.")
    assert model.recoveries == 1
    assert "Mail of Anna." in text_of(model)
    assert "Mail of Bob." in text_of(model)
    model.choose("wait")
    check_goes_on(model)


def test_a_message_that_cannot_be_evaluated_is_dropped(
    model: LlamaDecisionModel, decode: Failing
) -> None:
    model.extend("Mail of Anna.")
    model.choose("wait")
    decode.times = 2
    with pytest.raises(ModelFault, match="no room in the memory"):
        model.extend("Mail of Bob.")
    with pytest.raises(InputError, match="extend first"):
        model.choose("wait")
    check_goes_on(model)
    assert "Mail of Anna." in text_of(model)
    assert "Mail of Bob." not in text_of(model)


def test_a_message_that_is_too_long_is_dropped(model: LlamaDecisionModel) -> None:
    model.extend("Mail of Anna.")
    model.choose("wait")
    for _ in range(3):
        with pytest.raises(ModelFault, match="does not fit the window"):
            model.extend("x " * 1000)
    assert model.recoveries == 0
    check_goes_on(model)
    assert "Mail of Anna." in text_of(model)


def test_numbers_come_back_when_all_is_evaluated_anew(
    model: LlamaDecisionModel, no_numbers: Failing
) -> None:
    model.extend("Mail of Anna.")
    wanted = model.option_logprobs(OPTIONS)
    no_numbers.times = 1
    assert model.option_logprobs(OPTIONS) == pytest.approx(wanted, abs=0.2)
    assert model.recoveries == 1
    model.choose("wait")
    check_goes_on(model)


def test_a_message_without_an_answer_is_read_with_the_next(
    model: LlamaDecisionModel, no_numbers: Failing
) -> None:
    model.extend("Mail of Anna.")
    no_numbers.times = 2
    with pytest.raises(ModelFault, match="not numbers"):
        model.option_logprobs(OPTIONS)
    model.extend("Mail of Bob.")
    model.option_logprobs(OPTIONS)
    model.choose("wait")
    assert text_of(model).count("Mail of Anna.\nMail of Bob.") == 1
    check_goes_on(model)


def test_a_message_that_fails_twice_is_dropped(
    model: LlamaDecisionModel, no_numbers: Failing
) -> None:
    model.extend("Mail of Anna.")
    for number in range(2):
        no_numbers.times = 2
        with pytest.raises(ModelFault, match="not numbers"):
            model.option_logprobs(OPTIONS)
        model.extend(f"Mail {number}.")
    model.option_logprobs(OPTIONS)
    model.choose("wait")
    assert "Anna" not in text_of(model)
    check_goes_on(model)


def test_an_answer_that_fails_half_way_leaves_the_turn_open(
    model: LlamaDecisionModel, decode: Failing
) -> None:
    model.extend("Mail of Anna.")
    before = list(model._context.tokens)
    with pytest.raises(ModelFault, match="within 20 tokens"):
        model.generate(PROPOSAL, opening="propose ", max_tokens=20)
    assert model._context.tokens == before
    decode.times = 2  # the answer's first token, and the way back
    with pytest.raises(ModelFault, match="no room in the memory"):
        model.generate(PROPOSAL, opening="propose ")
    assert all(np.isfinite(model.option_logprobs(OPTIONS)))
    assert model._context.tokens == before
    model.choose("wait")
    check_goes_on(model)
    assert "Mail of Anna." in text_of(model)


def test_an_answer_that_cannot_fit_leaves_the_turn_open(model: LlamaDecisionModel) -> None:
    model.extend("Mail of Anna.")
    with pytest.raises(ModelFault, match="does not fit the window"):
        model.generate(PROPOSAL, max_tokens=1500)
    model.extend("Mail of Bob.")
    assert "Mail of Anna.\nMail of Bob." in text_of(model)
    model.choose("wait")
    check_goes_on(model)


def test_a_prefix_on_disk_is_not_used_to_recover(tmp_path: Path, no_numbers: Failing) -> None:
    path = write_tiny_gguf(tmp_path / "tiny.gguf")
    model = load_decision_model(str(path), window=1024, prefixes=PrefixStore(tmp_path / "kept"))
    model.begin(SYSTEM)
    model.extend("Mail.")
    no_numbers.times = 1
    model.option_logprobs(OPTIONS)
    assert (model.recoveries, model.loaded) == (1, 0)
    model.close()


def test_the_next_episode_forgets_faults(model: LlamaDecisionModel, no_numbers: Failing) -> None:
    model.extend("Mail of Anna.")
    no_numbers.times = 2
    with pytest.raises(ModelFault):
        model.option_logprobs(OPTIONS)
    model.begin(SYSTEM)
    model.extend("Mail of Bob.")
    assert "Anna" not in text_of(model)
    with pytest.raises(InputError, match="the last turn is open"):
        model.extend("Mail.")


@pytest.mark.parametrize("window", [2048, 8192, 32768])
def test_windows(tmp_path: Path, window: int) -> None:
    path = write_tiny_gguf(tmp_path / "long.gguf", trained_window=32768)
    model = load_decision_model(str(path), window=window)
    model.begin(SYSTEM)
    message = "Opens the calendar, scrolls to Friday, reads event-3. " * 8
    turns = 0
    while turns < 4 or (window < 10_000 and not model.trims):
        model.extend(message)
        assert all(np.isfinite(model.option_logprobs(OPTIONS)))
        model.choose("wait")
        turns += 1
        assert len(model._context.tokens) <= window - ANSWER_ROOM
    assert turns * (len(message) + 60) > 0.8 * window or window > 10_000
    model.close()


@pytest.mark.weights
def test_windows_of_real_weights(small_path: Path) -> None:
    """The model was trained for 8192 tokens; beyond that it is told so, in one line."""
    for window in (2048, 8192):
        model = load_decision_model(str(small_path), window=window)
        model.begin(SYSTEM)
        model.extend("Mail.")
        model.option_logprobs(OPTIONS)
        model.close()
    with pytest.raises(InputError, match="was trained for at most 8192; give a smaller one"):
        load_decision_model(str(small_path), window=32768)


def test_trims_are_paid_for_by_many_turns(tiny_path: Path) -> None:
    """200 turns in a window of 2k: each token is evaluated half a time more at most."""
    model = load_decision_model(str(tiny_path), window=2048)
    model.begin(SYSTEM * 12)
    model.take_cost()
    new = evaluated = 0
    for turn in range(200):
        model.extend(f"{turn:03d} Opens the calendar.", keep=turn % 3 == 0)
        model.option_logprobs(OPTIONS)
        model.choose("wait")
        new += len(model._turns._finished[-1].tokens)
        evaluated += model.take_cost().evaluated or 0
    assert model.trims >= 10
    assert new < evaluated < (1.05 + KEPT / (1 - KEPT)) * new
    model.close()


def test_marked_turns_outlive_a_trim(tiny_path: Path) -> None:
    model = load_decision_model(str(tiny_path), window=1024)
    model.begin(SYSTEM)
    for turn in range(12):
        model.extend(f"Mail {turn:02d} of Anna, who asks for dinner.", keep=turn == 1)
        model.choose("wait")
    model.extend("Last.")
    assert model.trims > 0
    text = text_of(model)
    assert "Mail 01 of Anna" in text
    assert "Mail 02 of Anna" not in text
    assert text.index("Mail 01") < text.index("Mail 11") < text.index("Last.")
    model.close()


def test_a_context_without_logits_says_so(tiny_path: Path, model: LlamaDecisionModel) -> None:
    context = LlamaContext(model._model, window=128)
    with pytest.raises(ModelFault, match="nothing was evaluated"):
        context.logits()
    context.close()
