"""The last position's hidden state can be read beside its logits, and reading it changes none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from heron.errors import InputError, ModelFault
from heron.models.decision import LlamaDecisionModel, load_decision_model
from heron.models.llama_context import LlamaContext
from heron.models.llama_lib import LlamaModel

OPTIONS = ("wait", "look", "propose")
LONG = "a mail of Anna about dinner on Friday at eight. " * 12
"""More tokens than are computed at once."""


@pytest.fixture
def watched(tiny_path: Path) -> Iterator[LlamaDecisionModel]:
    model = load_decision_model(str(tiny_path), window=1536, hidden=True)
    yield model
    model.close()


def test_reading_it_changes_no_logit(tiny_path: Path, watched: LlamaDecisionModel) -> None:
    plain = load_decision_model(str(tiny_path), window=1536)
    try:
        for text in ("a mail came", LONG):
            for model in (plain, watched):
                model.begin("Answer with one word.")
                model.extend(text)
            assert plain.option_logprobs(OPTIONS) == watched.option_logprobs(OPTIONS)
        with pytest.raises(InputError, match="hidden=True"):
            plain.hidden()
    finally:
        plain.close()


def test_it_is_the_state_that_the_logits_are_made_from(tiny: LlamaModel) -> None:
    """Logits are a linear map of it: found from some states, it foretells those of others."""
    context = LlamaContext(tiny, window=1024, hidden=True)
    try:
        states, logits = [], []
        for token in range(tiny.width + 12):
            context.append([3 + token % 50, 5 + token % 7])
            states.append(context.hidden())
            logits.append(context.logits().astype(np.float64))
    finally:
        context.close()
    known = slice(0, tiny.width + 8)
    a, b = np.array(states, dtype=np.float64), np.array(logits)
    head = np.linalg.lstsq(a[known], b[known], rcond=None)[0]
    foretold = a[tiny.width + 8 :] @ head
    assert a.shape == (tiny.width + 12, tiny.width)
    assert foretold == pytest.approx(b[tiny.width + 8 :], abs=0.02 * float(np.abs(b).max()))


def test_there_is_none_before_anything_was_evaluated(tiny: LlamaModel) -> None:
    context = LlamaContext(tiny, window=64, hidden=True)
    try:
        with pytest.raises(ModelFault, match="nothing was evaluated"):
            context.hidden()
        context.append([3, 4, 5])
        context.rewind(1)
        with pytest.raises(ModelFault, match="nothing was evaluated"):
            context.hidden()
    finally:
        context.close()


def test_an_open_turn_is_needed(watched: LlamaDecisionModel) -> None:
    watched.begin("Answer with one word.")
    with pytest.raises(InputError, match="extend first"):
        watched.hidden()
