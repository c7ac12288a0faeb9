"""The frozen records of the flow, one per arrow.

Scenario + seed → Stage → Observation → Proposal → Decision → Grant → Execution → Verdict →
EpisodeRecord. An episode can be stopped, stored, replayed or faked at any arrow. Times are the
phone's own wall clock (naive datetimes, "floating" in the sense of RFC 5545); durations are
seconds. What it does not know: any room.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Actor = Literal["user", "assistant", "environment"]
Effect = Literal["read", "write"]
Arguments = dict[str, JsonValue]

PROPOSAL_LENGTH = 160
"""Characters that a proposal shows to the user; what an observer says beyond is cut off."""


class Record(BaseModel):
    """Base of all records: frozen, nothing undeclared."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


# --- calls on the phone -------------------------------------------------------------------------


class ToolSpec(Record):
    """A flat API call of the assistant."""

    name: str
    """``app.tool``, for example ``calendar.add_event``."""
    effect: Effect
    description: str
    parameters: dict[str, JsonValue]
    """JSON schema of the arguments. A parameter that names a record carries ``x-ref: kind``, one
    that is prose ``x-text: true``."""


class ToolCall(Record):
    """A tool with its arguments."""

    name: str
    arguments: Arguments = Field(default_factory=dict)


class Evidence(Record):
    """A record that the assistant has been shown, in one line."""

    ref: str
    """Id of the record."""
    kind: str
    """Kind of the record: ``email``, ``event``, ``contact``, …"""
    text: str


class ToolResult(Record):
    """What a tool call came back with."""

    call: ToolCall
    ok: bool
    value: JsonValue = None
    """The answer, if ``ok``."""
    error: str | None = None
    """Why not and what would be legal, unless ``ok``."""
    shown: tuple[Evidence, ...] = ()
    """The records that the answer shows."""


class Change(Record):
    """What one call did to one record."""

    app: str
    kind: str
    ref: str
    op: Literal["create", "update", "delete"]
    fields: dict[str, tuple[Any, Any]]
    """Field → (before, after); ``None`` on the side on which the record is not there."""


NoiseKind = Literal["transient", "lasting", "event"]
"""A tool that fails once, one that stays down for the episode, an event of the surroundings."""


class LogEntry(Record):
    """One line of the world's append-only log. The actor never changes."""

    seq: int
    time: datetime
    turn: int
    actor: Actor
    name: str
    """``app.action``, ``app.tool`` or ``app.event``."""
    effect: Effect
    arguments: Arguments
    error: str | None = None
    grant_id: str | None = None
    changes: tuple[Change, ...] = ()
    noise: NoiseKind | None = None
    """Set where noise made this happen: why a tool failed, or ``event``."""


# --- what the observer sees ---------------------------------------------------------------------


class NotificationSeen(Record):
    """A notification, in full."""

    type: Literal["notification"] = "notification"
    app: str
    title: str
    """Sender and, where there is one, subject."""
    text: str
    record: Evidence | None = None
    """The record that it is about."""


class ActionSeen(Record):
    """Something that the user did."""

    type: Literal["action"] = "action"
    app: str
    action: str
    arguments: Arguments
    error: str | None = None


class AnswerSeen(Record):
    """How a proposal ended. That the user went to look first shows only as actions."""

    type: Literal["answer"] = "answer"
    proposal_id: str
    answer: Literal["accept", "reject", "expired", "withdrawn", "refused"]
    """``refused``: the harness did not show it (one is open already, or it is empty)."""
    reason: str = ""
    text: str = ""
    """The offer itself, where it was made before the episode began."""


class LookSeen(Record):
    """The result of the observer's own look."""

    type: Literal["look"] = "look"
    result: ToolResult


class ExecutionSeen(Record):
    """What an execution reported to the user."""

    type: Literal["execution"] = "execution"
    proposal_id: str
    end: str
    message: str


Seen = Annotated[
    NotificationSeen | ActionSeen | AnswerSeen | LookSeen | ExecutionSeen,
    Field(discriminator="type"),
]


Activity = Literal["free", "driving", "meeting", "presenting", "asleep"]


class DeviceStatus(Record):
    """State of the device and its user, as sensors tell it."""

    activity: Activity = "free"
    do_not_disturb: bool = False
    battery: int = 80
    """Per cent."""
    charging: bool = False


class Brief(Record):
    """What an observer is told when an episode begins."""

    user_name: str
    tools: tuple[ToolSpec, ...]
    """The read tools it may look with; planned writes are named from ``write_tools``."""
    write_tools: tuple[str, ...]


class Observation(Record):
    """What is new since the observer last looked: a delta, never the history."""

    turn: int
    step: int
    """0 for the turn's first observation, then one more per look."""
    time: datetime
    new: tuple[Seen, ...]
    device: DeviceStatus
    open_proposal: str | None = None
    """Id of the proposal that waits for an answer."""
    looks_left: int = 0
    brief: Brief | None = None
    """Set at an episode's first observation: everything before is to be forgotten."""


