"""What an appended observation costs, against the same prompt evaluated afresh.

    python benchmarks/append.py [--model NAME] [--window N] [--threads N] [--rounds N]
                                [--history N,N] [--json FILE]

For flash attention off and on, in one run: the CPU time of one decision (append an observation,
read three logits, close with one word) at turns 2 and 10 of an episode, for observations of equal
length behind a prompt of 700 to 900 tokens; the CPU time of evaluating the whole prompt of turn 10
from nothing; a decision behind longer histories; and tokens per second of writing, freely and
under a JSON schema. Figures are medians over the rounds, in which all settings take turns, so that
a busy moment meets all. Exit code 1 if, with the default setting, turn 10 costs more than 1.5
times turn 2, or the whole prompt less than 8 times the observation.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from heron.models.constraint import Grammars
from heron.models.decision import LlamaDecisionModel
from heron.models.generation import write_json, write_text
from heron.models.llama_context import FlashAttention, LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.store import resolve
from heron.protocols import Schema

MOST_BETWEEN_TURNS, LEAST_TO_COLD = 1.5, 8.0
DEFAULT: Final[FlashAttention] = "off"
SETTINGS: Final[tuple[FlashAttention, ...]] = ("off", "on")
OPTIONS = ("wait", "look", "propose")
TURNS = 10
SYSTEM = (
    "You watch what happens on a phone and decide when to offer help. Answer every message with "
    "wait, look or propose. Wait if nothing is to be done, if the user is at it already, or if an "
    "offer would only disturb. Look if a record that you have not seen decides the matter. Propose "
    "one concrete thing that the user would be glad to have done, with the person and the time."
)
EXAMPLES = (
    ("09:10 mail e2 of Maria Lopez, 'Review on Thursday': can we start at 15:00?", "look"),
    ("09:11 shown: event v4 'Design review' 2026-03-12 14:00-15:00, with Maria Lopez",
     'propose {"refs":["v4","e2"],"text":"Move the design review with Maria to 15:00?"}'),
    ("10:02 user opens notes; opens 'Packing list'; adds 'charger'", "wait"),
    ("11:47 message m7 of Tom: running late, be there at half past", "wait"),
    ("12:20 reminder r1 'Call the plumber' is due; user is driving", "wait"),
    ("13:05 order o9 'Desk lamp' is cancelled by the shop; a discount of 10 % ends today", "look"),
)  # fmt: skip
PROPOSAL: Schema = {
    "type": "object",
    "properties": {
        "refs": {"type": "array", "items": {"enum": ["e2", "v4", "m7", "o9"]}, "maxItems": 3},
        "text": {"type": "string", "minLength": 40, "maxLength": 160},
    },
    "required": ["refs", "text"],
}


def observation(turn: int) -> str:
    """About 25 tokens, equally long for every turn."""
    return f"14:{10 + turn % 80:02d} user opens calendar; opens event v{turn % 10} with Tom; back"


@dataclass
class Bench:
    """One model under one setting; samples in seconds of CPU time, by name."""

    model: LlamaModel
    setting: FlashAttention
    window: int
    threads: int
    samples: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    prompt: int = 0
    delta: int = 0
    whole: int = 0

    def __post_init__(self) -> None:
        self.context = LlamaContext(
            self.model, window=self.window, threads=self.threads, flash_attention=self.setting
        )
        self.decisions = LlamaDecisionModel(self.model, self.context)
        self.grammars = Grammars(self.model)
        self.examples = list(EXAMPLES)
        self._begin()
        while self.prompt < 700:
            self.examples += EXAMPLES[: 1 + (700 - self.prompt) // 60]
            self._begin()

    def play(self, longer: list[int]) -> None:
        """One round: an episode, the cold prompt, longer histories, writing."""
        self._begin()
        for turn in range(1, TURNS + 1):
            self.samples[f"turn {turn}"].append(self._decide(turn))
        tokens = list(self.context.tokens)
        self.whole = len(tokens)
        self.context.clear()
        self.samples["whole prompt"].append(self._cpu(tokens))
        self._write(tokens)
        for length in longer:
            self._begin()
            filler = self.model.tokenize(observation(1) + "\n", markup=False)
            while len(self.context.tokens) < length - len(filler):
                self.decisions.extend((observation(1) + "\n") * 20)
                self.decisions.choose("wait")
            self._decide(1)
            self.samples[f"history {length}"].append(self._decide(2))

    def _begin(self) -> None:
        self.decisions.begin(SYSTEM, self.examples)
        self.prompt = len(self.context.tokens)

    def _decide(self, turn: int) -> float:
        self.decisions.take_cost()
        self.decisions.extend(observation(turn))
        self.decisions.option_logprobs(OPTIONS)
        self.decisions.choose("wait")
        cost = self.decisions.take_cost()
        self.delta = cost.evaluated or 0
        return cost.cpu_s or 0.0

    def _cpu(self, tokens: list[int]) -> float:
        start = time.process_time()
        self.context.append(tokens)
        self.context.logits()
        return time.process_time() - start

    def _write(self, tokens: list[int]) -> None:
        """Tokens per second of writing behind the prompt of turn 10, freely and held."""
        constraint = self.grammars.constraint(PROPOSAL)
        for name in ("written freely", "written held"):
            self.context.rewind(len(tokens) - 1)
            self.context.append(tokens[-1:])
            start = time.process_time()
            if name == "written held":
                written = write_json(self.context, constraint, unread=(), max_tokens=200)
            else:
                written = write_text(self.context, unread=(), max_tokens=40)
            spent = time.process_time() - start
            if written.tokens:
                self.samples[name].append(spent / len(written.tokens))

    def medians(self) -> dict[str, float]:
        """Milliseconds of CPU time."""
        return {
            name: 1000 * statistics.median(values)
            for name, values in self.samples.items()
            if values
        }


def report(bench: Bench) -> dict[str, object]:
    """The figures of one setting."""
    ms = bench.medians()
    return {
        "flash_attention": bench.setting,
        "prompt_tokens": bench.prompt,
        "observation_tokens": bench.delta,
        "whole_tokens": bench.whole,
        "ms": {name: round(value, 2) for name, value in ms.items()},
        "turn_10_over_turn_2": round(ms[f"turn {TURNS}"] / ms["turn 2"], 3),
        "whole_over_observation": round(ms["whole prompt"] / ms[f"turn {TURNS}"], 2),
        "kv_bytes": bench.context.buffers.get("KV"),
        "compute_bytes": bench.context.buffers.get("compute"),
    }


def show(found: dict[str, object], ms: dict[str, float]) -> None:
    """The figures of one setting, for people."""
    print(f"flash attention {found['flash_attention']}: prompt {found['prompt_tokens']} tokens, "
          f"observation {found['observation_tokens']}, whole {found['whole_tokens']}")  # fmt: skip
    for name in ("turn 2", f"turn {TURNS}", "whole prompt"):
        print(f"  {name:16} {ms[name]:9.1f} ms CPU")
    for name in (name for name in ms if name.startswith("history")):
        print(f"  {name:16} {ms[name]:9.1f} ms CPU")
    for name in (name for name in ms if name.startswith("written")):
        print(f"  {name:16} {ms[name]:9.1f} ms CPU per token, {1000 / ms[name]:.1f} tokens/s")
    print(f"  turn {TURNS} / turn 2  {found['turn_10_over_turn_2']} (at most {MOST_BETWEEN_TURNS})")
    print(f"  whole / appended {found['whole_over_observation']} (at least {LEAST_TO_COLD})")


def main(arguments: list[str]) -> int:
    """Measure, print, and compare with the limits."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", default="smollm2-135m-instruct-q4_1")
    parser.add_argument("--window", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--history", default="", help="lengths, with commas between")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args(arguments)
    longer = [int(length) for length in given.history.split(",") if length]
    model = LlamaModel(resolve(given.model))
    benches = [Bench(model, setting, given.window, given.threads) for setting in SETTINGS]
    for _ in range(given.rounds):
        for bench in benches:
            bench.play(longer)
    print(f"{given.model}, window {given.window}, {given.threads} thread(s), "
          f"medians of {given.rounds} rounds")  # fmt: skip
    found = []
    for bench in benches:
        found.append(report(bench))
        show(found[-1], bench.medians())
    info = benches[0].decisions.info.model_dump(mode="json")
    if given.json:
        given.json.write_text(json.dumps({"model": info, "settings": found}, indent=1) + "\n")
    default = found[SETTINGS.index(DEFAULT)]
    steady = float(str(default["turn_10_over_turn_2"])) <= MOST_BETWEEN_TURNS
    cheap = float(str(default["whole_over_observation"])) >= LEAST_TO_COLD
    return int(not (steady and cheap))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
