"""Reads a sweep's file, or a ready-made one by its name; tells mistakes with file, line and key.

The YAML is that of scenarios: strict, without anchors. What it does not know: what is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from heron.contracts import EpisodeConfig
from heron.errors import InputError, ScenarioError, UnknownName
from heron.eval.sweep.schema import AXES, NEEDED, USER, Block, Scenarios, Settings, Sweep
from heron.models.limits import Limits, ModelLimits, TokenPrice
from heron.registry import nearest
from heron.scenarios.document import Document, Path_, Problem, parse, read

SUFFIXES = (".yaml", ".yml")
RECORDS: dict[str, type[BaseModel]] = {
    "scenarios": Scenarios,
    "include": Block,
    "limits": Limits,
    "usd_per_million": TokenPrice,
    "models": ModelLimits,
}
"""Key → the record below it, for hints at what a wrong key may have meant."""
MOST = 10_000
"""Configurations that the axes of a sweep may make."""


@dataclass(frozen=True)
class SweepFile:
    """A sweep and its text."""

    sweep: Sweep
    text: str
    document: Document

    @property
    def kept(self) -> str:
        """The text with the sweep's name in it, as a folder keeps it."""
        if "name" in self.document.data or self.text.lstrip().startswith("{"):
            return self.text
        return f"{self.text.rstrip()}\nname: {self.sweep.name}\n"

    def error(self, path: Path_, text: str, remedy: str) -> ScenarioError:
        """What is wrong at a place of the file."""
        return self.document.error(Problem(path, text, remedy))


def ready_made() -> dict[str, Path]:
    """Name → file of the sweeps that Heron ships, sorted."""
    folder = resources.files("heron.eval").joinpath("sweep", "data")
    files = sorted(Path(str(entry)) for entry in folder.iterdir())
    return {file.stem: file for file in files if file.suffix in SUFFIXES}


def load_sweep(name: str) -> SweepFile:
    """The sweep in a file, or the ready-made one of this name.

    Args:
        name: what ends in .yaml or holds a slash is a file.

    Raises:
        UnknownName: there is no such ready-made one.
        ScenarioError: it is no sweep.
    """
    if name.endswith(SUFFIXES) or "/" in name:
        return sweep_in(read(Path(name)), Path(name).stem)
    known = ready_made()
    if name not in known:
        raise UnknownName(f"unknown sweep {name!r}; {nearest(name, known)}; or name a .yaml file")
    return sweep_in(read(known[name]), name)


def sweep_of(text: str, file: Path | str = "<memory>") -> SweepFile:
    """The sweep in a text.

    Raises:
        ScenarioError: it is none.
    """
    return sweep_in(parse(text, file), Path(file).stem)


def sweep_in(document: Document, name: str) -> SweepFile:
    """The sweep in a document.

    Raises:
        ScenarioError: it is none.
    """
    if not isinstance(document.data, dict):
        raise document.error(Problem((), "is no table of keys", "see docs/sweeps.md"))
    try:
        sweep = Sweep.model_validate(document.data)
    except ValidationError as error:
        raise document.error(_told(error)) from error
    found = next(_problems(sweep), None)
    if found is not None:
        raise document.error(found)
    if not sweep.name:
        sweep = sweep.model_copy(update={"name": name})
    return SweepFile(sweep, document.text, document)


def several(value: Any) -> list[Any]:
    """What stands for one value, or several, as a list."""
    return list(value) if isinstance(value, list | tuple) else [value]


def combinations(settings: Settings) -> Iterator[Settings]:
    """Every choice of one value for each key; the first key changes slowest."""
    names = list(settings)
    for values in product(*(several(settings[name]) for name in names)):
        yield dict(zip(names, values, strict=True))


def _told(error: ValidationError) -> Problem:
    first = error.errors(include_url=False, include_context=False)[0]
    path = tuple(step for step in first["loc"] if step != "__root__")
    if first["type"] == "extra_forbidden":
        record = RECORDS.get(_last_word(path[:-1]), Sweep)
        hint = nearest(str(path[-1]), record.model_fields)
        return Problem(path, "there is no such key", hint, at_key=True)
    if first["type"] == "missing":
        return Problem(path[:-1], f"{path[-1]!r} is missing", f"add {path[-1]}")
    message = first["msg"][:1].lower() + first["msg"][1:]
    return Problem(path, message, f"not {str(first['input'])[:40]!r}; see docs/sweeps.md")


def _last_word(path: tuple[int | str, ...]) -> str:
    words = [step for step in path if isinstance(step, str)]
    # Below ``models`` stand names of models.
    if "models" in words and words[-1] not in RECORDS:
        return "models"
    return words[-1] if words else ""


def _problems(sweep: Sweep) -> Iterator[Problem]:
    count = prod(len(several(given)) for given in sweep.axes.values())
    if count > MOST:
        yield Problem(("axes",), f"make {count:,} configurations", f"at most {MOST:,} can be")
    yield from _settings(sweep.base, ("base",), several_allowed=False)
    yield from _settings(sweep.axes, ("axes",))
    yield from _missing({**sweep.base, **sweep.axes}, ("axes",))
    for at, block in enumerate(sweep.include):
        yield from _settings(block.axes, ("include", at, "axes"))
        yield from _missing({**sweep.base, **block.axes}, ("include", at, "axes"))
    for at, settings in enumerate(sweep.exclude):
        yield from _settings(settings, ("exclude", at))
        if not settings:
            yield Problem(("exclude", at), "excludes everything", "name what is left out")


def _settings(
    settings: Settings, path: Path_, *, several_allowed: bool = True
) -> Iterator[Problem]:
    for name, given in settings.items():
        if name not in AXES:
            yield Problem((*path, name), "there is no such axis", nearest(name, AXES), at_key=True)
            return
        if isinstance(given, list | tuple) and not several_allowed:
            yield Problem((*path, name), "is one value", "put several under axes")
        if isinstance(given, list | tuple) and not given:
            yield Problem((*path, name), "holds no value", "name one or more, or remove the key")
        for at, value in enumerate(several(given)):
            problem = _value(name, value)
            if problem is not None:
                place = (*path, name, at) if isinstance(given, list | tuple) else (*path, name)
                yield Problem(place, problem, f"not {str(value)[:40]!r}")
        if len({str(value) for value in several(given)}) < len(several(given)):
            yield Problem((*path, name), "holds a value twice", "remove one of the two")


def _value(name: str, value: Any) -> str | None:
    """What is wrong with a value of an axis."""
    field = EpisodeConfig.model_fields[name]
    kind: TypeAdapter[Any] = TypeAdapter(
        cast("Any", field.rebuild_annotation()), config={"strict": isinstance(value, bool)}
    )
    try:
        kind.validate_python(value)
    except ValidationError as error:
        message = error.errors()[0]["msg"]
        return message[:1].lower() + message[1:]
    return None


def _missing(settings: Settings, path: Path_) -> Iterator[Problem]:
    for name in NEEDED:
        if name not in settings and name != "user":
            yield Problem(path, f"{name!r} is missing", "name one or more, or one under base")


def config_of(settings: Settings) -> EpisodeConfig:
    """The configuration that settings name.

    Raises:
        InputError: they do not fit together.
    """
    try:
        return EpisodeConfig.model_validate({"user": USER, **settings})
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
