"""Rides and quotations: what tools, screens and the clock of the cab app have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from heron.errors import IllegalCall
from heron.sim.app import App, require
from heron.sim.apps.cab.loading import check_open, completed
from heron.sim.apps.cab.records import Quotation, Ride, Service
from heron.sim.apps.cab.town import distance, extra_wait, minutes, place
from heron.sim.money import cents, shown
from heron.sim.tables import AppRecord

SERVICES = (
    Service(service_type="Default", nb_seats=4, price_per_km=1.0, base_delay_min=5),
    Service(service_type="Premium", nb_seats=4, price_per_km=2.0, base_delay_min=3),
    Service(service_type="Van", nb_seats=6, price_per_km=1.5, base_delay_min=7),
)
"""What there is unless a scenario says otherwise."""

DAYS_AHEAD = 30


class CabBackend(App):
    """Tables and rules of the cab app."""

    NAME = "cab"
    TITLE = "Cab"

    def setup(self) -> None:
        self.services_offered = self.table("services", Service, "service:")
        self.rides = self.table("rides", Ride, "d")
        for service in SERVICES:
            self.services_offered.put(service)

    def current(self) -> Ride | None:
        """The ride that is neither over nor cancelled, if there is one."""
        return next((ride for ride in self.rides if ride.active), None)

    def can_cancel(self, ride_id: str) -> bool:
        """Whether a ride has not begun yet."""
        ride = self.rides.get(ride_id)
        return ride.active and ride.picked_up_at is None

    def history(self) -> list[Ride]:
        """All rides, newest first."""
        return sorted(self.rides, key=lambda r: r.time_stamp)[::-1]

    def quotes(self, start: str, end: str, ride_time: datetime | None) -> list[Quotation]:
        """Quotations of all services that go that far."""
        found = [self.quote(start, end, s.service_type, ride_time) for s in self.services_offered]
        return [
            quote
            for quote, service in zip(found, self.services_offered, strict=True)
            if quote.distance_km <= service.max_distance_km
        ]

    def quote(self, start: str, end: str, service_type: str, when: datetime | None) -> Quotation:
        """A quotation, whether the ride could be ordered or not."""
        service = self.services_offered.get(service_type)
        far = distance(start, end, self.rides)
        wait = service.base_delay_min + extra_wait(start, service_type)
        return Quotation(
            service_type=service_type,
            start_location=start,
            end_location=end,
            distance_km=far,
            duration=minutes(far),
            price=cents(far * service.price_per_km),
            currency=service.currency,
            time_stamp=when or self.now,
            delay=wait if when is None else 0,
            nb_seats=service.nb_seats,
        )

    # --- scenario data ---

    def fill(self, content: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Load records; services that are given take the place of the usual ones."""
        services = content.get("services")
        if services is not None:
            for service in list(self.services_offered):
                self.services_offered.delete(service.ref)
            super().fill({"services": services})
        super().fill({name: rows for name, rows in content.items() if name != "services"})

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one record; of a ride, distance, duration and price may be left out."""
        if table_name != "rides":
            return super().add(table_name, fields)
        open_already = self.current()
        row = super().add(table_name, completed(fields, self.services_offered, self.rides))
        if not isinstance(row, Ride) or not row.active:
            return row
        check_open(row, open_already, self.now)
        begun = row.pickup if row.pickup <= self.now else None
        return self.rides.change(row.ref, picked_up_at=row.picked_up_at or begun)

    def check_trip(self, start: str, end: str, when: datetime | None) -> None:
        """Refuse a trip that cannot be ordered."""
        require(place(start), "a ride needs a start_location")
        require(place(end), "a ride needs an end_location")
        require(place(start) != place(end), "start_location and end_location are the same")
        if when is not None:
            last = self.now + timedelta(days=DAYS_AHEAD)
            legal = f"give a time from {self.now:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}"
            require(when >= self.now, f"ride_time {when:%Y-%m-%d %H:%M} is past; {legal}")
            require(when <= last, f"ride_time {when:%Y-%m-%d %H:%M} is too far ahead; {legal}")

    def under_way(self) -> Ride:
        """The current ride; refused if there is none."""
        ride = self.current()
        if ride is None:
            raise IllegalCall("no ride is under way; order one first")
        return ride

    def cancel(self, who: Literal["driver", "user"], message: str) -> Ride:
        """Cancel the current ride; refused once it has begun."""
        ride = self.under_way()
        require(self.can_cancel(ride.ref), f"{ride.ref} has begun; it cannot be cancelled now")
        return self.rides.change(
            ride.ref,
            status="CANCELLED",
            cancelled_by=who,
            message=message or ride.message,
            ended_at=self.now,
        )

    def notify_end(self, ride: Ride) -> None:
        """Say that a ride is over and what it cost."""
        paid = shown(ride.price, ride.currency)
        self.notify("Your ride is over", f"{ride.end_location}, paid {paid}", ride)
