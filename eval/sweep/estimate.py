"""What a sweep will take: hours and money, from episodes that were played before.

An episode of the same configuration tells most, else one with the same observer, executor and user,
else with the same observer and executor. What nothing tells is ``None`` with the reason, never 0.
What it does not know: how fast another machine is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from heron.contracts import EpisodeConfig, EpisodeRecord, Record
from heron.eval.sweep.matrix import Part
from heron.models.limits import Limits
from heron.observer.registry import IN_HARNESS, NEEDS_MODEL
from heron.registry import split_spec

HOUR_S = 3600.0
UNSEEN = (
    "no episode of it is recorded: give --estimate-from RUN, or --calibrate to play one of each"
)


class PartEstimate(Record):
    """Of one configuration."""

    config: EpisodeConfig
    scenarios: int
    runs: int
    episodes: int
    seconds: float | None
    """Of one worker, for all its episodes."""
    seconds_reason: str | None = None
    usd: float | None = None
    usd_reason: str | None = None
    basis: str = ""
    """What the estimate rests on."""


class Estimate(Record):
    """Of a sweep."""

    parts: tuple[PartEstimate, ...]
    episodes: int
    workers: int
    hours: float | None
    """Of all workers at a time, if none waits for another."""
    hours_reason: str | None = None
    usd: float | None = None
    usd_reason: str | None = None
    max_usd: float | None = None
    """The sweep's cap."""


class Tokens(NamedTuple):
    """Of one episode, by a remote model."""

    sent: float
    back: float


class Seen(NamedTuple):
    """What one recorded episode took."""

    seconds: float
    executor: Tokens
    user: Tokens


class Recorded:
    """Recorded episodes, by how much their configuration has in common with another."""

    def __init__(self, episodes: Iterable[EpisodeRecord] = ()) -> None:
        self._seen: dict[tuple[str, ...], list[Seen]] = {}
        for episode in episodes:
            self.add(episode)

    def add(self, episode: EpisodeRecord) -> None:
        """Note what an episode took; one in which a part broke tells little and is left out."""
        if episode.fault is not None:
            return
        simulator = episode.costs.simulator
        usage = episode.costs.usage
        seen = Seen(
            episode.costs.wall_s,
            Tokens(sum(use.tokens_in for use in usage), sum(use.tokens_out for use in usage)),
            Tokens(0, 0)
            if simulator is None
            else Tokens(simulator.usage.tokens_in, simulator.usage.tokens_out),
        )
        for level in _levels(episode.config):
            self._seen.setdefault(level, []).append(seen)

    def nearest(self, config: EpisodeConfig) -> tuple[str, Seen] | None:
        """What an episode of a configuration takes on average, and what that rests on."""
        for level, words in zip(_levels(config), _LEVELS, strict=True):
            seen = self._seen.get(level)
            if seen:
                return f"{len(seen)} episodes with the same {words}", _mean(seen)
        return None


_LEVELS = ("configuration", "observer, executor and user", "observer and executor")


def _levels(config: EpisodeConfig) -> tuple[tuple[str, ...], ...]:
    parts = (config.observer, config.executor, config.user)
    return (config.model_dump_json(),), parts, parts[:2]


def _mean(seen: Sequence[Seen]) -> Seen:
    count = len(seen)
    return Seen(
        sum(one.seconds for one in seen) / count,
        _mean_tokens([one.executor for one in seen]),
        _mean_tokens([one.user for one in seen]),
    )


def _mean_tokens(each: Sequence[Tokens]) -> Tokens:
    return Tokens(
        sum(one.sent for one in each) / len(each), sum(one.back for one in each) / len(each)
    )


def estimate(
    parts: Sequence[Part],
    left: Mapping[EpisodeConfig, int],
    recorded: Recorded,
    limits: Limits,
    workers: int = 1,
) -> Estimate:
    """What is to be expected.

    Args:
        parts: of the sweep.
        left: configuration → episodes that are still to be played.
        recorded: what is known.
        limits: prices that the sweep gives, and its cap.
        workers: how many play at a time.
    """
    own = tuple(_part(part, left.get(part.config, 0), recorded, limits) for part in parts)
    seconds = _sum([(one.seconds, one.seconds_reason) for one in own if one.episodes])
    usd = _sum([(one.usd, one.usd_reason) for one in own if one.episodes])
    return Estimate(
        parts=own,
        episodes=sum(one.episodes for one in own),
        workers=workers,
        hours=None if seconds[0] is None else seconds[0] / HOUR_S / workers,
        hours_reason=seconds[1],
        usd=usd[0],
        usd_reason=usd[1],
        max_usd=limits.max_usd,
    )


def _part(part: Part, left: int, recorded: Recorded, limits: Limits) -> PartEstimate:
    found = recorded.nearest(part.config)
    usd, usd_reason = _usd(part.config, found[1] if found else None, limits)
    return PartEstimate(
        config=part.config,
        scenarios=len(part.scenarios),
        runs=part.runs,
        episodes=left,
        seconds=None if found is None else found[1].seconds * left,
        seconds_reason=UNSEEN if found is None else None,
        usd=None if usd is None else usd * left,
        usd_reason=usd_reason,
        basis="" if found is None else found[0],
    )


def _usd(
    config: EpisodeConfig, seen: Seen | None, limits: Limits
) -> tuple[float | None, str | None]:
    """Of one episode. Models on this device cost no money."""
    observer, _ = split_spec(config.observer)
    if observer not in IN_HARNESS | NEEDS_MODEL:
        return None, f"what observer {observer} asks of whom is not known"
    total = 0.0
    for spec, role in ((config.executor, "executor"), (config.user, "user")):
        name, argument = split_spec(spec)
        if name in ("none", "oracle", "gguf", "scripted"):
            continue
        model = argument.partition("#")[0]
        if name != "litellm":
            return None, f"what {role} {name} costs is not known"
        price = limits.price(model)
        if price is None:
            return None, f"no price of {model} is listed; give usd_per_million under limits"
        if seen is None:
            return None, UNSEEN
        tokens: Any = getattr(seen, role)
        total += price.of(tokens.sent, tokens.back)
    return total, None


def _sum(
    values: Sequence[tuple[float | None, str | None]],
) -> tuple[float | None, str | None]:
    """All of them; one that is not known makes the sum unknown."""
    missing = [reason for value, reason in values if value is None]
    if missing:
        return None, f"{len(missing)} of {len(values)} configurations: {missing[0]}"
    return sum(value for value, _ in values if value is not None), None
