"""The judge takes offers as they are meant, in the manner of different models.

The sets were written from the situations alone, without a look at any rubric. Rubrics and lexicon
have been mended on the first two since; the held-out and the blind one have never been tuned on,
and 93.2 and 92.7 % of them were judged as meant when they were new. What is missing there are slips
that take more than words to see: two quantities exchanged, the right help and a wrong detail.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from heron.scenarios.builder import build
from heron.scenarios.loader import Suite
from heron.sim.users.judge import judge

DATA = Path(__file__).parents[1] / "sim" / "data"
SEEDS = {
    "paraphrases": 0,
    "paraphrases_second": 0,
    "paraphrases_held_out": 1,
    "paraphrases_blind": 2,
}
AS_MEANT = {
    "paraphrases": 0.95,
    "paraphrases_second": 0.95,
    "paraphrases_held_out": 0.92,
    "paraphrases_blind": 0.92,
}
"""Share that must be judged as meant."""


def offers(name: str) -> list[dict[str, str]]:
    """The entries of a set."""
    found: list[dict[str, str]] = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    return found


def misjudged(name: str, suite: Suite) -> Iterator[dict[str, Any]]:
    """Entries that the judge takes otherwise than meant."""
    stages: dict[str, Any] = {}
    scenarios = {scenario.id: scenario for scenario in suite}
    for offer in offers(name):
        known = offer["scenario"]
        stage = stages.setdefault(known, build(scenarios[known], SEEDS[name]))
        assert stage.cue is not None
        fits = judge(stage.brief.rubric, offer["text"], stage.cue.plan).sense == "fits"
        if fits != (offer["meant"] == "right"):
            yield offer


@pytest.mark.parametrize("name", SEEDS)
def test_offers_are_judged_as_meant(name: str, suite: Suite) -> None:
    wrong = list(misjudged(name, suite))
    assert 1 - len(wrong) / len(offers(name)) >= AS_MEANT[name], wrong


@pytest.mark.parametrize("name", SEEDS)
def test_the_sets_are_what_they_claim(name: str) -> None:
    found = offers(name)
    assert len(found) >= 300
    assert len({offer["scenario"] for offer in found}) >= 60
    assert len({offer["text"] for offer in found}) == len(found)
    assert all(0 < len(offer["text"]) <= 160 for offer in found)
    assert {offer["meant"] for offer in found} == {"right", "wrong"}
    assert len({offer["manner"] for offer in found}) >= 5
