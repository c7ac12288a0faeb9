"""The decision model on llama.cpp: append what is new, read three logits, word what is decided.

A constant prefix (system text and examples) is evaluated once per process and kept; an episode
begins by going back to it. Each observation appends its tokens and no others. When the window is
about to overflow, the oldest turns are dropped in one large block at a turn border and the rest is
evaluated again. What it does not know: what is observed and decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from heron.contracts import StepCost
from heron.errors import InputError, ModelFault
from heron.models.constraint import Grammars
from heron.models.dialogue_tokens import DialogueTokens, common_length
from heron.models.generation import write_json
from heron.models.llama_context import FlashAttention, LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.meter import Stopwatch
from heron.models.model_info import ModelInfo, info_of
from heron.models.store import resolve
from heron.protocols import Schema

ANSWER_ROOM = 256
"""Tokens kept free for an answer when an observation is appended."""


class LlamaDecisionModel:
    """A ``DecisionModel`` on a GGUF file.

    The same appends give the same logits, bit for bit, with any number of threads and whatever ran
    in the process before.

    Args:
        model: the file; it may be shared.
        context: a context of it that belongs to this object.
        kept: share of the window beside the prefix that is still full after a trim.
    """

    def __init__(self, model: LlamaModel, context: LlamaContext, *, kept: float = 0.5) -> None:
        self._model, self._context, self._kept = model, context, kept
        self._tokens = DialogueTokens(model)
        self._dialogue = self._tokens.dialogue()
        self._grammars = Grammars(model)
        self.info: ModelInfo = info_of(model, context, self._tokens.template)
        """What runs here."""
        self.trims = 0
        """Times that old turns were dropped to make room."""
        self._prefix: list[int] = []
        self._turns: list[list[int]] = []
        """Tokens of the turns that are finished, oldest first."""
        self._open: list[int] | None = None
        """Tokens of the turn that waits for its answer."""
        self._generated = 0
        self._watch = Stopwatch()
        self._evaluated_before = 0

    # --- the protocol -------------------------------------------------------------------------

    def begin(self, system: str, examples: Sequence[tuple[str, str]] = ()) -> None:
        """Go back to the constant prefix; evaluate it if it is not there yet.

        Raises:
            InputError: the prefix leaves no room in the window.
            ModelFault: evaluation failed.
        """
        with self._watch.running():
            self._turns, self._open = [], None
            self._prefix = self._tokens.encode(
                self._dialogue.begin(system, examples), at_start=True
            )
            if len(self._prefix) + ANSWER_ROOM >= self._context.window:
                raise InputError(
                    f"the prompt has {len(self._prefix)} tokens: the window of "
                    f"{self._context.window} is too small; give at least "
                    f"{len(self._prefix) + 2 * ANSWER_ROOM}"
                )
            self._read_up()

    def extend(self, text: str) -> None:
        """Append a user's message and the header of the answer.

        Raises:
            InputError: the last turn has no answer yet.
            ModelFault: the message does not fit the window, or evaluation failed.
        """
        with self._watch.running():
            if self._open is not None:
                raise InputError("the last turn is open: choose or generate its answer first")
            lead = self._dialogue.lead
            self._open = self._tokens.encode(self._dialogue.user(text))
            try:
                self._make_room(ANSWER_ROOM)
                self._read_up()
            except ModelFault:
                self._open, self._dialogue.lead = None, lead
                raise

    def option_logprobs(self, options: Sequence[str]) -> tuple[float, ...]:
        """Natural-log probability of each option's first token, over the whole vocabulary.

        Raises:
            InputError: no turn is open, or two options begin with the same token.
            ModelFault: the logits are not numbers.
        """
        with self._watch.running():
            self._need_open()
            firsts = [self._answer_tokens(option)[0] for option in options]
            if len(set(firsts)) < len(firsts):
                raise InputError(f"options {list(options)} do not differ in their first token")
            logits = self._context.logits().astype(np.float64)
            top = logits.max()
            total = top + np.log(np.exp(logits - top).sum())
            return tuple(float(value) for value in logits[firsts] - total)

    def choose(self, option: str) -> None:
        """Close the turn with ``option``; it is evaluated together with the next message.

        Raises:
            InputError: no turn is open.
        """
        with self._watch.running():
            self._close(self._need_open(), self._answer_tokens(option))

    def generate(self, schema: Schema, *, opening: str = "", max_tokens: int = 160) -> str:
        """Close the turn with ``opening`` and a JSON text that the schema allows.

        Raises:
            InputError: no turn is open, or the schema cannot be held.
            ModelFault: no complete text within ``max_tokens``; the turn is then still open.
        """
        with self._watch.running():
            turn = self._need_open()
            said = self._dialogue.lead + opening.lstrip()
            # The space before the JSON text is left to the grammar, which joins it to the brace as
            # the vocabulary would.
            words = self._tokens.content(said.rstrip(" ")) if said.strip() else ()
            lead = said[len(said.rstrip(" ")) :]
            self._make_room(len(words) + max_tokens + 8)
            self._read_up()
            start = len(self._context.tokens)
            try:
                constraint = self._grammars.constraint(schema, lead=lead)
                written = write_json(self._context, constraint, unread=words, max_tokens=max_tokens)
            except ModelFault:
                self._back_to(start)
                raise
            self._generated += len(written.tokens)
            self._close(turn, [*words, *written.tokens])
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
        context.lowest = len(context.tokens)
        return cost

    def close(self) -> None:
        """Free the context and the model."""
        self._context.close()
        self._model.close()

    # --- the sequence -------------------------------------------------------------------------

    def _need_open(self) -> list[int]:
        if self._open is None:
            raise InputError("no turn is open: extend first")
        return self._open

    def _answer_tokens(self, text: str) -> tuple[int, ...]:
        tokens = self._tokens.content(self._dialogue.lead + text.strip())
        if not text.strip():
            raise InputError("an answer must not be empty")
        return tokens

    def _close(self, turn: list[int], answer: Sequence[int]) -> None:
        self._dialogue.lead = ""
        self._turns.append([*turn, *answer, *self._tokens.encode(self._dialogue.close())])
        self._open = None

    def _wanted(self) -> list[int]:
        """All tokens that the context should hold."""
        return list(chain(self._prefix, *self._turns, self._open or ()))

    def _read_up(self) -> None:
        """Evaluate what the context lacks."""
        wanted = self._wanted()
        common = common_length(self._context.tokens, wanted)
        if common < len(self._prefix):
            # Nothing of another prompt is kept, and the prefix is always a batch of its own: its
            # values are then the same in every episode and process.
            self._context.rewind(0)
            self._context.append(self._prefix)
            common = len(self._prefix)
        if common < len(wanted) or len(self._context.tokens) > len(wanted):
            # After a rewind the last token is evaluated once more, for its logits.
            common -= common == len(wanted) and self._open is not None
            self._context.rewind(common)
            self._context.append(wanted[common:])

    def _back_to(self, length: int) -> None:
        """Undo a failed answer, so that the turn can be answered again."""
        self._context.rewind(length - 1)
        self._context.append(self._wanted()[length - 1 :])

    def _make_room(self, more: int) -> None:
        """Drop the oldest turns if ``more`` tokens would not fit.

        Raises:
            ModelFault: the open turn alone is too long.
        """
        room = self._context.window - len(self._prefix) - more
        lengths = [len(turn) for turn in self._turns]
        opened = len(self._open or ())
        if sum(lengths) + opened <= room:
            return
        if opened > room:
            raise ModelFault(
                f"a message of {opened} tokens does not fit the window of {self._context.window} "
                f"beside a prompt of {len(self._prefix)}"
            )
        budget = max(0, int(room * self._kept) - opened)
        while self._turns and sum(lengths) > budget:
            self._turns.pop(0)
            lengths.pop(0)
        self.trims += 1


def load_decision_model(
    spec: str,
    *,
    threads: int = 1,
    window: int = 4096,
    flash_attention: FlashAttention = "off",
    kept: float = 0.5,
) -> LlamaDecisionModel:
    """Load a model of the catalogue or a GGUF file.

    Args:
        spec: name or path.
        threads: threads of evaluation; they change no result.
        window: tokens of context.
        flash_attention: ``off`` is the fastest on CPUs for appends; another setting gives other
            logits.
        kept: share of the window beside the prefix that is still full after a trim.

    Raises:
        UnknownName: neither a name of the catalogue nor a file.
        InputError: the model is not here, or the window is too large for it.
        ModelFileError: the file cannot be used.
        ModelFault: there is not enough memory.
    """
    model = LlamaModel(resolve(spec))
    context = LlamaContext(model, window=window, threads=threads, flash_attention=flash_attention)
    return LlamaDecisionModel(model, context, kept=kept)
