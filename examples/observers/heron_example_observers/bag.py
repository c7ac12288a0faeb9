"""An observer with a bag of words, fitted with scikit-learn on recorded streams.

    heron observer streams --part dev --seeds 1000:1003 --out dev.jsonl
    python -m heron_example_observers.bag dev.jsonl bag.json
    heron bench --observer bag:bag.json --part test --split full

The file holds a weight per word, so watching needs no scikit-learn. It learns in which words a
notification stands that made an offer useful, and no more: whether those words tell of a need or of
the hand that wrote the scenarios is for part ``test`` to say.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from heron.contracts import NotificationSeen, Observation, Propose, Record, Wait
from heron.errors import InputError
from heron.observer.conduct import Conduct
from heron.observer.setup import Setup
from heron.observer.text import flat, middle, words


class Bag(Record):
    """A logistic regression over the words of a notification."""

    weights: dict[str, float]
    intercept: float
    threshold: float
    streams: int
    """On how many it was fitted."""

    def probability(self, note: NotificationSeen) -> float:
        """That an offer about it is of use."""
        found = words(f"{note.title} {note.text}")
        score = self.intercept + sum(self.weights.get(word, 0.0) for word in sorted(found))
        return 1 / (1 + exp(-score))


class BagObserver:
    """Speaks about a notification whose words are promising enough."""

    def __init__(self, bag: Bag) -> None:
        self._bag = bag
        self._conduct = Conduct()

    def observe(self, observation: Observation) -> Wait | Propose:
        """Answer to what is new."""
        if observation.brief is not None:
            self._conduct = Conduct()
        self._conduct.note(observation)
        notes = [seen for seen in observation.new if isinstance(seen, NotificationSeen)]
        if not notes or not self._conduct.allows(observation):
            return Wait()
        best = max(notes, key=self._bag.probability)
        if self._bag.probability(best) < self._bag.threshold:
            return Wait()
        refs = (best.record.ref,) if best.record is not None else ()
        title = middle(flat(best.title), 80)
        offer = Propose(text=f"Shall I see to '{title}' for you?", refs=refs)
        if self._conduct.repeats(offer.text, offer.refs):
            return Wait()
        self._conduct.propose(offer, observation.time)
        return offer


def make(setup: Setup) -> BagObserver:
    """The observer ``bag:FILE``.

    Raises:
        InputError: the file cannot be used.
    """
    file = Path(setup.argument or "bag.json")
    try:
        return BagObserver(Bag.model_validate_json(file.read_text(encoding="utf-8")))
    except (OSError, ValidationError) as error:
        raise InputError(f"observer 'bag': {file} is no fitted bag of words: {error}") from error


# --- fitting ---


def samples(lines: Sequence[str]) -> Iterator[tuple[str, bool, str]]:
    """(words, whether an offer was of use, family) of every notification in recorded streams.

    Raises:
        InputError: a stream that is for scoring.
    """
    for line in lines:
        stream: dict[str, Any] = json.loads(line)
        if stream["part"] != "dev":
            raise InputError(f"{stream['scenario']} is of part {stream['part']!r}: fit on 'dev'")
        for seen, useful in zip(stream["observations"], stream["useful"], strict=True):
            for new in seen["new"]:
                if new["type"] == "notification":
                    found = words(f"{new['title']} {new['text']}")
                    yield " ".join(sorted(found)), useful, stream["family"]


def fit(lines: Sequence[str]) -> Bag:
    """Fit on the lines of ``heron observer streams``; the threshold has the best F1, held out."""
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import precision_recall_curve
    from sklearn.model_selection import GroupKFold, cross_val_predict

    texts, useful, families = zip(*samples(lines), strict=True)
    counts = CountVectorizer(binary=True, min_df=3, token_pattern=r"\S+", lowercase=False)
    table = counts.fit_transform(texts)
    model = LogisticRegression(C=0.1, max_iter=1000)
    folds = GroupKFold(n_splits=min(5, len(set(families))))
    held_out = cross_val_predict(
        model, table, useful, groups=families, cv=folds, method="predict_proba"
    )[:, 1]
    precision, recall, thresholds = precision_recall_curve(useful, held_out)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    model.fit(table, useful)
    return Bag(
        weights=dict(
            zip(counts.get_feature_names_out(), model.coef_[0].round(4).tolist(), strict=True)
        ),
        intercept=float(model.intercept_[0]),
        threshold=float(thresholds[f1[:-1].argmax()]),
        streams=len(lines),
    )


def main(streams: str, out: str) -> None:
    """Fit on a file of streams and write the bag of words."""
    lines = Path(streams).read_text(encoding="utf-8").splitlines()
    bag = fit(lines)
    Path(out).write_text(bag.model_dump_json(indent=1), encoding="utf-8")
    print(f"{out}: {len(bag.weights)} words of {bag.streams} streams, from {bag.threshold:.2f} on")


if __name__ == "__main__":
    main(*sys.argv[1:])
