"""What a model makes of recorded streams, kept on disk so that fitting needs no model.

The observer itself reads the streams, with something in the place of its decision that notes what
it is given and always waits: so prompt, line format and appends are the observer's own. One file
per stream, named by what is read and by what the scores depend on; what is there is not read again.
What it does not know: what scores are worth.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from heron.eval.calibration.streams import Stream
from heron.observer.decide import OPTIONS, Option, Reading
from heron.observer.gguf import GgufObserver
from heron.observer.settings import GgufSettings
from heron.protocols import DecisionModel

WAITS: Final = GgufSettings(contrast=True)
"""The decision is replaced, so that the thresholds mean nothing; the baseline is noted always."""

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Scores:
    """What a model made of one stream; the first axis of every array is its observations."""

    stream: Stream
    logprobs: Floats
    """(n, 3): of wait, look, propose."""
    baseline: Floats
    """(n, 3): the same where nothing happened, after as many waits."""
    has_note: Flags
    may_propose: Flags
    """A proposal was possible: only then is a decision to be made."""
    hidden: Floats
    """(n, width); width 0 where it was not read."""
    cpu_s: float
    """Taken by reading the whole stream."""


@dataclass
class Noting:
    """A ``Decider`` that notes and waits."""

    reads_hidden: bool = True
    readings: list[Reading] = field(default_factory=list)

    def decide(self, reading: Reading) -> Option:
        self.readings.append(reading)
        return "wait"


class Scorer:
    """Reads streams with one model.

    Args:
        model: its context belongs to this object from now on.
        key: names what the scores depend on besides the stream.
        folder: where scores are kept; ``None``: nowhere.
        resume: take what is there; else all is read anew.
        hidden: note hidden states; the model must give them.
    """

    def __init__(
        self,
        model: DecisionModel,
        *,
        key: str,
        folder: Path | None = None,
        hidden: bool = True,
        resume: bool = True,
    ) -> None:
        self._model, self._folder, self._key, self._resume = model, folder, key, resume
        self._noting = Noting(hidden)
        self._observer = GgufObserver(model, WAITS, decider=self._noting)
        self.evaluated = 0
        """Streams that a model had to read; the others were there."""

    def scores(
        self,
        streams: Iterable[Stream],
        tell: Callable[[Stream], None] = lambda _stream: None,
    ) -> list[Scores]:
        """Of all streams, in order.

        Args:
            streams: to be read.
            tell: told after each.

        Raises:
            InputError: the model gives no hidden states.
            ModelFault: it failed.
        """
        found = []
        for stream in streams:
            found.append(self._kept(stream) or self._read(stream))
            tell(stream)
        return found

    def _read(self, stream: Stream) -> Scores:
        self._noting.readings.clear()
        self._model.take_cost()
        for observation in stream.observations:
            self._observer.observe(observation)
        cost = self._model.take_cost()
        self.evaluated += 1
        scores = assembled(stream, self._noting.readings, cost.cpu_s or 0.0)
        self._keep(scores)
        return scores

    def _file(self, stream: Stream) -> Path | None:
        if self._folder is None:
            return None
        kind = "hidden" if self._noting.reads_hidden else "plain"
        return self._folder / f"{self._key}-{stream.seen}-{kind}.npz"

    def _kept(self, stream: Stream) -> Scores | None:
        """The scores on disk; a file that is damaged counts as none."""
        file = self._file(stream)
        if file is None or not self._resume or not file.is_file():
            return None
        try:
            with file.open("rb") as opened, np.load(opened) as kept:
                return Scores(
                    stream,
                    kept["logprobs"],
                    kept["baseline"],
                    kept["has_note"],
                    kept["may_propose"],
                    kept["hidden"],
                    float(kept["cpu_s"]),
                )
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

    def _keep(self, scores: Scores) -> None:
        file = self._file(scores.stream)
        if file is None:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f".{file.name}.{os.getpid()}.tmp")
        with fresh.open("wb") as opened:
            np.savez(
                opened,
                logprobs=scores.logprobs,
                baseline=scores.baseline,
                has_note=scores.has_note,
                may_propose=scores.may_propose,
                hidden=scores.hidden,
                cpu_s=np.float64(scores.cpu_s),
            )
        fresh.replace(file)


def assembled(stream: Stream, readings: Sequence[Reading], cpu_s: float) -> Scores:
    """A stream's readings as arrays."""
    nothing = (0.0,) * len(OPTIONS)
    empty = np.zeros(0, np.float32)
    return Scores(
        stream,
        np.array([reading.logprobs for reading in readings], np.float32),
        np.array([reading.baseline or nothing for reading in readings], np.float32),
        np.array([reading.has_note for reading in readings], np.bool_),
        np.array([reading.may_propose for reading in readings], np.bool_),
        np.array([empty if r.hidden is None else r.hidden for r in readings], np.float32),
        cpu_s,
    )
