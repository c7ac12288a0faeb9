"""What counts as the same call again."""

from __future__ import annotations

import pytest

from heron.contracts import ToolCall, ToolResult, ToolSpec
from heron.executor.progress import Progress

READ = ToolSpec(name="email.search", effect="read", description="", parameters={})
WRITE = ToolSpec(name="email.send", effect="write", description="", parameters={})
SEARCH = ToolCall(name="email.search", arguments={"q": "dentist"})
SEND = ToolCall(name="email.send", arguments={"to": "c1", "body": "Hi"})
SAME = ToolCall(name="email.send", arguments={"body": "Hi", "to": "c1"})


@pytest.fixture
def progress() -> Progress:
    return Progress((READ, WRITE))


def test_a_write_is_again_for_good(progress: Progress) -> None:
    assert not progress.again(SEND)
    progress.note(ToolResult(call=SEND, ok=True))
    assert progress.again(SAME)
    progress.user_answered()
    assert progress.again(SAME)
    assert not progress.again(ToolCall(name="email.send", arguments={"to": "c2", "body": "Hi"}))


def test_a_failed_call_may_be_repeated(progress: Progress) -> None:
    progress.note(ToolResult(call=SEND, ok=False))
    progress.note(ToolResult(call=SEARCH, ok=False))
    assert not progress.again(SEND)
    assert not progress.again(SEARCH)
    assert progress.written == []


def test_a_read_is_again_until_something_may_have_changed(progress: Progress) -> None:
    progress.note(ToolResult(call=SEARCH, ok=True))
    assert progress.again(SEARCH)
    progress.note(ToolResult(call=SEND, ok=True))
    assert not progress.again(SEARCH)
    progress.note(ToolResult(call=SEARCH, ok=True))
    progress.user_answered()
    assert not progress.again(SEARCH)


def test_a_plan_is_worked_off_as_often_as_it_names_a_write(progress: Progress) -> None:
    plan = ("email.send", "email.search", "email.send", "notes.unknown")
    assert progress.left_of(plan) == ["email.send", "email.send"]
    progress.note(ToolResult(call=SEND, ok=True))
    assert progress.left_of(plan) == ["email.send"]


def test_a_call_that_failed_twice_is_futile_until_something_may_have_changed(
    progress: Progress,
) -> None:
    failed = ToolResult(call=SEARCH, ok=False)
    progress.note(failed)
    assert not progress.futile(SEARCH)
    assert progress.futile_arguments("email.search") == set()
    progress.note(failed)
    assert progress.futile(SEARCH)
    assert progress.futile_arguments("email.search") == {"q"}
    assert progress.futile_arguments("email.send") == set()
    progress.note(ToolResult(call=SEND, ok=True))
    assert not progress.futile(SEARCH)
    progress.note(failed)
    progress.note(failed)
    progress.user_answered()
    assert not progress.futile(SEARCH)
