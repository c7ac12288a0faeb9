"""The executors without a model."""

from __future__ import annotations

from datetime import datetime

import pytest

from heron.contracts import Grant, Proposal, Task, ToolCall
from heron.errors import IllegalCall, InputError
from heron.executor.baselines import NoExecutor, OracleExecutor, Reference
from heron.executor.fakes import FakeTool, FakeToolset

TASK = Task(
    grant=Grant(grant_id="g1", proposal_id="p1", turn=2),
    proposal=Proposal(proposal_id="p1", turn=1, text="Send it?"),
    user_name="Mara",
    time=datetime(2026, 3, 10, 9, 0),
    tools=(),
)
FIRST = ToolCall(name="email.send", arguments={"to": "c1"})
SECOND = ToolCall(name="notes.delete", arguments={"note": "n1"})
REFERENCE = Reference(calls=(FIRST, SECOND), message="Sent and deleted.")


class Phone:
    """Two tools; the second fails while ``broken``."""

    def __init__(self) -> None:
        self.broken = False
        self.tools = FakeToolset(
            [
                FakeTool(name="email.send", effect="write", description=""),
                FakeTool(name="notes.delete", effect="write", description="", handler=self._delete),
            ]
        )

    def _delete(self, arguments: object) -> tuple[str, tuple[()]]:
        if self.broken:
            raise IllegalCall("no note n1")
        return "deleted", ()


def test_none_does_nothing() -> None:
    phone = Phone()
    execution = NoExecutor().start(TASK, phone.tools)
    assert (execution.end, execution.grant_id, execution.calls) == ("none", "g1", ())
    assert phone.tools.called == []


def test_the_oracle_plays_the_reference_and_reports() -> None:
    phone = Phone()
    execution = OracleExecutor(REFERENCE).start(TASK, phone.tools)
    assert (execution.end, execution.message) == ("done", "Sent and deleted.")
    assert phone.tools.called == [FIRST, SECOND]
    assert [result.ok for result in execution.calls] == [True, True]
    assert (execution.steps, execution.usage.calls) == (0, 0)


def test_the_oracle_stops_at_the_first_failed_call_and_a_later_grant_goes_on_from_there() -> None:
    phone = Phone()
    phone.broken = True
    oracle = OracleExecutor(Reference(calls=(SECOND, FIRST), message="Done."))
    execution = oracle.start(TASK, phone.tools)
    assert (execution.end, execution.message) == ("gave_up", "notes.delete failed: no note n1")
    assert phone.tools.called == [SECOND]
    phone.broken = False
    assert oracle.start(TASK, phone.tools).end == "done"
    assert phone.tools.called == [SECOND, SECOND, FIRST]


def test_a_second_grant_does_nothing_twice() -> None:
    phone = Phone()
    oracle = OracleExecutor(REFERENCE)
    oracle.start(TASK, phone.tools)
    assert oracle.start(TASK, phone.tools).calls == ()
    assert phone.tools.called == [FIRST, SECOND]


@pytest.mark.parametrize("executor", [NoExecutor(), OracleExecutor(REFERENCE)])
def test_neither_can_be_resumed(executor: NoExecutor | OracleExecutor) -> None:
    with pytest.raises(InputError, match="asks no question"):
        executor.resume("yes", FakeToolset([]))
