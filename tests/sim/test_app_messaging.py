"""Messaging: chats with one person, groups with joins and leaves, search, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sim.hand import Hand

from heron.errors import InputError
from heron.sim.apps.messaging.records import Chat, Message

CHATS: dict[str, Any] = {
    "people": [
        {"name": "Ben Ito", "phone": "+1 555 0101"},
        {"name": "Cara Diaz"},
        {"name": "Dan Roe"},
    ],
    "conversations": [
        {
            "participant_ids": ["u1"],
            "messages": [
                {"sender_id": "u1", "content": "Are you in?", "timestamp": "2026-03-09 10:00"},
                {"content": "At noon.", "timestamp": "2026-03-09 10:05"},
            ],
        },
        {
            "title": "Book club",
            "participant_ids": ["u1", "u2"],
            "messages": [
                {"sender_id": "u2", "content": "Next: Emma", "timestamp": "2026-03-08 20:00"}
            ],
        },
    ],
}


@pytest.fixture
def hand() -> Hand:
    return Hand("messaging", CHATS)


def chat(hand: Hand, ref: str) -> Chat:
    record = hand.world.record(ref)
    assert isinstance(record, Chat)
    return record


def message(hand: Hand, ref: str) -> Message:
    record = hand.world.record(ref)
    assert isinstance(record, Message)
    return record


# --- scenario data ---


def test_what_follows_from_ids_is_filled_in(hand: Hand) -> None:
    alone, club = chat(hand, "c1"), chat(hand, "c2")
    assert (alone.title, alone.group, alone.names) == ("Ben Ito", False, ("Ben Ito",))
    assert (club.title, club.group, club.names) == ("Book club", True, ("Ben Ito", "Cara Diaz"))
    assert message(hand, "g1").line() == "Ben Ito in c1 2026-03-09 10:00: Are you in?"
    assert (message(hand, "g2").sender_id, message(hand, "g2").sender) == ("me", "Ann Lee")


def test_data_that_names_nobody_is_refused_with_what_there_is() -> None:
    with pytest.raises(InputError, match="no participant 'u9' in people; there is nobody"):
        Hand("messaging", {"conversations": [{"participant_ids": ["u9"]}]})
    with pytest.raises(InputError, match="no conversation 'c9'"):
        Hand("messaging", {"messages": [{"conversation_id": "c9", "content": "x"}]})
    with pytest.raises(InputError, match="it has people, conversations, messages"):
        Hand("messaging", {"chats": []})


# --- what arrives ---


def test_a_message_is_told_with_sender_and_group(hand: Hand) -> None:
    hand.happens(
        "receive", conversation_id="c2", sender_id="u1", content="I bring the tea\nand cake"
    )
    hand.happens("receive", sender_id="u1", content="Just us two")
    assert hand.heard() == ["Ben Ito: Book club: I bring the tea\nand cake", "Ben Ito: Just us two"]
    assert message(hand, "g5").conversation_id == "c1"
    assert not message(hand, "g5").is_read


def test_an_unknown_sender_becomes_known_and_gets_a_chat(hand: Hand) -> None:
    hand.happens(
        "receive",
        conversation_id="c-new",
        sender_id="+15550199",
        sender_name="Eve Poe",
        content="Hello",
        message_id="hello",
    )
    assert chat(hand, "c-new").title == "Eve Poe"
    assert message(hand, "hello").sender == "Eve Poe"
    hand.call("send_message", user_id="+15550199", content="Hi")
    assert message(hand, "g4").conversation_id == "c-new"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"conversation_id": "c2", "sender_id": "u3"}, "there are ['u1', 'u2']"),
        ({"conversation_id": "c7", "sender_id": "u1"}, "the chat with u1 is c1"),
        ({"sender_id": "me"}, "somebody else"),
        ({"sender_id": "two words"}, "no id"),
        ({"sender_id": "u1", "message_id": "g1"}, "already"),
        ({"sender_id": "u1", "content": ""}, "a text or an attachment"),
    ],
)
def test_messages_that_cannot_arrive(hand: Hand, arguments: dict[str, Any], says: str) -> None:
    assert says in hand.cannot_happen("receive", **{"content": "x", **arguments})


def test_groups_change_by_other_peoples_doing(hand: Hand) -> None:
    hand.happens("group_joined", conversation_id="c2", user_id="u3")
    hand.happens("group_left", conversation_id="c2", user_id="u1")
    hand.happens("group_renamed", conversation_id="c2", by="u3", title="Readers")
    club = chat(hand, "c2")
    assert (club.title, club.participant_ids) == ("Readers", ("u2", "u3"))
    assert club.names == ("Cara Diaz", "Dan Roe")
    assert len(hand.heard()) == 3
    assert "'Book club' to 'Readers'" in hand.heard()[2]
    assert "u1 is not in c2" in hand.cannot_happen(
        "group_renamed", conversation_id="c2", by="u1", title="x"
    )


def test_somebody_can_start_a_group_with_the_owner(hand: Hand) -> None:
    hand.happens(
        "group_created", by="u2", user_ids=["u3"], title="Picnic", conversation_id="picnic"
    )
    assert chat(hand, "picnic").participant_ids == ("u2", "u3")
    assert hand.heard() == [
        "Cara Diaz: Picnic: added you to the group 'Picnic' with Cara Diaz, Dan Roe"
    ]


# --- what the assistant does ---


def test_writing_to_one_person_opens_a_chat_once(hand: Hand) -> None:
    hand.call("send_message", user_id="u2", content="Hello Cara")
    hand.call("send_message", user_id="u2", content="Again")
    assert chat(hand, "c3").title == "Cara Diaz"
    assert message(hand, "g5").conversation_id == "c3"
    assert hand.heard() == []


def test_an_answer_goes_where_the_message_stands(hand: Hand) -> None:
    hand.call("reply_to_message", message_id="g3", content="Good choice")
    answer = message(hand, "g4")
    assert (answer.conversation_id, answer.sender_id) == ("c2", "me")


def test_a_group_is_made_changed_and_written_to(hand: Hand) -> None:
    hand.call("create_group_conversation", user_ids=["u1", "u2", "u1"], title="Trip")
    hand.call("add_participant_to_conversation", conversation_id="c3", user_id="u3")
    hand.call("remove_participant_from_conversation", conversation_id="c3", user_id="u1")
    hand.call("change_conversation_title", conversation_id="c3", title="Big trip")
    hand.call("send_message_to_group_conversation", conversation_id="c3", content="Hi all")
    trip = chat(hand, "c3")
    assert (trip.title, trip.participant_ids) == ("Big trip", ("u2", "u3"))
    assert hand.shown("get_existing_conversation_ids", user_ids=["u3", "u2"]) == ["c3"]
    assert hand.shown("list_conversations_by_participant", user_id="u2") == ["c3", "c2"]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("send_message", {"user_id": "Ben", "content": "x"}, "there are u1, u2, u3"),
        ("send_message", {"user_id": "u1", "content": " "}, "a text or an attachment"),
        (
            "send_message_to_group_conversation",
            {"conversation_id": "c1", "content": "x"},
            "c1 is the chat with Ben Ito, not a group",
        ),
        ("create_group_conversation", {"user_ids": ["u1"]}, "at least 2"),
        ("create_group_conversation", {"user_ids": ["u1", "u1"]}, "at least two people"),
        (
            "add_participant_to_conversation",
            {"conversation_id": "c2", "user_id": "u2"},
            "already",
        ),
        (
            "remove_participant_from_conversation",
            {"conversation_id": "c2", "user_id": "u3"},
            "there are ['u1', 'u2']",
        ),
        ("change_conversation_title", {"conversation_id": "c2", "title": ""}, "one letter"),
        ("download_attachment", {"message_id": "g1"}, "no attachment"),
        ("regex_search", {"query": "(a"}, "no regular expression"),
        ("regex_search", {"query": "(a+)+$"}, "repeats a repetition"),
        ("search", {"query": ""}, "at least one word"),
    ],
)
def test_a_refused_call_says_what_would_be_legal(
    hand: Hand, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in hand.refused(tool, **arguments)


def test_reading_shows_messages_newest_first_and_who_takes_part(hand: Hand) -> None:
    answer = hand.call("read_conversation", conversation_id="c1")
    assert [m["message_id"] for m in answer["messages"]] == ["g2", "g1"]
    assert [p["name"] for p in answer["participants"]] == ["Ben Ito"]
    assert hand.shown("read_conversation", conversation_id="c1") == ["c1", "g2", "g1", "u1"]
    late = {"conversation_id": "c1", "min_date": "2026-03-09 10:01"}
    assert hand.shown("read_conversation", **late) == ["c1", "g2", "u1"]


def test_searches(hand: Hand) -> None:
    assert hand.shown("list_recent_conversations") == ["c1", "c2"]
    assert hand.shown("search", query="EMMA cara") == ["g3"]
    assert hand.shown("regex_search", query=r"in\?$|^Next") == ["g1", "g3"]
    assert hand.shown("lookup_user_id", user_name="ben") == ["u1"]
    assert hand.shown("lookup_user_id", user_name="nobody") == []
    assert hand.call("get_user_name_from_id", user_id="u3")["name"] == "Dan Roe"


def test_attachments_have_names_and_can_be_saved(hand: Hand) -> None:
    hand.happens("receive", sender_id="u1", content="", attachment="/tmp/map.png")
    assert hand.heard() == ["Ben Ito: map.png"]
    assert hand.call("download_attachment", message_id="g4") == "map.png"
    assert message(hand, "g4").downloaded


# --- what the user does ---


def test_the_user_reads_and_writes_a_chat_with_one_person(hand: Hand) -> None:
    hand.happens("receive", sender_id="u1", content="And tomorrow?")
    hand.open()
    assert [(i.text, i.shows) for i in hand.items()] == [
        ("Ben Ito (1 new)", ("title",)),
        ("Book club", ("title",)),
    ]
    assert hand.do("open_conversation", conversation_id="c1") == "Conversation"
    assert message(hand, "g4").is_read
    assert [i.shows for i in hand.items()] == [("*",)] * 3
    hand.do("send", content="Tomorrow too")
    sent = message(hand, "g5")
    assert (sent.sender_id, sent.conversation_id, sent.is_read) == ("me", "c1", True)
    assert hand.world.log[-1].actor == "user"
    assert "text or an attachment" in hand.cannot("send", content="")


def test_a_new_chat_stores_nothing_before_the_first_message(hand: Hand) -> None:
    hand.open()
    hand.do("new_chat")
    assert "send" not in hand.offers()
    hand.do("search", query="cara")
    hand.do("choose", user_ids=["u2"])
    hand.do("search", query="")
    assert len(list(hand.world.apps["messaging"].tables["conversations"])) == 2
    assert hand.do("send", content="Hello") == "Conversation"
    assert chat(hand, "c3").participant_ids == ("u2",)


def test_several_people_become_a_group(hand: Hand) -> None:
    hand.open()
    hand.do("new_chat")
    hand.do("choose", user_ids=["u2", "u3"])
    hand.do("set_title", title="Weekend")
    hand.do("send", content="Who comes?")
    assert (chat(hand, "c3").title, chat(hand, "c3").group) == ("Weekend", True)


def test_the_user_changes_and_leaves_a_group(hand: Hand) -> None:
    hand.open()
    hand.do("open_conversation", conversation_id="c2")
    hand.do("open_info")
    hand.do("rename", title="Readers")
    hand.do("add_person")
    assert hand.refs("participant") == ["u3"]
    hand.do("add", user_id="u3")
    hand.do("remove_person", user_id="u1")
    assert chat(hand, "c2").participant_ids == ("u2", "u3")
    assert hand.do("leave") == "ConversationList"
    hand.do("open_conversation", conversation_id="c2")
    assert "send" not in hand.offers()
    refusal = hand.refused("send_message_to_group_conversation", conversation_id="c2", content="x")
    assert "has left c2" in refusal
    assert "has left" in hand.cannot_happen(
        "receive", conversation_id="c2", sender_id="u2", content="x"
    )


def test_a_chat_with_one_person_has_no_group_actions(hand: Hand) -> None:
    hand.open()
    hand.do("open_conversation", conversation_id="c1")
    hand.do("open_info")
    assert hand.offers() == []


def test_every_record_is_reached_from_home_however_many_there_are(hand: Hand) -> None:
    app = hand.world.apps["messaging"]
    app.fill({"people": [{"name": f"Guest {n}"} for n in range(40)]})
    for n in range(4, 44):
        hand.happens("receive", sender_id=f"u{n}", content=f"Hello from {n}")
    for n in range(30):
        hand.world.advance(86400)
        hand.happens("receive", sender_id="u1", content=f"Day {n}")
    for ref in ("g1", "g3", "g10", "g44", "g73", "c1", "c2", "c3", "c40", "u1", "u20", "u43"):
        hand.go_to(ref)
