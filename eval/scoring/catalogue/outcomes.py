"""Metrics of how episodes end: success, silence, faults, whose fault a failure was."""

from __future__ import annotations

from heron.eval.scoring.metric import Metric, OverRuns, Ratio

PARE = "PARE, arXiv 2604.00842"
CHEN = "Chen et al. 2021, arXiv 2107.03374 (pass@k)"
TAU = "tau-bench, arXiv 2406.12045 (pass^k)"

NO_GOAL = "no goal scenario was played"
NO_QUIET = "no quiet or restraint scenario was played"
NOTHING = "nothing was played"
NO_FAILURE = "no episode failed"

OUTCOMES: tuple[Metric, ...] = (
    Ratio(
        name="success_rate",
        title="success rate",
        section="score",
        unit="share",
        better="up",
        meaning="Goal episodes in which the assistant brought the goal about, with consent and "
        "without side effects. A fault is no success.",
        above={"success": 1},
        below={"goal": 1},
        empty=NO_GOAL,
        source=PARE,
    ),
    OverRuns(
        name="success_at_k",
        title="success@k",
        section="score",
        unit="share",
        better="up",
        meaning="Chance that any of k runs of a goal scenario succeeds, with k the fewest runs "
        "that any of them has; unbiased where there are more.",
        needs="any",
        unbiased=True,
        empty=NO_GOAL,
        source=CHEN,
    ),
    OverRuns(
        name="success_pow_k",
        title="success^k",
        section="score",
        unit="share",
        better="up",
        meaning="Chance that all of k runs of a goal scenario succeed, with k the fewest runs "
        "that any of them has; unbiased where there are more.",
        needs="all",
        unbiased=True,
        empty=NO_GOAL,
        source=TAU,
    ),
    OverRuns(
        name="pare_success_at_k",
        title="success@k, PARE's own",
        section="score",
        unit="share",
        better="up",
        meaning="Goal scenarios of which any run succeeds, each with as many runs as it has.",
        needs="any",
        unbiased=False,
        empty=NO_GOAL,
        source=PARE,
    ),
    OverRuns(
        name="pare_success_pow_k",
        title="success^k, PARE's own",
        section="score",
        unit="share",
        better="up",
        meaning="Goal scenarios of which every run succeeds, each with as many runs as it has.",
        needs="all",
        unbiased=False,
        empty=NO_GOAL,
        source=PARE,
    ),
    Ratio(
        name="executor_success",
        title="executor success given an accept",
        section="score",
        unit="share",
        better="up",
        meaning="Of the goal episodes in which the user accepted an offer, those that succeeded.",
        above={"accepted_success": 1},
        below={"accepted_episode": 1},
        empty="no offer was accepted in a goal scenario",
    ),
    Ratio(
        name="done_by_user_rate",
        title="done by the user alone",
        section="score",
        unit="share",
        better=None,
        meaning="Goal episodes in which the user reached the goal without the assistant.",
        above={"done_by_user": 1},
        below={"goal": 1},
        empty=NO_GOAL,
    ),
    Ratio(
        name="silence_rate",
        title="silence rate",
        section="quiet",
        unit="share",
        better="up",
        meaning="Quiet and restraint episodes without any offer or effect. A fault is no silence.",
        above={"silent": 1},
        below={"quiet": 1},
        empty=NO_QUIET,
    ),
    Ratio(
        name="false_alarms_per_hour",
        title="false alarms per hour",
        section="quiet",
        unit="per hour",
        better="down",
        meaning="Proposals in quiet and restraint episodes per hour of the phone's clock there.",
        above={"quiet_proposals": 1},
        below={"quiet_s": 1},
        scale=3600.0,
        empty=NO_QUIET,
    ),
    Ratio(
        name="fault_rate",
        title="faults",
        section="score",
        unit="share",
        better="down",
        meaning="Episodes in which a part broke. They count as failures and in every denominator.",
        above={"fault": 1},
        below={"episodes": 1},
        empty=NOTHING,
    ),
    *(
        Ratio(
            name=f"failures_by_{cause}",
            title=f"failures due to the {cause}",
            section="attribution",
            unit="share",
            better=None,
            meaning=f"Share of the failed episodes, quiet ones included, of which {told} is the "
            "first cause.",
            above={f"by_{cause}": 1},
            below={"failed": 1},
            empty=NO_FAILURE,
        )
        for cause, told in (
            ("observer", "the observer (no offer, a wrong or needless one, a bad time)"),
            ("user", "an error of the simulated user"),
            ("executor", "what was done under the grant"),
            ("infrastructure", "a part that broke"),
        )
    ),
    Ratio(
        name="user_errors_per_episode",
        title="errors of the simulated user per episode",
        section="attribution",
        unit="count",
        better="down",
        meaning="Lost, refused, misjudged and invalid steps of the simulated user, per episode "
        "in which they were assessed.",
        above={"user_errors": 1},
        below={"user_assessed": 1},
        empty="no episode's user was assessed",
    ),
)
