"""Apartments: search, favourites, listings that come, change and are withdrawn."""

from __future__ import annotations

import pytest
from tests.sim.hand import Hand

from heron.errors import InputError

FLATS = [
    {
        "name": "Canal House",
        "location": "12 Quay Street, Harbour",
        "zip_code": "1011",
        "price": 1450,
        "currency": "EUR",
        "bedrooms": 2,
        "bathrooms": 1,
        "square_footage": 780,
        "property_type": "Apartment",
        "pet_policy": "Cats allowed",
        "lease_term": "1 year",
        "amenities": ["Lift", "Balcony"],
    },
    {
        "name": "Mill Loft",
        "location": "3 Mill Lane, Old Town",
        "zip_code": "1020",
        "price": 1800.5,
        "currency": "EUR",
        "bedrooms": 3,
        "bathrooms": 2,
        "square_footage": 1100,
        "property_type": "Loft",
        "pet_policy": "No pets",
        "amenities": ["Parking", "Balcony"],
        "saved": True,
    },
]
NEW = {
    "name": "Park Corner",
    "location": "Garden Row",
    "zip_code": "1030",
    "price": 1200,
    "number_of_bedrooms": 1,
    "number_of_bathrooms": 1,
    "square_footage": 500,
}


@pytest.fixture
def hand() -> Hand:
    return Hand("apartment", {"apartments": FLATS})


@pytest.mark.parametrize(
    ("wishes", "found"),
    [
        ({}, ["a1", "a2"]),
        ({"location": "harbour"}, ["a1"]),
        ({"name": "loft mill"}, ["a2"]),
        ({"min_price": 1450, "max_price": 1450}, ["a1"]),
        ({"max_price": 1449.99}, []),
        ({"number_of_bedrooms": 3}, ["a2"]),
        ({"square_footage": 780}, ["a1", "a2"]),
        ({"square_footage": 781}, ["a2"]),
        ({"property_type": "loft"}, ["a2"]),
        ({"pet_policy": "cats allowed"}, ["a1"]),
        ({"lease_term": "1 year"}, ["a1"]),
        ({"amenities": ["balcony"]}, ["a1", "a2"]),
        ({"amenities": ["Balcony", "Lift"]}, ["a1"]),
        ({"saved_only": True}, ["a2"]),
        ({"zip_code": "1020", "number_of_bathrooms": 2}, ["a2"]),
    ],
)
def test_a_search_finds_what_meets_all_wishes(
    hand: Hand, wishes: dict[str, object], found: list[str]
) -> None:
    assert hand.shown("search_apartments", **wishes) == found
    if "saved_only" not in wishes:
        hand.open()
        hand.do("open_search")
        hand.do("search", **wishes)
        assert hand.refs("apartment") == found


def test_saving_and_unsaving(hand: Hand) -> None:
    hand.call("save_apartment", apartment_id="a1")
    assert hand.shown("list_saved_apartments") == ["a1", "a2"]
    hand.call("remove_saved_apartment", apartment_id="a2")
    assert hand.shown("list_saved_apartments") == ["a1"]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("save_apartment", {"apartment_id": "a2"}, "saved already"),
        ("save_apartment", {"apartment_id": "a9"}, "there are a1, a2"),
        ("remove_saved_apartment", {"apartment_id": "a1"}, "saved are: a2"),
        ("get_apartment_details", {"apartment_id": "a9"}, "no apartment 'a9'"),
        ("search_apartments", {"max_price": -1}, "max_price"),
        ("search_apartments", {"colour": "red"}, "colour"),
    ],
)
def test_what_is_refused_says_what_would_do(
    hand: Hand, tool: str, arguments: dict[str, object], said: str
) -> None:
    assert said in hand.refused(tool, **arguments)


def test_the_user_saves_and_unsaves_on_the_detail_screen(hand: Hand) -> None:
    hand.go_to("a1")
    assert "unsave" not in hand.offers()
    assert hand.do("save") == "ApartmentDetail"
    assert "save" not in hand.offers()
    assert "no 'save' now" in hand.cannot("save")
    hand.do("unsave")
    assert not hand.call("get_apartment_details", apartment_id="a1")["saved"]


