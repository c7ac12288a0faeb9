"""Cabs: quotations, one ride at a time, its way by the clock, delays and cancellations."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.sim.hand import GRANT, START, Hand

from heron.contracts import ToolCall
from heron.errors import InputError
from heron.sim.apps.cab.town import distance

TRIP = {"start_location": "12 Quay Street", "end_location": "Central Station"}
PAST = {
    "status": "COMPLETED",
    "service_type": "Default",
    "start_location": "Airport",
    "end_location": "12 quay  street",
    "price": 31.5,
    "distance_km": 21.0,
    "duration": 35,
    "time_stamp": "2026-03-02 18:00",
}


def ride(**fields: Any) -> dict[str, Any]:
    usual = {**TRIP, "service_type": "Default", "time_stamp": "2026-03-10 09:00", "delay": 10}
    return {**usual, **fields}


@pytest.fixture
def hand() -> Hand:
    return Hand("cab", {"rides": [PAST]})


def test_a_quotation_is_a_pure_reading(hand: Hand) -> None:
    before = hand.world.digest()
    first = hand.call("get_quotation", **TRIP, service_type="Default")
    again = hand.call("get_quotation", **TRIP, service_type="Default")
    assert first == again
    assert hand.world.digest() == before
    assert first["price"] == pytest.approx(first["distance_km"] * 1.0)
    assert first["duration"] == round(first["distance_km"] * 2)


def test_the_same_trip_costs_the_same_in_either_direction_and_in_any_writing() -> None:
    there = distance("12 Quay Street", "Central Station", [])
    assert distance("central  station", "12 QUAY STREET", []) == there
    assert 1.5 <= there <= 24.5


def test_a_known_ride_tells_how_far_it_is(hand: Hand) -> None:
    quote = hand.call(
        "get_quotation",
        start_location="12 Quay Street",
        end_location="Airport",
        service_type="Premium",
    )
    assert (quote["distance_km"], quote["price"], quote["duration"]) == (21.0, 42.0, 42)


def test_services_are_quoted_side_by_side(hand: Hand) -> None:
    quotes = hand.call("list_rides", **TRIP)["quotations"]
    assert [q["service_type"] for q in quotes] == ["Default", "Premium", "Van"]
    assert quotes[1]["price"] == pytest.approx(2 * quotes[0]["price"])
    assert hand.shown("list_rides", **TRIP) == ["Default", "Premium", "Van"]


def test_an_ordered_ride_goes_its_way_by_the_clock(hand: Hand) -> None:
    made = hand.call("order_ride", **TRIP, service_type="Default")
    assert made["status"] == "BOOKED"
    wait, length = made["delay"], made["duration"]
    assert 5 <= wait <= 9
    hand.world.advance(wait * 60 - 1)
    assert hand.heard() == []
    hand.world.advance(1)
    there = (START + timedelta(minutes=wait + length)).strftime("%H:%M")
    assert hand.heard()[-1] == f"Your cab is here: To Central Station, there at {there}"
    assert "IN_PROGRESS" in hand.go_to("d2").text
    hand.world.advance(length * 60)
    paid = f"{made['price']:.2f} USD"
    assert hand.heard()[-1] == f"Your ride is over: Central Station, paid {paid}"
    assert hand.world.next_due() is None
    assert "COMPLETED" in hand.go_to("d2").text
    assert hand.call("get_ride", ride_id="d2")["status"] == "BOOKED"  # nobody decided otherwise


def test_a_ride_can_be_ordered_for_later(hand: Hand) -> None:
    made = hand.call("order_ride", **TRIP, service_type="Van", ride_time="2026-03-10 15:30")
    assert (made["ride_time"], made["delay"]) == ("2026-03-10 15:30", 0)
    assert hand.world.next_due() == datetime(2026, 3, 10, 15, 30)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"service_type": "Rocket"}, "no service 'Rocket'; there are Default, Premium, Van"),
        ({"ride_time": "2026-03-10 08:59"}, "is past; give a time from 2026-03-10 09:00"),
        ({"ride_time": "2026-06-10 09:00"}, "too far ahead"),
        ({"start_location": " "}, "needs a start_location"),
        ({"end_location": ""}, "needs an end_location"),
        ({"end_location": "12 quay street"}, "are the same"),
        ({"ride_time": "soon"}, "ride_time"),
    ],
)
def test_impossible_trips_are_refused(hand: Hand, arguments: dict[str, Any], said: str) -> None:
    full = {**TRIP, "service_type": "Default", **arguments}
    assert said in hand.refused("order_ride", **full)
    assert said in hand.refused("get_quotation", **full)


def test_a_trip_that_is_too_far_is_refused() -> None:
    hand = Hand("cab", {"rides": [{**PAST, "distance_km": 60.0}]})
    trip = {"start_location": "Airport", "end_location": "12 Quay Street"}
    assert "goes up to 25 km" in hand.refused("order_ride", **trip, service_type="Van")
    assert "no service goes as far" in hand.refused("list_rides", **trip)
    hand.open()
    assert "no service goes as far" in hand.cannot("list_rides", **trip)


def test_there_is_one_ride_at_a_time(hand: Hand) -> None:
    hand.call("order_ride", **TRIP, service_type="Default")
    assert "d2 is BOOKED" in hand.refused("order_ride", **TRIP, service_type="Van")
    hand.call("user_cancel_ride")
    assert hand.call("order_ride", **TRIP, service_type="Van")["ride_id"] == "d3"


def test_cancelling_once_and_only_before_it_begins(hand: Hand) -> None:
    assert "no ride is under way" in hand.refused("user_cancel_ride")
    hand.call("order_ride", **TRIP, service_type="Default")
    gone = hand.call("user_cancel_ride")
    assert (gone["status"], gone["cancelled_by"]) == ("CANCELLED", "user")
    assert "no ride is under way" in hand.refused("user_cancel_ride")
    hand.call("order_ride", **TRIP, service_type="Default")
    hand.happens("update_ride_status", status="IN_PROGRESS")
    assert "has begun" in hand.refused("user_cancel_ride")
    assert "has begun" in hand.cannot_happen("cancel_ride")


def test_the_current_ride_is_told_until_an_hour_after_its_end(hand: Hand) -> None:
    assert "get_ride_history lists" in hand.refused("get_current_ride_status")
    hand.call("order_ride", **TRIP, service_type="Default")
    assert hand.call("get_current_ride_status")["status"] == "BOOKED"
    hand.call("user_cancel_ride")
    hand.world.advance(3600)
    assert hand.call("get_current_ride_status")["status"] == "CANCELLED"
    hand.world.advance(1)
    assert "no ride is under way" in hand.refused("get_current_ride_status")


def test_a_late_driver_moves_the_pick_up(hand: Hand) -> None:
    made = hand.call("order_ride", **TRIP, service_type="Default")
    hand.happens("update_ride_status", status="DELAYED", message="Stuck behind a tram", delay=15)
    assert hand.heard() == ["Your ride is late: Stuck behind a tram"]
    late = hand.call("get_current_ride_status")
    assert (late["status"], late["delay"]) == ("DELAYED", made["delay"] + 15)
    assert [told["delay"] for told in late["delay_history"]] == [made["delay"], made["delay"] + 15]
    assert hand.world.next_due() == START + timedelta(minutes=made["delay"] + 15)
    assert "Stuck behind a tram" in hand.go_to("d2").text
    hand.happens("update_ride_status", status="DELAYED")
    assert hand.call("get_current_ride_status")["delay"] == made["delay"] + 25
    assert "pick-up at" in hand.heard()[-1]


def test_a_delay_on_the_way_moves_the_arrival(hand: Hand) -> None:
    made = hand.call("order_ride", **TRIP, service_type="Default")
    hand.happens("update_ride_status", status="ARRIVED_AT_PICKUP")
    assert hand.heard()[-1].startswith("Your cab is here")
    assert len(hand.call("get_current_ride_status")["delay_history"]) == 1
    hand.happens("update_ride_status", status="IN_PROGRESS")
    assert "d2 has begun" in hand.cannot_happen("update_ride_status", status="IN_PROGRESS")
    hand.happens("update_ride_status", status="DELAYED", delay=5)
    assert hand.world.next_due() == START + timedelta(minutes=made["duration"] + 5)
    hand.happens("end_ride")
    assert hand.call("get_current_ride_status")["status"] == "COMPLETED"
    assert hand.heard()[-1].startswith("Your ride is over")


def test_a_cab_that_waits_is_announced_once(hand: Hand) -> None:
    hand.call("order_ride", **TRIP, service_type="Default")
    hand.happens("update_ride_status", status="ARRIVED_AT_PICKUP")
    hand.world.advance(600)
    assert [line.split(":")[0] for line in hand.heard()] == ["Your cab is here"]


def test_the_driver_cancels(hand: Hand) -> None:
    hand.call("order_ride", **TRIP, service_type="Default")
    hand.happens("cancel_ride", message="Flat tyre, sorry")
    assert hand.heard() == ["Ride cancelled: Flat tyre, sorry"]
    note = hand.world.notifications[-1].record
    assert note is not None
    assert note.ref == "d2"
    assert "CANCELLED by the driver" in hand.go_to("d2").text
    assert hand.world.next_due() is None


@pytest.mark.parametrize("happening", ["end_ride", "cancel_ride"])
def test_nothing_happens_to_no_ride(hand: Hand, happening: str) -> None:
    assert "no ride is under way" in hand.cannot_happen(happening)
    assert "no ride is" in hand.cannot_happen("update_ride_status", status="DELAYED")
    assert "status" in hand.cannot_happen("update_ride_status", status="LOST")


def test_the_history_is_newest_first_and_paged() -> None:
    older = {**PAST, "time_stamp": "2026-02-01 10:00"}
    hand = Hand("cab", {"rides": [PAST, older]})
    hand.call("order_ride", **TRIP, service_type="Default")
    assert hand.call("get_ride_history_length") == 3
    first = hand.call("get_ride_history", limit=2)
    assert [r["ride_id"] for r in first["rides"]] == ["d3", "d1"]
    assert (first["range"], first["total"]) == ([0, 2], 3)
    assert hand.shown("get_ride_history", offset=2) == ["d2"]
    assert "no ride 'd9'" in hand.refused("get_ride", ride_id="d9")


def test_the_user_orders_and_cancels_by_the_screens(hand: Hand) -> None:
    hand.open()
    assert "open_current_ride" not in hand.offers()
    assert hand.do("list_rides", **TRIP) == "CabServiceOptions"
    assert hand.refs("service") == ["Default", "Premium", "Van"]
    hand.do("list_service_types")
    assert hand.do("get_quotation", service_type="Premium") == "CabQuotationDetail"
    hand.do("show_quotation")
    assert any("Price: " in i.text for i in hand.items())
    assert hand.do("order_ride") == "CabRideDetail"
    assert hand.do("cancel_ride") == "CabRideDetail"
    assert "no 'cancel_ride' now" in hand.cannot("cancel_ride")
    assert hand.do("ride_again") == "CabServiceOptions"
    hand.do("set_ride_time", ride_time="2026-03-11 07:15")
    assert "is past" in hand.cannot("set_ride_time", ride_time="2026-03-09 07:15")
    hand.do("get_quotation", service_type="Default")
    hand.do("order_ride")
    assert hand.call("get_current_ride_status")["ride_time"] == "2026-03-11 07:15"
    hand.open()
    assert hand.refs("ride") == ["d3"]
    hand.do("list_rides", **TRIP)
    hand.do("get_quotation", service_type="Default")
    assert "order_ride" not in hand.offers()
    assert [e.actor for e in hand.world.log if e.writes] == ["user", "user", "user"]


def test_a_screen_for_a_time_that_has_passed_still_shows_but_does_not_order(hand: Hand) -> None:
    hand.open()
    hand.do("list_rides", **TRIP, ride_time="2026-03-10 09:05")
    hand.do("get_quotation", service_type="Default")
    hand.world.advance(3600)
    assert hand.items()
    assert "is past" in hand.cannot("order_ride")


def test_the_graph_leads_to_the_ride_meant_and_not_to_the_current_one(hand: Hand) -> None:
    hand.call("order_ride", **TRIP, service_type="Default")
    for ref in ("d1", "d2", "Premium", "d1"):
        hand.go_to(ref)


def test_services_can_be_others() -> None:
    moped = {"service_type": "Moped", "nb_seats": 1, "price_per_km": 0.45, "currency": "EUR"}
    hand = Hand("cab", {"rides": [ride(service_type="Moped")], "services": [moped]})
    loaded = hand.call("get_current_ride_status")
    assert loaded["currency"] == "EUR"
    assert loaded["price"] == pytest.approx(round(loaded["distance_km"] * 0.45, 2), abs=0.011)
    assert hand.shown("list_rides", **TRIP) == ["Moped"]


def test_an_open_ride_is_loaded_as_far_as_it_has_come() -> None:
    soon = Hand("cab", {"rides": [ride()]})
    assert soon.world.next_due() == datetime(2026, 3, 10, 9, 10)
    begun = Hand("cab", {"rides": [ride(time_stamp="2026-03-10 08:50", delay=9, duration=30)]})
    assert begun.call("get_current_ride_status")["picked_up_at"] == "2026-03-10 08:59"
    assert begun.world.next_due() == datetime(2026, 3, 10, 9, 29)


@pytest.mark.parametrize(
    ("rides", "said"),
    [
        ([ride(time_stamp="2026-03-09 09:00")], "would be over since"),
        ([ride(), ride()], "are both open"),
        ([ride(service_type="Rocket")], "Field required"),
        ([ride(status="LOST")], "status"),
    ],
)
def test_impossible_rides_in_scenario_data_are_refused(
    rides: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        Hand("cab", {"rides": rides})


def test_a_refused_call_of_the_assistant_is_logged_as_such(hand: Hand) -> None:
    call = ToolCall(name="cab.order_ride", arguments={**TRIP, "service_type": "Rocket"})
    assert not hand.world.call_tool(call, GRANT).ok
    assert hand.world.log[-1].actor == "assistant"
    assert hand.world.log[-1].error is not None
