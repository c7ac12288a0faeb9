"""Attachments over all apps that carry them: saved as files, taken from files, never made up."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sim.hand import GRANT, START, Content

from heron.contracts import Act, ToolCall, ToolResult
from heron.errors import InputError
from heron.sim.app import App, Owner
from heron.sim.changes import net_changes
from heron.sim.installed import choose
from heron.sim.log import Entry
from heron.sim.world import World

LEASE = {"name": "lease.txt", "content": "Rent: 900"}
FILES: Content = {
    "files": [
        {"name": "plan.txt", "folder": "/Documents", "content": "Walls first"},
        {"name": "plan.txt", "folder": "/Pictures", "content": "Roof first"},
        {"name": "menu.txt", "folder": "/Documents", "content": "Soup"},
    ]
}
MAIL = {"sender": "ben@example.org", "subject": "Lease", "content": "Attached."}


def phone(*apps: str) -> World:
    world = World(Owner("Ann Lee", "ann@example.org"), START, choose(apps or None))
    world.open_grant(GRANT)
    if "files" in world.apps:
        world.apps["files"].fill(FILES)
    return world


def happen(world: World, name: str, **arguments: Any) -> Entry:
    entry = world.happen(name, arguments)
    assert entry.error is None, entry.error
    return entry


def call(world: World, tool: str, **arguments: Any) -> ToolResult:
    return world.call_tool(ToolCall(name=tool, arguments=arguments), GRANT)


def act(world: World, name: str, /, **arguments: Any) -> str | None:
    app, _, action = name.partition(".")
    return world.user_act(Act(app=app, action=action, arguments=arguments)).error


def row(world: World, ref: str) -> Any:
    found = world.record(ref)
    assert found is not None
    return found


def arrived(world: World, carrier: str) -> ToolCall:
    """Let something with the lease arrive; the call that saves it."""
    if carrier == "email":
        happen(world, "email.receive", **MAIL, attachments=[LEASE])
        return ToolCall(name="email.download_attachments", arguments={"email_id": "m1"})
    if carrier == "messaging":
        sent = {"sender_id": "u1", "sender_name": "Ben", "content": "Here", "attachment": LEASE}
        happen(world, "messaging.receive", **sent)
        return ToolCall(name="messaging.download_attachment", arguments={"message_id": "g1"})
    happen(world, "notes.receive_note", title="Flat", content="See below", attachments=[LEASE])
    return ToolCall(name="notes.download_attachments", arguments={"note_id": "n1"})


carriers = pytest.mark.parametrize("carrier", ["email", "messaging", "notes"])


# --- saving -------------------------------------------------------------------------------------


@carriers
def test_saving_makes_a_file_under_the_same_call_and_going_back_removes_it(carrier: str) -> None:
    world = phone()
    save = arrived(world, carrier)
    snapshot, digest = world.snapshot(), world.digest()
    result = world.call_tool(save, GRANT)
    assert result.value in ("/Downloads/lease.txt", ["/Downloads/lease.txt"])
    entry = world.log[-1]
    (made,) = [file for file in world.apps["files"].tables["files"] if file.name == "lease.txt"]
    assert (made.path, made.content, made.size) == ("/Downloads/lease.txt", "Rent: 900", 9)
    assert (entry.actor, entry.name) == ("assistant", save.name)
    changes = net_changes(world.app_of, entry.writes)
    assert [(c.kind, c.op) for c in changes if c.app == "files"] == [("file", "create")]
    world.restore(snapshot)
    assert world.digest() == digest
    assert len(world.apps["files"].tables["files"]) == 3


@carriers
def test_the_same_file_is_saved_once_and_a_different_one_beside_it(carrier: str) -> None:
    world = phone()
    world.apps["files"].fill(
        {"files": [{"name": "lease.txt", "folder": "/Downloads", "content": "Rent: 800"}]}
    )
    save = arrived(world, carrier)
    assert "/Downloads/lease (2).txt" in str(world.call_tool(save, GRANT).value)
    before = world.digest()
    again = world.call_tool(save, GRANT)
    assert "saved among the downloads already" in str(again.error)
    assert world.digest() == before
    world.apps["files"].tables["files"].delete("f5")
    assert world.call_tool(save, GRANT).ok


@carriers
def test_without_a_files_app_saving_stays_legal_and_makes_no_file(carrier: str) -> None:
    world = phone(carrier)
    save = arrived(world, carrier)
    assert world.call_tool(save, GRANT).value in ("lease.txt", ["lease.txt"])
    assert world.files is None


@carriers
def test_nobody_is_told_what_an_attachment_says_before_it_is_saved(carrier: str) -> None:
    world = phone()
    arrived(world, carrier)
    reads = {
        "email": ("email.get_email_by_id", {"email_id": "m1"}),
        "messaging": ("messaging.search", {"query": "Here"}),
        "notes": ("notes.get_note_by_id", {"note_id": "n1"}),
    }
    name, arguments = reads[carrier]
    told = call(world, name, **arguments)
    assert "lease.txt" in str(told.value)
    assert "900" not in told.model_dump_json()
    assert not any("900" in note.text for note in world.notifications)


def test_the_user_saves_an_attachment_and_reads_it_in_the_files_app() -> None:
    world = phone()
    happen(world, "email.receive", **MAIL, attachments=[LEASE, "photo.jpg"])
    assert act(world, "system.open_app", app="email") is None
    assert act(world, "email.open_email", email_id="m1") is None
    texts = [item.text for item in world.phone.view().items]
    assert {"lease.txt", "photo.jpg"} < set(texts)
    assert "900" not in " ".join(texts)
    assert act(world, "email.download_attachments") is None
    assert world.log[-1].actor == "user"
    assert {c.kind for c in net_changes(world.app_of, world.log[-1].writes)} == {"email", "file"}
    assert act(world, "system.open_app", app="files") is None
    assert act(world, "files.go_to", folder_path="/Downloads") is None
    assert act(world, "files.open_file", file_id="f4") is None
    assert "Rent: 900" in world.phone.view().items[0].text
    assert row(world, "f5").content == ""


# --- attaching ----------------------------------------------------------------------------------

ATTACHING = [
    ("email.send_email", {"recipients": ["b@c.org"], "subject": "x", "content": "y"}),
    ("email.reply_to_email", {"email_id": "m1", "content": "y"}),
    ("messaging.send_message", {"user_id": "u1", "content": "y"}),
    ("messaging.reply_to_message", {"message_id": "g1", "content": "y"}),
    ("notes.add_attachment_to_note", {"note_id": "n1"}),
]


@pytest.mark.parametrize(("tool", "arguments"), ATTACHING)
@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/Documents/plan.txt", "Walls first"),
        ("Pictures/plan.txt", "Roof first"),
        ("menu.txt", "Soup"),
        ("f3", "Soup"),
    ],
)
def test_what_is_attached_is_a_file_of_the_phone(
    tool: str, arguments: dict[str, Any], path: str, content: str
) -> None:
    world = phone()
    for carrier in ("email", "messaging", "notes"):
        arrived(world, carrier)
    made = call(world, tool, **arguments, **with_file(tool, path))
    assert made.ok, made.error
    entry = world.log[-1]
    after = next(write.after for write in reversed(entry.writes) if write.after is not None)
    said = [one.content for one in getattr(after, "enclosed", ()) if one.name != "lease.txt"]
    assert said == [content]


@pytest.mark.parametrize(("tool", "arguments"), ATTACHING)
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/Documents/plam.txt", "did you mean '/Documents/plan.txt'"),
        ("plan.txt", "several files are called 'plan.txt': /Documents/plan.txt, /Pictures"),
        ("lease.txt", "no file 'lease.txt' on this phone"),
    ],
)
def test_an_unknown_file_is_refused_with_what_there_is(
    tool: str, arguments: dict[str, Any], path: str, says: str
) -> None:
    world = phone()
    for carrier in ("email", "messaging", "notes"):
        arrived(world, carrier)
    before = world.digest()
    refused = call(world, tool, **arguments, **with_file(tool, path))
    assert says in str(refused.error)
    assert world.digest() == before


def with_file(tool: str, path: str) -> dict[str, Any]:
    return {"attachment_paths": [path]} if tool.startswith("email") else {"attachment_path": path}


def test_a_forwarded_mail_carries_what_its_attachments_say() -> None:
    world = phone()
    arrived(world, "email")
    call(world, "email.forward_email", email_id="m1", recipients=["eve@example.org"])
    assert [one.content for one in row(world, "m2").enclosed] == ["Rent: 900"]


def test_two_different_files_of_one_name_cannot_be_attached_together() -> None:
    world = phone()
    both = ["/Documents/plan.txt", "/Pictures/plan.txt"]
    mail = {"recipients": ["b@c.org"], "subject": "x", "content": "y"}
    result = call(world, "email.send_email", **mail, attachment_paths=both)
    assert "two attachments are called 'plan.txt'" in str(result.error)


def test_the_user_attaches_and_removes_files_in_the_form() -> None:
    world = phone()
    act(world, "system.open_app", app="email")
    act(world, "email.compose")
    assert "no file" in str(act(world, "email.attach", path="/nothing.txt"))
    act(world, "email.attach", path="/Documents/menu.txt")
    act(world, "email.attach", path="/Documents/plan.txt")
    act(world, "email.remove_attachment", name="menu.txt")
    act(world, "email.set_recipients", recipients=["b@c.org"])
    assert act(world, "email.send") is None
    assert [one.content for one in row(world, "m1").enclosed] == ["Walls first"]


# --- scenario data ------------------------------------------------------------------------------

STOCKED: list[tuple[str, Content, str]] = [
    ("email", {"emails": [{**MAIL, "timestamp": START, "attachments": [LEASE, "b.txt"]}]}, "m1"),
    ("notes", {"notes": [{"title": "Flat", "attachments": ["b.txt", LEASE]}]}, "n1"),
    (
        "messaging",
        {
            "people": [{"name": "Ben"}],
            "conversations": [
                {
                    "participant_ids": ["u1"],
                    "messages": [{"sender_id": "u1", "timestamp": START, "attachment": LEASE}],
                }
            ],
        },
        "g1",
    ),
]


@pytest.mark.parametrize(("app", "content", "ref"), STOCKED)
def test_records_that_are_there_from_the_start_may_have_contents(
    app: str, content: Content, ref: str
) -> None:
    world = phone()
    world.apps[app].fill(content)
    assert [(one.name, one.content) for one in row(world, ref).enclosed] == [
        ("lease.txt", "Rent: 900")
    ]
    names = getattr(row(world, ref), "attachments", None) or (row(world, ref).attachment,)
    assert "lease.txt" in names


@pytest.mark.parametrize("attachment", [{"content": "x"}, {"name": " "}, {"name": "a", "x": 1}, 5])
def test_a_malformed_attachment_is_refused(attachment: Any) -> None:
    app: App = phone().apps["email"]
    with pytest.raises(InputError, match=r"email\.emails: attachments"):
        app.fill({"emails": [{**MAIL, "timestamp": START, "attachments": [attachment]}]})
    refused = phone().happen("email.receive", {**MAIL, "attachments": [attachment]})
    assert refused.error


def test_long_names_stay_names_when_they_are_numbered() -> None:
    world = phone()
    for content in ("one", "two", "two"):
        happen(
            world, "email.receive", **MAIL, attachments=[{"name": "x" * 120, "content": content}]
        )
    for ref in ("m1", "m2"):
        assert call(world, "email.download_attachments", email_id=ref).ok
    assert not call(world, "email.download_attachments", email_id="m3").ok
    assert {len(row(world, ref).name) for ref in ("f4", "f5")} == {120}
