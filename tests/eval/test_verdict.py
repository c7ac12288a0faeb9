"""Verdicts on hand-made logs: what must pass, and everything that must not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.eval.records import change, entry

from heron.contracts import FaultRecord, Grant, LogEntry
from heron.eval.matching import Marks, Wanted
from heron.eval.net import net_effects
from heron.eval.verdict import Goal, decide
from heron.sim.marks import ID, PROSE, UNORDERED, VOLATILE, Ref

MARKS: Marks = {
    "reminder": {"reminder_id": (ID,), "title": (PROSE,), "due": (), "seen": (VOLATILE,)},
    "message": {
        "message_id": (ID,),
        "conversation_id": (Ref("conversation"),),
        "content": (PROSE,),
        "to": (UNORDERED,),
    },
    "conversation": {"conversation_id": (ID,), "title": ()},
}


def created(ref: str, title: str = "Buy stamps", due: str = "10:00", seen: str = "a") -> Any:
    return change(
        "create",
        ref,
        reminder_id=(None, ref),
        title=(None, title),
        due=(None, due),
        seen=(None, seen),
    )


def wanted(
    *changes: Any, facts: Any = None, free: frozenset[str] = frozenset()
) -> tuple[Wanted, ...]:
    nets = net_effects([entry("assistant", *changes)], "assistant")
    return tuple(Wanted(net, facts or {}, free) for net in nets.values())


GOAL = Goal(
    quiet=False,
    wanted=wanted(created("r1"), facts={"title": [["stamps"]]}),
    allowed=("reminder.delete",),
    forbidden=("message.create",),
    marks=MARKS,
)
MESSAGE = change("create", "m1", "message", content=(None, "x"))
GRANTS = [Grant(grant_id="g1", proposal_id="p1", turn=1)]


def outcome(log: list[LogEntry], goal: Goal = GOAL, **more: Any) -> str:
    given = {"grants": GRANTS, "accepted": ["p1"], "proposals": 1, **more}
    return decide(goal, log, **given).outcome


def test_the_wanted_effect_under_another_id_and_in_other_words_passes() -> None:
    log = [entry("assistant", created("r7", title="Get STAMPS at the post", seen="b"))]
    assert outcome(log) == "success"


@pytest.mark.parametrize(
    "log",
    [
        [],
        [entry("assistant", created("r7", due="11:00"))],
        [entry("assistant", created("r7", title=""))],
        [entry("assistant", created("r7", title="Buy bread"))],
        [entry("assistant", created("r7"), error="refused")],
        [entry("assistant", created("r7")), entry("assistant", created("r8"))],
        [entry("assistant", created("r7")), entry("assistant", MESSAGE)],
        [
            entry("assistant", created("r7")),
            entry("user", change("delete", "r7", title=("Buy stamps", None))),
        ],
        [
            entry("assistant", created("r7")),
            entry("user", change("update", "r7", due=("10:00", "9"))),
        ],
        [entry("assistant", created("r7"), grant_id=None)],
        [entry("assistant", created("r7"), grant_id="g9")],
        [entry("assistant", created("r7"), turn=0)],
        [entry("environment", created("r7"))],
    ],
    ids=[
        "nothing",
        "wrong time",
        "blank text",
        "fact missing",
        "failed call",
        "done twice",
        "forbidden effect",
        "deleted again",
        "changed again",
        "no grant",
        "unknown grant",
        "before the grant",
        "by the environment",
    ],
)
def test_what_is_not_the_goal_fails(log: list[LogEntry]) -> None:
    assert outcome(log) == "failure"


def test_an_accept_is_needed() -> None:
    assert outcome([entry("assistant", created("r7"))], accepted=[]) == "failure"


def test_what_the_user_did_alone_is_not_the_assistants_success() -> None:
    assert outcome([entry("user", created("r7"))]) == "done_by_user"


def test_what_the_clock_or_nobody_cares_about_may_change_afterwards() -> None:
    later = change("update", "r7", seen=("a", "b"))
    rephrased = change("update", "r7", title=("Buy stamps", "Stamps!"))
    log = [entry("assistant", created("r7")), entry("environment", later), entry("user", rephrased)]
    assert outcome(log) == "success"
    spoilt = change("update", "r7", title=("Stamps!", "Bread"))
    assert outcome([*log, entry("user", spoilt)]) == "failure"


def test_an_allowed_side_effect_passes_and_an_unlisted_one_does_not() -> None:
    deleted = entry("assistant", change("delete", "r3", title=("Old", None)))
    log = [entry("assistant", created("r7")), deleted]
    assert outcome(log) == "success"
    strict = Goal(quiet=False, wanted=GOAL.wanted, marks=MARKS)
    assert outcome(log, strict) == "failure"


def test_what_was_done_and_undone_leaves_no_trace() -> None:
    log = [
        entry("assistant", created("r6", due="23:00")),
        entry("assistant", change("delete", "r6", title=("Buy stamps", None))),
        entry("assistant", created("r7")),
    ]
    assert outcome(log, Goal(quiet=False, wanted=GOAL.wanted, marks=MARKS)) == "success"


def test_references_follow_the_new_records() -> None:
    group = change("create", "c1", "conversation", conversation_id=(None, "c1"), title=(None, "T"))
    text = {"content": (None, "hi"), "to": (None, ["b", "a"])}
    first = change("create", "m1", "message", conversation_id=(None, "c1"), **text)
    goal = Goal(quiet=False, wanted=wanted(group, first), marks=MARKS)
    other = change("create", "c5", "conversation", conversation_id=(None, "c5"), title=(None, "t"))
    text = {"content": (None, "hello"), "to": (None, ["a", "b"])}
    right = change("create", "m9", "message", conversation_id=(None, "c5"), **text)
    wrong = change("create", "m9", "message", conversation_id=(None, "c2"), **text)
    assert outcome([entry("assistant", other), entry("assistant", right)], goal) == "success"
    assert outcome([entry("assistant", other), entry("assistant", wrong)], goal) == "failure"


def test_an_id_that_the_reference_chose_is_compared() -> None:
    made = change("create", "/Flat", "conversation", conversation_id=(None, "/Flat"))
    (want,) = wanted(made)
    other = change("create", "/Flit", "conversation", conversation_id=(None, "/Flit"))
    for named, expected in ((False, "success"), (True, "failure")):
        goal = Goal(quiet=False, wanted=(replace(want, named=named),), marks=MARKS)
        assert outcome([entry("assistant", made)], goal) == "success"
        assert outcome([entry("assistant", other)], goal) == expected


def test_an_update_of_another_record_or_field_fails() -> None:
    goal = Goal(quiet=False, wanted=wanted(change("update", "r1", due=("9", "10"))), marks=MARKS)
    assert outcome([entry("assistant", change("update", "r1", due=("9", "10")))], goal) == "success"
    assert outcome([entry("assistant", change("update", "r2", due=("9", "10")))], goal) == "failure"
    for marks in (MARKS, {**MARKS, "reminder": {**MARKS["reminder"], "title": ()}}):
        strict = Goal(quiet=False, wanted=goal.wanted, marks=marks)
        both = change("update", "r1", due=("9", "10"), title=("a", "b"))
        assert outcome([entry("assistant", both)], strict) == "failure"
        (want,) = goal.wanted
        free = replace(strict, wanted=(replace(want, free=frozenset({"title"})),))
        assert outcome([entry("assistant", both)], free) == "success"


QUIET = Goal(quiet=True, marks=MARKS)


def test_quiet_scenarios_want_silence() -> None:
    assert outcome([], QUIET, proposals=0, accepted=[]) == "silent"
    assert outcome([], QUIET, proposals=1, accepted=[]) == "disturbed"
    assert outcome([entry("assistant", created("r7"))], QUIET, proposals=0) == "disturbed"


def test_a_fault_passes_nothing() -> None:
    fault = FaultRecord(part="observer", turn=3, message="gone")
    assert outcome([entry("assistant", created("r7"))], fault=fault) == "failure"
    assert outcome([], QUIET, proposals=0, accepted=[], fault=fault) == "disturbed"
