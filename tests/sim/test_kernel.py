"""The kernel: consent, actors, refusals without a trace, snapshots, time, notifications."""

from __future__ import annotations

from datetime import datetime

import pytest

from heron.contracts import Act, Arguments, DeviceStatus, Grant, ToolCall
from heron.errors import ConsentError, InputError
from heron.sim.app import Owner
from heron.sim.installed import choose
from heron.sim.queue import Condition, Event, EventQueue
from heron.sim.world import World

START = datetime(2026, 3, 10, 9, 0)
ADD = ToolCall(
    name="reminder.add_reminder",
    arguments={"title": "Buy stamps", "due_datetime": "2026-03-10 10:00"},
)
GRANT = Grant(grant_id="g1", proposal_id="p1", turn=1)


def phone(*events: Event) -> World:
    world = World(Owner("Ann Lee", "ann@example.org"), START, choose(["reminder"]), events)
    world.apps["reminder"].fill(
        {"reminders": [{"title": "Water the plants", "due_datetime": "2026-03-10 09:05"}]}
    )
    return world


def open_app(world: World, app: str = "reminder") -> None:
    assert (
        world.user_act(Act(app="system", action="open_app", arguments={"app": app})).error is None
    )


def test_a_write_without_a_grant_is_refused_and_changes_nothing() -> None:
    world = phone()
    before = world.digest()
    result = world.call_tool(ADD)
    assert not result.ok
    assert "no open grant" in (result.error or "")
    assert world.digest() == before
    assert world.log[-1].actor == "assistant"
    assert world.log[-1].error is not None


def test_a_grant_opens_once_and_is_spent_when_closed() -> None:
    world = phone()
    world.open_grant(GRANT)
    assert world.call_tool(ADD, GRANT).ok
    world.close_grant(GRANT)
    assert not world.call_tool(ADD, GRANT).ok
    with pytest.raises(ConsentError, match="used once"):
        world.open_grant(GRANT)


def test_reads_need_no_grant_and_show_records() -> None:
    result = phone().call_tool(ToolCall(name="reminder.get_all_reminders"))
    assert result.ok
    assert [line.ref for line in result.shown] == ["r1"]


def test_a_users_own_write_is_logged_once_and_as_the_users() -> None:
    world = phone()
    open_app(world)
    world.user_act(Act(app="reminder", action="open_reminder", arguments={"reminder_id": "r1"}))
    entry = world.user_act(Act(app="reminder", action="delete"))
    writes = [e for e in world.log if e.writes]
    assert [e.actor for e in writes] == ["user"]
    assert entry.effect == "write"
    assert entry.record(world.app_of).changes[0].op == "delete"


@pytest.mark.parametrize(
    "call",
    [
        ToolCall(name="reminder.no_such_tool"),
        ToolCall(name="nowhere.add"),
        ToolCall(name="reminder.add_reminder", arguments={"title": "x"}),
        ToolCall(name="reminder.add_reminder", arguments={**ADD.arguments, "colour": "red"}),
        ToolCall(
            name="reminder.add_reminder",
            arguments={"title": "x", "due_datetime": "2020-01-01 10:00"},
        ),
        ToolCall(name="reminder.delete_reminder", arguments={"reminder_id": "r99"}),
    ],
)
def test_refused_calls_say_why_in_one_line_and_leave_the_state(call: ToolCall) -> None:
    world = phone()
    world.open_grant(GRANT)
    before = world.digest()
    result = world.call_tool(call, GRANT)
    assert not result.ok
    assert result.error
    assert "\n" not in result.error
    assert world.digest() == before


def test_only_what_is_on_the_screen_can_be_touched() -> None:
    world = phone()
    act = Act(app="reminder", action="open_reminder", arguments={"reminder_id": "r1"})
    assert "home screen" in (world.user_act(act).error or "")
    open_app(world)
    world.user_act(Act(app="reminder", action="list_due"))
    assert "on the screen" in (world.user_act(act).error or "")
    world.user_act(Act(app="reminder", action="list_all"))
    assert world.user_act(act).error is None


def test_back_works_on_every_screen_and_at_home() -> None:
    world = phone()
    open_app(world)
    world.user_act(Act(app="reminder", action="create_new"))
    for expected in ("ReminderList", "Home", "Home"):
        assert world.user_act(Act(app="system", action="back")).error is None
        assert world.phone.view().screen == expected


def test_a_saved_form_is_not_returned_to() -> None:
    world = phone()
    open_app(world)
    steps: tuple[tuple[str, Arguments], ...] = (
        ("create_new", {}),
        ("set_title", {"title": "Call"}),
        ("save", {}),
    )
    for action, arguments in steps:
        assert world.user_act(Act(app="reminder", action=action, arguments=arguments)).error is None
    assert world.phone.view().screen == "ReminderDetail"
    world.user_act(Act(app="system", action="back"))
    assert world.phone.view().screen == "ReminderList"


def test_switching_returns_to_where_an_app_was_left_and_opening_starts_anew() -> None:
    world = phone()
    open_app(world)
    world.user_act(Act(app="reminder", action="open_reminder", arguments={"reminder_id": "r1"}))
    world.user_act(Act(app="system", action="go_home"))
    world.user_act(Act(app="system", action="switch_app", arguments={"app": "reminder"}))
    assert world.phone.view().screen == "ReminderDetail"
    open_app(world)
    assert world.phone.view().screen == "ReminderList"