def test_a_new_listing_is_announced_with_its_record(hand: Hand) -> None:
    hand.happens("add_new_apartment", **NEW)
    note = hand.world.notifications[-1]
    assert note.title == "New listing"
    assert note.record is not None
    assert note.record.ref == "a3"
    assert "Park Corner" in note.text
    assert "1200.00 USD/month" in note.text
    assert hand.shown("list_all_apartments") == ["a1", "a2", "a3"]


def test_a_new_price_is_announced_with_the_old_one(hand: Hand) -> None:
    hand.happens("update_apartment", apartment_id="a2", new_price=1750)
    assert hand.heard() == ["Saved listing: new price: Mill Loft: 1750.00 EUR, was 1800.50 EUR"]
    hand.happens("update_apartment", apartment_id="a1", new_price=1400)
    assert hand.heard()[-1].startswith("New price: Canal House")


def test_a_withdrawn_favourite_stays_until_it_is_unsaved(hand: Hand) -> None:
    hand.happens("delete_apartment", apartment_id="a2")
    assert hand.heard() == ["Saved listing withdrawn: Mill Loft, 3 Mill Lane, Old Town is gone"]
    assert hand.shown("list_all_apartments") == ["a1"]
    assert hand.shown("list_saved_apartments") == ["a2"]
    assert "withdrawn" in hand.go_to("a2").text
    assert "save" not in hand.offers()
    assert hand.do("unsave") == "ApartmentFavorites"
    assert hand.refs("apartment") == []
    assert "no apartment 'a2'" in hand.refused("get_apartment_details", apartment_id="a2")


def test_a_withdrawn_listing_that_nobody_saved_is_gone(hand: Hand) -> None:
    hand.go_to("a1")
    hand.happens("delete_apartment", apartment_id="a1")
    assert hand.heard() == []
    assert hand.screen == "ApartmentHome"
    assert hand.refs("apartment") == ["a2"]


def test_nothing_happens_to_what_is_withdrawn(hand: Hand) -> None:
    hand.happens("delete_apartment", apartment_id="a2")
    assert "withdrawn already" in hand.cannot_happen("delete_apartment", apartment_id="a2")
    assert "withdrawn" in hand.cannot_happen("update_apartment", apartment_id="a2", new_price=1)
    hand.call("remove_saved_apartment", apartment_id="a2")
    assert "no apartment" in hand.cannot_happen("delete_apartment", apartment_id="a2")
    assert "needs a name" in hand.cannot_happen("add_new_apartment", **{**NEW, "name": " "})


def test_a_withdrawn_apartment_cannot_be_saved_again(hand: Hand) -> None:
    hand.happens("delete_apartment", apartment_id="a2")
    assert "withdrawn" in hand.refused("save_apartment", apartment_id="a2")


@pytest.mark.parametrize("ref", ["a1", "a2"])
def test_the_graph_leads_to_every_listing(hand: Hand, ref: str) -> None:
    hand.open()
    hand.do("open_favorites")
    assert "EUR/month" in hand.go_to(ref).text


def test_a_list_shows_less_than_the_detail(hand: Hand) -> None:
    hand.open()
    row = hand.items("apartment")[0]
    assert "*" not in row.shows
    assert "Cats allowed" not in row.text
    assert "Cats allowed" in hand.go_to("a1").text


def test_prices_are_in_whole_cents(hand: Hand) -> None:
    hand.happens("update_apartment", apartment_id="a1", new_price=1200.005)
    assert hand.call("get_apartment_details", apartment_id="a1")["price"] == 1200.01


def test_a_wrong_field_in_scenario_data_is_named() -> None:
    with pytest.raises(InputError, match="bedrooms"):
        Hand("apartment", {"apartments": [{**FLATS[0], "bedrooms": "many"}]})
