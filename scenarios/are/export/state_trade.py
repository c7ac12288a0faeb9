"""Heron's apartments, cabs and shop → state of ARE's apps. What it does not know: other apps."""

from __future__ import annotations

from typing import Any

from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.export.rows import (
    State,
    note_rest,
    records,
    row,
    seconds,
    zoned,
)
from heron.scenarios.are.state_trade import OPEN
from heron.sim.app import App


def apartment(app: App, ledger: Ledger) -> State:
    """Listings; a withdrawn one is gone, as it is in ARE."""
    there = [one for one in records(app, "apartment") if not one.withdrawn]
    return {
        "apartments": {one.ref: row("apartment", one, ledger) for one in there},
        "saved_apartments": [one.ref for one in there if one.saved],
    }


def cab(app: App, ledger: Ledger) -> State:
    """Services, and the rides so far, the one under way last."""
    rides = sorted(records(app, "ride"), key=lambda ride: ride.status in OPEN)
    services: State = {}
    for one in records(app, "service"):
        fields = row("service", one, ledger)
        services[one.service_type] = fields
    return {
        "ride_history": [_ride(ride, ledger) for ride in rides],
        "quotation_history": [],
        "d_service_config": services,
    }


def _ride(ride: Any, ledger: Ledger) -> State:
    fields = row("ride", ride, ledger)
    fields["time_stamp"] = seconds(ride.ride_time or ride.time_stamp)
    fields["delay_history"] = []
    if ride.status not in OPEN:
        fields["delay"] = None
    return fields


def shopping(app: App, ledger: Ledger) -> State:
    """Products and variants, cart, codes, orders."""
    products: State = {}
    for product in records(app, "product"):
        products[product.ref] = {**row("product", product, ledger), "variants": {}}
    cart: State = {}
    for item in records(app, "item"):
        fields = row("item", item, ledger)
        products[item.product_id]["variants"][item.ref] = fields
        if item.in_cart:
            cart[item.ref] = {**fields, "quantity": item.in_cart}
    return {
        "products": products,
        "cart": cart,
        "discount_codes": _codes(app, ledger),
        "orders": {one.ref: _order(one, ledger) for one in records(app, "order")},
    }


def _codes(app: App, ledger: Ledger) -> State:
    """Heron has items by code, ARE codes by item."""
    made: State = {}
    items = [item.ref for item in records(app, "item")]
    for code in records(app, "discount_code"):
        rates = code.item_percentages or dict.fromkeys(items, code.percentage)
        for item, rate in rates.items():
            made.setdefault(item, {})[code.discount_code] = rate
        note_rest("discount_code", code, ledger)
    return made


def _order(order: Any, ledger: Ledger) -> State:
    fields = row("order", order, ledger)
    fields["order_date"] = zoned(order.order_date)
    fields["order_items"] = {
        one.item_id: {
            "item_id": one.item_id,
            "quantity": one.quantity,
            "price": one.price,
            "available": True,
            "options": dict(one.options),
        }
        for one in order.order_items
    }
    return fields
