"""Keeps a context in step with a dialogue: evaluates what is new, loads what is on disk, starts
anew after a fault.

What it does not know: what the tokens mean and how they are chosen.
"""

from __future__ import annotations

from heron.errors import ModelFault
from heron.models.dialogue_tokens import common_length
from heron.models.llama_context import LlamaContext, Logits
from heron.models.prefix_key import prefix_key
from heron.models.prefixes import PrefixStore
from heron.models.turns import Turns


class Reader:
    """Reads ``turns`` into ``context``.

    Args:
        context: belongs to this object.
        turns: what the context should hold.
        prefixes: where evaluated prefixes are kept over processes; None: nowhere.
    """

    def __init__(self, context: LlamaContext, turns: Turns, prefixes: PrefixStore | None) -> None:
        self._context, self._turns, self._prefixes = context, turns, prefixes
        self._prefix: list[int] = []
        """The prefix that the memory begins with."""
        self.loaded = 0
        """Times that the prefix came from disk."""
        self.recoveries = 0
        """Times that everything was evaluated anew after a fault."""

    def read_up(self) -> None:
        """Evaluate what the context lacks; if that fails, all of it, from nothing.

        Raises:
            ModelFault: that failed as well.
        """
        try:
            self._evaluate()
        except ModelFault:
            self._evaluate_anew()

    def logits(self) -> Logits:
        """Logits of the open turn; if they are no numbers, all is evaluated once more.

        Raises:
            ModelFault: evaluation failed, or the logits are still no numbers.
        """
        try:
            self._evaluate()
            return self._context.logits()
        except ModelFault:
            self._evaluate_anew()
            return self._context.logits()

    def go_back(self) -> None:
        """Undo a failed answer, so that the open turn can be answered again."""
        wanted = self._turns.tokens
        try:
            self._context.rewind(len(wanted) - 1)
            self._context.append(wanted[len(self._context.tokens) :])
        except ModelFault:
            self._context.clear()  # evaluated when it is wanted

    def _evaluate(self) -> None:
        wanted, prefix = self._turns.tokens, self._turns.prefix
        common = common_length(self._context.tokens, wanted)
        if common < len(prefix) or prefix != self._prefix:
            # Nothing of another prompt is kept, and the prefix is always evaluated by itself: its
            # values are then the same in every episode and process.
            self._context.clear()
            self._read_prefix(prefix)
            self._prefix = prefix
            common = len(prefix)
        if common < len(wanted) or len(self._context.tokens) > len(wanted):
            # After a rewind the last token is evaluated once more, for its logits.
            common -= common == len(wanted) and self._turns.open is not None
            self._context.rewind(common)
            self._context.append(wanted[common:])

    def _evaluate_anew(self) -> None:
        """What the memory holds cannot be trusted any more, nor what is on disk."""
        self.recoveries += 1
        self._context.clear()
        self._prefix = self._turns.prefix
        self._context.append(self._prefix)
        self._evaluate()

    def _read_prefix(self, prefix: list[int]) -> None:
        """Fill the empty context with the prefix, from disk if it is there."""
        if self._prefixes is None:
            self._context.append(prefix)
            return
        key = prefix_key(self._context, prefix)
        if self._prefixes.load(self._context, key, prefix):
            self.loaded += 1
            return
        self._context.append(prefix)
        try:
            self._context.logits()
        except ModelFault:
            return  # it is told when the logits are wanted; such a prefix is not kept
        self._prefixes.save(self._context, key)
