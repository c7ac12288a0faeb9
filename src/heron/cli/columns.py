"""Plain columns for the terminal: aligned, never wrapped or cut, so that they can be piped.

What it does not know: what is in them.
"""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    """``rows`` of equal length as lines of aligned columns.

    Args:
        rows: the cells; the first row may be a heading.
        right: the columns that are aligned to the right.
    """
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
