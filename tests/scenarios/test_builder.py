"""Building: the same seed gives the same stage everywhere, another one another surface."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime

import pytest

from heron.errors import ScenarioError
from heron.scenarios.builder import build
from heron.scenarios.describe import data, lines
from heron.scenarios.loader import Suite
from heron.scenarios.schema import Scenario
from heron.sim.changes import digest
from heron.sim.users.brief import Do, Need, Preferences, See

Edit = Callable[..., Scenario]

IN_A_PROCESS = """
from heron.scenarios.builder import build
from heron.scenarios.describe import data
from heron.scenarios.loader import load_suite
from heron.sim.changes import digest
print(digest([data(build(s, seed)) for s in load_suite() for seed in (0, 7)]))
"""


@pytest.mark.slow
def test_the_same_seed_gives_the_same_stage_whatever_the_hash_salt() -> None:
    found = set()
    for salt in ("0", "1", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", IN_A_PROCESS],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": salt},
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_another_seed_gives_another_surface_with_the_same_logic(suite: Suite) -> None:
    for scenario in suite:
        stages = [build(scenario, seed) for seed in range(4)]
        assert len({digest(data(stage)) for stage in stages}) == 4
        assert len({digest(data(stage)["events"]) for stage in stages}) >= 2
        for get in (
            lambda s: [step.call.name for step in s.reference],
            lambda s: [sorted(step.call.arguments) for step in s.reference],
            lambda s: [event.name for event in s.world.queue.events],
            lambda s: list(s.labels),
            lambda s: [need.fields for need in s.brief.needs],
            lambda s: [len(group) > 0 for group in s.brief.rubric.object],
        ):
            assert all(get(stage) == get(stages[0]) for stage in stages), scenario.id


def test_building_twice_shares_nothing_that_changes(edited: Edit) -> None:
    scenario = edited()
    first, second = build(scenario, 0), build(scenario, 0)
    state = second.world.digest()
    first.world.advance(3600)
    assert second.world.digest() == state


def test_labels_become_ids_everywhere(edited: Edit) -> None:
    stage = build(
        edited(
            (
                "habits: [{rest: 1}]",
                (
                    "habits: [{see: news}, {do: {app: reminder, action: open_reminder, "
                    'arguments: {reminder_id: "@fetch"}}}]'
                ),
            ),
            ("report:", "privacy: {sensitive: [fetch.title, news]}\nreport:"),
        ),
        0,
    )
    assert stage.labels == {"fetch": "r1", "news": "m1"}
    assert stage.brief.needs == (Need(ref="m1"), Need(ref="r1", fields=("due_datetime",)))
    assert stage.brief.habits == (
        See(ref="m1"),
        Do(app="reminder", action="open_reminder", arguments={"reminder_id": "r1"}),
    )
    assert stage.reference[0].call.arguments["reminder_id"] == "r1"
    assert stage.privacy.sensitive == (Need(ref="r1", fields=("title",)), Need(ref="m1"))
    assert stage.cue is not None
    assert (stage.cue.after, stage.cue.refs) == (("m1",), ("m1", "r1"))
    assert [look.name for look in stage.cue.looks] == ["reminder.get_all_reminders"]
    assert stage.cue.plan == ("reminder.update_reminder",)
    assert stage.cue.text in stage.proposals.reference


def test_an_events_record_has_the_id_by_which_the_file_knows_it(edited: Edit) -> None:
    earlier = "  - key: other\n    at: 2\n    do: email.receive\n    with: {sender: a@b.example, "
    earlier += "subject: x, content: y}\n  - key: news\n    at: 4\n"
    stage = build(edited(("  - key: news\n    at: 4\n", earlier)), 0)
    stage.world.advance(10)
    mails = {mail.ref: mail for mail in stage.world.apps["email"].tables["emails"]}
    assert list(mails) == ["m2", "m1"]
    assert "Dear reader" in mails[stage.labels["news"]].line()


def test_a_record_that_is_its_own_name_is_known_by_it(edited: Edit) -> None:
    code = "  - {key: code, at: 2, do: shopping.add_discount_code, label: code, with: "
    code += '{discount_code: "SAVE{due:%M}", percentage: 10}}\n  - key: news\n    at: 4\n'
    shop = ("  apps: [reminder, email]\n", "  apps: [reminder, email, shopping]\n")
    stage = build(edited(shop, ("  - key: news\n    at: 4\n", code)), 0)
    stage.world.advance(10)
    assert stage.labels["code"] in ("SAVE00", "SAVE30")
    assert stage.world.record(stage.labels["code"]) is not None


def test_a_bad_value_within_a_list_is_told_with_its_place(edited: Edit) -> None:
    shop = "  apps: [reminder, email, shopping]\n  shopping:\n    orders:\n"
    shop += "      - {order_items: [{item_id: i1, quantity: 1}]}\n"
    scenario = edited(("  apps: [reminder, email]\n", shop))
    with pytest.raises(ScenarioError, match=r"order_items: 0\.\w+: field required"):
        build(scenario, 0)


def test_records_may_name_each_other_in_any_order(suite: Suite, edited: Edit) -> None:
    chat = (
        "  messaging:\n    messages:\n"
        '      - {conversation_id: "@chat", sender_id: "@u", content: hi, '
        "timestamp: 2026-03-09 10:00}\n"
        '    conversations:\n      - {label: chat, participant_ids: ["@u"]}\n'
        "    people:\n      - {label: u, person: me}\n"
    )
    stage = build(edited(("  apps: [reminder, email]\n", chat)), 0)
    (message,) = stage.world.apps["messaging"].tables["messages"]
    assert (message.conversation_id, message.sender_id) == ("c1", "u1")


def test_a_person_fills_the_fields_that_a_record_has(edited: Edit) -> None:
    row = "  contacts:\n    contacts:\n      - {label: c, person: me, city_living: Here}\n"
    stage = build(edited(("  apps: [reminder, email]\n", row)), 0)
    contact = stage.world.record(stage.labels["c"])
    assert contact is not None
    fields = contact.model_dump()
    assert fields["email"] == stage.world.owner.email
    assert fields["city_living"] == "Here"
    assert fields["country"] == "United Kingdom"


def test_two_at_signs_are_one(edited: Edit) -> None:
    stage = build(edited(("title: Fetch the book", 'title: "@@fetch"')), 0)
    record = stage.world.record("r1")
    assert record is not None
    assert record.model_dump()["title"] == "@fetch"


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('due_datetime: "{due}"}', "due_datetime: soon}", 25, "valid datetime"),
        ("{label: fetch,", "{label: fetch, reminder_id: r9, description: 5,", 25, "valid string"),
        (
            "start: 2026-03-10 09:00",
            "start: 2026-03-10 09:00\n  device: {battery: full}",
            22,
            "int",
        ),
        (
            'due_datetime: "{due}"}',
            (
                'due_datetime: "{due}", reminder_id: r1}\n      - {title: y, reminder_id: r1, '
                'due_datetime: "{due}"}'
            ),
            26,
            "given twice",
        ),
    ],
)
def test_values_that_do_not_suit_their_app(
    edited: Edit, old: str, new: str, line: int, says: str
) -> None:
    scenario = edited((old, new))
    with pytest.raises(ScenarioError, match=says) as caught:
        build(scenario, 0)
    assert caught.value.line == line


def test_the_window_knows_when_its_event_happens(edited: Edit) -> None:
    start = datetime(2026, 3, 10, 9, 0)
    stage = build(edited(), 0)
    assert stage.moment.opens == start.replace(second=4)
    later = build(
        edited(
            (
                "  - key: news\n    at: 4\n",
                (
                    "  - key: a\n    at: 30\n    do: device.change\n    "
                    "with: {battery: 3}\n  - key: news\n    after: a\n    delay: 12\n"
                ),
            ),
            ("{opens: news}", "{opens: news, closes: 600}"),
        ),
        0,
    )
    assert later.moment.opens == start.replace(second=42)
    assert later.moment.closes == start.replace(minute=10)
    unknown = build(edited(("    at: 4\n", "    when: {user_did: reminder.open_reminder}\n")), 0)
    assert (unknown.moment.event, unknown.moment.opens) == ("news", None)
    condition = unknown.world.queue.events[0].when
    assert condition is not None
    assert (condition.type, condition.value) == ("user_did", "reminder.open_reminder")


def test_a_condition_on_a_record_waits_for_its_id(edited: Edit) -> None:
    stage = build(edited(("    at: 4\n", '    when: {opened: "@fetch"}\n')), 0)
    condition = stage.world.queue.events[0].when
    assert condition is not None
    assert condition.value == "r1"


def test_the_story_can_be_told(suite: Suite) -> None:
    for scenario in suite:
        told = "\n".join(lines(build(scenario, 0)))
        assert scenario.summary in told
        assert ("No help is wanted" in told) == (scenario.type != "goal")


def test_a_read_that_is_refused_just_now_shows_nothing(edited: Edit) -> None:
    """No ride is under way, so the cab's reads without arguments are refused."""
    van = "{label: van, service_type: Van, nb_seats: 6, price_per_km: 1.5, base_delay_min: 7}"
    scenario = edited(
        ("apps: [reminder, email]", f"apps: [reminder, email, cab]\n  cab: {{services: [{van}]}}"),
        ("needs: [news,", "needs: [news, van.nb_seats,"),
    )
    cue = build(scenario, 0).cue
    assert cue is not None
    assert [look.name for look in cue.looks] == ["reminder.get_all_reminders"]


