"""Files: folders by path, text with a size; what is refused leaves everything in place."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sim.hand import Hand

from heron.errors import InputError

STORE: dict[str, Any] = {
    "files": [
        {
            "name": "lease.txt",
            "folder": "/Documents/Flat",
            "content": "Lease until June",
            "modified_at": "2026-02-01 10:00",
        },
        {"name": "ticket.pdf", "folder": "/Downloads", "content": "Seat 12A", "size": 48_200},
        {"name": "readme", "content": ""},
    ],
    "folders": [{"path": "/Documents/Old"}],
}


@pytest.fixture
def hand() -> Hand:
    return Hand("files", STORE)


def test_folders_and_files_are_listed(hand: Hand) -> None:
    assert hand.shown("list_files") == ["/Documents", "/Downloads", "/Pictures", "f3"]
    assert hand.shown("list_files", folder="/Documents") == ["/Documents/Flat", "/Documents/Old"]
    assert hand.shown("list_folders") == [
        "/",
        "/Documents",
        "/Documents/Flat",
        "/Documents/Old",
        "/Downloads",
        "/Pictures",
    ]


def test_a_file_is_read_by_id_or_found_by_path(hand: Hand) -> None:
    assert hand.call("read_file", file_id="f1")["content"] == "Lease until June"
    assert hand.call("read_file", file_id="f1")["size"] == 16
    assert hand.call("find_file", path="/Downloads/ticket.pdf")["file_id"] == "f2"
    assert hand.call("find_file", path="/readme")["file_id"] == "f3"


@pytest.mark.parametrize(
    ("query", "found"), [("june", ["f1"]), ("flat LEASE", ["f1"]), ("12a pdf", ["f2"]), ("x y", [])]
)
def test_assistant_and_user_search_alike(hand: Hand, query: str, found: list[str]) -> None:
    assert hand.shown("search_files", query=query) == found
    hand.open()
    hand.do("search", query=query)
    assert hand.refs("file") == found


def test_a_search_stays_below_its_folder(hand: Hand) -> None:
    hand.open()
    hand.do("open_folder", path="/Downloads")
    hand.do("search", query="lease")
    assert hand.refs("file") == []
    assert hand.do("open_parent") == "FolderList"
    assert hand.refs("file") == ["f2"]


def test_writing_copying_moving_renaming(hand: Hand) -> None:
    made = hand.call("create_file", name="notes.txt", content="é")
    assert (made["file_id"], made["folder"], made["size"]) == ("f4", "/Documents", 2)
    hand.world.advance(60)
    new = hand.call("write_file", file_id="f4", content="longer")
    assert (new["size"], new["modified_at"]) == (6, "2026-03-10 09:01")
    copy = hand.call("copy_file", file_id="f4", folder="/Pictures", name="n.txt")
    assert (copy["file_id"], copy["content"]) == ("f5", "longer")
    assert hand.call("copy_file", file_id="f4", folder="/")["name"] == "notes.txt"
    assert hand.call("move_file", file_id="f4", folder="/Downloads")["folder"] == "/Downloads"
    assert hand.call("rename_file", file_id="f4", name="a.txt")["name"] == "a.txt"
    assert hand.call("delete_file", file_id="f4") == "deleted /Downloads/a.txt"


def test_a_file_does_not_move_onto_another(hand: Hand) -> None:
    hand.call("create_file", name="ticket.pdf", folder="/Pictures")
    refusal = hand.refused("move_file", file_id="f4", folder="/Downloads")
    assert "/Downloads/ticket.pdf is there already" in refusal


def test_a_folder_is_created_with_those_above_it(hand: Hand) -> None:
    hand.call("create_folder", path="/Trips/2026/Spring/")
    assert hand.shown("list_files", folder="/Trips") == ["/Trips/2026"]
    assert hand.call("delete_folder", path="/Trips", recursive=True) == "deleted /Trips"
    assert "/Trips/2026" not in hand.shown("list_folders")


def test_a_folder_is_deleted_with_what_it_holds_only_when_told_so(hand: Hand) -> None:
    refusal = hand.refused("delete_folder", path="/Documents/Flat")
    assert "holds 0 folders and 1 files; set recursive" in refusal
    hand.call("delete_folder", path="/Documents/Flat", recursive=True)
    assert "no file 'f1'" in hand.refused("read_file", file_id="f1")
    hand.call("delete_folder", path="/Documents/Old")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("list_files", {"folder": "/Attic"}, "no folder '/Attic'"),
        ("read_file", {"file_id": "f9"}, "there are f1, f2, f3"),
        ("find_file", {"path": "/nothing"}, "search_files finds"),
        ("create_file", {"name": "a/b"}, "is no file name"),
        ("create_file", {"name": ".."}, "is no file name"),
        ("create_file", {"name": " "}, "is no file name"),
        ("create_file", {"name": "x" * 121}, "at most 120"),
        ("create_file", {"name": "a.txt", "folder": "/Attic"}, "no folder '/Attic'"),
        ("create_file", {"name": "ticket.pdf", "folder": "/Downloads"}, "take 'ticket (2).pdf'"),
        ("create_file", {"name": "Old"}, "take 'Old (2)'"),
        ("write_file", {"file_id": "f9", "content": ""}, "no file 'f9'"),
        ("copy_file", {"file_id": "f2", "folder": "/Downloads"}, "is there already"),
        ("copy_file", {"file_id": "f2", "folder": "/Attic"}, "no folder '/Attic'"),
        ("move_file", {"file_id": "f2", "folder": "/Downloads"}, "lies in /Downloads already"),
        ("move_file", {"file_id": "f2", "folder": "/Attic"}, "no folder '/Attic'"),
        ("rename_file", {"file_id": "f2", "name": "ticket.pdf"}, "is called 'ticket.pdf' already"),
        ("rename_file", {"file_id": "f3", "name": "Pictures"}, "take 'Pictures (2)'"),
        ("delete_file", {"file_id": "f9"}, "no file 'f9'"),
        ("create_folder", {"path": "Trips"}, "is no absolute path"),
        ("create_folder", {"path": "/Downloads"}, "there is a folder /Downloads already"),
        ("create_folder", {"path": "/readme"}, "/readme is there already"),
        ("create_folder", {"path": "/readme/below"}, "/readme is there already"),
        ("create_folder", {"path": "/a" * 13}, "too deep"),
        ("create_folder", {"path": "/"}, "there is a folder / already"),
        ("delete_folder", {"path": "/", "recursive": True}, "/ stays"),
        ("delete_folder", {"path": "/Pictures"}, "only folders of your own"),
        ("delete_folder", {"path": "/Attic"}, "no folder '/Attic'"),
    ],
)
def test_what_is_refused_says_what_would_do(
    hand: Hand, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in hand.refused(tool, **arguments)


def test_a_file_that_arrives_is_announced(hand: Hand) -> None:
    hand.happens("receive_file", name="bill.pdf", content="Total 12.50")
    note = hand.world.notifications[-1]
    assert (note.title, note.text) == ("New file", "/Downloads/bill.pdf (11 B): Total 12.50")
    assert note.record is not None
    assert note.record.ref == "f4"
    assert "is there already" in hand.cannot_happen("receive_file", name="bill.pdf")


def test_the_user_works_with_files(hand: Hand) -> None:
    hand.open()
    hand.do("open_folder", path="/Documents")
    hand.do("create_folder", name="New")
    hand.do("go_to", folder_path="/Documents/New")
    assert hand.do("create_file", name="plan.txt", content="Monday") == "FileDetail"
    hand.do("write", content="Tuesday")
    hand.do("rename", name="week.txt")
    assert hand.do("move") == "MoveFile"
    assert "/Documents/New" not in hand.refs("folder")
    assert hand.do("choose_folder", path="/Pictures") == "FileDetail"
    assert "/Pictures/week.txt (7 B)" in hand.items()[0].text
    hand.do("copy")
    assert "/Pictures/week (2).txt" in hand.items()[0].text
    assert hand.do("delete") == "FolderList"
    assert hand.refs("file") == ["f4"]
    hand.do("open_parent")
    assert "open_parent" not in hand.offers()
    assert "delete_folder" not in hand.offers()
    hand.do("go_to", folder_path="/Documents/Flat")
    assert "set recursive" in hand.cannot("delete_folder")
    hand.do("delete_folder", recursive=True)
    assert hand.world.phone.view().title == "/Documents"
    assert "no folder '/x'" in hand.cannot("go_to", folder_path="/x")


def test_a_folder_that_is_gone_is_closed(hand: Hand) -> None:
    hand.open()
    hand.do("go_to", folder_path="/Documents/Flat")
    hand.do("open_file", file_id="f1")
    hand.call("delete_folder", path="/Documents/Flat", recursive=True)
    assert hand.screen == "FolderList"
    assert hand.world.phone.view().title == "/"


@pytest.mark.parametrize("ref", ["f1", "f2", "f3", "/", "/Documents", "/Documents/Flat"])
def test_the_graph_leads_to_every_record(hand: Hand, ref: str) -> None:
    hand.open()
    hand.do("open_folder", path="/Pictures")
    hand.go_to(ref)


def test_a_list_shows_less_than_the_file(hand: Hand) -> None:
    hand.open()
    hand.do("open_folder", path="/Downloads")
    row = hand.items("file")[0]
    assert row.text == "ticket.pdf (48.2 kB)"
    assert "content" not in row.shows
    assert "Seat 12A" in hand.go_to("f2").text


@pytest.mark.parametrize(
    "wrong",
    [{"name": "a/b"}, {"name": "x", "folder": "relative"}, {"name": "x", "mode": 7}],
)
def test_wrong_scenario_data_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"files\.files"):
        Hand("files", {"files": [wrong]})
