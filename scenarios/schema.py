"""The file format of scenarios, version 1, as pydantic models; ``schema.json`` is made from it.

Structure only: which keys there are and what type each has. Strings may hold ``{slot}``
placeholders (see ``template``), and ``@label`` stands for the id of a record that the file names
(see ``labels``). What it does not know: apps, whether names exist, how a phone is built.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, Self, get_args

from pydantic import ConfigDict, Field, JsonValue, PrivateAttr

from heron.contracts import Background
from heron.errors import ScenarioError
from heron.scenarios.document import Document, Problem
from heron.scenarios.families import Division, part_of
from heron.scenarios.parts import Name, OneOf, Part, Seconds, share_field_sets
from heron.scenarios.slot_schema import SlotSpec
from heron.sim.users.brief import Preferences

ScenarioType = Literal["goal", "quiet", "restraint"]
Split = Literal["full", "ablation", "quiet", "restraint", "smoke"]
GoalKind = Literal[
    "housing",
    "upstream_change",
    "purchases",
    "scheduling",
    "transport",
    "notes_documents",
    "gifts_costs",
    "expenses_claims",
    "tasks_reminders",
    "contacts",
    "lookup_reply",
    "lateness",
]
QuietKind = Literal["newsletter", "settled", "own_plan", "private", "joke", "instruction"]
RestraintKind = Literal["turned_down", "driving", "meeting", "presenting", "asleep"]
Kind = Literal[GoalKind, QuietKind, RestraintKind]
KINDS: dict[str, tuple[str, ...]] = {
    "goal": get_args(GoalKind),
    "quiet": get_args(QuietKind),
    "restraint": get_args(RestraintKind),
}
"""Type of scenario → the kinds that it has."""

Text = Annotated[str, Field(min_length=1)]
Row = dict[str, JsonValue]
Tables = dict[str, list[Row]]
Phrases = Annotated[list[Text], Field(min_length=1)]


# --- phone and events ---------------------------------------------------------------------------


class PhoneSpec(Part):
    """The phone at the start. Every further key is an app with its tables of records.

    A record may have a ``label``, by which the file names it, and a ``person`` (a slot), whose
    name, addresses and number fill the fields of those names that the record has.
    """

    model_config = ConfigDict(
        frozen=True, extra="allow", use_attribute_docstrings=True, title="PhoneSpec"
    )
    __pydantic_extra__: dict[str, Tables]

    owner: Name
    """A person slot."""
    start: Text
    """``YYYY-MM-DD HH:MM``."""
    device: dict[str, JsonValue] = Field(default_factory=dict)
    """Fields of ``DeviceStatus``."""
    apps: list[str] | None = None
    """Names of the apps that are installed; all, if not given."""

    @property
    def content(self) -> dict[str, Tables]:
        """App → table → records."""
        return self.__pydantic_extra__ or {}


class ConditionSpec(OneOf):
    """Something that the log can tell."""

    user_did: str | None = None
    """A successful action of the user, ``app.action``."""
    assistant_did: str | None = None
    """A successful call of the assistant, ``app.tool``."""
    answered: Literal["accept", "reject"] | None = None
    """A proposal was answered so."""
    opened: str | None = None
    """The user has had the record with this ``@label`` in full on the screen."""


class EventSpec(Part):
    """Something that will happen to the phone; exactly one of ``at``, ``after``, ``when``."""

    key: Name
    do: Text
    """``app.happening``."""
    with_: Annotated[dict[str, JsonValue], Field(alias="with", default_factory=dict)]
    """Its arguments."""
    label: Name | None = None
    """Names the record that it creates."""
    at: Seconds | None = None
    """Seconds from the start."""
    after: Name | None = None
    """Key of the event that it follows by ``delay`` seconds."""
    when: ConditionSpec | None = None
    """It follows the moment at which this first holds by ``delay`` seconds."""
    delay: Seconds = 0.0
    depends_on: list[Name] = Field(default_factory=list)


# --- user and help ------------------------------------------------------------------------------


class ActionSpec(Part):
    """An action of the user."""

    app: str
    action: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class HabitSpec(OneOf):
    """One thing that the user does unaided."""

    see: Name | None = None
    """Go and read the record with this label."""
    rest: Annotated[int, Field(ge=1)] | None = None
    """Do nothing for so many turns."""
    do: ActionSpec | None = None


class UserSpec(Part):
    """The user: what it wants, does, and must have seen in order to judge an offer."""

    goal: Text
    habits: list[HabitSpec] = Field(default_factory=list)
    needs: list[str] = Field(default_factory=list)
    """``label`` (all of the record) or ``label.field``."""
    reply: Text = "Please decide as you think best."
    """Answer to a clarifying question."""
    preferences: Preferences = Preferences()
    """Standing wishes, beside those of the persona that plays."""


class WindowSpec(Part):
    """When help is useful."""

    opens: Seconds | Name | None = None
    """Key of an event, or seconds from the start; as soon as it makes sense, if not given."""
    closes: Seconds | None = None
    """Seconds from the start; at the end, if not given."""


class WrongSpec(Part):
    """An offer that the user must not take."""

    text: Text
    why: Literal["vague", "object", "act"]
    """``vague`` says nothing of the matter, the others name the wrong thing or act."""


class ProposalsSpec(Part):
    """Offers to prove the scenario with."""

    reference: list[Text] = Field(default_factory=list)
    """Right ones, in different words."""
    wrong: list[WrongSpec] = Field(default_factory=list)
    bait: list[Text] = Field(default_factory=list)
    """What a bad assistant would offer where no help is wanted."""


class RubricSpec(Part):
    """By what words the user knows an offer; see ``heron.sim.users.brief.Rubric``."""

    object: list[Phrases] = Field(default_factory=list)
    act: list[Phrases] = Field(default_factory=list)
    against: list[Text] = Field(default_factory=list)
    topic: list[Text] = Field(default_factory=list)


class StepSpec(Part):
    """A call of the reference solution."""

    tool: Text
    """``app.tool``."""
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    facts: dict[str, list[Phrases]] = Field(default_factory=dict)
    """Text argument → groups of phrases; of each group one has to stand in the text."""
    free: list[str] = Field(default_factory=list)
    """Arguments in which any value will do."""
    label: Name | None = None
    """Names the record that it creates, for later steps."""


class ChecksSpec(Part):
    """Effects (``kind.op``) beyond the reference's own."""

    allowed: list[str] = Field(default_factory=list)
    """Do no harm."""
    forbidden: list[str] = Field(default_factory=list)
    """Must not be, whatever else is."""


