"""When offers were made, against when help was useful; decision points; restraint.

A decision point is a turn in which the observer was asked and no offer was open: while one is, it
cannot make another. Help is needed at a point if the scenario's window is open and no offer has
been accepted yet; in quiet and restraint scenarios it never is. What it does not know: costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from heron.contracts import Assessment, EpisodeRecord, TurnRecord
from heron.eval.scoring.offers import Offer, Offers
from heron.sim.device import Device
from heron.sim.earlier import TURNED_DOWN

DEVICE_CHANGE = f"{Device.NAME}.{Device.change.__name__}"


Row = dict[str, Any]

_TIMING = (
    "inside",
    "early",
    "late",
    "early_turns",
    "early_dated",
    "late_turns",
    "first_inside",
    "first_inside_turns",
    "right",
    "met",
)


def moments_of(episode: EpisodeRecord, offers: Offers) -> Row:
    """Everything about time and worth of offers."""
    found = episode.assessment
    senses = {o.proposal_id: o.sense for o in found.offers} if found else None
    return {
        **_timing(episode, offers, senses),
        **_points(episode, offers),
        **_restraint(episode, offers, senses),
        "shown_busy": _busy(episode, offers, found),
    }


# --- the window ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Window:
    """When help was useful, in turns."""

    opens: int | None
    """The first turn with the window open; ``None``: it did not open."""
    closes: int
    """The last one before it closed."""

    @classmethod
    def of(cls, turns: tuple[TurnRecord, ...], found: Assessment) -> _Window:
        opened, closes = found.opened, found.closes
        after = [t.turn for t in turns if opened is not None and t.time >= opened]
        before = [t.turn for t in turns if closes is None or t.time <= closes]
        return cls(min(after, default=None), max(before, default=0))

    def holds(self, turn: int) -> bool:
        return self.opens is not None and self.opens <= turn <= self.closes


def _timing(episode: EpisodeRecord, offers: Offers, senses: Mapping[str, str] | None) -> Row:
    if episode.type != "goal":
        return dict.fromkeys(_TIMING, 0)
    if episode.assessment is None or senses is None:
        return dict.fromkeys(_TIMING)
    window = _Window.of(episode.turns, episode.assessment)
    inside = [o for o in offers if window.holds(o.turn)]
    late = [o for o in offers if o.turn > window.closes]
    early = [o for o in offers if o not in inside and o not in late]
    opens = window.opens
    right = [o for o in inside if senses[o.proposal_id] == "fits" and not _accepted(offers, o.turn)]
    values = (
        len(inside),
        len(early),
        len(late),
        0 if opens is None else sum(opens - o.turn for o in early),
        0 if opens is None else len(early),
        sum(o.turn - window.closes for o in late),
        int(bool(inside)),
        inside[0].turn - opens if inside and opens is not None else 0,
        len(right),
        int(bool(right)),
    )
    return dict(zip(_TIMING, values, strict=True))


def _accepted(offers: Offers, turn: int) -> bool:
    """Whether an offer had been accepted when the observer was asked in a turn."""
    return any(o.end == "accept" and o.end_turn is not None and o.end_turn <= turn for o in offers)


# --- decision points ----------------------------------------------------------------------------


def _points(episode: EpisodeRecord, offers: Offers) -> Row:
    made = {offer.turn for offer in offers}
    points = [
        turn.turn
        for turn in episode.turns
        if turn.observer and not any(offer.waits_at(turn.turn) for offer in offers)
    ]
    needed = _needed(episode, offers, points)
    if needed is None:
        return {
            "points": len(points),
            "hits": None,
            "missed": None,
            "alarms": None,
            "rests": None,
        }
    hits = sum(turn in needed and turn in made for turn in points)
    alarms = sum(turn not in needed and turn in made for turn in points)
    return {
        "points": len(points),
        "hits": hits,
        "missed": len(needed) - hits,
        "alarms": alarms,
        "rests": len(points) - len(needed) - alarms,
    }


def _needed(episode: EpisodeRecord, offers: Offers, points: list[int]) -> set[int] | None:
    """The points at which help was needed; ``None`` if that is not known."""
    if episode.type != "goal":
        return set()
    if episode.assessment is None:
        return None
    window = _Window.of(episode.turns, episode.assessment)
    return {turn for turn in points if window.holds(turn) and not _accepted(offers, turn)}


# --- restraint ----------------------------------------------------------------------------------


def _restraint(episode: EpisodeRecord, offers: Offers, senses: Mapping[str, str] | None) -> Row:
    said_no = [entry.time for entry in episode.log if entry.name == TURNED_DOWN and not entry.error]
    after = _after(offers, [o for o in offers if o.end == "reject"], said_no)
    found: Row = {
        "rejection": int(after is not None),
        "stopped": int(after is not None and not after),
        "matter_rejection": None,
        "matter_stopped": None,
    }
    if senses is None:
        return found
    about = [o for o in offers if senses[o.proposal_id] != "vague"]
    after = _after(about, [o for o in about if o.end == "reject"], said_no)
    found["matter_rejection"] = int(after is not None)
    found["matter_stopped"] = int(after is not None and not after)
    return found


def _after(offers: Offers, rejected: Offers, said_no: list[datetime]) -> list[Offer] | None:
    """The offers made after the first no; ``None`` if there was none."""
    ends = [offer.end_turn for offer in rejected if offer.end_turn is not None]
    if not ends and not said_no:
        return None
    return [
        offer
        for offer in offers
        if (ends and offer.turn >= min(ends)) or (said_no and offer.time >= min(said_no))
    ]


# --- the device ---------------------------------------------------------------------------------


def _busy(episode: EpisodeRecord, offers: Offers, found: Assessment | None) -> int | None:
    """Offers shown while the user was not free, or not to be disturbed."""
    if found is None:
        return None
    changes = [e for e in episode.log if e.name == DEVICE_CHANGE and e.error is None]
    count = 0
    for offer in offers:
        status = found.device
        for entry in changes:
            if entry.time <= offer.time:
                given = {k: v for k, v in entry.arguments.items() if v is not None}
                status = status.model_copy(update=given)
        count += status.activity != "free" or status.do_not_disturb
    return count
