"""The decision model on llama.cpp: append what is new, read three logits, word what is decided.

A constant prefix (system text and examples) is evaluated once, kept in memory and, with a store of
prefixes, on disk; an episode begins by going back to it. Each observation appends its tokens and no
others. When the window is about to overflow, old turns are dropped in one large block at a turn
border and the rest is evaluated again. A fault leaves the dialogue such that it can go on. What it
does not know: what is observed and decided.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heron.contracts import StepCost
from heron.errors import InputError, ModelFault
from heron.models.constraint import Grammars
from heron.models.dialogue_tokens import DialogueTokens
from heron.models.generation import write_json
from heron.models.llama_context import FlashAttention, LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.meter import Stopwatch
from heron.models.model_info import ModelInfo, info_of
from heron.models.prefixes import PrefixStore
from heron.models.reading import Reader
from heron.models.store import resolve
from heron.models.turns import Turn, Turns
from heron.protocols import Schema

ANSWER_ROOM = 256
"""Tokens kept free for an answer when an observation is appended."""
KEPT = 1 / 3
"""Share of the window beside the prefix that is still full after a trim. So each token is evaluated
half a time more, at most, over many trims."""


class LlamaDecisionModel:
    """A ``DecisionModel`` on a GGUF file.

    The same appends give the same logits, bit for bit, with any number of threads and whatever ran
    in the process before, and whether the prefix was evaluated or loaded.

    After a ``ModelFault`` the dialogue can go on. A message that did not fit or could not be
    evaluated is dropped. Where its answer failed, the turn is still open: it can be answered, or
    the next ``extend`` reads its message once more, together with the new one.

    Args:
        model: the file; it may be shared.
        context: a context of it that belongs to this object.
        kept: share of the window beside the prefix that is still full after a trim.
        prefixes: where evaluated prefixes are kept over processes; None: nowhere.
    """

    def __init__(
        self,
        model: LlamaModel,
        context: LlamaContext,
        *,
        kept: float = KEPT,
        prefixes: PrefixStore | None = None,
    ) -> None:
        self._model, self._context = model, context
        self._tokens = DialogueTokens(model)
        self._dialogue = self._tokens.dialogue()
        self._grammars = Grammars(model)
        self.info: ModelInfo = info_of(model, context, self._tokens.template, self._grammars)
        """What runs here."""
        self._turns = Turns(kept=kept)
        self._reader = Reader(context, self._turns, prefixes)
        self._said = self._lead = ""
        """The open turn's message, and the spaces that stood before it."""
        self._failed = 0
        """Answers that failed since the last that did not."""
        self._generated = 0
        self._watch = Stopwatch()
        self._evaluated_before = 0
        self.first_read: float | None = None
        """When the first logits since the last ``take_cost`` were read (``time.perf_counter``)."""

    @property
    def trims(self) -> int:
        """Times that old turns were dropped to make room."""
        return self._turns.trims

    @property
    def read_again(self) -> int:
        """Tokens of turns that were evaluated once more, since turns before them were dropped."""
        return self._turns.moved

    @property
    def loaded(self) -> int:
        """Times that the prefix came from disk."""
        return self._reader.loaded

    @property
    def width(self) -> int:
        """Numbers in a hidden state."""
        return self._model.width

    @property
    def recoveries(self) -> int:
        """Times that everything was evaluated anew after a fault; the logits of what follows may
        then differ in their last places, since other tokens were evaluated together.
        """
        return self._reader.recoveries

    # --- the protocol -------------------------------------------------------------------------

    def begin(self, system: str, examples: Sequence[tuple[str, str]] = ()) -> None:
        """Go back to the constant prefix; load or evaluate it if it is not there yet.

        Raises:
            InputError: the prefix leaves no room in the window.
            ModelFault: evaluation failed.
        """
        with self._watch.running():
            prefix = self._tokens.encode(self._dialogue.begin(system, examples), at_start=True)
            self._turns.begin(prefix)
            self._failed = 0
            if len(prefix) + ANSWER_ROOM >= self._context.window:
                raise InputError(
                    f"the prompt has {len(prefix)} tokens: the window of {self._context.window} "
                    f"is too small; give at least {len(prefix) + 2 * ANSWER_ROOM}"
                )
            self._reader.read_up()

    def extend(self, text: str, *, keep: bool = False) -> None:
        """Append a user's message and the header of the answer.

        Args:
            text: the message.
            keep: later turns may need this one; it outlives a trim if there is room.

        Raises:
            InputError: the last turn has no answer yet.
            ModelFault: the message does not fit the window, or evaluation failed.
        """
        with self._watch.running():
            if self._turns.open is not None:
                text = self._with_unanswered(text)
                keep |= self._turns.open.keep
                self._take_back()
            self._said, self._lead = text, self._dialogue.lead
            self._turns.open = Turn(self._tokens.encode(self._dialogue.user(text)), keep)
            try:
                self._turns.make_room(self._context.window, ANSWER_ROOM)
                self._reader.read_up()
            except ModelFault:
                self._take_back()
                raise

    def option_logprobs(self, options: Sequence[str]) -> tuple[float, ...]:
        """Natural-log probability of each option's first token, over the whole vocabulary.

        Raises:
            InputError: no turn is open, or two options begin with the same token.
            ModelFault: the logits are not numbers, not even when all is evaluated anew.
        """
        with self._watch.running():
            self._need_open()
            firsts = [self._answer_tokens(option)[0] for option in options]
            if len(set(firsts)) < len(firsts):
                raise InputError(f"options {list(options)} do not differ in their first token")
            try:
                logits = self._reader.logits().astype(np.float64)
            except ModelFault:
                self._failed += 1
                raise
            if self.first_read is None:
                self.first_read = time.perf_counter()
            top = logits.max()
            total = top + np.log(np.exp(logits - top).sum())
            return tuple(float(value) for value in logits[firsts] - total)

    def hidden(self) -> NDArray[np.float32]:
        """Hidden state of the position that ``option_logprobs`` reads: shape (width,), a copy.

        Raises:
            InputError: no turn is open, or the model was loaded without ``hidden``.
            ModelFault: nothing was evaluated since a fault.
        """
        self._need_open()
        return self._context.hidden()

    def choose(self, option: str) -> None:
        """Close the turn with ``option``; it is evaluated together with the next message.

        Raises:
            InputError: no turn is open.
        """
        with self._watch.running():
            self._need_open()
            self._close(self._answer_tokens(option))

    def generate(self, schema: Schema, *, opening: str = "", max_tokens: int = 160) -> str:
        """Close the turn with ``opening`` and a JSON text that the schema allows.

        Raises:
            InputError: no turn is open, or the schema cannot be held.
            ModelFault: no complete text within ``max_tokens``, or evaluation failed; the turn is
                then still open.
        """
        with self._watch.running():
            self._need_open()
            said = self._dialogue.lead + opening.lstrip()
            # The space before the JSON text is left to the grammar, which joins it to the brace as
            # the vocabulary would.
            words = self._tokens.content(said.rstrip(" ")) if said.strip() else ()
            constraint = self._grammars.constraint(schema, lead=said[len(said.rstrip(" ")) :])
            try:
                self._turns.make_room(self._context.window, len(words) + max_tokens + 8)
                self._reader.read_up()
                written = write_json(self._context, constraint, unread=words, max_tokens=max_tokens)
            except ModelFault:
                self._failed += 1
                self._reader.go_back()
                raise
            self._generated += len(written.tokens)
            self._close([*words, *written.tokens])
            return written.text.strip()

    def take_cost(self) -> StepCost:
        """What the calls since the last call of this method took."""
        wall, cpu = self._watch.take()
        context = self._context
        cost = StepCost(
            wall_s=wall,
            cpu_s=cpu,
            evaluated=context.evaluated - self._evaluated_before,
            reused=context.lowest,
            generated=self._generated,
        )
        self._evaluated_before, self._generated = context.evaluated, 0
        self.first_read = None
        context.lowest = len(context.tokens)
        return cost

    def close(self) -> None:
        """Free the context and the model."""
        self._context.close()
        self._model.close()

    # --- the sequence -------------------------------------------------------------------------

    def _need_open(self) -> None:
        if self._turns.open is None:
            raise InputError("no turn is open: extend first")

    def _answer_tokens(self, text: str) -> tuple[int, ...]:
        tokens = self._tokens.content(self._dialogue.lead + text.strip())
        if not text.strip():
            raise InputError("an answer must not be empty")
        return tokens

    def _close(self, answer: Sequence[int]) -> None:
        self._dialogue.lead, self._failed = "", 0
        self._turns.finish([*answer, *self._tokens.encode(self._dialogue.close())])

    def _with_unanswered(self, text: str) -> str:
        """``text`` behind the message of the open turn, if that could not be answered.

        Raises:
            InputError: it could be.
        """
        if not self._failed:
            raise InputError("the last turn is open: choose or generate its answer first")
        return f"{self._said}\n{text}" if self._failed == 1 else text

    def _take_back(self) -> None:
        """Do without the open turn."""
        self._turns.open, self._dialogue.lead = None, self._lead


def load_decision_model(
    spec: str,
    *,
    threads: int = 1,
    window: int = 4096,
    flash_attention: FlashAttention = "off",
    kept: float = KEPT,
    prefixes: PrefixStore | None = None,
    hidden: bool = False,
) -> LlamaDecisionModel:
    """Load a model of the catalogue or a GGUF file.

    Args:
        spec: name or path.
        threads: threads of evaluation; they change no result.
        window: tokens of context.
        flash_attention: ``off`` is the fastest on CPUs for appends; another setting gives other
            logits.
        kept: share of the window beside the prefix that is still full after a trim.
        prefixes: where evaluated prefixes are kept over processes; None: nowhere.
        hidden: keep the last position's hidden state, for ``hidden``; it changes no result.

    Raises:
        UnknownName: neither a name of the catalogue nor a file.
        InputError: the model is not here, or the window is too large for it.
        ModelFileError: the file cannot be used.
        ModelFault: there is not enough memory.
    """
    model = LlamaModel(resolve(spec))
    context = LlamaContext(
        model, window=window, threads=threads, flash_attention=flash_attention, hidden=hidden
    )
    return LlamaDecisionModel(model, context, kept=kept, prefixes=prefixes)
