"""Notes: folders, pins, attachments, the form; notes from other devices and people."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sim.hand import Hand

from heron.errors import InputError

NOTES: dict[str, Any] = {
    "folders": [{"folder_name": "Recipes"}],
    "notes": [
        {"title": "Packing list", "content": "Tent\nStove", "updated_at": "2026-03-01 10:00"},
        {
            "title": "Pancakes",
            "content": "Three eggs, milk",
            "folder": "Recipes",
            "attachments": ["pancakes.jpg"],
            "updated_at": "2026-03-05 10:00",
        },
        {"title": "Door code", "content": "4711", "pinned": True, "updated_at": "2026-01-01 10:00"},
    ],
}


@pytest.fixture
def hand() -> Hand:
    return Hand("notes", NOTES)


def test_pinned_notes_come_first_then_the_newest(hand: Hand) -> None:
    hand.open()
    assert hand.refs("note") == ["n3", "n2", "n1"]
    assert hand.shown("list_notes") == ["n3", "n1"]
    assert hand.shown("list_notes", folder="Recipes") == ["n2"]
    assert hand.call("list_notes", limit=1)["range"] == [0, 1]


@pytest.mark.parametrize(
    ("query", "found"),
    [("tent stove", ["n1"]), ("PANCAKES", ["n2"]), ("pancakes.jpg", ["n2"]), ("sofa", [])],
)
def test_assistant_and_user_search_alike(hand: Hand, query: str, found: list[str]) -> None:
    assert hand.shown("search_notes", query=query) == found
    hand.open()
    hand.do("search", keyword=query)
    assert hand.refs("note") == found


def test_a_search_stays_in_its_folder(hand: Hand) -> None:
    assert hand.shown("search_notes_in_folder", query="e", folder_name="Recipes") == ["n2"]
    assert hand.shown("search_notes_in_folder", query="eggs") == []
    hand.open()
    hand.do("list_folders")
    hand.do("open", folder="Recipes")
    hand.do("search", keyword="tent")
    assert hand.refs("note") == []
    hand.do("list_notes")
    assert hand.refs("note") == ["n3", "n2", "n1"]


def test_writing_and_changing_a_note(hand: Hand) -> None:
    hand.world.advance(60)
    made = hand.call("create_note", content="Call the plumber\nabout the tap", pinned=True)
    assert made["title"] == "Call the plumber about the tap"
    assert (made["note_id"], made["folder"], made["pinned"]) == ("n4", "Inbox", True)
    assert made["created_at"] == "2026-03-10 09:01"
    hand.world.advance(60)
    new = hand.call("update_note", note_id="n4", title="Plumber", pinned=False)
    assert (new["title"], new["content"]) == ("Plumber", "Call the plumber\nabout the tap")
    assert (new["created_at"], new["updated_at"]) == ("2026-03-10 09:01", "2026-03-10 09:02")


def test_moving_and_copying(hand: Hand) -> None:
    assert hand.call("move_note", note_id="n1", dest_folder_name="Work")["folder"] == "Work"
    copy = hand.call("duplicate_note", note_id="n2", folder_name="Recipes")
    assert (copy["note_id"], copy["title"], copy["folder"]) == ("n4", "Copy of Pancakes", "Recipes")
    assert copy["attachments"] == ["pancakes.jpg"]


def test_attachments_are_known_by_their_names(hand: Hand) -> None:
    hand.call("add_attachment_to_note", note_id="n1", attachment_path="/Documents/map of site.pdf")
    assert hand.call("list_attachments", note_id="n1") == ["map of site.pdf"]
    again = hand.refused("add_attachment_to_note", note_id="n1", attachment_path="map of site.pdf")
    assert "attached to n1 already" in again
    hand.call("remove_attachment", note_id="n1", attachment="map of site.pdf")
    assert hand.call("list_attachments", note_id="n1") == []


def test_a_renamed_folder_keeps_its_notes(hand: Hand) -> None:
    hand.call("rename_folder", folder="Recipes", new_folder="  Kitchen  book ")
    assert hand.shown("list_notes", folder="Kitchen book") == ["n2"]
    assert hand.shown("list_folders") == ["Inbox", "Personal", "Work", "Kitchen book"]


def test_a_deleted_folder_takes_its_notes_along(hand: Hand) -> None:
    assert hand.call("delete_folder", folder_name="Recipes") == "deleted Recipes and 1 notes"
    assert "no note 'n2'" in hand.refused("get_note_by_id", note_id="n2")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("create_note", {}, "needs a title or content"),
        ("create_note", {"title": " ", "content": "\n"}, "needs a title or content"),
        ("create_note", {"title": "x", "folder": "Attic"}, "no note_folder 'Attic'; there are"),
        ("update_note", {"note_id": "n1"}, "give a title, content or pinned"),
        ("update_note", {"note_id": "n1", "title": "", "content": " "}, "needs a title or content"),
        ("update_note", {"note_id": "n9", "title": "x"}, "there are n1, n2, n3"),
        ("delete_note", {"note_id": "n9"}, "no note 'n9'"),
        ("move_note", {"note_id": "n1", "dest_folder_name": "Inbox"}, "lies in Inbox already"),
        ("move_note", {"note_id": "n1", "dest_folder_name": "Attic"}, "no note_folder 'Attic'"),
        (
            "move_note",
            {"note_id": "n2", "dest_folder_name": "Work", "source_folder_name": "Inbox"},
            "n2 is not in Inbox; it lies in Recipes",
        ),
        ("duplicate_note", {"note_id": "n2", "folder_name": "Inbox"}, "it lies in Recipes"),
        (
            "add_attachment_to_note",
            {"note_id": "n1", "attachment_path": " / "},
            "needs a file name",
        ),
        ("remove_attachment", {"note_id": "n2", "attachment": "x"}, "pancakes.jpg is"),
        ("list_notes", {"folder": "Attic"}, "no note_folder 'Attic'"),
        ("search_notes_in_folder", {"query": "x", "folder_name": "Attic"}, "no note_folder"),
        ("new_folder", {"folder_name": "Work"}, "'Work' is taken already"),
        ("new_folder", {"folder_name": "n7"}, "looks like an id"),
        ("new_folder", {"folder_name": "n1"}, "looks like an id"),
        ("new_folder", {"folder_name": " "}, "a folder needs a name"),
        ("new_folder", {"folder_name": "x" * 61}, "at most 60"),
        ("rename_folder", {"folder": "Inbox", "new_folder": "In"}, "only your own folders: Recip"),
        ("rename_folder", {"folder": "Recipes", "new_folder": "Work"}, "'Work' is taken already"),
        ("delete_folder", {"folder_name": "Work"}, "Work stays as it is"),
        ("delete_folder", {"folder_name": "Attic"}, "no note_folder 'Attic'"),
    ],
)
def test_what_is_refused_says_what_would_do(
    hand: Hand, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in hand.refused(tool, **arguments)


def test_an_empty_title_falls_back_on_the_content(hand: Hand) -> None:
    assert hand.call("update_note", note_id="n2", title="")["title"] == "Three eggs, milk"


def test_the_user_writes_a_note_in_a_folder(hand: Hand) -> None:
    hand.open()
    hand.do("list_folders")
    hand.do("open", folder="Recipes")
    assert hand.do("new_note") == "EditNote"
    assert "save" not in hand.offers()
    hand.do("set_title", title="Soup")
    hand.do("set_content", content="Leeks")
    assert hand.do("save") == "NoteDetail"
    made = hand.call("get_note_by_id", note_id="n4")
    assert (made["title"], made["content"], made["folder"]) == ("Soup", "Leeks", "Recipes")
    assert [e.actor for e in hand.world.log if e.writes] == ["user"]


def test_the_user_edits_in_one_step_or_leaves_it(hand: Hand) -> None:
    hand.go_to("n1")
    hand.do("edit")
    hand.do("set_title", title="Never mind")
    assert hand.do("discard") == "NoteList"
    hand.do("open", note_id="n1")
    hand.do("edit")
    assert "needs a title or content" in hand.cannot("update", title="", content="")
    assert hand.do("update", title="Packing", content="Tent") == "NoteDetail"
    new = hand.call("get_note_by_id", note_id="n1")
    assert (new["title"], new["content"]) == ("Packing", "Tent")


def test_the_user_keeps_order(hand: Hand) -> None:
    hand.go_to("n2")
    assert "unpin" not in hand.offers()
    hand.do("pin")
    assert "pin" not in hand.offers()
    hand.do("unpin")
    assert hand.do("move") == "MoveNote"
    assert hand.refs("note_folder") == ["Inbox", "Personal", "Work"]
    assert hand.do("choose_folder", dest_folder_name="Work") == "NoteDetail"
    hand.do("refresh")
    hand.do("list_attachments")
    hand.do("add_attachment", attachment_path="list.txt")
    hand.do("remove_attachment", attachment="pancakes.jpg")
    assert "list.txt" in hand.items()[0].text
    hand.do("remove_attachment", attachment="list.txt")
    assert "remove_attachment" not in hand.offers()
    assert hand.do("duplicate") == "NoteDetail"
    assert hand.items()[0].ref == "n4"
    assert hand.do("delete") == "NoteList"
    hand.do("list_folders")
    hand.do("new_folder", folder_name="Trips")
    hand.do("rename_folder", folder="Trips", new_folder="Travel")
    hand.do("delete_folder", folder="Travel")
    assert "stays as it is" in hand.cannot("delete_folder", folder="Work")


def test_back_from_the_form_and_the_picker(hand: Hand) -> None:
    hand.go_to("n1")
    hand.do("move")
    hand.do("choose_folder", dest_folder_name="Work")
    hand.world.phone.act("system", "back", {})
    assert hand.screen == "NoteList"


def test_a_note_that_somebody_shares_is_announced(hand: Hand) -> None:
    hand.happens("receive_note", title="Rota", content="Ann: Tuesday", sender="Jo Park")
    note = hand.world.notifications[-1]
    assert (note.title, note.text) == ("Note from Jo Park", "Rota: Ann: Tuesday")
    assert note.record is not None
    assert note.record.ref == "n4"
    hand.happens("sync_update_note", note_id="n4", content="Ann: Wednesday")
    assert hand.heard()[-1] == "Note changed: Rota: Ann: Wednesday"
    assert "Wednesday" in hand.go_to("n4").text


def test_a_folder_deleted_elsewhere_is_announced(hand: Hand) -> None:
    hand.go_to("n2")
    hand.happens("sync_delete_folder", folder_name="Recipes")
    assert hand.heard() == ["Folder deleted on another device: deleted Recipes and 1 notes"]
    assert hand.screen == "NoteList"
    assert "Inbox stays" in hand.cannot_happen("sync_delete_folder", folder_name="Inbox")
    assert "no note 'n2'" in hand.cannot_happen("sync_update_note", note_id="n2", content="x")
    assert "needs a title" in hand.cannot_happen("receive_note", title="", content="")


@pytest.mark.parametrize("ref", ["n1", "n2", "n3", "Recipes", "Inbox"])
def test_the_graph_leads_to_every_record(hand: Hand, ref: str) -> None:
    hand.go_to(ref)


def test_the_graph_leads_out_of_the_wrong_folder_and_search(hand: Hand) -> None:
    hand.open()
    hand.do("list_folders")
    hand.do("open", folder="Work")
    hand.do("search", keyword="sofa")
    hand.go_to("n2")


def test_a_list_shows_less_than_the_note(hand: Hand) -> None:
    hand.open()
    row = next(i for i in hand.items("note") if i.ref == "n3")
    assert "4711" not in row.text
    assert "content" not in row.shows
    assert "4711" in hand.go_to("n3").text


def test_a_note_brings_its_folder_and_what_it_leaves_out() -> None:
    hand = Hand("notes", {"notes": [{"content": "Only words", "folder": "Club"}]})
    note = hand.call("get_note_by_id", note_id="n1")
    assert (note["title"], note["created_at"]) == ("Only words", "2026-03-10 09:00")
    assert "Club" in hand.shown("list_folders")


def test_wrong_scenario_data_is_named() -> None:
    with pytest.raises(InputError, match="colour"):
        Hand("notes", {"notes": [{"title": "x", "colour": "red"}]})
