"""Where figures come from: commands, versions, machine, model files, and how to read the method.

What it does not know: figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from heron.eval.reporting.figures import PART_DRAWS, QUANTILE_DRAWS, Figures
from heron.eval.reporting.marks import short
from heron.eval.reporting.material import Material
from heron.eval.reporting.pieces import Facts, Note, Piece
from heron.eval.resampling import DRAWS
from heron.eval.scoring.weights import WEIGHTS
from heron.eval.table import size

METHOD = (
    (
        f"Intervals hold 95 % of {DRAWS:,} seeded bootstrap resamples of scenarios "
        f"({QUANTILE_DRAWS} for quantiles of time, {PART_DRAWS} for parts of the suite), so that "
        "runs of one scenario are never taken for independent"
    ),
    "An episode in which a part broke counts as a failure and stays in every denominator",
    "Interruption cost weighs "
    + ", ".join(f"{name.replace('_', ' ')} {weight:g}" for name, weight in WEIGHTS.items()),
)


def origin(material: Material, figures: Sequence[Figures]) -> tuple[Piece, ...]:
    """Facts about every run."""
    sessions = [one for run in material.provenance for one in run]
    told: list[tuple[str, Iterable[str]]] = [
        ("runs", map(str, material.runs)),
        ("commands", (_command(one) for one in sessions)),
        ("configurations", (f"{one.mark.key}: {_config(one)}" for one in figures)),
        ("Heron", (str(one.get("heron") or one.get("version") or "") for one in sessions)),
        ("git", (_git(one.get("git")) for one in sessions)),
        ("code of the episodes", (f"{code or 'not noted'}: {n:,}" for code, n in _codes(material))),
        ("machine", (_machine(one) for one in sessions)),
        ("Python", (str(one.get("python") or "") for one in sessions)),
        ("libraries", (_words(one.get("libraries") or {}) for one in sessions)),
        ("model files", _models(material, sessions)),
        ("method", METHOD),
    ]
    pairs = [(name, _unique(values)) for name, values in told]
    untold = [
        str(run) for run, own in zip(material.runs, material.provenance, strict=True) if not own
    ]
    notes: list[Piece] = []
    if untold:
        notes = [Note(lines=(f"These runs do not say where they come from: {', '.join(untold)}.",))]
    return (*notes, Facts(pairs=tuple((name, values) for name, values in pairs if values)))


def _codes(material: Material) -> list[tuple[str, int]]:
    return sorted(material.codes.items())


def _command(one: Mapping[str, Any]) -> str:
    started = one.get("started")
    return f"{one.get('command') or ''}" + (f" (begun {started})" if started else "")


def _git(state: object) -> str:
    if not isinstance(state, Mapping):
        return ""
    if not state.get("commit"):
        return str(state.get("reason") or "")
    return str(state["commit"]) + (", with changes on top" if state.get("dirty") else "")


def _machine(one: Mapping[str, Any]) -> str:
    device = one.get("device")
    if not isinstance(device, Mapping):
        return str(one.get("machine") or "")
    memory = device.get("memory")
    told = [
        str(device.get("processor") or ""),
        f"{device.get('cores_usable')} of {device.get('cores')} cores",
        size(memory) + " memory" if isinstance(memory, int) else "",
        str(device.get("system") or ""),
    ]
    return ", ".join(part for part in told if part)


def _config(one: Figures) -> str:
    config = one.played.config
    told = config.model_dump(mode="json", exclude_defaults=True)
    return ", ".join(
        f"{name.replace('_', ' ')} {short(str(value))}" for name, value in told.items()
    )


def _models(material: Material, sessions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    known = set()
    for one in sessions:
        for role, file in (one.get("models") or {}).items():
            known.add(file.get("sha256"))
            yield f"{role}: {file.get('name')}, {size(file.get('bytes'))}, sha256 {file['sha256']}"
    for played in material.played:
        for role, digest in played.models.items():
            if digest not in known:
                yield f"{role} of {short(getattr(played.config, role, role))}: sha256 {digest}"


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
