"""The content of a sweep's file. Its axes are the fields of ``EpisodeConfig``, whichever those are.

What it does not know: YAML, and what a matrix holds.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from heron.contracts import EpisodeConfig, Record
from heron.models.limits import Limits
from heron.scenarios.families import Division
from heron.scenarios.schema import Split

AXES = tuple(EpisodeConfig.model_fields)
"""What can be varied."""
NEEDED = tuple(name for name, field in EpisodeConfig.model_fields.items() if field.is_required())
USER = "scripted"
"""The user where a file names none."""

Settings = dict[str, Any]
"""Field of ``EpisodeConfig`` → a value of it, or a list of several."""
Runs = Annotated[int, Field(ge=1, le=1000)]


class Scenarios(Record):
    """Which scenarios are played."""

    splits: tuple[Split, ...] = ()
    part: Division | None = None
    """Only families to tune on (``dev``) or to score on (``test``)."""
    names: tuple[str, ...] = ()
    """Ids or files instead of splits."""


class Block(Record):
    """More combinations, made like those of the whole file."""

    axes: Settings
    scenarios: Scenarios | None = None
    """The file's, if not given."""
    runs: Runs | None = None


class Sweep(Record):
    """A sweep."""

    name: str = ""
    """By default that of the file."""
    description: str = ""
    base: Settings = Field(default_factory=dict)
    """Settings of all configurations that name no other."""
    axes: Settings
    """Every combination of these is played; the first axis changes slowest."""
    include: tuple[Block, ...] = ()
    exclude: tuple[Settings, ...] = ()
    """Combinations that fit any of these are left out, included ones too."""
    scenarios: Scenarios = Scenarios(splits=("smoke",))
    runs: Runs = 1
    seed: int = 0
    """The first one."""
    threads: Annotated[int, Field(ge=1)] = 1
    """For each local model."""
    limits: Limits = Limits()
