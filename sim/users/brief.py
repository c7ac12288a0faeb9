"""What a scripted user is told of its scenario: goal, habits, what it must see, its rubric.

References are record ids. What it does not know: the reference solution, the assistant.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from heron.contracts import Arguments, Record


class See(Record):
    """Go and read a record."""

    type: Literal["see"] = "see"
    ref: str


class Do(Record):
    """Do an action, going to its app first where needed."""

    type: Literal["do"] = "do"
    app: str
    action: str
    arguments: Arguments = Field(default_factory=dict)


class Rest(Record):
    """Do nothing for some turns."""

    type: Literal["rest"] = "rest"
    turns: int = Field(ge=1)


Habit = Annotated[See | Do | Rest, Field(discriminator="type")]


class Need(Record):
    """Fields of a record that the user must have seen in order to judge."""

    ref: str
    fields: tuple[str, ...] = ()
    """Empty: all of it, as on its own screen."""


class Rubric(Record):
    """By what words an offer is known to be the right one.

    A group is fulfilled by any of its phrases. A phrase is one or more words that must stand
    next to each other; ``resched*`` stands for any ending. Case, accents and punctuation do not
    count.
    """

    object: tuple[tuple[str, ...], ...]
    """Groups that name what it is about: which record, person, time. All must be fulfilled."""
    act: tuple[tuple[str, ...], ...]
    """Groups that name what is to be done. All must be fulfilled."""
    against: tuple[str, ...] = ()
    """Phrases that make an offer wrong whatever else it says."""
    topic: tuple[str, ...] = ()
    """Phrases by which an offer is plausible although it is not right; the objects' phrases
    count as well."""
    tools: tuple[str, ...] = ()
    """Write tools that a right plan may name; a plan without any of them contradicts."""


class Window(Record):
    """When help is useful."""

    opens: datetime | None = None
    """``None``: as soon as what it is about is there."""
    closes: datetime | None = None
    """``None``: to the end."""


class Preferences(Record):
    """Standing wishes, of a persona or of a scenario; where both have some, all of them count."""

    not_before: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] | None = None
    """``HH:MM``; offers before this hour of the day are refused."""
    confirm_purchases: bool = False
    """What spends money is refused when it is first offered, and taken when offered again."""


class UserBrief(Record):
    """Everything that a scripted user knows of its scenario at the start."""

    goal: str
    habits: tuple[Habit, ...] = ()
    needs: tuple[Need, ...] = ()
    rubric: Rubric
    wanted: bool = True
    """``False``: no help is wanted, and the rubric only tells plausible offers from vague ones."""
    window: Window = Window()
    preferences: Preferences = Preferences()
    reply: str = "Please decide as you think best."
    """Answer to a clarifying question."""
