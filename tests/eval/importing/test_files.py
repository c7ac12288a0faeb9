"""Files that travel: attached, saved, moved, forwarded; and equal in the end."""

from __future__ import annotations

import base64
import copy
from typing import Any

from heron.eval.importing.importer import taken_over
from heron.scenarios.are.reading import of

SHA = "0" * 64
PLAN = base64.b64encode(b"Pane 60 x 80, 48 euros").decode()


def _tree(*paths: str) -> dict[str, Any]:
    """A file system's state with files at these paths, one folder deep at most."""
    folders: dict[str, list[Any]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        inside = folders.setdefault(folder.strip("/"), [])
        if name:
            inside.append({"name": name, "type": "file"})
    root = folders.pop("", [])
    for name, inside in folders.items():
        root.append({"name": name, "type": "directory", "children": inside})
    return {"files": {"name": "", "type": "directory", "children": root}, "tmpdir": "/x"}


def _call(key: str, needs: str, app: str, function: str, **args: Any) -> dict[str, Any]:
    written = [
        {"name": n, "value": str(v), "value_type": type(v).__name__} for n, v in args.items()
    ]
    action = {"action_id": "", "app": app, "function": function, "args": written}
    fields = {"class_name": "OracleEvent", "event_type": "AGENT", "event_time": None}
    more = {"event_id": key, "dependencies": [needs], "event_relative_time": 1.0}
    return {**fields, **more, "action": action}


def test_files_are_saved_moved_attached_and_forwarded(small: Any) -> None:
    start = 1772442000.0
    given = {"name": "attachment_paths", "value": "['/pane.txt']", "value_type": "list"}
    small["events"][0]["action"]["args"].append(given)
    files = {"name": "Files", "class_name": "SandboxLocalFileSystem"}
    small["apps"].append({**files, "app_state": _tree("/pane.txt", "/Old/roof.txt", "/New/")})
    steps = [
        _call(
            "f1", "e4", "Emails", "download_attachments", email_id="ask", path_to_save="Downloads"
        ),
        _call("f2", "f1", "Files", "mv", path1="/Old/roof.txt", path2="/New/roof.txt"),
        _call(
            "f3",
            "f2",
            "Notes",
            "add_attachment_to_note",
            note_id="note-1",
            attachment_path="pane.txt",
        ),
        _call(
            "f4", "f3", "Emails", "forward_email", email_id="ask", recipients=["kim@home.example"]
        ),
    ]
    small["events"] += steps
    for number, step in enumerate(steps, 6):
        value = "fwd-1" if step["event_id"] == "f4" else None
        metadata = {"return_value": value, "exception": None}
        done = {**step, "event_time": start + 5 * number, "metadata": metadata}
        small["completed_events"].append(done)
    final = small["final_state"]
    mails = final["Emails"]["folders"]
    mails["INBOX"]["emails"][0]["attachments"] = {"pane.txt": PLAN}
    forwarded = copy.deepcopy(mails["INBOX"]["emails"][0])
    text = f"> {forwarded['content']}"
    people = {"sender": "ada@home.example", "recipients": ["kim@home.example"]}
    more = {"email_id": "fwd-1", "subject": "FWD: The window", "content": text, "parent_id": "ask"}
    mails["SENT"]["emails"].insert(0, {**forwarded, **people, **more})
    final["Notes"]["folders"]["Inbox"]["notes"]["note-1"]["attachments"] = {"pane.txt": PLAN}
    final["Files"] = _tree("/pane.txt", "/Downloads/pane.txt", "/New/roof.txt", "/Old/")
    _, converted, proof = taken_over(of(small), "glazier", "glazier.json", SHA)
    assert proof.differences == ()
    assert [remark.kind for remark in converted.remarks] == ["approximated"]
    (event,) = converted.data["events"]
    attached = [{"name": "pane.txt", "content": "Pane 60 x 80, 48 euros"}]
    assert event["with"]["attachments"] == attached
