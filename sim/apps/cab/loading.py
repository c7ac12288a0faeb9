"""What a scenario may leave out of a ride, and what it may not say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from heron.errors import InputError
from heron.sim.apps.cab.records import Ride, Service
from heron.sim.apps.cab.town import distance, minutes
from heron.sim.money import cents
from heron.sim.tables import Table


def completed(
    fields: Mapping[str, Any], services: Table[Service], rides: Iterable[Ride]
) -> dict[str, Any]:
    """Fields of a ride, with distance, duration, price and currency where they are left out."""
    start, end = str(fields.get("start_location", "")), str(fields.get("end_location", ""))
    service = services.find(str(fields.get("service_type", "")))
    far = fields.get("distance_km") or distance(start, end, rides)
    if service is None or not isinstance(far, int | float):
        return dict(fields)
    guessed = {
        "distance_km": far,
        "duration": minutes(far),
        "price": cents(far * service.price_per_km),
        "currency": service.currency,
    }
    return {**guessed, **fields}


def check_open(ride: Ride, other: Ride | None, now: datetime) -> None:
    """Refuse a second open ride, and one that would be over.

    Raises:
        InputError: what to change.
    """
    if other is not None:
        raise InputError(f"cab.rides: {ride.ref} and {other.ref} are both open; one may be")
    if ride.arrival <= now:
        raise InputError(
            f"cab.rides: {ride.ref} is {ride.status} but would be over since {ride.arrival}; "
            f"make it COMPLETED, or later"
        )
