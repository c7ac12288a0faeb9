"""Counts the tokens of an observer's whole context after ten turns; prints JSON.

    python benchmarks/sim_context.py BACKGROUND OBSERVER SEEDS [SPLIT]

The observer is one without a model; its answers are counted as a model would write them, and the
prompt of the observer on a small model stands before all. ``sim.py`` starts it.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

from heron.contracts import (
    EpisodeConfig,
    Look,
    Observation,
    ObserverAnswer,
    Propose,
    StepCost,
)
from heron.errors import HeronError
from heron.eval.batch import Bench, Plan
from heron.eval.observers import HarnessObserver
from heron.observer.encode import Told, encode
from heron.observer.prompt import look_answer, prompt, proposal_answer
from heron.scenarios.loader import load_suite

COUNTED_BY = "smollm2-135m-instruct-q4_1"
CHARACTERS_PER_TOKEN = 3.5
"""For the estimate where that model is not here."""


class Recording(HarnessObserver):
    """An observer that keeps what it is shown and what it answers."""

    def __init__(self, spec: str) -> None:
        super().__init__(spec)
        self.seen: list[tuple[Observation, ObserverAnswer]] = []

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]:
        """Its answer, kept."""
        answer, cost = super().observe(observation)
        self.seen.append((observation, answer))
        return answer, cost


def context_size(background: str, observer: str, seeds: int, split: str | None) -> dict[str, Any]:
    """Tokens of the observer's context after ten turns, over scenarios and seeds."""
    count, counted_by = counter()
    config = EpisodeConfig.model_validate(
        {
            "observer": observer,
            "executor": "oracle",
            "user": "scripted",
            "background": background,
        }
    )
    player = Bench(Plan(config=config, runs=seeds))
    scenarios = load_suite(*([split] if split else [])).sound().scenarios  # type: ignore[arg-type]
    sizes, deltas = [], []
    for run in range(seeds):
        for scenario in scenarios:
            player.observer = recording = Recording(observer)
            player.episode(scenario, run)
            told, turns = Told(), []
            for observation, answer in recording.seen:
                delta, told = encode(observation, told)
                turns.append((delta, written(answer)))
                deltas.append(count([("", delta)], bare=True))
            sizes.append(count(turns, bare=False))
    prefix = count([], bare=False)
    return {
        "median": statistics.median(sizes),
        "max": max(sizes),
        "prompt": prefix,
        "per_observation": statistics.median(deltas),
        "episodes": len(sizes),
        "counted_by": counted_by,
    }


def written(answer: ObserverAnswer) -> str:
    """An answer as a model writes it."""
    if isinstance(answer, Look):
        return look_answer(
            answer.call.name, **{k: str(v) for k, v in answer.call.arguments.items()}
        )
    if isinstance(answer, Propose):
        return proposal_answer(list(answer.refs), list(answer.plan), answer.text)
    return answer.type


def counter() -> tuple[Callable[..., int], str]:
    """Counts the tokens of turns, with the prompt before them unless ``bare``; and by what."""
    try:
        from heron.models.dialogue_tokens import DialogueTokens
        from heron.models.llama_lib import LlamaModel
        from heron.models.store import resolve

        tokens = DialogueTokens(LlamaModel(resolve(COUNTED_BY), vocabulary_only=True))
    except (HeronError, ImportError) as problem:
        reason = f"estimate, {CHARACTERS_PER_TOKEN} characters a token ({problem})"
        return _estimate, reason

    def count(turns: Sequence[tuple[str, str]], *, bare: bool) -> int:
        dialogue = tokens.dialogue()
        if bare:
            return sum(len(tokens.content(part)) for turn in turns for part in turn if part)
        words = prompt()
        size = len(tokens.encode(dialogue.begin(words.system, words.examples), at_start=True))
        for said, answer in turns:
            parts = [*dialogue.user(said), *dialogue.answer(answer), *dialogue.close()]
            size += len(tokens.encode(parts))
        return size

    return count, COUNTED_BY


def _estimate(turns: Sequence[tuple[str, str]], *, bare: bool) -> int:
    words = prompt()
    texts = [part for turn in turns for part in turn]
    if not bare:
        texts += [words.system, *(part for turn in words.examples for part in turn)]
    return round(sum(map(len, texts)) / CHARACTERS_PER_TOKEN)


if __name__ == "__main__":
    name, watcher, count, *rest = sys.argv[1:]
    print(json.dumps(context_size(name, watcher, int(count), rest[0] if rest else None)))
