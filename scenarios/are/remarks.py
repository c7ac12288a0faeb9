"""What can be said about a file that was taken over, or was not: a closed set of remarks.

What it does not know: when a remark is due.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from heron.errors import InputError

RemarkKind = Literal[
    "reference_raised",
    "reference_refused",
    "reference_by_environment",
    "reference_before_consent",
    "reference_after_reaction",
    "environment_raised",
    "environment_refused",
    "invalid_address",
    "depends_on_agent",
    "later_than_run",
    "times_moved",
    "several_proposals",
    "no_proposal",
    "advice_only",
    "task_given",
    "user_step",
    "recovered",
    "approximated",
    "id_reused",
    "dangling",
    "final_state",
    "not_restored",
]
KINDS: tuple[RemarkKind, ...] = get_args(RemarkKind)

MEANING: dict[RemarkKind, str] = {
    "reference_raised": "a step of the reference raised in the file's own run and is left out",
    "reference_refused": "a step of the reference is refused by Heron's phone and is left out",
    "reference_by_environment": "a step of the reference calls what only the environment can do; "
    "it happens when the offer is accepted",
    "reference_before_consent": "the reference writes before anybody agreed; here it does after",
    "reference_after_reaction": "a step answers something that the agent's own action brings "
    "about; it is left out",
    "environment_raised": "an event raised in the file's own run and is left out",
    "environment_refused": "an event is refused by Heron's phone and is left out",
    "invalid_address": "an email address that nothing can be sent to was mended or left out",
    "depends_on_agent": "an event waits for what the agent does",
    "later_than_run": "an event comes later than ten turns; the phone starts later, or it is "
    "left out",
    "times_moved": "events were moved together, so that help is of use by the fourth turn",
    "several_proposals": "the reference asks more than once; the last question before it acts is "
    "the offer",
    "no_proposal": "the reference asks nothing; the offer was made from what it does",
    "advice_only": "the reference changes nothing; taking the offer is all that is asked",
    "task_given": "the user gives the task in words; here the offer has to say it",
    "user_step": "a step of the user's own is left out",
    "recovered": "a record that the file leaves out was read off its recorded run",
    "approximated": "a value was mapped to the nearest that Heron has",
    "id_reused": "the file gives a new record the id of another one, which its own run thereby "
    "overwrites or has twice; here both are kept",
    "dangling": "something names a record that is not there",
    "final_state": "the replayed reference ends in another state than the file's",
    "not_restored": "the file carries a scenario of Heron's that no longer fits it; it was read as "
    "any other",
}
"""In words, for reports."""


@dataclass(frozen=True, order=True)
class Remark:
    """Something that differs from the file."""

    kind: RemarkKind
    detail: str

    def line(self) -> str:
        """In one line."""
        return f"{self.kind}: {self.detail}"


class Refused(InputError):
    """A file cannot be taken over; ``names`` are the things that have no counterpart."""

    def __init__(self, *names: str) -> None:
        self.names = tuple(dict.fromkeys(" ".join(name.split())[:300] for name in names))
        super().__init__("; ".join(self.names))
