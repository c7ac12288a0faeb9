"""What becomes of the odd things in ARE files."""

from __future__ import annotations

from typing import Any

import pytest

from heron.scenarios.are.convert import Converted, convert
from heron.scenarios.are.reading import of, parse
from heron.scenarios.are.remarks import KINDS, MEANING, Refused
from heron.scenarios.are.yaml_text import text_of
from heron.scenarios.check import check
from heron.scenarios.document import parse as parse_yaml
from heron.scenarios.loader import load_document
from heron.sim.users.brief import Rubric
from heron.sim.users.judge import judge

SHA = "0" * 64
Are = Any
"""The class of the fixture ``are``."""


def converted(file: Are) -> Converted:
    return convert(of(file.data()), "made_up", "made_up.json", SHA)


def kinds(found: Converted) -> set[str]:
    return {remark.kind for remark in found.remarks}


def usual(are: Any) -> Are:
    file = are()
    file.trigger()
    file.offer()
    return file


def test_every_kind_of_remark_has_words() -> None:
    assert set(MEANING) == set(KINDS)


def test_a_step_that_raised_is_left_out_with_a_remark(are: Any) -> None:
    file = usual(are)
    bad = file.agent("contacts", "delete_contact", contact_id="nobody")
    good = file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    for event in file.events[:-2]:
        file.ran(event["event_id"])
    file.ran(bad, exception="Contact does not exist.\nmore")
    file.ran(good, value="note-new")
    found = converted(file)
    assert [step["tool"] for step in found.data["reference"]] == ["notes.create_note"]
    told = [remark.line() for remark in found.remarks]
    raised = "reference_raised: Contacts.delete_contact: Contact does not exist."
    assert raised in told


def test_a_read_that_raised_is_told_as_well(are: Any) -> None:
    file = usual(are)
    bad = file.agent("notes", "get_note_by_id", note_id="nobody")
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    file.ran(bad, exception="Note nobody not found")
    file.done += [{**event, "event_time": 0.0, "metadata": {}} for event in file.events[:3]]
    file.ran(file.events[-1]["event_id"], value="note-new")
    assert "reference_raised" in kinds(converted(file))


def test_where_every_step_raised_the_file_is_refused(are: Any) -> None:
    file = usual(are)
    bad = file.agent("contacts", "delete_contact", contact_id="nobody")
    for event in file.events[:-1]:
        file.ran(event["event_id"])
    file.ran(bad, exception="Contact does not exist.")
    with pytest.raises(Refused, match="every step of the reference raises"):
        converted(file)


def test_later_steps_name_what_earlier_ones_made(are: Any) -> None:
    file = usual(are)
    made = file.agent(
        "messaging", "create_group_conversation", user_ids=["user-kit", "user-sol"], title="Crew 12"
    )
    file.agent(
        "messaging",
        "send_message_to_group_conversation",
        conversation_id="{{" + made + "}}",
        content="Boat 12",
    )
    first, second = converted(file).data["reference"]
    assert second["arguments"]["conversation_id"] == f"@{first['label']}"


def test_the_recorded_run_fills_placeholders_by_the_ids_it_gave(are: Any) -> None:
    file = usual(are)
    made = file.agent("notes", "create_note", title="Boat 12", content="x", folder="Inbox")
    moved = file.agent(
        "notes",
        "move_note",
        note_id="{{" + made + ".note.id}}",
        source_folder_name="Inbox",
        dest_folder_name="Clubs",
    )
    for event in file.events[:-2]:
        file.ran(event["event_id"])
    file.ran(made, value="note-77")
    file.events[-1]["action"]["args"][0]["value"] = "note-77"
    file.ran(moved, value="note-77")
    first, second = converted(file).data["reference"]
    assert second["arguments"]["note_id"] == f"@{first['label']}"


def test_an_id_given_twice_is_told_and_both_records_are_kept(are: Any) -> None:
    file = usual(are)
    key = file.agent(
        "calendar",
        "add_calendar_event",
        title="Row in boat 12",
        start_datetime="2026-03-05 19:15:00",
        end_datetime="2026-03-05 20:15:00",
    )
    for event in file.events[:-1]:
        file.ran(event["event_id"])
    file.ran(key, value="row")
    found = converted(file)
    assert kinds(found) >= {"id_reused"}
    assert found.data["reference"][0]["label"] != found.labels["event", "row"]


