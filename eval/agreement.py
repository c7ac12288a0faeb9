"""Agreement of two raters over pairs (recorded, said); pure functions with their empty case.

What it does not know: where the pairs come from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Pair = tuple[str, str]
"""What the first rater said, and the second."""


def accuracy(pairs: Sequence[Pair]) -> float | None:
    """Share of pairs that agree; ``None`` without pairs."""
    if not pairs:
        return None
    return sum(first == second for first, second in pairs) / len(pairs)


def cohen_kappa(pairs: Sequence[Pair]) -> float | None:
    """Agreement beyond chance: (p_o - p_e) / (1 - p_e) (Cohen 1960).

    ``p_o`` is the share that agrees, ``p_e`` what raters with the same marginal shares would agree
    on by chance. 1 is full agreement, 0 that of chance. ``None`` without pairs, and where both
    raters gave one and the same label throughout: chance then leaves nothing to agree on.
    """
    count = len(pairs)
    if count == 0:
        return None
    first = Counter(pair[0] for pair in pairs)
    second = Counter(pair[1] for pair in pairs)
    # In whole numbers up to the division, so that equal shares are equal.
    agreed = sum(a == b for a, b in pairs) * count
    by_chance = sum(first[label] * second[label] for label in first)
    if by_chance == count * count:
        return None
    return (agreed - by_chance) / (count * count - by_chance)


def confusion(
    pairs: Sequence[Pair], rows: Sequence[str], columns: Sequence[str]
) -> dict[str, dict[str, int]]:
    """How often each label of the first met each of the second, as row → column → count.

    Raises:
        KeyError: a pair holds a label that is neither row nor column.
    """
    table = {row: dict.fromkeys(columns, 0) for row in rows}
    for first, second in pairs:
        table[first][second] += 1
    return table