def test_a_screen_whose_record_is_gone_closes() -> None:
    world = phone()
    open_app(world)
    world.user_act(Act(app="reminder", action="open_reminder", arguments={"reminder_id": "r1"}))
    world.open_grant(GRANT)
    gone = ToolCall(name="reminder.delete_reminder", arguments={"reminder_id": "r1"})
    assert world.call_tool(gone, GRANT).ok
    assert world.phone.view().screen == "ReminderList"


def test_restore_is_exact() -> None:
    world = phone()
    snapshot, before = world.snapshot(), world.digest()
    open_app(world)
    world.open_grant(GRANT)
    world.call_tool(ADD, GRANT)
    world.advance(3600)
    assert world.digest() != before
    world.restore(snapshot)
    assert world.digest() == before
    assert (world.log, world.notifications, world.now) == ([], [], START)
    world.open_grant(GRANT)


def test_the_user_gets_twenty_characters_and_the_observer_all() -> None:
    world = phone()
    world.apps["reminder"].fill(
        {
            "reminders": [
                {
                    "title": "Post",
                    "description": "Take the parcel to the counter before it closes",
                    "due_datetime": "2026-03-10 09:10",
                }
            ]
        }
    )
    world.advance(900)
    note = world.notifications[-1]
    assert note.preview().preview == "Take the parcel to t…"
    assert note.seen().text == "Take the parcel to the counter before it closes"


def test_reminders_fall_due_by_the_clock_in_order_and_repeat() -> None:
    world = phone()
    world.apps["reminder"].fill(
        {
            "reminders": [
                {
                    "title": "Stretch",
                    "due_datetime": "2026-03-10 09:02",
                    "repetition_unit": "minute",
                    "repetition_value": 2,
                }
            ]
        }
    )
    world.advance(300)
    told = [(note.time.minute, note.title) for note in world.notifications]
    assert told == [(2, "Stretch"), (4, "Stretch"), (5, "Water the plants")]
    assert world.now == datetime(2026, 3, 10, 9, 5)


def test_an_unknown_happening_is_refused_when_the_world_is_made() -> None:
    with pytest.raises(InputError, match="no happening"):
        phone(Event(key="x", name="reminder.explode", at=1))


# --- the queue ---


def queue(*events: Event) -> EventQueue:
    return EventQueue(events, START)


def fired(line: EventQueue) -> list[str]:
    order = []
    while (upcoming := line.next()) is not None:
        due, event = upcoming
        line.fire(event, due)
        order.append(event.key)
    return order


def test_equal_times_keep_the_declared_order() -> None:
    events = [Event(key=key, name="a.b", at=at) for key, at in (("z", 5), ("a", 5), ("m", 1))]
    assert fired(queue(*events)) == ["m", "z", "a"]


def test_after_and_depends_on_hold_events_back() -> None:
    line = queue(
        Event(key="late", name="a.b", at=1, depends_on=("third",)),
        Event(key="third", name="a.b", after="first", delay=30),
        Event(key="first", name="a.b", at=10),
    )
    assert fired(line) == ["first", "third", "late"]
    assert line.state.fired["late"] == datetime(2026, 3, 10, 9, 0, 40)


def test_a_condition_counts_from_when_it_first_holds() -> None:
    line = queue(Event(key="x", name="a.b", when=Condition(type="opened", value="m1"), delay=60))
    assert line.next() is None
    line.note_conditions(lambda _: True, datetime(2026, 3, 10, 9, 1))
    line.note_conditions(lambda _: True, datetime(2026, 3, 10, 9, 5))
    upcoming = line.next()
    assert upcoming is not None
    assert upcoming[0] == datetime(2026, 3, 10, 9, 2)


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ([Event(key="a", name="a.b", at=1), Event(key="a", name="a.b", at=2)], "stands twice"),
        ([Event(key="a", name="a.b")], "exactly one of"),
        ([Event(key="a", name="a.b", at=1, after="a")], "exactly one of"),
        ([Event(key="a", name="a.b", after="ghost")], "does not exist"),
        (
            [Event(key="a", name="a.b", after="b"), Event(key="b", name="a.b", after="a")],
            "wait for each other",
        ),
    ],
)
def test_impossible_queues_are_refused(events: list[Event], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        queue(*events)


# --- the device ---


def test_the_devices_status_changes_by_events_and_is_part_of_the_state() -> None:
    world = phone(
        Event(key="drive", name="device.change", at=60, arguments={"activity": "driving"})
    )
    snapshot, before = world.snapshot(), world.digest()
    world.advance(60)
    assert world.device == DeviceStatus(activity="driving", battery=80)
    assert world.digest() != before
    world.restore(snapshot)
    assert world.device == DeviceStatus()
    entry = world.happen("device.change", {"battery": 400})
    assert entry.error is not None
    assert world.device == DeviceStatus()


def test_an_event_can_wait_until_the_user_has_a_record_in_full_on_the_screen() -> None:
    waiting = Condition(type="opened", value="r1")
    event = Event(key="x", name="device.change", when=waiting, arguments={"battery": 5})
    world = phone(event)
    open_app(world)
    world.advance(60)
    assert world.device == DeviceStatus()
    world.user_act(Act(app="reminder", action="open_reminder", arguments={"reminder_id": "r1"}))
    world.advance(1)
    assert world.device == DeviceStatus(battery=5)