def test_an_event_that_the_agent_brings_about_waits_for_it(are: Any) -> None:
    file = usual(are)
    sent = file.agent("email", "reply_to_email", email_id="news", content="19:15 is fine.")
    answer = file.env(
        "email",
        "send_email_to_user_only",
        sender="wilma@club.example",
        subject="Good",
        content="See you.",
        needs=[sent],
        after=30.0,
    )
    file.agent("notes", "create_note", title="Wilma agrees", folder="Inbox", needs=[answer])
    found = converted(file)
    assert found.data["events"][-1]["when"] == {"assistant_did": "email.reply_to_email"}
    assert found.data["events"][-1]["delay"] == 30.0
    assert [step["tool"] for step in found.data["reference"]] == ["email.reply_to_email"]
    assert kinds(found) >= {"depends_on_agent", "reference_after_reaction"}


def test_a_condition_is_taken_for_what_the_agent_did_before(are: Any) -> None:
    file = usual(are)
    file.agent("email", "reply_to_email", email_id="news", content="19:15 is fine.")
    data = file.data()
    data["events"].append(
        {
            "class_name": "ConditionCheckEvent",
            "event_type": "CONDITION",
            "event_time": None,
            "event_id": "condition",
            "dependencies": ["event-0"],
            "event_relative_time": 20.0,
            "action": {"action_id": "x", "app": None, "function": "agent_replied", "args": None},
        }
    )
    file.env(
        "email",
        "send_email_to_user_only",
        sender="wilma@club.example",
        subject="Good",
        content="See you.",
        needs=["condition"],
        key="answer",
    )
    found = convert(of(data), "made_up", "made_up.json", SHA)
    assert found.data["events"][-1]["when"] == {"assistant_did": "email.reply_to_email"}
    assert any("agent_replied" in remark.detail for remark in found.remarks)


def test_a_step_that_only_the_environment_can_do_happens_on_the_accept(are: Any) -> None:
    file = usual(are)
    file.agent("apartment", "update_apartment", apartment_id="mill", new_price=850.0)
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    found = converted(file)
    assert found.data["events"][-1]["when"] == {"answered": "accept"}
    assert "reference_by_environment" in kinds(found)


def test_a_late_trigger_lets_the_phone_start_later(are: Any) -> None:
    file = are()
    file.trigger()
    file.events[0]["event_relative_time"] = 7200.0
    file.offer()
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    found = converted(file)
    assert found.data["phone"]["start"] == "2026-03-02 10:59"
    assert found.data["events"][0]["at"] == 60.0
    assert "later_than_run" in kinds(found)


def test_advice_alone_is_scored_by_the_offer_taken(are: Any) -> None:
    file = usual(are)
    file.agent("notes", "list_folders")
    file.agent("assistant", "send_message_to_user", content="Take boat 12.")
    found = converted(file)
    assert found.data["source"]["advice"] is True
    assert found.data["report"] == "Take boat 12."
    assert "advice_only" in kinds(found)


def test_a_task_of_the_users_becomes_the_offer(are: Any) -> None:
    file = are()
    file.add("USER", "assistant", "send_message_to_agent", content="Note boat 12 for me, please.")
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    found = converted(file)
    assert found.data["proposals"]["reference"] == ["Note boat 12 for me, please."]
    assert "task_given" in kinds(found)


def test_instructions_are_the_users_goal(are: Any) -> None:
    file = usual(are)
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    file.definition["meta_task_description"] = "Accept {only} notes."
    assert converted(file).data["user"]["goal"] == "Accept {{only}} notes."


def test_mails_from_addresses_that_are_none(are: Any) -> None:
    file = usual(are)
    given = {"subject": "Hm", "content": "Oars"}
    file.env("email", "send_email_to_user_only", sender="Kit <kit@club.example>", **given)
    file.env("email", "send_email_to_user_only", sender="nobody at all", **given)
    file.events[-1]["dependencies"] = file.events[-2]["dependencies"] = []
    file.agent("notes", "create_note", title="Boat 12", folder="Inbox", needs=["event-2"])
    found = converted(file)
    senders = [event["with"]["sender"] for event in found.data["events"]]
    assert sorted(senders) == ["kit@club.example", "wilma@club.example"]
    assert [remark.kind for remark in found.remarks].count("invalid_address") == 2