# --- what the observer answers ------------------------------------------------------------------


class Scores(Record):
    """Probabilities that the observer gave to its options; they sum to at most one."""

    wait: float
    look: float
    propose: float


class Wait(Record):
    type: Literal["wait"] = "wait"
    scores: Scores | None = None


class Look(Record):
    """Call a read tool and observe again."""

    type: Literal["look"] = "look"
    call: ToolCall
    scores: Scores | None = None


class Propose(Record):
    """Offer one concrete piece of help."""

    type: Literal["propose"] = "propose"
    text: str
    plan: tuple[str, ...] = ()
    """Names of the write tools that it would take."""
    refs: tuple[str, ...] = ()
    """Ids of records seen that it is about."""
    scores: Scores | None = None


class Withdraw(Record):
    """Take the open proposal back."""

    type: Literal["withdraw"] = "withdraw"
    scores: Scores | None = None


ObserverAnswer = Annotated[Wait | Look | Propose | Withdraw, Field(discriminator="type")]


class KeptTurn(Record):
    """A turn of an observer's dialogue with its model, as text."""

    text: str
    """What the model was shown."""
    answer: str
    keep: bool = False
    """Later turns may need it (see ``DecisionModel.extend``)."""


class ObserverState(Record):
    """What an observer whose process ended needs in order to go on."""

    turns: tuple[KeptTurn, ...] = ()
    """The newest turns, from which a model's context is made again."""
    own: dict[str, JsonValue] = Field(default_factory=dict)
    """Whatever else the observer keeps; it alone reads this."""


class MemorySample(Record):
    """Memory of a process, bytes. Source: ``/proc/PID/smaps_rollup``."""

    anonymous: int | None
    file_backed: int | None
    kv: int | None = None
    """Memory of the model's window, as llama.cpp reports it; it is part of ``anonymous``."""
    reason: str | None = None


class EnergySample(Record):
    """Energy of a stretch of time. ``None``: not measured, see ``reason``."""

    joules: float | None
    source: Literal["rapl", "estimate"] | None = None
    """``rapl``: the processor's own counters, which count the whole machine; ``estimate``: by a
    stated model."""
    detail: str = ""
    """The domains that were added up, or the model of an estimate."""
    reason: str | None = None


class Usage(Record):
    """Tokens, money and bytes of calls of a chat model, as the model side reports them."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    bytes_out: int = 0
    """Bytes of request bodies handed to the model."""
    bytes_in: int = 0
    cost_usd: float | None = None
    """``None`` where no price is known."""
    remote: bool = False
    """The model is not on this device: ``bytes_out`` is egress."""


class StepCost(Record):
    """Measured cost of one answer of a model. ``None``: not measured, see ``reason``."""

    wall_s: float
    cpu_s: float | None = None
    evaluated: int | None = None
    """Tokens evaluated."""
    reused: int | None = None
    """Tokens of the context that were kept from before."""
    generated: int | None = None
    queued_s: float | None = None
    """From the observation's arrival to the moment at which its process began to work on it; not
    part of ``wall_s``."""
    first_token_s: float | None = None
    """From the observation's arrival to the first logits read; ``None`` where none were."""
    woken: bool | None = None
    """Whether a gate woke the model; ``None``: there is no gate."""
    usage: Usage | None = None
    """What an observer asked of a model behind an address; ``None``: it asks none."""
    memory: MemorySample | None = None
    """Of the process, after the answer."""
    energy: EnergySample | None = None
    reason: str | None = None


# --- proposal to grant --------------------------------------------------------------------------


class Proposal(Record):
    """One concrete offer, as shown to the user, with what it rests on."""

    proposal_id: str
    turn: int
    text: str
    plan: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


Answer = Literal["accept", "reject", "gather_context", "ignore"]


class Decision(Record):
    """The user's answer to a proposal at one step."""

    proposal_id: str
    turn: int
    answer: Answer
    reason: str = ""
    why: str = ""
    """The reason as one of a closed set, where the user has one."""


class Grant(Record):
    """Minted by an accept, used once."""

    grant_id: str
    proposal_id: str
    turn: int


# --- what the user sees and does ----------------------------------------------------------------


class Item(Record):
    """A thing on a screen."""

    ref: str | None
    kind: str
    text: str
    shows: tuple[str, ...] = ()
    """Names of the record's fields that can be read here; ``*`` is all of them."""


class ActionOffer(Record):
    """An action that is legal now."""

    app: str
    name: str
    effect: Effect
    description: str
    takes: float
    """Seconds."""
    parameters: dict[str, JsonValue]
    """JSON schema, as in ``ToolSpec``."""


