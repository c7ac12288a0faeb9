"""What remote models cost, by the price list that litellm brings, read without importing litellm.

What it does not know: what was asked of a model.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

LIST = "model_prices_and_context_window_backup.json"


class Price(NamedTuple):
    """US dollars per token."""

    input: float
    output: float

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """US dollars of so many tokens."""
        return self.input * tokens_in + self.output * tokens_out


def price_of(model: str) -> Price | None:
    """The listed price of litellm's ``provider/model``; ``None`` if it has none."""
    listed = _listed()
    for name in (model, model.partition("/")[2]):
        found = listed.get(name)
        if found is None:
            continue
        price = found.get("input_cost_per_token"), found.get("output_cost_per_token")
        if isinstance(price[0], int | float) and isinstance(price[1], int | float):
            return Price(float(price[0]), float(price[1]))
    return None


@cache
def _listed() -> dict[str, Any]:
    found = find_spec("litellm")
    if found is None or found.origin is None:
        return {}
    try:
        listed = json.loads((Path(found.origin).parent / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return listed if isinstance(listed, dict) else {}
