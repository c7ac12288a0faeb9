"""What people say for an act: the words behind ``~tell`` in a rubric's groups of phrases.

What it does not know: which scenario asks.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

MARK = "~"
"""Begins the name of an entry where a phrase could stand."""


@cache
def acts() -> dict[str, tuple[str, ...]]:
    """Entry → phrases, in the file's order."""
    text = files("heron.scenarios").joinpath("lexicon.yaml").read_text(encoding="utf-8")
    return {name: tuple(map(str, phrases)) for name, phrases in yaml.safe_load(text).items()}
