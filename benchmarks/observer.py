"""What an observer's decision costs, as ratios within one run, each beside its target.

    python benchmarks/observer.py [--models NAME,NAME] [--rounds N] [--turns N] [--history N]
                                  [--quick] [--json FILE]

Per model, one thread: a decision at about 800 tokens of history against a cold prompt, a bare loop
of llama.cpp calls and ``Llama.create_chat_completion``; the share of it outside llama.cpp; a start
from the saved prefix; short appends with each kernel behind ``--history`` tokens; memory beyond
llama.cpp's own; a stream of ``--turns`` in a window of 2k (by default the smallest model alone).
What is compared takes turns, and medians over the rounds are taken, so that a busy moment meets
all. CPU time counts, wall time stands beside it. A table goes to the standard output, JSON to
``--json`` (``-``: behind the table). Models that are not here are told and left out. Exit code 1 if
a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import observer_costs
from observer_chats import Chats, chat_rows
from observer_costs import Costs
from observer_kernels import kernel_rows
from observer_memory import memory_row
from observer_rows import Row, missing, table
from observer_window import window_row

from heron.errors import HeronError
from heron.models.llama_lib import LlamaModel
from heron.models.store import resolve

MODELS = (
    "smollm2-135m-instruct-q4_1",
    "qwen2.5-coder-0.5b-instruct-q4_k_m",
    "qwen2.5-coder-1.5b-instruct-q4_k_m",
)
LONG, QUICK = 200, 60
"""Turns of the long stream. Sixty are the fewest in which a window of 2k overflows twice."""


def measure(spec: str, rounds: int, turns: int, *, history: int, quick: bool) -> dict[str, object]:
    """All figures of one model."""
    begun, before = time.process_time(), os.getloadavg()[0]
    path = resolve(spec)
    with tempfile.TemporaryDirectory() as folder:
        found = [_memory(spec, Path(folder))]
        model = LlamaModel(path)
        chats = None if quick else Chats(path)
        costs = Costs(model, Path(folder) / "here", chats.play if chats else None)
        for _ in range(rounds):
            costs.play()
        found = [*observer_costs.rows(costs), *found]
        info = costs.info.model_dump(mode="json")
        costs.close()
        if chats:
            found += chat_rows(costs.samples, costs.counts)
            chats.close()
        found += kernel_rows(spec, model, rounds, history=history, types=not quick)
        if turns:
            found.append(window_row(model, turns))
        model.close()
    return {
        "model": info,
        "rounds": rounds,
        "load": [round(before, 1), round(os.getloadavg()[0], 1)],
        "cpu_s": round(time.process_time() - begun, 1),
        "rows": found,
    }


def _memory(spec: str, folder: Path) -> Row:
    try:
        return memory_row(spec, folder)
    except HeronError as error:
        return missing("memory of the process beyond llama.cpp's buffers", str(error))


def main(arguments: list[str]) -> int:
    """Measure, print, and compare with the targets."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--models", default=",".join(MODELS), help="names, with commas between")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--turns", type=int, help="of the long stream; 0: none")
    parser.add_argument("--history", type=int, default=800, help="tokens, for the kernels")
    parser.add_argument("--quick", action="store_true", help="one round, no chats, no other types")
    parser.add_argument("--json", help="write the figures to this file; -: print them")
    given = parser.parse_args(arguments)
    rounds = 1 if given.quick else given.rounds
    written: list[dict[str, object]] = []
    missed = 0
    for spec in filter(None, given.models.split(",")):
        turns = given.turns
        if turns is None:
            turns = (QUICK if given.quick else LONG) if spec == MODELS[0] else 0
        try:
            found = measure(spec, rounds, turns, history=given.history, quick=given.quick)
        except HeronError as error:
            print(f"{spec}: left out: {error}", flush=True)
            continue
        rows = found["rows"]
        assert isinstance(rows, list)
        print(f"{spec}: one thread, {rounds} round(s), {found['cpu_s']} s of CPU, "
              f"load before and after {found['load']}\n{table(rows)}", flush=True)  # fmt: skip
        missed += sum(row.met is False for row in rows)
        written.append({**found, "rows": [row.record() for row in rows]})
    text = json.dumps({"models": written}, indent=1)
    if given.json == "-":
        print(text)
    elif given.json:
        Path(given.json).write_text(text + "\n", encoding="utf-8")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
