"""200 turns in a window of 2k for ``observer.py``: what trims cost, spread over all turns.

What it does not know: which turns a trim keeps.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from observer_costs import clocks
from observer_rows import Row, Spent, per_new_token, ratio
from observer_stream import Waits, mixed

from heron.models.decision import LlamaDecisionModel
from heron.models.llama_context import LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.observer.gguf import GgufObserver

WINDOW: Final = 2048
FIRST: Final = 10


def window_row(model: LlamaModel, turns: int) -> Row:
    """Cost per new token over all turns against that of the first ten."""
    context = LlamaContext(model, window=WINDOW)
    decisions = LlamaDecisionModel(model, context)
    observer = GgufObserver(decisions, decider=Waits())
    spent: list[Spent] = []
    new: list[int | None] = []
    for turn, observation in enumerate(islice(mixed(), turns + 1)):
        before, trims = context.evaluated, decisions.trims
        begun = clocks()
        observer.observe(observation)
        took = clocks() - begun
        if turn:  # the first one also evaluates the prompt
            spent.append(took)
            new.append(context.evaluated - before if decisions.trims == trims else None)
    trims = decisions.trims
    context.close()
    return ratio(
        f"new token over {turns} turns / over the first {FIRST}, window {WINDOW}",
        per_new_token(spent, new),
        per_new_token(spent[:FIRST], new[:FIRST]),
        at_most=2,
        parts={"trims": trims, "tokens a turn": sum(filter(None, new)) / (turns - trims)},
    )
