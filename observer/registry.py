"""The table of observers, and where each of them runs.

A plug-in is a ``Factory`` behind an entry point of the group ``heron.observers``; it runs in a
process of its own. What it does not know: the process and the pipe (see ``heron.eval``).
"""

from __future__ import annotations

from typing import Final

from heron.observer.setup import Factory
from heron.registry import Registry

OBSERVERS: Final[Registry[Factory]] = Registry(
    "observer",
    "heron.observers",
    {
        "always": "heron.observer.baselines.always:make",
        "calibrated": "heron.observer.calibrated:make",
        "gguf": "heron.observer.gguf:make",
        "never": "heron.observer.baselines.never:make",
        "oracle": "heron.observer.baselines.oracle:make",
        "probe": "heron.observer.calibrated:make_probe",
        "rules": "heron.observer.baselines.rules:make",
    },
)

IN_HARNESS: Final = frozenset({"always", "never", "oracle", "rules"})
"""Observers that hold no model: they are made anew for every episode, in the harness itself."""

NEEDS_MODEL: Final = frozenset({"calibrated", "gguf", "probe"})
"""Observers whose argument names a model, which ``Setup.model`` must hold."""

TUNED: Final = frozenset({"calibrated", "probe"})
"""Observers that were fitted on scenarios of part ``dev``."""

READS_HIDDEN: Final = frozenset({"probe"})
"""Those of them that read hidden states, which a model has to be told when it is loaded."""


def runs_in_harness(name: str) -> bool:
    """Whether ``name`` runs in the harness; all others get a process of their own."""
    return name in IN_HARNESS
