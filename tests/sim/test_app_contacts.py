"""Contacts: the owner's card, search, editing by tool and by form, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sim.hand import Hand

from heron.sim.apps.contacts.app import Contact

PEOPLE: dict[str, Any] = {
    "contacts": [
        {"first_name": "Ben", "last_name": "Ito", "phone": "+1 555 0101", "job": "Plumber"},
        {"first_name": "cara", "last_name": "Díaz", "email": "cara@example.org", "age": 41},
    ]
}


@pytest.fixture
def hand() -> Hand:
    return Hand("contacts", PEOPLE)


def card(hand: Hand, ref: str) -> Contact:
    record = hand.world.record(ref)
    assert isinstance(record, Contact)
    return record


def test_the_owners_card_is_there_and_stays(hand: Hand) -> None:
    own = hand.call("get_current_user_details")
    assert (own["contact_id"], own["first_name"], own["last_name"]) == ("me", "Ann", "Lee")
    assert own["is_user"]
    assert "not deleted" in hand.refused("delete_contact", contact_id="me")
    hand.open()
    assert hand.do("open_own_card") == "ContactDetail"
    assert "delete" not in hand.offers()
    assert "edit" in hand.offers()


def test_a_scenario_may_fill_in_the_owners_card() -> None:
    own = {"contact_id": "me", "first_name": "Ann", "last_name": "Lee", "is_user": True}
    hand = Hand("contacts", {"contacts": [{**own, "address": "Mill Lane 4"}]})
    assert hand.call("get_current_user_details")["address"] == "Mill Lane 4"


def test_lists_are_by_name_and_searches_by_any_part(hand: Hand) -> None:
    assert hand.shown("get_contacts") == ["me", "p1", "p2"]
    assert hand.call("get_contacts", offset=1, limit=1)["range"] == [1, 2]
    assert hand.shown("search_contacts", query="plumber ben") == ["p1"]
    assert hand.shown("search_contacts", query="0101") == ["p1"]
    assert hand.shown("search_contacts", query="nobody") == []


def test_a_contact_is_added_and_edited_by_flat_fields(hand: Hand) -> None:
    hand.call("add_new_contact", first_name="Dan", phone="555 0199", gender="Male")
    assert card(hand, "p3").gender == "Male"
    hand.call("edit_contact", contact_id="p3", last_name="Roe", phone="", status="Retired")
    assert card(hand, "p3").name == "Dan Roe"
    assert card(hand, "p3").phone is None
    assert card(hand, "p3").status == "Retired"


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("add_new_contact", {"first_name": " "}, "needs a name"),
        ("add_new_contact", {"first_name": "Eve", "email": "eve"}, "no email address"),
        ("add_new_contact", {"first_name": "Eve", "phone": "call me"}, "no phone number"),
        ("add_new_contact", {"first_name": "Eve", "age": 200}, "130"),
        ("edit_contact", {"contact_id": "p1"}, "at least one field"),
        ("edit_contact", {"contact_id": "p9", "phone": "1"}, "there are me, p1, p2"),
        ("edit_contact", {"contact_id": "p1", "updates": {}}, "it takes contact_id"),
        ("get_contact", {"contact_id": "Ben"}, "no contact 'Ben'"),
        ("search_contacts", {"query": ""}, "at least one word"),
    ],
)
def test_a_refused_call_says_what_would_be_legal(
    hand: Hand, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in hand.refused(tool, **arguments)


def test_the_list_shows_names_only_and_the_card_all(hand: Hand) -> None:
    hand.open()
    assert {item.shows for item in hand.items()} == {("first_name", "last_name")}
    assert [item.text for item in hand.items()] == ["Ann Lee", "Ben Ito", "cara Díaz"]
    assert "+1 555 0101" in hand.go_to("p1").text


def test_the_form_keeps_its_draft_until_it_is_saved(hand: Hand) -> None:
    hand.go_to("p1")
    assert hand.do("edit") == "ContactEdit"
    hand.do("set_phone", phone="+1 555 0202")
    hand.do("set_city", city_living="Oslo", country="Norway")
    assert card(hand, "p1").phone == "+1 555 0101"
    assert hand.do("save") == "ContactDetail"
    assert card(hand, "p1").phone == "+1 555 0202"
    assert card(hand, "p1").city_living == "Oslo"
    assert hand.world.log[-1].actor == "user"


def test_a_new_contact_needs_a_name_and_can_be_discarded(hand: Hand) -> None:
    hand.open()
    hand.do("create_new")
    assert "save" not in hand.offers()
    assert "needs a name" in hand.cannot("set_name", first_name=" ")
    hand.do("set_name", first_name="Eve", last_name="Poe")
    hand.do("set_email", email="eve@example.org")
    assert hand.do("discard") == "ContactList"
    assert hand.shown("search_contacts", query="Eve") == []
    hand.do("create_new")
    hand.do("set_name", first_name="Eve")
    hand.do("save")
    assert card(hand, "p3").first_name == "Eve"


def test_a_form_closes_when_its_contact_is_gone(hand: Hand) -> None:
    hand.go_to("p1")
    hand.do("edit")
    hand.call("delete_contact", contact_id="p1")
    assert hand.screen == "ContactList"


def test_every_contact_is_reached_from_home_however_many_there_are() -> None:
    people = [{"first_name": f"Guest {n}", "last_name": "Hall"} for n in range(50)]
    hand = Hand("contacts", {"contacts": people})
    for ref in ("me", "p1", "p30", "p50"):
        hand.go_to(ref)
    hand.open()
    hand.do("next_page")
    assert len(hand.refs("contact")) == 20
