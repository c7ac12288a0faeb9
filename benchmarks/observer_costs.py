"""Decisions for ``observer.py``: beside a cold prompt, a bare loop, and a start from the saved
prefix, all in turn within one run.

What it does not know: other ways to write an observer, other kernels, long streams, memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import llama_cpp.llama_cpp as c
from observer_rows import Row, Samples, Spent, both, ratio
from observer_stream import Waits, actions

from heron.models import prefix_key
from heron.models.decision import LlamaDecisionModel
from heron.models.llama_context import LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.prefixes import PrefixStore
from heron.observer.gguf import GgufObserver
from heron.observer.prompt import prompt

WINDOW: Final = 4096
TURN: Final = 10
"""The turn that is looked at: about 800 tokens of history."""
AROUND: Final = range(TURN - 2, TURN + 3)
"""Turns whose median stands for it."""
INSIDE: Final = (
    "llama_decode",
    "llama_tokenize",
    "llama_token_to_piece",
    "llama_get_logits_ith",
    "llama_batch_get_one",
    "llama_memory_seq_rm",
    "llama_memory_clear",
)
"""What a decision calls of llama.cpp."""

Counts = dict[str, object]
Also = Callable[[Samples, Counts], None]


def clocks() -> Spent:
    """CPU time of this process, and wall time."""
    return Spent(time.process_time(), time.perf_counter())


class Inside:
    """Adds up the time that passes inside llama.cpp while ``timing``."""

    def __init__(self) -> None:
        self.spent = Spent(0.0, 0.0)

    def take(self) -> Spent:
        """Seconds so far, and begin at zero."""
        taken, self.spent = self.spent, Spent(0.0, 0.0)
        return taken

    @contextmanager
    def timing(self) -> Iterator[None]:
        """Have every call of the library timed until the end of the block."""
        originals = {name: getattr(c, name) for name in INSIDE}
        for name, original in originals.items():
            setattr(c, name, self._timed(original))
        try:
            yield
        finally:
            for name, original in originals.items():
                setattr(c, name, original)

    def _timed(self, original: Any) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            begun = clocks()
            try:
                return original(*arguments)
            finally:
                took = clocks() - begun
                self.spent = Spent(self.spent.cpu + took.cpu, self.spent.wall + took.wall)

        return call


class Costs:
    """One model.

    Args:
        model: the file.
        folder: for the saved prefix.
        also: what else is measured in each round, into the same samples.
    """

    def __init__(self, model: LlamaModel, folder: Path, also: Also | None = None) -> None:
        self.samples = Samples()
        self.counts: Counts = {}
        self._context = LlamaContext(model, window=WINDOW)
        self._bare = LlamaContext(model, window=WINDOW)
        self._model = model
        decisions = LlamaDecisionModel(model, self._context)
        self.info = decisions.info
        self._observer = GgufObserver(decisions, decider=Waits())
        self._store = PrefixStore(folder)
        self._inside = Inside()
        self._also = also

    def play(self) -> None:
        """One round."""
        whole = self._episode()
        self._bare.clear()
        self._cold(whole)
        self._start()
        if self._also is not None:
            self._also(self.samples, self.counts)

    def close(self) -> None:
        """Free the memory."""
        self._context.close()
        self._bare.close()

    def _episode(self) -> list[int]:
        """Twelve decisions, each beside a bare loop over the same tokens; the tokens of turn 10."""
        whole: list[int] = []
        for turn, observation in enumerate(islice(actions(), AROUND.stop - 1), 1):
            before = self._context.evaluated
            with self._inside.timing():
                begun = clocks()
                self._observer.observe(observation)
                spent = clocks() - begun
            inside = self._inside.take()
            new = self._context.evaluated - before
            tokens = list(self._context.tokens)
            if turn == TURN:
                whole = tokens
                self.counts |= {"history": len(tokens) - new, "new": new, "prompt": len(tokens)}
            if turn == 1:
                # The bare loop's memory is brought to where the decision's is.
                self._bare.clear()
                self._bare.append(tokens)
                continue
            bare = self._loop(tokens[-new:])
            if turn in AROUND:
                self.samples.add("decision", spent, new)
                self.samples.add("inside", inside)
                self.samples.add("bare", bare, new)
            self.samples.add("turn 2" if turn == 2 else "all", spent, new)
        return whole

    def _loop(self, part: list[int]) -> Spent:
        """What it takes at least: one call, on tokens that lie ready in memory as C has them."""
        array = (c.llama_token * len(part))(*part)
        batch = c.llama_batch_get_one(array, len(part))
        begun = clocks()
        result = c.llama_decode(self._bare.pointer, batch)
        c.llama_get_logits_ith(self._bare.pointer, -1)
        spent = clocks() - begun
        if result != 0:
            raise SystemExit(f"the bare loop failed: llama_decode returned {result}")
        return spent

    def _cold(self, whole: list[int]) -> None:
        begun = clocks()
        self._bare.append(whole)
        self._bare.logits()
        self.samples.add("cold", clocks() - begun, len(whole))

    def _start(self) -> None:
        """The prefix, evaluated and from disk, as a process begins: no hash is known yet."""
        for name, store in (("evaluated", None), ("saved", self._store)):
            if store is not None and not store.saved():
                self._begin(store)
            prefix_key._build_digest.cache_clear()
            begun = clocks()
            loaded = self._begin(store)
            self.samples.add(name, clocks() - begun)
            if store is not None and not loaded:
                raise SystemExit("the saved prefix was not loaded")

    def _begin(self, store: PrefixStore | None) -> int:
        decisions = LlamaDecisionModel(self._model, self._bare, prefixes=store)
        decisions.begin(prompt().system, prompt().examples)
        return decisions.loaded


def rows(costs: Costs) -> list[Row]:
    """The figures after some rounds."""
    found, counts = costs.samples, costs.counts
    decision, cold = both(found, "decision"), both(found, "cold")
    shown = {
        "history": counts["history"],
        "new": counts["new"],
        "decision ms": 1000 * decision["cpu"],
        "cold ms": 1000 * cold["cpu"],
    }
    inside = {
        clock: 1 - found.total("inside", clock) / found.total("decision", clock) for clock in cold
    }
    return [
        ratio(
            "new token at turn 10 / token of the cold prompt",
            both(found, "decision", per_token=True),
            both(found, "cold", per_token=True),
            at_most=2,
            parts=shown,
        ),
        ratio("cold prompt / decision", cold, decision, at_least=15),
        ratio("turn 10 / turn 2", decision, both(found, "turn 2"), at_most=1.5),
        Row(
            name="bare llama_decode loop / decision, same tokens",
            cpu=found.total("bare") / found.total("decision"),
            wall=found.total("bare", "wall") / found.total("decision", "wall"),
            at_least=0.97,
            parts={"pairs": len(found.spent["bare"])},
        ),
        Row(
            name="share of a decision outside llama.cpp",
            cpu=100 * inside["cpu"],
            wall=100 * inside["wall"],
            at_most=5,
            unit="%",
        ),
        ratio(
            "start from the saved prefix / evaluating it",
            both(found, "saved"),
            both(found, "evaluated"),
            at_most=0.1,
            parts={
                "saved ms": 1000 * found.median("saved"),
                "evaluated ms": 1000 * found.median("evaluated"),
            },
        ),
    ]
