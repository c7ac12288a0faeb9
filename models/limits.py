"""Limits of a run on what it asks of remote models: records, as a sweep's file holds them.

What it does not know: how they are kept (see ``allowance``).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from heron.contracts import Record
from heron.models.prices import Price, price_of

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class TokenPrice(Record):
    """US dollars per million tokens."""

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class ModelLimits(Record):
    """Of one model."""

    rpm: Annotated[int, Field(ge=1)] | None = None
    """Calls per minute, of all processes together."""
    tpm: Annotated[int, Field(ge=1)] | None = None
    """Tokens per minute, in and out."""
    usd_per_million: TokenPrice | None = None
    """Its price, where litellm's list has none or another."""


class Limits(Record):
    """Of a run."""

    max_usd: Positive | None = None
    """The run stops when this is spent."""
    rpm: Annotated[int, Field(ge=1)] | None = None
    """Of each model that ``models`` does not name."""
    tpm: Annotated[int, Field(ge=1)] | None = None
    models: dict[str, ModelLimits] = Field(default_factory=dict)
    """litellm's ``provider/model`` → its own."""

    @property
    def any(self) -> bool:
        """Whether anything is limited."""
        return self != Limits()

    def price(self, model: str) -> Price | None:
        """What a model costs: as given here, or as listed."""
        given = self.models.get(model, ModelLimits()).usd_per_million
        if given is not None:
            return Price(given.input / 1e6, given.output / 1e6)
        return price_of(model)
