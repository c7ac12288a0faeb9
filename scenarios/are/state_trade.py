"""State of ARE's shopping, cab and apartment apps → records of Heron's.

What it does not know: what happens to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from heron.scenarios.are.book import Book, Row, figure, texts
from heron.scenarios.are.reading import filled, listed, mapping, text
from heron.scenarios.are.state_post import Tables, _kept, _only
from heron.scenarios.are.values import naive, plain, told

OPEN = ("BOOKED", "DELAYED", "ARRIVED_AT_PICKUP", "IN_PROGRESS")
DAY_MIN = 1440
MOST_PIECES = 999
SOON_MIN = 10
ANSWER_S = 600.0
"""Seconds in which an offer is looked into, answered and acted on."""
"""Minutes until a cab is there of which it is only known that it is still to come."""
USUAL_SERVICES = {
    "Default": {"nb_seats": 4, "price_per_km": 1.0, "base_delay_min": 5, "max_distance_km": 25},
    "Premium": {"nb_seats": 4, "price_per_km": 2.0, "base_delay_min": 3, "max_distance_km": 25},
    "Van": {"nb_seats": 6, "price_per_km": 1.5, "base_delay_min": 7, "max_distance_km": 25},
}


# --- apartments ---------------------------------------------------------------------------------


def apartment(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """Listings."""
    _only(book, state, place, ("apartments", "saved_apartments"))
    saved = texts(state.get("saved_apartments") or [], f"{place}.saved_apartments")
    listings = mapping(state.get("apartments") or {}, f"{place}.apartments")
    rows = []
    for are_id, data in listings.items():
        where = f"{place}.{are_id[:40]}"
        row = book.row("apartment", mapping(data, where), where)
        label = book.label("apartment", are_id)
        row["saved"] = are_id in saved or bool(row.get("saved"))
        rows.append(_kept(book, {"label": label, **row}))
    for are_id in saved:
        if are_id not in listings:
            book.note("dangling", f"{place}: the saved apartment {are_id!r}")
    return {"apartments": rows}


# --- cabs ---------------------------------------------------------------------------------------


def cab(book: Book, state: Mapping[str, Any], place: str, *, expected: bool) -> Tables:
    """Services, and the rides so far.

    Args:
        book: notes labels and remarks.
        state: of the app.
        place: for messages.
        expected: whether the file's own run finds a ride under way that it has not ordered.
    """
    _only(
        book,
        state,
        place,
        ("ride_history", "quotation_history", "d_service_config", "on_going_ride"),
    )
    history = listed(state.get("ride_history") or [], f"{place}.ride_history")
    rides = [mapping(ride, f"{place}.ride_history[{i}]") for i, ride in enumerate(history)]
    rows = []
    for index, ride in enumerate(rides):
        last = index == len(rides) - 1
        under_way = last and (expected or ride.get("delay") is not None)
        rows.append(_ride(book, ride, f"{place}.ride_history[{index}]", under_way=under_way))
    made: Tables = {"rides": rows} if rows else {}
    services = _services(book, state, place)
    return {"services": services, **made} if services else made


def _services(book: Book, state: Mapping[str, Any], place: str) -> list[Row]:
    given = mapping(state.get("d_service_config") or {}, f"{place}.d_service_config")
    rows: list[Row] = []
    for name, data in given.items():
        where = f"{place}.{name[:40]}"
        row = book.row("service", mapping(data, where), where)
        rows.append({"service_type": plain(name), **row})
    usual = [{"service_type": name, **fields} for name, fields in USUAL_SERVICES.items()]
    return [] if rows == usual or not rows else rows


def _ride(book: Book, data: Mapping[str, Any], place: str, *, under_way: bool) -> Row:
    are_id = text(data.get("ride_id") or place, f"{place}.ride_id")
    book.rides.append(are_id)
    row = {"label": book.label("ride", are_id), **book.row("ride", data, place)}
    row.setdefault("status", "BOOKED")
    row.setdefault("time_stamp", told(book.start))
    for name in ("distance_km", "price"):
        if name in row and row[name] <= 0 and name == "distance_km":
            del row[name]
        if name not in row:
            book.note("approximated", f"{place}: {name} is not known")
    if "duration" in row and not 0 <= row["duration"] <= DAY_MIN:
        book.note("approximated", f"{place}: a ride of {row['duration']} minutes as a day")
        row["duration"] = DAY_MIN
    delay = max(0, min(DAY_MIN, row.pop("delay", 0)))
    if row["status"] in OPEN and not under_way:
        # ARE leaves every ride BOOKED that was put there as past.
        row["status"] = "COMPLETED"
    if row["status"] in OPEN:
        begins = naive(figure(data.get("time_stamp") or 0, place), place)
        _set_off(book, row, begins, delay)
    return _kept(book, row)


def _set_off(book: Book, row: Row, begins: datetime, delay: int) -> None:
    """Times of the ride under way: ARE's stands still, here it moves on by the clock."""
    row["delay"] = delay
    if row["status"] == "IN_PROGRESS" and book.cancels:
        book.note("approximated", "a ride that has begun and is cancelled is still to come here")
        row["status"] = "BOOKED"
    if row["status"] == "IN_PROGRESS":
        row["time_stamp"] = told(min(begins, book.start))
        return
    if begins > book.start:
        row["ride_time"] = told(begins)
    # What is to be cancelled must not have begun by then.
    least = timedelta(seconds=book.help_at + ANSWER_S if book.cancels else 0)
    if begins + timedelta(minutes=delay) <= book.start + least:
        soon = int(least.total_seconds() // 60) + SOON_MIN
        late = int((book.start - begins).total_seconds() // 60) + soon
        if late > DAY_MIN:
            row["time_stamp"], late = told(book.start), soon
        row["delay"] = min(late, DAY_MIN)


# --- shopping -----------------------------------------------------------------------------------


def shopping(book: Book, state: Mapping[str, Any], place: str) -> Tables:
    """Products and variants, cart, codes, orders."""
    _only(book, state, place, ("products", "cart", "orders", "discount_codes"))
    made: Tables = {"products": [], "items": [], "discount_codes": [], "orders": []}
    for are_id, data in mapping(state.get("products") or {}, f"{place}.products").items():
        where = f"{place}.{are_id[:40]}"
        _product(book, are_id, mapping(data, where), where, made)
    _cart(book, mapping(state.get("cart") or {}, f"{place}.cart"), f"{place}.cart", made)
    codes = mapping(state.get("discount_codes") or {}, f"{place}.discount_codes")
    made["discount_codes"] = _codes(book, codes, f"{place}.discount_codes")
    for are_id, data in mapping(state.get("orders") or {}, f"{place}.orders").items():
        where = f"{place}.{are_id[:40]}"
        made["orders"].append(_order(book, are_id, mapping(data, where), where))
    return {name: rows for name, rows in made.items() if rows}


def _product(book: Book, are_id: str, data: Mapping[str, Any], place: str, made: Tables) -> None:
    row = {"label": book.label("product", are_id), **book.row("product", data, place)}
    made["products"].append(_kept(book, row))
    for item_id, item in mapping(data.get("variants") or {}, f"{place}.variants").items():
        where = f"{place}.{item_id[:40]}"
        fields = book.row("item", mapping(item, where), where)
        label = book.label("item", item_id)
        inside = {"label": label, "product_id": f"@{row['label']}", "name": row.get("name", "")}
        made["items"].append(_kept(book, {**inside, **fields}))


def _cart(book: Book, cart: Mapping[str, Any], place: str, made: Tables) -> None:
    items = {row["label"]: row for row in made["items"]}
    for item_id, entry in cart.items():
        data = mapping(entry, f"{place}.{item_id[:40]}")
        for name, value in data.items():
            known = ("item_id", "quantity", "price", "available", "options", "name", "product_id")
            if name not in known and filled(value):
                book.refuse(f"{place}: field {name[:60]!r}")
        label = book.find("item", item_id)
        if label is None:
            book.note("dangling", f"{place}: the item {item_id[:60]!r}")
            continue
        row = items[label]
        number = book.whole(data.get("quantity", 1), f"{place}.quantity")
        if not 0 <= number <= MOST_PIECES:
            book.refuse(f"{place}: {number} pieces of {item_id[:40]!r}")
            continue
        row["in_cart"] = number
        price = data.get("price")
        if price is not None and abs(figure(price, place) - row.get("price", 0.0)) > 0.005:
            book.note("approximated", f"{place}: {row['name']} has another price than in the shop")


def _codes(book: Book, codes: Mapping[str, Any], place: str) -> list[Row]:
    """ARE has codes by item, Heron items by code."""
    found: dict[str, dict[str, float]] = {}
    for item_id, given in codes.items():
        item = book.ref("item", item_id)
        if item is None:
            book.note("dangling", f"{place}: the item {item_id[:60]!r}")
            continue
        for code, off in mapping(given, f"{place}.{item_id[:40]}").items():
            rate = figure(off, f"{place}.{code[:40]}")
            if not 0 < rate <= 100 or not code.strip():
                book.refuse(f"{place}: the code {code[:40]!r} takes {rate:g} per cent off")
                continue
            found.setdefault(code.strip(), {})[item] = rate
    rows = []
    for code, rates in found.items():
        row = {"label": book.label("discount_code", code), "discount_code": plain(code)}
        rows.append(_kept(book, {**row, "item_percentages": rates}))
    return rows


def _order(book: Book, are_id: str, data: Mapping[str, Any], place: str) -> Row:
    row = {"label": book.label("order", are_id), **book.row("order", data, place)}
    inside = []
    for item_id, entry in mapping(data.get("order_items") or {}, f"{place}.order_items").items():
        where = f"{place}.{item_id[:40]}"
        item = mapping(entry, where)
        label = book.find("item", item_id)
        one: Row = {
            "item_id": f"@{label}" if label else plain(item_id),
            "quantity": book.whole(item.get("quantity", 1), where),
            "price": figure(item.get("price", 0.0), where),
            "options": book.options(item.get("options") or {}, where),
        }
        name = book.rows[label].get("name") if label else item.get("name")
        if name:
            one["name"] = name if label else plain(text(name, where))
        inside.append(one)
    row.setdefault("order_date", told(book.start))
    row.setdefault("order_total", 0.0)
    return _kept(book, {**row, "order_items": inside})
