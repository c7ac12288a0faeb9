"""Email: folders, threads with quoting, drafts, attachments, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sim.hand import Hand

from heron.sim.apps.email.records import Email

MAILS: dict[str, Any] = {
    "emails": [
        {
            "sender": "ben@example.org",
            "recipients": ["ann@example.org", "cara@example.org"],
            "cc": ["dan@example.org"],
            "subject": "Quarterly figures",
            "content": "Numbers attached.\nPlease check page two.",
            "attachments": ["figures.pdf", "notes.txt"],
            "timestamp": "2026-03-09 10:00",
        },
        {
            "sender": "ann@example.org",
            "recipients": ["cara@example.org"],
            "subject": "Lunch",
            "content": "Thursday?",
            "timestamp": "2026-03-09 11:00",
            "folder": "SENT",
        },
    ]
}


@pytest.fixture
def hand() -> Hand:
    return Hand("email", MAILS)


def mail(hand: Hand, ref: str) -> Email:
    record = hand.world.record(ref)
    assert isinstance(record, Email)
    return record


# --- what arrives ---


def test_a_mail_that_arrives_is_told_in_full_and_previewed_in_part(hand: Hand) -> None:
    hand.happens(
        "receive", sender="cara@example.org", subject="Cake", content="Bring two forks, please."
    )
    note = hand.world.notifications[-1]
    assert note.seen().text == "Bring two forks, please."
    assert note.title == "cara@example.org: Cake"
    assert note.preview().preview == "Bring two forks, ple…"
    assert note.record is not None
    assert note.record.ref == "m3"


def test_a_scenario_may_name_the_mail_that_arrives(hand: Hand) -> None:
    hand.happens("receive", sender="c@d.org", subject="x", content="y", email_id="mail-of-cara")
    assert mail(hand, "mail-of-cara").folder == "INBOX"
    again = {"sender": "c@d.org", "subject": "x", "content": "y", "email_id": "mail-of-cara"}
    assert "already" in hand.cannot_happen("receive", **again)
    assert "no id" in hand.cannot_happen("receive", **{**again, "email_id": "two words"})


def test_others_can_answer_only_what_was_sent_from_here(hand: Hand) -> None:
    hand.happens("reply_to_user", email_id="m2", sender="cara@example.org", content="Gladly.")
    answer = mail(hand, "m3")
    assert (answer.subject, answer.parent_id, answer.content) == ("Re: Lunch", "m2", "Gladly.")
    assert "> Thursday?" in answer.quoted
    refusal = hand.cannot_happen("reply_to_user", email_id="m1", sender="a@b.org", content="x")
    assert "not sent from here" in refusal


# --- what the assistant does ---


def test_a_reply_goes_to_the_sender_and_quotes_beside_its_own_text(hand: Hand) -> None:
    hand.call("reply_to_email", email_id="m1", content="Looks right.")
    sent = mail(hand, "m3")
    assert sent.recipients == ("ben@example.org",)
    assert sent.cc == ()
    assert sent.content == "Looks right."
    assert sent.quoted.splitlines()[1:] == ["> Numbers attached.", "> Please check page two."]
    assert (sent.subject, sent.folder, sent.parent_id) == ("Re: Quarterly figures", "SENT", "m1")


def test_a_reply_to_all_leaves_out_the_owner(hand: Hand) -> None:
    hand.call("reply_to_email", email_id="m1", content="Fine.", reply_all=True)
    sent = mail(hand, "m3")
    assert sent.recipients == ("ben@example.org",)
    assert sent.cc == ("cara@example.org", "dan@example.org")


def test_an_answer_to_an_own_mail_goes_to_its_recipients(hand: Hand) -> None:
    hand.call("reply_to_email", email_id="m2", content="Or Friday.")
    assert mail(hand, "m3").recipients == ("cara@example.org",)
    assert mail(hand, "m3").subject == "Re: Lunch"


def test_prefixes_are_not_repeated_and_quotations_do_not_grow_without_end(hand: Hand) -> None:
    for ref in ("m2", "m3", "m4"):
        hand.call("reply_to_email", email_id=ref, content="And?" * 500)
    assert mail(hand, "m5").subject == "Re: Lunch"
    assert len(mail(hand, "m5").quoted) < 4500


def test_a_forwarded_mail_carries_its_attachments_and_an_optional_note(hand: Hand) -> None:
    hand.call("forward_email", email_id="m1", recipients=["eve@example.org"], content="For you")
    sent = mail(hand, "m3")
    assert sent.attachments == ("figures.pdf", "notes.txt")
    assert (sent.content, sent.subject) == ("For you", "Fwd: Quarterly figures")
    assert "Subject: Quarterly figures" in sent.quoted


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("send_email", {"recipients": [], "subject": "x", "content": "y"}, "at least 1"),
        ("send_email", {"recipients": ["Ben"], "subject": "x", "content": "y"}, "'Ben' is no"),
        ("send_email", {"recipients": ["a@b.org"], "subject": " ", "content": ""}, "a text"),
        ("reply_to_email", {"email_id": "m9", "content": "x"}, "there are m1, m2"),
        ("reply_to_email", {"email_id": "m1", "content": " "}, "needs a text"),
        ("move_email", {"email_id": "m1", "dest_folder_name": "INBOX"}, "already"),
        ("move_email", {"email_id": "m1", "dest_folder_name": "DRAFT"}, "not yet sent"),
        ("move_email", {"email_id": "m1", "dest_folder_name": "Spam"}, "INBOX"),
        ("download_attachments", {"email_id": "m2"}, "no attachments"),
        ("get_email_by_index", {"index": 4}, "mails 0 to 0"),
        ("get_email_by_index", {"index": 0, "folder_name": "TRASH"}, "empty"),
        ("search_emails", {"query": " "}, "at least one word"),
    ],
)
def test_a_refused_call_says_what_would_be_legal(
    hand: Hand, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in hand.refused(tool, **arguments)


def test_deleting_goes_through_trash(hand: Hand) -> None:
    hand.call("delete_email", email_id="m1")
    assert mail(hand, "m1").folder == "TRASH"
    hand.call("move_email", email_id="m1", dest_folder_name="INBOX")
    hand.call("delete_email", email_id="m1")
    hand.call("delete_email", email_id="m1")
    assert hand.world.record("m1") is None


def test_search_finds_all_words_in_any_folder_and_shows_evidence(hand: Hand) -> None:
    assert hand.shown("search_emails", query="PAGE figures") == ["m1"]
    assert hand.shown("search_emails", query="figures lunch") == []
    assert hand.shown("search_emails", query="cara") == ["m2", "m1"]
    assert hand.shown("search_emails", query="cara", folder_name="INBOX") == ["m1"]


def test_downloading_is_noted_on_the_mail(hand: Hand) -> None:
    assert hand.call("download_attachments", email_id="m1") == ["figures.pdf", "notes.txt"]
    assert mail(hand, "m1").downloaded == ("figures.pdf", "notes.txt")


# --- what the user does ---


def test_opening_a_mail_marks_it_read_and_shows_its_thread(hand: Hand) -> None:
    hand.happens("reply_to_user", email_id="m2", sender="cara@example.org", content="Gladly.")
    hand.open()
    assert hand.world.phone.view().title == "INBOX (2 unread)"
    assert all("*" not in item.shows for item in hand.items())
    assert hand.do("open_email", email_id="m3") == "EmailDetail"
    assert mail(hand, "m3").is_read
    assert hand.world.log[-1].effect == "read"
    assert hand.refs("email") == ["m3", "m2"]
    hand.do("open_in_thread", email_id="m2")
    assert hand.items("email")[0].shows == ("*",)


def test_a_reply_of_the_user_is_sent_from_the_form_and_nothing_is_stored_before(
    hand: Hand,
) -> None:
    hand.go_to("m1")
    before = [m.ref for m in hand.world.apps["email"].tables["emails"]]
    hand.do("reply_all")
    hand.do("set_content", content="Page two is fine.")
    hand.do("attach", path="/Documents/page.pdf")
    assert [m.ref for m in hand.world.apps["email"].tables["emails"]] == before
    assert hand.do("send") == "Mailbox"
    sent = mail(hand, "m3")
    assert (sent.parent_id, sent.attachments) == ("m1", ("page.pdf",))
    assert hand.world.log[-1].actor == "user"
    hand.world.user_act(act_back())
    assert hand.screen == "Home"


def act_back() -> Any:
    from heron.contracts import Act

    return Act(app="system", action="back")


def test_a_draft_is_kept_continued_and_sent_under_its_id(hand: Hand) -> None:
    hand.open()
    hand.do("compose")
    assert "send" not in hand.offers()
    assert "send" in hand.cannot("send")
    hand.do("set_recipients", recipients=["ben@example.org", "ben@example.org"])
    hand.do("set_subject", subject="Plan")
    hand.do("save_draft")
    assert mail(hand, "m3").folder == "DRAFT"
    assert "draft" in hand.refused("reply_to_email", email_id="m3", content="x")
    hand.go_to("m3")
    assert {"reply", "move"}.isdisjoint(hand.offers())
    hand.do("edit_draft")
    hand.do("set_content", content="Here it is.")
    hand.do("send")
    assert mail(hand, "m3").folder == "SENT"
    assert mail(hand, "m3").recipients == ("ben@example.org",)


def test_only_what_the_screen_shows_can_be_opened(hand: Hand) -> None:
    hand.open()
    assert "it shows m1" in hand.cannot("open_email", email_id="m2")


def test_every_mail_is_reached_from_home_however_many_there_are(hand: Hand) -> None:
    for number in range(45):
        hand.happens("receive", sender="a@b.org", subject=f"News {number}", content="Read on")
    hand.call("delete_email", email_id="m7")
    for ref in ("m1", "m2", "m7", "m20", "m47"):
        hand.go_to(ref)


def test_long_folders_have_pages(hand: Hand) -> None:
    for number in range(20):
        hand.happens("receive", sender="a@b.org", subject=f"News {number}", content="Read on")
    hand.open()
    assert len(hand.refs("email")) == 20
    hand.do("older")
    assert hand.refs("email") == ["m1"]
    assert "older" not in hand.offers()