def test_what_the_run_leaves_out_is_recovered_from_its_end(are: Any) -> None:
    file = usual(are)
    file.agent("notes", "update_note", note_id="boats", content="Boat 7 is being mended")
    for event in file.events:
        file.ran(event["event_id"])
    states = are().states
    del states["notes"]["folders"]["Inbox"]["notes"]["boats"]["attachments"]
    file.final = {"Notes": are().states["notes"], "Emails": are().states["email"]}
    file.states["notes"] = states["notes"]
    del file.states["email"]["folders"]["SENT"]["emails"][0]
    found = converted(file)
    recovered = [remark.detail for remark in found.remarks if remark.kind == "recovered"]
    assert recovered == ["the files of 'boats'", "the mail 'out-1'"]
    (note,) = found.data["phone"]["notes"]["notes"]
    assert note["attachments"] == [{"name": "hull.txt", "content": "Crack"}]


def test_reminders_are_read_off_the_run(are: Any) -> None:
    file = usual(are)
    file.states["reminder"] = None
    seen = file.agent("reminder", "get_all_reminders")
    file.agent("notes", "create_note", title="Boat 12", content="19:15", folder="Inbox")
    told = (
        "[Reminder(reminder_id='wax', title='Wax', due_datetime=datetime.datetime(2026, 3, 4, 8, 0,"
        ' tzinfo=datetime.timezone.utc), description="Boat\'s hull", repetition_unit=None,'
        " repetition_value=1, time_notified=None)]"
    )
    for event in file.events:
        file.ran(event["event_id"], told if event["event_id"] == seen else "note-1")
    (row,) = converted(file).data["phone"]["reminder"]["reminders"]
    assert (row["title"], row["due_datetime"]) == ("Wax", "2026-03-04 08:00:00")


def test_a_placeholder_for_the_owner_in_chats(are: Any) -> None:
    file = usual(are)
    chat = file.states["messaging"]["conversations"]["chat-kit"]
    chat["participant_ids"] = ["the_user", "user-kit"]
    chat["messages"][0]["sender_id"] = "the_user"
    file.agent("messaging", "send_message", user_id="user-kit", content="Boat 12 at 19:15")
    found = converted(file)
    assert found.data["phone"]["messaging"]["messages"][0]["sender_id"] == "me"
    assert "approximated" in kinds(found)


def test_the_offer_fits_its_rubric_and_its_wrong_siblings_do_not(are: Any) -> None:
    file = usual(are)
    file.agent("messaging", "send_message", user_id="user-kit", content="Boat 12 at 19:15")
    data = converted(file).data
    rubric = Rubric(
        object=tuple(map(tuple, data["rubric"]["object"])), act=(("tell", "write"),), topic=()
    )
    (text,) = data["proposals"]["reference"]
    assert len(text) <= 160
    assert judge(rubric, text, ()).sense == "fits"
    assert {one["why"] for one in data["proposals"]["wrong"]} == {"vague", "object", "act"}
    facts = data["reference"][0]["facts"]["content"]
    assert any("12" in group or "19:15" in group for group in facts)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "ok",
        "?",
        "Shall I?",
        "Row?",
        "yes " * 200,
        "1.\n2.\n3.",
        "Would you like me to:\n- row\n- x",
    ],
)
def test_any_question_becomes_an_offer(are: Any, said: str) -> None:
    file = are()
    file.trigger()
    file.agent("assistant", "send_message_to_user", content=said)
    file.agent("assistant", "accept_proposal", content="")
    file.agent("calendar", "delete_calendar_event", event_id="row")
    data = converted(file).data
    scenario = load_document(parse_yaml(text_of(data), "made_up.yaml"))
    assert [str(problem) for problem in check(scenario, range(1))] == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "no JSON"),
        ("[1]", "not an object"),
        ('{"version": "x"}', "version"),
        ("[" * 100000, "nested too deeply"),
        ('{"a": 1, "a": 2}', "stands twice"),
        (
            '{"version": "are_simulation_v1", "metadata": {"definition": {"start_time": NaN}}}',
            "nan",
        ),
    ],
)
def test_what_is_no_file_is_told_in_one_line(text: str, named: str) -> None:
    with pytest.raises(Refused, match=named) as caught:
        parse(text)
    assert "\n" not in str(caught.value)


def test_braces_and_signs_in_texts_stay_as_they_are(are: Any) -> None:
    file = usual(are)
    odd: dict[str, Any] = {"title": "@boat {12}", "content": "}{ ~tell @@x"}
    file.agent("notes", "create_note", folder="Inbox", **odd)
    given = converted(file).data["reference"][0]["arguments"]
    assert given["title"] == "@@boat {{12}}"
    assert given["content"] == "}}{{ ~tell @@x"