def test_the_label_of_an_answer_is_not_that_of_the_mail_answered(edited: Edit) -> None:
    mail = "{label: asked, sender: '{me.email}', recipients: [a@b.example], subject: x, "
    mail += "content: y, timestamp: 2026-03-09 10:00, folder: SENT}"
    new = "do: email.receive\n    with: {sender: desk@library.example, subject: The book, "
    new += 'content: "Dear reader. {word}"}'
    answer = "do: email.reply_to_user\n    with: {email_id: '@asked', sender: a@b.example, "
    answer += "content: '{word}'}"
    stored = ("events:", f"  email:\n    emails:\n      - {mail}\nevents:")
    stage = build(edited(stored, (new, answer)), 0)
    assert stage.labels["news"] != stage.labels["asked"]
    stage.world.advance(10)
    assert stage.world.record(stage.labels["news"]) is not None


def test_standing_wishes_reach_the_user(edited: Edit) -> None:
    wishes = 'user:\n  preferences: {not_before: "09:30", confirm_purchases: true}'
    found = build(edited(("user:", wishes)), 0).brief.preferences
    assert found == Preferences(not_before="09:30", confirm_purchases=True)
    assert build(edited(), 0).brief.preferences == Preferences()


@pytest.mark.parametrize("wish", ["not_before: 9:30", 'not_before: "24:00"', "nothing_before: x"])
def test_a_wish_that_is_none_is_told_with_its_key(edited: Edit, wish: str) -> None:
    with pytest.raises(ScenarioError, match=r"user\.preferences\."):
        edited(("user:", f"user:\n  preferences: {{{wish}}}"))
