"""An episode as one flat row: every numerator and denominator that any metric needs.

Counts are per episode; a metric is a ratio of their sums (see ``catalogue``). ``None``: unknown in
this episode, never 0; a metric with an unknown part is unknown. Ten thousand rows take some tens of
megabytes, so that no figure needs the episodes themselves. What it does not know: how a row is
made (see ``extraction``), metrics.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """One episode."""

    # --- what was played ---
    scenario: str
    scenario_hash: str
    code: str | None
    """Which code played it (see ``heron.eval.provenance``)."""
    family: str | None
    part: str | None
    """``dev`` or ``test``."""
    type: str
    kind: str
    apps: tuple[str, ...] | None
    """Apps that the scenario is about, sorted."""
    seed: int
    run: int
    observer: str
    executor: str
    user: str
    clock: str
    max_looks: int
    max_steps: int
    background: str | None
    tool_failure: float
    lasting_failures: float
    tool_latency_s: float
    events_per_minute: float

    # --- how it ended ---
    outcome: str
    fault_part: str | None
    """The part that broke, if one did."""
    cause: str | None
    """Whose fault a failure was (see ``attribution``)."""
    what: str | None
    """Which, in one word."""
    goal: int
    """1 for a goal scenario."""
    quiet: int
    """1 where no help is wanted: quiet and restraint scenarios."""
    success: int
    silent: int
    done_by_user: int
    fault: int
    failed: int
    """Neither success nor silence, or a fault."""
    by_observer: int
    by_user: int
    by_executor: int
    by_infrastructure: int

    # --- turns and offers ---
    turns: int
    """Planned: an episode that a fault cut short counts in full."""
    turns_played: int
    phone_s: float
    """On the phone's clock."""
    quiet_s: float
    """The same, of episodes in which no help is wanted."""
    proposals: int
    accepted: int
    rejected: int
    expired: int
    withdrawn: int
    unanswered: int
    """Still open at the end."""
    refused: int
    """Offers that the harness did not show: one was open already, or it was empty."""
    goal_proposals: int
    goal_accepted: int
    quiet_proposals: int
    quiet_accepted: int
    first_accept: int
    """Proposals whose first answer was this; the four add up to ``proposals``."""
    first_reject: int
    first_look: int
    first_ignore: int
    looked: int
    """Proposals that the user went to look for, at whichever answer."""
    answered: int
    """Proposals that the user answered or looked for."""
    questions: int
    """Clarifying questions."""

    # --- gathering context, errors of the simulated user ---
    gatherings: int
    looks: int
    gatherings_ended: int
    gathering_s: float
    user_errors: int
    """Where they were assessed."""
    user_assessed: int

    # --- the assistant's calls ---
    reads: int
    """Successful."""
    writes: int
    calls: int
    """All, looks and failed ones included."""
    noise_failures: int
    noise_events: int
    executions: int
    accepted_episode: int
    """1 for a goal scenario in which an offer was accepted."""
    accepted_success: int

    # --- time and worth of offers ---
    inside: int | None
    """Proposals of a goal scenario made while help was useful."""
    early: int | None
    late: int | None
    early_turns: int | None
    """Turns from early proposals to the one in which the window was open, summed up."""
    early_dated: int | None
    """Early proposals whose window opened in the episode."""
    late_turns: int | None
    """Turns from the last one with the window open to late proposals, summed up."""
    first_inside: int | None
    """1 where any proposal was made while help was useful."""
    first_inside_turns: int | None
    """Turns from the opening to the first of them."""
    right: int | None
    """Proposals that fit by the scenario's rubric, made while help was useful and before any was
    accepted."""
    met: int | None
    """1 for a goal scenario with a right proposal."""

    # --- decision points: turns in which the observer was asked and no offer was open ---
    points: int
    hits: int | None
    """Help was needed, and it offered something."""
    missed: int | None
    """Help was needed, and it did not."""
    alarms: int | None
    """No help was needed, and it offered something."""
    rests: int | None
    """No help was needed, and it did not."""

    # --- restraint and interruptions ---
    rejection: int
    """1 where an offer was turned down, be it one from before the episode."""
    stopped: int
    """1 where nothing was offered after the first such."""
    matter_rejection: int | None
    """1 where an offer about the scenario's matter was turned down."""
    matter_stopped: int | None
    """1 where nothing about that matter was offered after the first such."""
    shown_busy: int | None
    """Proposals shown while the user drove, met, presented, slept or was not to be disturbed."""

    # --- costs of the observer, measured ---
    decisions: int
    """Answers, looks included."""
    wall_s: tuple[float, ...]
    """Per answer."""
    cpu_s: tuple[float, ...]
    """Per answer for which it is known."""
    queued_s: tuple[float, ...]
    first_token_s: tuple[float, ...]
    cpu_total_s: float | None
    """``None`` as soon as one answer's is unknown."""
    evaluated: int | None
    """Tokens."""
    reused: int | None
    generated: int | None
    woken: int
    gated: int
    """Answers before which a gate decided whether to wake the model."""
    joules: float
    """Of the answers whose energy is known."""
    joules_known: int
    joules_total: float | None
    """``None`` as soon as one answer's is unknown."""
    memory_anonymous: int | None
    """Largest sample, bytes."""
    memory_file_backed: int | None
    memory_kv: int | None
    memory_reason: str | None
    energy_reason: str | None
    episode_wall_s: float
    harness_cpu_s: float

    # --- models behind an address, and what left the device ---
    observer_tokens_in: int
    observer_tokens_out: int
    observer_egress: int
    executor_s: tuple[float, ...]
    """Wall time per execution."""
    executor_calls: int
    executor_tokens: int
    executor_tokens_in: int
    executor_tokens_out: int
    executor_bytes: int
    """Of request bodies, to a model on or off the device."""
    executor_egress: int
    egress_before: int
    """Bytes that had left the device before the first accept."""
    egress_after: int
    cost_usd: float | None
    """Of the assistant's remote models; 0 where none was asked, ``None`` where a price is
    unknown."""
    fields_disclosed: int | None
    """Record fields that left the device; not counted yet."""
    simulator_tokens: int
    simulator_usd: float | None
    """As ``cost_usd``, of a user that is a model."""
