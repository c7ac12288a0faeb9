"""How a phone is used over a day: events and the user's actions per hour, as data.

Three are named and lie in ``data/usage``; anybody's own is a YAML file of the same form. What it
does not know: what an event or an action costs.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated, Final

import yaml
from pydantic import Field, ValidationError, model_validator

from heron.contracts import Record
from heron.errors import InputError, UnknownName
from heron.registry import nearest

DEFAULT: Final = "typical"

Rate = Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)]
Hours = Annotated[tuple[Rate, ...], Field(min_length=24, max_length=24)]


class Usage(Record):
    """A day's use of a phone."""

    name: str
    description: str = ""
    events: Hours
    """Notifications that come in each hour, from midnight on."""
    actions: Hours
    """What the user does in each hour: opens a mail, answers a message."""

    @model_validator(mode="after")
    def _something_happens(self) -> Usage:
        if not self.events_per_day + self.actions_per_day:
            raise ValueError("nothing happens all day")
        return self

    @property
    def events_per_day(self) -> float:
        """Their sum."""
        return sum(self.events)

    @property
    def actions_per_day(self) -> float:
        """Their sum."""
        return sum(self.actions)


def usage_names() -> list[str]:
    """The named ones, sorted."""
    folder = resources.files("heron.eval").joinpath("data", "usage")
    return sorted(Path(entry.name).stem for entry in folder.iterdir())


def load_usage(spec: str) -> Usage:
    """A named usage, or one of a YAML file (what ends in .yaml or .yml, or has a slash in it).

    Raises:
        UnknownName: there is none of that name.
        InputError: the file cannot be read, or is no usage.
    """
    if spec.endswith((".yaml", ".yml")) or "/" in spec:
        try:
            return _parsed(Path(spec).read_text(encoding="utf-8"), spec)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read {spec}: {getattr(error, 'strerror', error)}") from error
    if spec not in usage_names():
        raise UnknownName(
            f"unknown usage {spec!r}; {nearest(spec, usage_names())}, or a .yaml file"
        )
    file = resources.files("heron.eval").joinpath("data", "usage", f"{spec}.yaml")
    return _parsed(file.read_text(encoding="utf-8"), spec)


def _parsed(text: str, where: str) -> Usage:
    try:
        return Usage.model_validate(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise InputError(f"{where}: no YAML: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"])) or "file"
        raise InputError(
            f"{where}: {key}: {first['msg']} (events and actions are 24 numbers each, per hour)"
        ) from error
