"""Metrics of whether to intervene: by intervention, and by decision point as others count.

A decision point is a turn in which the observer was asked and no offer was open (see ``moments``).
Help is needed there if the scenario's window is open and nothing has been accepted yet.
"""

from __future__ import annotations

from heron.eval.scoring.catalogue.offers import NO_OFFER
from heron.eval.scoring.catalogue.outcomes import NO_GOAL
from heron.eval.scoring.metric import Harmonic, Metric, Ratio, Terms

PROACTIVE_BENCH = (
    "ProactiveBench (Proactive Agent, arXiv 2410.12361, section 4.2 and its published "
    "calculate_agent_performance.py): TP an offer that the user accepts, FP one that it does not, "
    "FN silence where help was needed, TN silence where none was"
)
CONTEXT_AGENT = (
    "ContextAgent, arXiv 2505.14668, and its published calculate_accuracy: whether it offers "
    "against whether help was needed, missed and false detections over all points"
)
NO_POINT = "the observer was never asked while no offer was open"

PRECISION = Ratio(
    name="intervention_precision",
    title="precision of interventions",
    section="interventions",
    unit="share",
    better="up",
    meaning="Proposals that are right, of all shown: they fit by the scenario's rubric, come while "
    "help is useful, and before any was accepted. In a quiet scenario none is.",
    above={"right": 1},
    below={"proposals": 1},
    empty=NO_OFFER,
)
RECALL = Ratio(
    name="intervention_recall",
    title="recall of interventions",
    section="interventions",
    unit="share",
    better="up",
    meaning="Goal episodes in which a right proposal was made, whatever became of it.",
    above={"met": 1},
    below={"goal": 1},
    empty=NO_GOAL,
)


def _point(
    name: str,
    title: str,
    better: str,
    meaning: str,
    above: Terms,
    below: Terms,
    empty: str = NO_POINT,
) -> Ratio:
    ours = name.startswith("proactivebench")
    return Ratio(
        name=name,
        title=title,
        section="as ProactiveBench counts" if ours else "as ContextAgent counts",
        unit="share",
        better="up" if better == "up" else "down",
        meaning=meaning,
        above=above,
        below=below,
        empty=empty,
        source=PROACTIVE_BENCH if ours else CONTEXT_AGENT,
    )


POINTS: tuple[Metric, ...] = (
    PRECISION,
    RECALL,
    Harmonic(
        name="intervention_f1",
        title="F1 of interventions",
        section="interventions",
        unit="share",
        better="up",
        meaning="Harmonic mean of precision and recall of interventions.",
        first=PRECISION,
        second=RECALL,
        empty="there is no precision or no recall",
    ),
    _point(
        "proactivebench_recall",
        "recall",
        "up",
        "TP / (TP + FN).",
        {"accepted": 1},
        {"accepted": 1, "missed": 1},
        empty="nothing was accepted and nothing missed",
    ),
    _point(
        "proactivebench_precision",
        "precision",
        "up",
        "TP / (TP + FP): the acceptance, over all proposals.",
        {"accepted": 1},
        {"proposals": 1},
        empty=NO_OFFER,
    ),
    _point(
        "proactivebench_accuracy",
        "accuracy",
        "up",
        "(TP + TN) / (TP + TN + FP + FN).",
        {"accepted": 1, "rests": 1},
        {"proposals": 1, "missed": 1, "rests": 1},
    ),
    _point(
        "proactivebench_false_alarm",
        "false alarm",
        "down",
        "FP / (TP + FP): what is not precision, as they count it.",
        {"proposals": 1, "accepted": -1},
        {"proposals": 1},
        empty=NO_OFFER,
    ),
    _point(
        "proactivebench_f1",
        "F1",
        "up",
        "2 TP / (2 TP + FP + FN): the harmonic mean of their precision and recall.",
        {"accepted": 2},
        {"accepted": 1, "proposals": 1, "missed": 1},
        empty="nothing was offered and nothing missed",
    ),
    _point(
        "contextagent_accuracy",
        "accuracy",
        "up",
        "Points at which it offers if and only if help is needed.",
        {"hits": 1, "rests": 1},
        {"points": 1},
    ),
    _point(
        "contextagent_missed",
        "missed detections",
        "down",
        "Points at which help is needed and it stays silent, over all points.",
        {"missed": 1},
        {"points": 1},
    ),
    _point(
        "contextagent_false",
        "false detections",
        "down",
        "Points at which no help is needed and it offers, over all points.",
        {"alarms": 1},
        {"points": 1},
    ),
)
