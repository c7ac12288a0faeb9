"""Metrics of offers: how many, how they were taken, when they came, what they cost the user."""

from __future__ import annotations

from heron.eval.scoring.catalogue.outcomes import NOTHING, PARE
from heron.eval.scoring.metric import Better, Metric, Ratio, Unit
from heron.eval.scoring.weights import WEIGHTS

NO_OFFER = "nothing was offered"
NO_GOAL_OFFER = "nothing was offered in a goal scenario"

KNOWU = "named after a figure of KnowU-Bench; the definition is Heron's own"


def _share(  # noqa: PLR0913 - a row of a table
    name: str,
    title: str,
    above: str,
    meaning: str,
    *,
    below: str = "proposals",
    better: Better | None = None,
    section: str = "offers",
    empty: str = NO_OFFER,
    unit: Unit = "share",
    source: str = "",
) -> Ratio:
    return Ratio(
        name=name,
        title=title,
        section=section,
        unit=unit,
        better=better,
        meaning=meaning,
        above={above: 1},
        below={below: 1},
        empty=empty,
        source=source,
    )


OFFERS: tuple[Metric, ...] = (
    _share(
        "proposal_rate",
        "proposals per turn",
        "proposals",
        "Proposals shown per turn planned; an episode that a fault cut short keeps its turns.",
        below="turns",
        unit="per turn",
        empty=NOTHING,
        source=PARE,
    ),
    _share(
        "acceptance_rate",
        "acceptance",
        "accepted",
        "Proposals accepted, at once or after looking. Expired and withdrawn ones count against.",
        better="up",
        source=PARE,
    ),
    _share(
        "goal_acceptance_rate",
        "acceptance on goal scenarios",
        "goal_accepted",
        "Proposals of goal scenarios that were accepted.",
        below="goal_proposals",
        better="up",
        empty=NO_GOAL_OFFER,
    ),
    _share(
        "quiet_acceptance_rate",
        "acceptance on quiet scenarios",
        "quiet_accepted",
        "Proposals of quiet and restraint scenarios that were accepted, which is an error of the "
        "simulated user's.",
        below="quiet_proposals",
        empty="nothing was offered in a quiet scenario",
    ),
    _share(
        "gather_context_share",
        "looked before answering",
        "looked",
        "Proposals that the user went to look for, of those that it answered or looked for.",
        below="answered",
        empty="no offer was answered",
        source=PARE,
    ),
    *(
        _share(f"first_{name}_share", title, f"first_{name}", f"Proposals whose first {told}.")
        for name, title, told in (
            ("accept", "first answer: accept", "answer was a yes"),
            ("reject", "first answer: reject", "answer was a no"),
            ("look", "first answer: gather context", "answer was to go and look"),
            ("ignore", "first answer: none", "answer had not come by their end"),
        )
    ),
    _share("rejected_share", "rejected", "rejected", "Proposals that the user turned down."),
    _share("expired_share", "expired", "expired", "Proposals whose time ran out.", better="down"),
    _share("withdrawn_share", "withdrawn", "withdrawn", "Proposals that were taken back."),
    _share(
        "unanswered_share",
        "open at the end",
        "unanswered",
        "Proposals that the episode's end left without an answer.",
    ),
    _share(
        "looks_per_gathering",
        "looks per gathering",
        "looks",
        "Steps that the user took in order to look, per proposal that it looked for.",
        below="gatherings",
        unit="count",
        empty="nobody went to look",
    ),
    _share(
        "seconds_per_gathering",
        "time from the first look to the end",
        "gathering_s",
        "On the phone's clock, per proposal looked for whose end came in the episode.",
        below="gatherings_ended",
        unit="s",
        empty="nobody went to look",
    ),
    _share(
        "read_actions",
        "reads per episode",
        "reads",
        "Successful reads of the assistant, looks included.",
        below="episodes",
        unit="count",
        empty=NOTHING,
        source=PARE,
    ),
    _share(
        "write_actions",
        "writes per episode",
        "writes",
        "Successful writes of the assistant.",
        below="episodes",
        unit="count",
        empty=NOTHING,
        source=PARE,
    ),
    _share(
        "tool_failure_rate",
        "calls that noise made fail",
        "noise_failures",
        "Of all calls of the assistant.",
        below="calls",
        empty="the assistant made no call",
    ),
    # --- time ---
    _share(
        "timely_share",
        "offers in time",
        "inside",
        "Proposals of goal scenarios made while help was useful: the scenario's window was open.",
        below="goal_proposals",
        section="timeliness",
        better="up",
        empty=NO_GOAL_OFFER,
    ),
    _share(
        "early_share",
        "offers too early",
        "early",
        "Made before the window opened.",
        below="goal_proposals",
        section="timeliness",
        better="down",
        empty=NO_GOAL_OFFER,
    ),
    _share(
        "late_share",
        "offers too late",
        "late",
        "Made after the window closed.",
        below="goal_proposals",
        section="timeliness",
        better="down",
        empty=NO_GOAL_OFFER,
    ),
    _share(
        "turns_early",
        "turns too early",
        "early_turns",
        "Turns from an early offer to the opening, per early offer whose window opened at all.",
        below="early_dated",
        section="timeliness",
        unit="turns",
        better="down",
        empty="no offer came too early",
    ),
    _share(
        "turns_late",
        "turns too late",
        "late_turns",
        "Turns from the last one in time to a late offer, per late offer.",
        below="late",
        section="timeliness",
        unit="turns",
        better="down",
        empty="no offer came too late",
    ),
    _share(
        "turns_to_offer",
        "turns from the opening to the first offer in time",
        "first_inside_turns",
        "0: in the very turn in which help became useful. Per episode with an offer in time.",
        below="first_inside",
        section="timeliness",
        unit="turns",
        better="down",
        empty="no offer came in time",
    ),
    # --- restraint ---
    _share(
        "stop_after_rejection",
        "silent after a rejection",
        "stopped",
        "Of the episodes in which an offer was turned down, also before the episode began, those "
        "in which nothing at all was offered any more.",
        below="rejection",
        section="restraint",
        better="up",
        empty="nothing was turned down",
        source=KNOWU,
    ),
    _share(
        "stop_after_rejection_matter",
        "silent on the matter after a rejection",
        "matter_stopped",
        "Of the episodes in which an offer about the scenario's matter (by its rubric: not vague) "
        "was turned down, those in which nothing about that matter was offered any more.",
        below="matter_rejection",
        section="restraint",
        better="up",
        empty="no offer about the matter was turned down",
        source=KNOWU,
    ),
    _share(
        "busy_share",
        "offers while the user is busy",
        "shown_busy",
        "Proposals shown while the user drives, meets, presents or sleeps, or is not to be "
        "disturbed.",
        section="restraint",
        better="down",
    ),
    Ratio(
        name="interruption_cost",
        title="interruption cost per episode",
        section="restraint",
        unit="points",
        better="down",
        meaning="What the assistant's interruptions add up to, weighted; the weights are those of "
        "``heron.eval.scoring.weights``.",
        above=WEIGHTS,
        below={"episodes": 1},
        empty=NOTHING,
    ),
)