class ScreenView(Record):
    """The current screen, rendered."""

    app: str
    screen: str
    title: str
    items: tuple[Item, ...] = ()


class Preview(Record):
    """A notification as the user sees it: 20 characters of content."""

    app: str
    title: str
    preview: str
    ref: str | None = None
    """The record that opens where the user taps it; not readable without going there."""


class UserView(Record):
    """All that the user has before it at a step."""

    turn: int
    time: datetime
    screen: ScreenView
    previews: tuple[Preview, ...]
    """Notifications that came since the user's last step."""
    device: DeviceStatus = DeviceStatus()
    actions: tuple[ActionOffer, ...]
    proposal: Proposal | None = None
    question: str | None = None
    """A clarifying question of a running execution."""
    report: str | None = None
    """What an execution reported since the last step."""


class Act(Record):
    """Do an action of the current screen."""

    type: Literal["act"] = "act"
    app: str
    action: str
    arguments: Arguments = Field(default_factory=dict)


class Answered(Record):
    """Accept or reject the proposal; going to look is an ``Act`` with ``looking`` set."""

    type: Literal["answered"] = "answered"
    answer: Literal["accept", "reject"]
    reason: str = ""
    why: str = ""
    """The reason as one of a closed set, where the user has one."""


class Reply(Record):
    """Answer a clarifying question."""

    type: Literal["reply"] = "reply"
    text: str


class Idle(Record):
    type: Literal["idle"] = "idle"


UserMove = Annotated[Act | Answered | Reply | Idle, Field(discriminator="type")]


class UserStep(Record):
    """What the user does at one step."""

    move: UserMove
    looking: bool = False
    """The move is made in order to judge the open proposal (``gather_context``)."""
    note: str = ""
    """Why, in a few words; for readers of the episode, never shown to the assistant."""
    pace: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    """How long the step takes, relative to what its action is declared to take."""
    lost: bool = False
    """It wanted to look at something and found no way to it."""
    invalid: int = 0
    """Outputs of a model user that were no legal step, before this one was settled on."""
    gave_up: bool = False
    """None of a model user's outputs was a legal step, so that it idles."""


# --- execution ----------------------------------------------------------------------------------


class Task(Record):
    """What an executor gets: the accepted proposal and nothing that was not shown."""

    grant: Grant
    proposal: Proposal
    user_name: str
    time: datetime
    tools: tuple[ToolSpec, ...]
    max_steps: int = 10


class Execution(Record):
    """The executor's calls under a grant, and how they ended."""

    grant_id: str
    end: Literal["done", "gave_up", "limit", "question", "none"]
    message: str = ""
    """The one report to the user, or the question if ``end`` is ``question``."""
    calls: tuple[ToolResult, ...] = ()
    steps: int = 0
    usage: Usage = Usage()


# --- verdict and episode ------------------------------------------------------------------------


class Check(Record):
    """One thing that had to hold."""

    name: str
    passed: bool
    detail: str = ""


Outcome = Literal["success", "failure", "done_by_user", "silent", "disturbed"]


class Verdict(Record):
    """Goal scenarios end in success, failure or done_by_user; quiet ones silent or disturbed."""

    outcome: Outcome
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Success or silence."""
        return self.outcome in ("success", "silent")


class ObserverTurn(Record):
    """One observation's answer."""

    step: int
    answer: ObserverAnswer


class TurnRecord(Record):
    """One turn: the user's step, then the observer's."""

    turn: int
    time: datetime
    view: ScreenView
    previews: tuple[Preview, ...] = ()
    step: UserStep
    error: str | None = None
    """Why the user's action failed, if it did."""
    decision: Decision | None = None
    expired: str | None = None
    """Id of a proposal that expired at this turn."""
    execution: Execution | None = None
    observer: tuple[ObserverTurn, ...] = ()
    proposal: Proposal | None = None
    """The proposal made in this turn."""
    withdrawn: str | None = None


class Gathering(Record):
    """The user went to look before it answered: from its first look to the proposal's end."""

    proposal_id: str
    from_turn: int
    to_turn: int
    """The turn in which the proposal ended, or the last one played."""
    started: datetime
    ended: datetime
    looks: int
    """Steps that were taken in order to look."""
    refs: tuple[str, ...] = ()
    """Ids of the records that the looks brought up in full, each once, in order."""
    end: Literal["accept", "reject", "expired", "withdrawn", "open"]
    """``open``: the episode ended first."""

    @property
    def seconds(self) -> float:
        """On the phone's clock."""
        return (self.ended - self.started).total_seconds()


