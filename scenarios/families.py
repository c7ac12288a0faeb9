"""Which part a family belongs to: whatever is tuned on ``dev`` is never scored on its sibling.

Heron's own families are shared out by hand, so that each split has its due of both; any other
goes by the hash of its name. What it does not know: the scenarios of a family.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

import yaml

Division = Literal["dev", "test"]
"""``dev``: for prompts, thresholds, calibrations; ``test``: for figures to quote."""


def part_of(family: str) -> Division:
    """The part of a family."""
    known = table().get(family)
    if known is not None:
        return known
    parts: tuple[Division, ...] = get_args(Division)
    return parts[hashlib.sha256(family.encode()).digest()[0] % len(parts)]


@cache
def table() -> dict[str, Division]:
    """Family → part, as shared out by hand."""
    text = files("heron.scenarios").joinpath("families.yaml").read_text(encoding="utf-8")
    shared: dict[Division, list[str]] = yaml.safe_load(text)
    return {family: part for part, families in shared.items() for family in families}
