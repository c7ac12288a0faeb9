"""Scenario files whose mails and messages carry files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from heron.contracts import Grant
from heron.errors import ScenarioError
from heron.scenarios.builder import build
from heron.scenarios.schema import Scenario

Edit = Callable[..., Scenario]

APPS = ("apps: [reminder, email]", "apps: [reminder, email, files]")
EVENT = (
    'content: "Dear reader. {word}"}',
    (
        'content: "Dear reader. {word}", attachments: [map.png, '
        '{name: slip.txt, content: "Shelf 4, {new:time}"}]}'
    ),
)
OLD = """\
  email:
    emails:
      - label: old
        sender: desk@library.example
        subject: Card
        timestamp: 2026-03-09 10:00
        attachments: [{name: card.txt, content: "Reader {me.name}"}]
"""
STORE = ("  reminder:\n", f"{OLD}  reminder:\n")
CALLS = """\
  - {tool: email.download_attachments, arguments: {email_id: "@news"}}
  - {tool: email.forward_email, arguments: {email_id: "@old", recipients: [a@b.org]}}
  - tool: email.send_email
    arguments:
      recipients: [a@b.org]
      subject: Slip
      content: See below.
      attachment_paths: [/Downloads/slip.txt]
"""
STEPS = ("reference:\n  - {tool", f"reference:\n{CALLS}  - {{tool")


def test_the_reference_saves_attaches_and_forwards_files(edited: Edit) -> None:
    stage = build(edited(APPS, EVENT, STORE, STEPS), 5)
    world, grant = stage.world, Grant(grant_id="g", proposal_id="p", turn=0)
    world.advance(10)
    world.open_grant(grant)
    for step in stage.reference:
        result = world.call_tool(step.call, grant)
        assert result.ok, result.error
    saved = {file.name: file.content for file in world.apps["files"].tables["files"]}
    assert saved["map.png"] == ""
    assert saved["slip.txt"].startswith("Shelf 4, ")
    assert "{" not in saved["slip.txt"]
    sent = [mail for mail in world.apps["email"].tables["emails"] if mail.folder == "SENT"]
    said = [one.content for mail in sent for one in mail.enclosed]
    assert said == [f"Reader {world.owner.name}", saved["slip.txt"]]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("name: slip.txt, ", "", "attachments"),
        ("name: slip.txt", "title: slip.txt", "attachments"),
        ("name: card.txt", "name: /", "no file name"),
        ('content: "Reader {me.name}"', "contents: x", "contents"),
    ],
)
def test_a_malformed_attachment_is_told_with_its_place(
    edited: Edit, old: str, new: str, says: str
) -> None:
    with pytest.raises(ScenarioError, match=says):
        build(edited(APPS, EVENT, STORE, STEPS, (old, new)), 5)
