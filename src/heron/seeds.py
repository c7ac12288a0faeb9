"""Seeded streams: the same seed and path give the same numbers in every process.

Source of the rule: sha256 over the path, so that neither Python's hash salt nor the order in
which streams are made can matter.
"""

from __future__ import annotations

import hashlib
import random

TRAINING_FROM = 1000
"""Seeds from here on are for training and calibration."""

EVALUATION = range(TRAINING_FROM)
"""Seeds for evaluation."""


def stream(seed: int, *path: str | int) -> random.Random:
    """A random stream of its own for ``path`` under ``seed``."""
    return random.Random(derive(seed, *path))


def derive(seed: int, *path: str | int) -> int:
    """A 64-bit seed for ``path`` under ``seed``."""
    text = "\x1f".join([str(seed), *map(str, path)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