class PrivacySpec(Part):
    """What is sensitive, and who may know."""

    sensitive: list[str] = Field(default_factory=list)
    """``label`` or ``label.field``."""
    may_know: dict[str, list[str]] = Field(default_factory=dict)
    """Person slot, or a word for whom it is → ``label`` or ``label.field``."""


class ProvenanceSpec(Part):
    """Where a generated scenario comes from; what people write has none."""

    model: Text
    """As the generator was given it, ``litellm:…`` or ``gguf:…``."""
    seed: int
    number: int
    """Which scenario of that seed it is."""
    prompt: Text
    """sha256 over the prompts of all stages as they were sent first."""
    heron: Text
    """Version of Heron."""
    date: Text
    """``YYYY-MM-DD`` on which it was begun."""
    repairs: dict[str, int] = Field(default_factory=dict)
    """Stage → how often its answer was sent back."""


class SourceSpec(Part):
    """Where a scenario comes from that another system had before; what people write has none."""

    format: Literal["are"]
    file: Text
    """Name of the file, without its folder."""
    id: Text
    """What the scenario is called there."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Of the file."""
    heron: Text
    """Version of Heron that took it over."""
    remarks: list[str] = Field(default_factory=list)
    """What differs from the file, as ``kind: detail``."""
    advice: bool = False
    """The help is advice and changes nothing; that the offer is taken is all that is asked."""


class Scenario(Part):
    """A scenario: the content of one file, and the file."""

    _document: Document = PrivateAttr()

    model_config = ConfigDict(title="Heron scenario, version 1")

    schema_: Annotated[Literal[1], Field(alias="schema")]
    id: Name
    """Also the file's name."""
    family: Name
    """Also the folder's name; siblings share a plot."""
    type: ScenarioType
    kind: Kind
    splits: list[Split] = Field(default_factory=list)
    setting: Name
    """Whose life it is: family, student, freelancer, …"""
    locale: str
    """Of names, currency and clock: ``en_GB``, …"""
    summary: Text
    """One line."""
    background: Background = "bare"
    """How lived-in the phone is, unless a run says otherwise: ``bare`` (only what stands here),
    ``light`` (about 100 records more) or ``full`` (about 2,000 more)."""
    slots: dict[Name, SlotSpec]
    phone: PhoneSpec
    events: list[EventSpec] = Field(default_factory=list)
    user: UserSpec
    window: WindowSpec = WindowSpec()
    proposals: ProposalsSpec
    rubric: RubricSpec
    reference: list[StepSpec] = Field(default_factory=list)
    report: str = ""
    """What the assistant tells the user when it is done."""
    checks: ChecksSpec = ChecksSpec()
    privacy: PrivacySpec = PrivacySpec()
    provenance: ProvenanceSpec | None = None
    source: SourceSpec | None = None

    @classmethod
    def of(cls, document: Document) -> Self:
        """The scenario in a document.

        Raises:
            ValidationError: the document has not this structure.
        """
        made = cls.model_validate(document.data)
        made._document = document
        return made

    def settle(self) -> Self:
        """Let go of what only the checks needed, when they are done."""
        self._document = self._document.slim()
        share_field_sets(self)
        return self

    @property
    def document(self) -> Document:
        """The file that it was read from."""
        return self._document

    @property
    def part(self) -> Division:
        """The part that its family belongs to."""
        return part_of(self.family)

    @property
    def hash(self) -> str:
        """sha256 of its content."""
        return self._document.hash

    def error(self, problem: Problem) -> ScenarioError:
        """A problem with its file and line."""
        return self._document.error(problem)


def json_schema() -> str:
    """The JSON schema of a scenario file, as checked in beside this module."""
    schema = Scenario.model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
