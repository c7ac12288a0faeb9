"""One short row per episode: what the list shows, filters and searches.

What it does not know: the episode's content (see ``model``).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.eval.attribution import attribute


@dataclass(frozen=True, slots=True)
class Row:
    """An episode in the list."""

    key: str
    """Names it in links: scenario, seed, and eight digits over all else that sets it apart."""
    scenario: str
    seed: int
    run: int
    type: str
    kind: str
    observer: str
    executor: str
    user: str
    setting: str
    """What else was not as usual: noise, clock, number of turns; empty if nothing was."""
    outcome: str
    passed: bool
    cause: str
    """Whose fault a failure was, and what; empty if nothing went wrong."""
    what: str
    detail: str
    proposals: int
    accepts: int
    size: int = 0
    """Bytes that its content takes in a page, about; 0: not known."""

    @property
    def stratum(self) -> tuple[str, ...]:
        """What episodes have in common of which a choice shall hold some each."""
        return (
            self.observer,
            self.executor,
            self.user,
            self.setting,
            self.kind,
            self.outcome,
            self.cause,
            self.what,
        )


def row_of(episode: EpisodeRecord, key: str | None = None, size: int = 0) -> Row:
    """The row of an episode.

    Args:
        episode: as stored.
        key: if another than ``key_of`` gives.
        size: see ``Row.size``.
    """
    cause = attribute(episode)
    decisions = [turn.decision for turn in episode.turns if turn.decision is not None]
    return Row(
        key=key or key_of(episode),
        scenario=episode.scenario,
        seed=episode.seed,
        run=episode.run,
        type=episode.type,
        kind=episode.kind,
        observer=episode.config.observer,
        executor=episode.config.executor,
        user=episode.config.user,
        setting=setting_of(episode.config),
        outcome="fault" if episode.fault is not None else episode.verdict.outcome,
        passed=episode.fault is None and episode.verdict.passed,
        cause=cause.cause if cause else "",
        what=cause.what.replace("_", " ") if cause else "",
        detail=cause.detail if cause else "",
        proposals=sum(turn.proposal is not None for turn in episode.turns),
        accepts=sum(decision.answer == "accept" for decision in decisions),
        size=size,
    )


def key_of(episode: EpisodeRecord) -> str:
    """A name for links that stays the same as long as the same thing is run by the same code."""
    apart = (
        episode.scenario_hash,
        episode.config.model_dump_json(),
        episode.code or "",
    )
    digest = hashlib.sha256("\n".join(apart).encode()).hexdigest()[:8]
    return f"{episode.scenario}.{episode.seed}.{digest}"


def setting_of(config: EpisodeConfig) -> str:
    """What is not as usual in a configuration, in words."""
    usual = {name: field.default for name, field in EpisodeConfig.model_fields.items()}
    told = {
        "turns": f"{config.turns} turns",
        "clock": f"{config.clock} clock",
        "max_looks": f"{config.max_looks} looks",
        "max_steps": f"{config.max_steps} steps",
        "background": f"{config.background} phone",
        "tool_failure": f"tools fail {config.tool_failure:.0%}",
        "lasting_failures": f"lasting {config.lasting_failures:.0%}",
        "tool_latency_s": f"tools take {config.tool_latency_s:g} s",
        "events_per_minute": f"{config.events_per_minute:g} events/min",
    }
    return ", ".join(text for name, text in told.items() if getattr(config, name) != usual[name])
