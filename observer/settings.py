"""The GGUF observer's settings, and the defaults measured per model.

What it does not know: how the defaults were measured; the data file says by which command.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from heron.contracts import Record
from heron.observer.decide import Thresholds
from heron.observer.encode import Limits
from heron.observer.prompt import prompt

TABLE: Final = "thresholds.json"


class GgufSettings(Record):
    """How a model's scores become decisions, and how long things may get."""

    thresholds: Thresholds = Thresholds()
    limits: Limits = Limits()
    contrast: bool = False
    """Compare scores with those of ordinary minutes (see ``gguf``); helps the smallest models."""
    look_first: bool = True
    """Take a look before a proposal, if there was none since the newest notification."""
    look_tokens: int = 96
    """Tokens that a look may take; the schema bounds it far below, escapes aside."""
    proposal_tokens: int = 480
    """The same for a proposal; characters outside the model's alphabet take up to 3 each."""

    @property
    def version(self) -> str:
        """Names settings and prompt; what was measured under another one does not compare."""
        content = f"{prompt().digest} {self.model_dump_json()}"
        return hashlib.sha256(content.encode()).hexdigest()[:12]


def settings_for(model: str) -> GgufSettings:
    """The settings measured for a model, else the defaults.

    Args:
        model: catalogue name, or path of a file that is named like one.
    """
    row = table()["models"].get(Path(model).name.removesuffix(".gguf"))
    return GgufSettings() if row is None else GgufSettings.model_validate(row["settings"])


@cache
def table() -> dict[str, Any]:
    """The data file: ``prompt``, ``command``, and per model ``settings`` and ``figures``."""
    text = resources.files("heron.observer").joinpath("data", TABLE).read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