class UserErrors(Record):
    """What the simulated user did wrong, each as the turns in which it did; no persona's whim."""

    lost: tuple[int, ...] = ()
    """It went to look at what was there and found no way, or did not come to an answer."""
    refused: tuple[int, ...] = ()
    """The phone refused its action."""
    misjudged: tuple[int, ...] = ()
    """It answered against the scenario's rubric in a way that its persona does not allow."""
    invalid: tuple[int, ...] = ()
    """A model user's outputs were no legal step until none was left, and it did nothing."""

    @property
    def total(self) -> int:
        """All of them."""
        return len(self.lost) + len(self.refused) + len(self.misjudged) + len(self.invalid)


class FaultRecord(Record):
    """A part that broke."""

    part: Literal["observer", "executor", "user", "harness"]
    turn: int
    message: str


class SimulatorCosts(Record):
    """What a user that is a model took. It is the simulator's: none of it counts for the device,
    its ledger or its latency.
    """

    steps: tuple[StepCost, ...] = ()
    """One per step of the user, in order."""
    usage: Usage = Usage()
    """``bytes_out`` and ``remote`` as for an executor, and still no egress of the device's."""


class EpisodeCosts(Record):
    """Everything measured: it differs from run to run and is left out of digests."""

    steps: tuple[StepCost, ...] = ()
    """One per observer answer, in order."""
    memory: MemorySample | None = None
    """Of the observer's process, at the episode's end."""
    harness_cpu_s: float = 0.0
    wall_s: float = 0.0
    executor: tuple[StepCost, ...] = ()
    usage: tuple[Usage, ...] = ()
    egress_before_accept: int = 0
    """Bytes handed to a model off this device before the first accept, by an observer too."""
    simulator: SimulatorCosts | None = None
    """``None``: the user is no model."""


class OfferAssessed(Record):
    """What an offer is worth by the scenario's own measure, whatever the user made of it."""

    proposal_id: str
    sense: Literal["fits", "wrong", "vague"]
    """By the scenario's rubric: the right thing, about the matter but wrong, or not about it."""
    why: str = ""


class Assessment(Record):
    """What the scenario says of an episode beside its verdict: no part of digests."""

    family: str
    part: str
    """``dev`` or ``test``."""
    apps: tuple[str, ...] = ()
    """Apps that the scenario's events, needs and reference solution are about, sorted."""
    device: DeviceStatus = DeviceStatus()
    """At the start; what changes it later stands in the log."""
    opened: datetime | None = None
    """When help began to be useful in this episode; ``None``: it never did, or none is wanted."""
    closes: datetime | None = None
    """When help stops being useful; ``None``: not before the end."""
    offers: tuple[OfferAssessed, ...] = ()
    """One per proposal shown, in order."""


Background = Literal["bare", "light", "full"]
"""How lived-in the phone is: only the scenario's records, about 100 more, about 2,000 more."""

Probability = Annotated[float, Field(ge=0, le=1)]


class EpisodeConfig(Record):
    """What was run."""

    observer: str
    executor: str
    user: str
    turns: Annotated[int, Field(ge=1, le=1000)] = 10
    clock: Literal["logical", "measured"] = "logical"
    max_looks: Annotated[int, Field(ge=0, le=100)] = 5
    max_steps: Annotated[int, Field(ge=1, le=1000)] = 10
    background: Background | None = None
    """How lived-in the phone is; ``None``: as the scenario says."""
    tool_failure: Probability = 0.0
    """Probability that a call of a tool fails, whether once or because the tool is down."""
    lasting_failures: Probability = 0.0
    """Share of the failures that is due to tools which are down for the whole episode."""
    tool_latency_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Seconds that each call of a tool takes on the phone's clock."""
    events_per_minute: Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)] = 0.0
    """Events of the surroundings, beside the scenario's own, per minute of the phone's clock."""
    window: int = 4096
    """Tokens of the observer's context."""


class EpisodeRecord(Record):
    """One scenario × one seed × one configuration."""

    version: Literal[1] = 1
    scenario: str
    scenario_hash: str
    type: Literal["goal", "quiet", "restraint"]
    kind: str
    seed: int
    run: int
    config: EpisodeConfig
    code: str | None = None
    """Which code played it (see ``heron.eval.provenance``); ``None`` in episodes that were stored
    before it was noted. No part of a digest."""
    models: dict[str, str] = Field(default_factory=dict)
    """Role (observer, executor, user) → sha256 of its model's file, where there is one. No part of
    a digest."""
    turns: tuple[TurnRecord, ...]
    gatherings: tuple[Gathering, ...] = ()
    user_errors: UserErrors | None = None
    """``None``: not assessed, as in episodes that were stored before there was such a figure."""
    log: tuple[LogEntry, ...]
    state: str
    """sha256 of the final state of the phone."""
    verdict: Verdict
    fault: FaultRecord | None = None
    costs: EpisodeCosts
    assessment: Assessment | None = None
    """``None``: not assessed, as in episodes that were stored before there was such a record."""
