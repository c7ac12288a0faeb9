"""Amounts of money: floats with two decimals, rounded half up, each beside its currency's code.

Floats keep the records plain JSON. Every sum goes through ``cents``, which rounds in decimal, so
that the same purchase costs the same whichever way it was added up.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated

from pydantic import AfterValidator, Field

_CENT = Decimal("0.01")


def cents(amount: float | Decimal) -> float:
    """``amount`` with two decimals, half a cent rounded up."""
    return float(Decimal(str(amount)).quantize(_CENT, rounding=ROUND_HALF_UP))


def times(price: float, quantity: int, percentage_off: float = 0.0) -> Decimal:
    """What ``quantity`` pieces come to with ``percentage_off`` taken off, not rounded yet."""
    return Decimal(str(price)) * quantity * (100 - Decimal(str(percentage_off))) / 100


MOST = 1e9
"""No amount is larger."""

Amount = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False), AfterValidator(cents)]
"""An amount that is not negative, in whole cents."""

Currency = Annotated[str, Field(pattern="^[A-Z]{3}$")]
"""ISO 4217 code: ``USD``, ``EUR``, …"""


def shown(amount: float, currency: str) -> str:
    """As people read it: ``12.50 EUR``."""
    return f"{amount:.2f} {currency}"
