"""Asks for a library that an extra brings.

What it does not know: any of them.
"""

from __future__ import annotations

from importlib.util import find_spec

from heron.errors import Unavailable


def need(module: str, extra: str) -> None:
    """That a library is here.

    Args:
        module: its dotted name.
        extra: of Heron's distribution, which brings it.

    Raises:
        Unavailable: it is not; the message says how to get it.
    """
    try:
        found = find_spec(module) is not None
    except ModuleNotFoundError:  # not even what is above it
        found = False
    if not found:
        raise Unavailable(
            f"this needs {module.partition('.')[0]}, which is not installed: "
            f"pip install 'heron-observer[{extra}]'"
        )
