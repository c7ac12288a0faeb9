"""A local model in the loop, held by its grammar: a tiny fake always, a real one if it was pulled.

The tiny one has random weights. Whatever it writes has to be a call that may be made.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from heron.errors import HeronError
from heron.executor.loop import LoopExecutor
from heron.executor.offers import Planned
from heron.executor.registry import build_executor
from heron.models.chat_llama import load_llama_chat
from heron.models.litellm_chat import chat_model
from heron.models.tiny_gguf import write_tiny_gguf

REAL = "qwen2.5-coder-1.5b-instruct-q4_k_m"


@pytest.mark.parametrize("seed", range(4))
def test_random_weights_make_only_calls_that_may_be_made(
    new_phone: Any, new_task: Any, tmp_path: Path, seed: int
) -> None:
    path = write_tiny_gguf(tmp_path / "tiny.gguf", seed=seed, trained_window=16384)
    chat = load_llama_chat(str(path), window=12288)
    tools = new_phone()
    executor = LoopExecutor(chat, offer=Planned(steady=True, prose=40))
    execution = executor.start(new_task(tools, max_steps=4), tools)
    chat.close()
    assert execution.steps >= 1
    problems = [result.error for result in execution.calls if not result.ok]
    allowed = ("a message needs a text", "already done", "this failed twice")
    assert all(str(problem).startswith(allowed) for problem in problems), problems


@pytest.mark.weights
def test_a_real_model_makes_the_planned_calls(new_phone: Any, new_task: Any) -> None:
    """That it makes them, not that it makes them well: the figures stand in the log."""
    spec = f"gguf:{REAL}"
    try:
        model = chat_model(spec)
    except HeronError as error:
        pytest.skip(str(error))
    tools = new_phone()
    execution = build_executor(spec, model=model).start(new_task(tools), tools)
    names = [call.name for call in tools.called]
    assert {"calendar.move", "contacts.search", "messaging.send"} <= set(names)
    assert execution.end == "done"
    assert execution.usage.tokens_in > 0
