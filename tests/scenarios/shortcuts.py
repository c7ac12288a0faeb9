"""Tries to tell goal scenarios from quiet ones without understanding anything; prints JSON.

    python -m tests.scenarios.shortcuts [SEEDS]

A bag of words, the length and the app, each with a logistic regression, cross-validated so that
no family is learned from and scored on. Where such a classifier is right more often than by
chance, an observer could be, too, for the wrong reason.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from heron.scenarios.builder import build
from heron.scenarios.document import strings
from heron.scenarios.loader import load_suite
from heron.scenarios.stage import Stage
from heron.sim.queue import Event

FOLDS = 8


@dataclass(frozen=True)
class Row:
    """One scenario under one seed."""

    family: str
    wanted: bool
    trigger: str
    """What the event says that calls for help, or seems to."""
    everything: str
    """What all events say."""
    app: str
    """App of the trigger."""


def rows(seeds: Sequence[int], types: Sequence[str] = ("goal", "quiet")) -> list[Row]:
    """The suite's rows."""
    return [
        row_of(build(scenario, seed))
        for scenario in load_suite().sound()
        if scenario.type in types
        for seed in seeds
    ]


def row_of(stage: Stage) -> Row:
    """A stage's row."""
    events = stage.world.queue.events
    trigger = trigger_of(stage)
    return Row(
        family=stage.scenario.family,
        wanted=stage.scenario.type == "goal",
        trigger=said(trigger) if trigger else "",
        everything=" ".join(map(said, events)),
        app=trigger.name.partition(".")[0] if trigger else "none",
    )


def trigger_of(stage: Stage) -> Event | None:
    """Of the events that say something, the one that opens the window; else the first that brings
    what must be seen; else the first.
    """
    events = [event for event in stage.world.queue.events if said(event)]
    needed = {need.ref for need in stage.brief.needs}
    opening = [event for event in events if event.key == stage.moment.event]
    brought = [e for e in events if e.reserve is not None and e.reserve[1] in needed]
    return next(iter((*opening, *brought, *events)), None)


def said(event: Event) -> str:
    """Title and text of an event."""
    return " ".join(strings({k: v for k, v in event.arguments.items() if k in _SAID}))


_SAID = ("subject", "content", "title", "name", "description", "text", "message")


def auc(found: Sequence[Row], feature: Callable[[Row], Any], steps: Sequence[Any]) -> float:
    """Area under the ROC curve; each family is scored by a model that has not seen it."""
    x = np.array([feature(row) for row in found], dtype=object)
    y = np.array([row.wanted for row in found])
    groups = [row.family for row in found]
    scores = np.zeros(len(found))
    for train, test in GroupKFold(FOLDS).split(x, y, groups):
        model = make_pipeline(*steps, LogisticRegression(max_iter=2000, class_weight="balanced"))
        model.fit(x[train], y[train])
        scores[test] = model.decision_function(x[test])
    return round(float(roc_auc_score(y, scores)), 3)


def shortcuts(found: Sequence[Row]) -> dict[str, float]:
    """Name of the classifier → area under its ROC curve."""
    bag = [CountVectorizer(min_df=2, binary=True)]
    length = [FunctionTransformer(_lengths), StandardScaler()]
    return {
        "trigger_words": auc(found, lambda row: row.trigger, bag),
        "trigger_length": auc(found, lambda row: row.trigger, length),
        "all_words": auc(found, lambda row: row.everything, bag),
        "all_length": auc(found, lambda row: row.everything, length),
        "app": auc(found, lambda row: row.app, [CountVectorizer(binary=True)]),
    }


def _lengths(texts: Any) -> Any:
    return np.array([[len(text), len(text.split())] for text in texts], dtype=float)


if __name__ == "__main__":
    chosen = range(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
    found = {
        "goal_or_quiet": shortcuts(rows(chosen)),
        "goal_or_restraint": shortcuts(rows(chosen, ("goal", "restraint"))),
    }
    print(json.dumps(found, indent=2))
