"""What becomes of a recorded run."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heron.contracts import ActionSeen, AnswerSeen, ExecutionSeen, NotificationSeen
from heron.errors import InputError
from heron.eval.replaying.actions import ACTIONS
from heron.eval.replaying.importing import take_over
from heron.eval.replaying.stream import RecordedStream, read_stream, text_of
from heron.eval.replaying.trace import trace_in
from heron.eval.replaying.turning import stream_of
from heron.scenarios.are.remarks import Refused
from heron.sim.installed import installed

Make = Callable[[], dict[str, Any]]


def turned(run: Any) -> RecordedStream:
    return stream_of(trace_in(json.dumps(run)))


def test_every_name_of_an_action_is_one_of_the_phones() -> None:
    kinds = installed()
    for app, actions in ACTIONS.items():
        if app == "system":
            known = {"open_app", "switch_app", "go_home"}
        else:
            known = {name for screen in kinds[app].SCREENS for name in screen.ACTIONS}
        assert {named.name for named in actions.values()} <= known, app


def test_events_actions_looks_and_answers_are_told_as_herons(made_up: Make) -> None:
    stream = turned(made_up())
    header = stream.header
    assert (header.name, header.assistant, header.user) == (
        "lend_book_run_2", "some-model", "some-user",
    )  # fmt: skip
    assert header.brief.user_name == "Ada Reed"
    assert "email.search_emails" in {spec.name for spec in header.brief.tools}
    assert "email.reply_to_email" in header.brief.write_tools
    first, second, third, fourth, fifth = stream.moments
    assert first.new == (ActionSeen(app="system", action="open_app", arguments={"app": "email"}),)
    mail, opened = second.new
    assert isinstance(mail, NotificationSeen)
    assert mail.record is not None
    assert mail.record.ref == "m1"
    assert header.ids == {"m1": "aa11"}
    # The echo named the record at place 0, and is no look.
    assert opened == ActionSeen(app="email", action="open_email", arguments={"email_id": "m1"})
    assert [look.call.name for look in second.done.looks] == ["email.search_emails"]
    assert [shown.ref for shown in second.done.looks[0].shown] == ["m1"]
    assert second.done.offer is not None
    assert second.done.offer.answer == "accept"
    assert third.new == (AnswerSeen(proposal_id="r1", answer="accept", reason="Yes."),)
    assert fourth.new == (ExecutionSeen(proposal_id="r1", end="done", message="Done."),)
    assert fourth.done.absent
    assert isinstance(fifth.new[0], ActionSeen)
    assert fifth.new[0].action == "shake_phone"
    assert any("shake_phone has no counterpart" in remark for remark in header.remarks)


def test_a_stream_is_read_as_it_was_written_and_half_of_it_is_refused(made_up: Make) -> None:
    stream = turned(made_up())
    text = text_of(stream)
    assert read_stream(text, "file") == stream
    with pytest.raises(InputError, match="4 moments, and the header says 5"):
        read_stream("\n".join(text.splitlines()[:-1]), "file")


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "null", "[" * 5000, '{"version": "x"}'])
def test_what_is_no_run_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(text)
    done = take_over(file, tmp_path / "out")
    assert done.status == "refused"
    assert "\n" not in "".join(done.remarks)
    assert not (tmp_path / "out").exists()


def test_a_scenario_is_told_from_a_run(made_up: Make) -> None:
    run = made_up()
    run["completed_events"] = [e for e in run["completed_events"] if e["event_type"] == "ENV"]
    with pytest.raises(Refused, match="heron import are"):
        turned(run)


def test_nothing_is_written_over_unless_asked_for(made_up: Make, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps(made_up()))
    assert take_over(file, tmp_path / "out").status == "remarks"
    assert take_over(file, tmp_path / "out").status == "refused"
    assert take_over(file, tmp_path / "out", force=True).status == "remarks"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["run.stream.jsonl"]


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: Any = ()
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [path, *(place for key, one in inner for place in _places(one, (*path, key)))]


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from([[], {}, [{}], "\ud800", 1e308, "Email(", "<x", "{{a.b}}", "AGENT", "USER"]),
)  # fmt: skip


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_mutated_run_is_turned_or_refused(made_up: Make, data: st.DataObject) -> None:
    run = copy.deepcopy(made_up())
    for _ in range(data.draw(st.integers(1, 3))):
        *path, key = data.draw(st.sampled_from(_places(run)[1:]))
        holder: Any = run
        for step in path:
            holder = holder[step]
        deed = data.draw(st.sampled_from(["replace", "remove", "double"]))
        if deed == "remove":
            del holder[key]
        elif deed == "double" and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            holder[key] = data.draw(JUNK)
    with suppress(Refused):
        stream = turned(run)
        assert read_stream(text_of(stream), "file") == stream
