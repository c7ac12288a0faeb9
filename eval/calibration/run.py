"""From scenarios and a model to a calibration file or its assessment.

What it does not know: the terminal.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from threadpoolctl import threadpool_limits

from heron.contracts import Record
from heron.errors import InputError
from heron.eval.calibration.assess import Assessment, assess
from heron.eval.calibration.fit import fit_gate, fit_probe, sources, table
from heron.eval.calibration.scores import Scorer, Scores
from heron.eval.calibration.streams import Stream
from heron.models import store
from heron.models.decision import LlamaDecisionModel, load_decision_model
from heron.models.prefixes import default_store
from heron.observer.calibration import (
    Calibration,
    CalibrationKey,
    Costs,
    find_calibration,
    key_of,
    read_calibration,
)
from heron.observer.settings import settings_for

Tell = Callable[[Stream], None]


class Loading(Record):
    """How a model is loaded."""

    model: str
    """Name of the catalogue, or a path."""
    threads: int = 1
    window: int = 4096


@dataclass(frozen=True)
class Reading:
    """How streams are read."""

    loading: Loading
    hidden: bool = True
    resume: bool = True
    """Take scores that are on disk."""
    tell: Tell = field(default=lambda _stream: None)
    """Told of each stream that was read."""


def read_streams(
    reading: Reading, streams: Sequence[Stream]
) -> tuple[CalibrationKey, list[Scores], int]:
    """The key of the model, its scores, and how many streams it had to read for them.

    Raises:
        InputError: the model is not here.
        ModelFault: it failed.
    """
    model = _load(reading)
    try:
        key = key_of(model.info.model_dump(mode="json"))
        scorer = Scorer(
            model,
            key=key_name(key),
            folder=scores_folder(),
            hidden=reading.hidden,
            resume=reading.resume,
        )
        return key, scorer.scores(streams, reading.tell), scorer.evaluated
    finally:
        model.close()


def calibrate(
    reading: Reading, streams: Sequence[Stream], costs: Costs, command: str
) -> Calibration:
    """A calibration, with a probe if hidden states are read.

    Raises:
        InputError: the streams are not for fitting, or too few.
    """
    key, scores, _ = read_streams(reading, streams)
    name = Path(reading.loading.model).name.removesuffix(".gguf")
    contrast = settings_for(name).contrast
    rows = table(scores, contrast=contrast)
    origin = sources(scores, rows)
    # Linear algebra takes all cores unless told otherwise, and waits for each of them.
    with threadpool_limits(reading.loading.threads):
        return Calibration(
            name=name,
            key=key,
            contrast=contrast,
            costs=costs,
            gate=fit_gate(rows, costs),
            probe=fit_probe(rows, costs) if reading.hidden else None,
            sources=origin,
            command=command,
        )


def assess_model(
    reading: Reading, streams: Sequence[Stream], calibration: Calibration, where: str
) -> Assessment:
    """What a calibration is worth on streams.

    Raises:
        InputError: it does not fit the model, or the streams are not for assessing.
    """
    key, scores, _ = read_streams(reading, streams)
    calibration.check(key, where)
    return assess(scores, calibration, settings_for(calibration.name).thresholds)


def calibration_file(model: str) -> Path:
    """The file that the observer would take for a model.

    Raises:
        InputError: there is none.
    """
    return find_calibration(model, store.resolve(model).parent)


def default_out(model: str) -> Path:
    """Where a model's calibration is written: beside it."""
    from heron.observer.calibration import SUFFIX

    file = store.resolve(model)
    return file.with_name(f"{file.name.removesuffix('.gguf')}{SUFFIX}")


def write_calibration(calibration: Calibration, file: Path) -> None:
    """Write the file, all of it or nothing.

    Raises:
        InputError: it cannot be written.
    """
    fresh = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        fresh.write_text(calibration.model_dump_json(indent=1) + "\n", encoding="utf-8")
        fresh.replace(file)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise InputError(f"{file}: {error.strerror}") from error


def load_calibration(model: str, file: Path | None) -> tuple[Calibration, Path]:
    """A calibration and where it lies."""
    found = file or calibration_file(model)
    return read_calibration(found), found


def scores_folder() -> Path:
    """Where scores are kept: ``HERON_SCORES``, or ``heron/scores`` in the cache."""
    chosen = os.environ.get("HERON_SCORES")
    cached = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return (Path(chosen) if chosen else Path(cached) / "heron" / "scores").expanduser()


def key_name(key: CalibrationKey) -> str:
    """A name for files of scores."""
    return hashlib.sha256(key.model_dump_json().encode()).hexdigest()[:16]


def _load(reading: Reading) -> LlamaDecisionModel:
    loading = reading.loading
    store.sealed_sha256(store.resolve(loading.model))
    return load_decision_model(
        loading.model,
        threads=loading.threads,
        window=loading.window,
        prefixes=default_store(),
        hidden=reading.hidden,
    )
