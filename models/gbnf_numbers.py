"""Numbers within limits as a GBNF expression. What it does not know: JSON schemas."""

from __future__ import annotations

import math

from heron.errors import InputError


def integers(low: float, high: float) -> str:
    """Whole numbers from ``low`` to ``high``, both included."""
    parts = _signed(math.ceil(low), math.floor(high))
    if not parts:
        raise InputError(f"schema cannot be held by GBNF: no whole number in {low:g} to {high:g}")
    return f"({' | '.join(parts)})"


def decimals(low: float, high: float) -> str:
    """Numbers of at most six decimals. Near limits that are no whole numbers, some are left out."""
    fraction = '"." [0-9]{1,6}'
    parts = _signed(math.ceil(low), math.floor(high))
    # N.f lies above N and below N + 1; -N.f the other way round.
    above = _natural(max(math.ceil(low), 0), math.floor(high) - 1)
    below = _natural(max(math.ceil(-high), 0), math.floor(-low) - 1)
    parts += [f"({above}) {fraction}"] * bool(above) + [f'"-" ({below}) {fraction}'] * bool(below)
    if not parts:
        raise InputError(f"schema cannot be held by GBNF: no number in {low:g} to {high:g}")
    return f"({' | '.join(parts)})"


def _signed(low: int, high: int) -> list[str]:
    positive, negative = _natural(max(low, 0), high), _natural(max(-high, 1), -low)
    return [positive] * bool(positive) + [f'"-" ({negative})'] * bool(negative)


def _natural(low: int, high: int) -> str:
    """Natural numbers from ``low`` to ``high``; empty if there are none."""
    parts = []
    for length in range(len(str(low)), len(str(max(high, 0))) + 1):
        least = max(low, 10 ** (length - 1) if length > 1 else 0)
        most = min(high, 10**length - 1)
        if least <= most:
            parts.append(_same_length(str(least), str(most)))
    return " | ".join(parts)


def _same_length(low: str, high: str) -> str:
    """Numbers with as many digits as both."""
    if not low:
        return '""'
    rest = len(low) - 1
    nines, zeros = "9" * rest, "0" * rest
    if low[1:] == zeros and high[1:] == nines:
        return _digits(low[0], high[0]) + (f" [0-9]{{{rest}}}" if rest else "")
    if low[0] == high[0]:
        return f'"{low[0]}" ({_same_length(low[1:], high[1:])})'
    first, last = int(low[0]), int(high[0])
    parts = []
    if low[1:] != zeros:
        parts.append(f'"{first}" ({_same_length(low[1:], nines)})')
        first += 1
    tail = []
    if high[1:] != nines:
        tail.append(f'"{last}" ({_same_length(zeros, high[1:])})')
        last -= 1
    if first <= last:
        parts.append(_digits(str(first), str(last)) + (f" [0-9]{{{rest}}}" if rest else ""))
    return " | ".join([*parts, *tail])


def _digits(low: str, high: str) -> str:
    return f'"{low}"' if low == high else f"[{low}-{high}]"
