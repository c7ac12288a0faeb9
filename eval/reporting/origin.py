"""Where figures come from: commands, versions, machine, model files, and how to read the method.

What it does not know: figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from heron.eval.reporting.figures import Figures
from heron.eval.reporting.marks import short
from heron.eval.reporting.material import Material
from heron.eval.reporting.pieces import Facts, Note, Piece
from heron.eval.resampling import DRAWS
from heron.eval.scoring.weights import WEIGHTS

METHOD = (
    f"Intervals hold 95 % of {DRAWS:,} seeded bootstrap resamples of scenarios (200 for quantiles "
    "of time, 400 for parts of the suite), so runs of one scenario are never taken for independent",
    "An episode in which a part broke counts as a failure and stays in every denominator",
    "Interruption cost weighs "
    + ", ".join(f"{name.replace('_', ' ')} {weight:g}" for name, weight in WEIGHTS.items()),
)
LABELS = (
    ("version", "Heron"),
    ("heron", "Heron"),
    ("code", "code"),
    ("git", "git"),
    ("commit", "git"),
    ("python", "Python"),
    ("machine", "machine"),
    ("device", "machine"),
    ("libraries", "libraries"),
    ("threads", "threads"),
    ("window", "window, tokens"),
)


def origin(material: Material, figures: Sequence[Figures]) -> tuple[Piece, ...]:
    """Facts about every run."""
    pairs: list[tuple[str, tuple[str, ...]]] = [("runs", tuple(map(str, material.runs)))]
    commands = _unique(line for one in material.provenance for line in _commands(one))
    if commands:
        pairs.append(("commands", commands))
    for key, label in LABELS:
        values = _unique(_words(one[key]) for one in material.provenance if one.get(key))
        if values:
            pairs.append((label, values))
    models = _unique(_models(material))
    if models:
        pairs.append(("model files", models))
    codes = tuple(
        f"{code or 'not noted'}: {count:,} episodes"
        for code, count in sorted(material.codes.items())
    )
    pairs.append(("code of the episodes", codes))
    pairs.append(
        (
            "configurations",
            tuple(f"{one.mark.key}: {_config(one)}" for one in figures),
        )
    )
    pairs.append(("method", METHOD))
    untold = [
        str(run) for run, one in zip(material.runs, material.provenance, strict=True) if not one
    ]
    notes: list[Piece] = (
        [Note(lines=(f"These runs do not say where they come from: {', '.join(untold)}",))]
        if untold
        else []
    )
    return (*notes, Facts(pairs=tuple(pairs)))


def _config(one: Figures) -> str:
    config = one.played.config
    told = config.model_dump(mode="json", exclude_defaults=True)
    return ", ".join(
        f"{name.replace('_', ' ')} {short(str(value))}" for name, value in told.items()
    )


def _commands(one: Mapping[str, Any]) -> Iterator[str]:
    if one.get("command"):
        yield str(one["command"])
    for entry in one.get("commands") or ():
        if isinstance(entry, Mapping):
            started = entry.get("started")
            line = str(entry.get("line") or entry.get("command") or "")
            yield f"{line} ({started})" if started else line
        else:
            yield str(entry)


def _models(material: Material) -> Iterator[str]:
    for one in material.provenance:
        for entry in one.get("models") or ():
            yield _words(entry)
    for played in material.played:
        for role, digest in played.models.items():
            yield f"{role} of {short(getattr(played.config, role, ''))}: sha256 {digest}"


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(
            f"{str(key).replace('_', ' ')} {_words(one)}"
            for key, one in value.items()
            if one not in (None, "", {}, [])
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(_words(one) for one in value)
    return str(value)


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
