"""The cab app: one ride at a time, which moves on by the clock; drivers are late or cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import NaiveDatetime

from heron.errors import IllegalCall
from heron.sim.app import App, happens, require, tool
from heron.sim.apps.cab.loading import check_open, completed
from heron.sim.apps.cab.records import (
    Estimate,
    Minutes,
    Quotation,
    Ride,
    RideId,
    Service,
    ServiceType,
)
from heron.sim.apps.cab.town import distance, extra_wait, minutes, place
from heron.sim.listing import Limit, Offset, page
from heron.sim.money import cents, shown
from heron.sim.tables import AppRecord

SERVICES = (
    Service(service_type="Default", nb_seats=4, price_per_km=1.0, base_delay_min=5),
    Service(service_type="Premium", nb_seats=4, price_per_km=2.0, base_delay_min=3),
    Service(service_type="Van", nb_seats=6, price_per_km=1.5, base_delay_min=7),
)
"""What there is unless a scenario says otherwise."""

DAYS_AHEAD = 30
DAY = 1440
"""Minutes; no ride is later or longer."""
LATE = 10
"""Minutes that a delay takes if nobody says how long."""


class CabApp(App):
    """Where the owner orders a cab."""

    NAME = "cab"
    TITLE = "Cab"

    def setup(self) -> None:
        self.services_offered = self.table("services", Service, "service:")
        self.rides = self.table("rides", Ride, "d")
        for service in SERVICES:
            self.services_offered.put(service)

    # --- tools ---

    @tool("read")
    def get_quotation(
        self,
        start_location: str,
        end_location: str,
        service_type: ServiceType,
        ride_time: NaiveDatetime | None = None,
    ) -> Quotation:
        """Price, distance and duration of a ride; without ride_time for now."""
        self._check_trip(start_location, end_location, ride_time)
        found = self.quote(start_location, end_location, service_type, ride_time)
        most = self.services_offered.get(service_type).max_distance_km
        require(
            found.distance_km <= most,
            f"{found.distance_km:g} km is too far for {service_type}, which goes up to {most:g} km",
        )
        return found

    @tool("read")
    def list_rides(
        self, start_location: str, end_location: str, ride_time: NaiveDatetime | None = None
    ) -> dict[str, Any]:
        """Quotations of all services that go that far, with the services themselves."""
        self._check_trip(start_location, end_location, ride_time)
        quotes = self.quotes(start_location, end_location, ride_time)
        require(quotes, f"no service goes as far as from {start_location} to {end_location}")
        return {"quotations": quotes, "services": list(self.services_offered)}

    @tool("write")
    def order_ride(
        self,
        start_location: str,
        end_location: str,
        service_type: ServiceType,
        ride_time: NaiveDatetime | None = None,
    ) -> Ride:
        """Order a cab, for now or for ride_time; one ride at a time."""
        current = self.current()
        if current is not None:
            raise IllegalCall(f"{current.ref} is {current.state}; there is one ride at a time")
        quote = self.get_quotation(start_location, end_location, service_type, ride_time)
        return self.rides.put(
            Ride(
                ride_id=self.rides.new_id(),
                service_type=service_type,
                start_location=start_location,
                end_location=end_location,
                price=quote.price,
                currency=quote.currency,
                duration=quote.duration,
                distance_km=quote.distance_km,
                ride_time=ride_time,
                time_stamp=quote.time_stamp,
                delay=quote.delay,
                delay_history=(Estimate(delay=quote.delay, time_stamp=self.now),),
            )
        )

    @tool("write")
    def user_cancel_ride(self) -> Ride:
        """Cancel the current ride, as long as nobody has been picked up."""
        return self._cancel("user", "")

    @tool("read")
    def get_current_ride_status(self) -> Ride:
        """The current ride, or the one that ended within the last hour."""
        hour_ago = self.now - timedelta(hours=1)
        ended = [r for r in self.rides if r.ended_at is not None and r.ended_at >= hour_ago]
        found = self.current() or (ended[-1] if ended else None)
        if found is None:
            raise IllegalCall("no ride is under way; get_ride_history lists the rides so far")
        return found

    @tool("read")
    def get_ride(self, ride_id: RideId) -> Ride:
        """One ride in full."""
        return self.rides.get(ride_id)

    @tool("read")
    def get_ride_history(self, offset: Offset = 0, limit: Limit = 10) -> dict[str, Any]:
        """Rides, newest first."""
        return page("rides", self.history(), offset, limit)

    @tool("read")
    def get_ride_history_length(self) -> int:
        """How many rides there are."""
        return len(self.rides)

    # --- happenings ---

    @happens
    def update_ride_status(
        self,
        status: Literal["DELAYED", "ARRIVED_AT_PICKUP", "IN_PROGRESS"],
        message: str = "",
        delay: Minutes | None = None,
    ) -> Ride:
        """The driver says how the current ride goes; delay is in minutes more, 10 if not given."""
        ride = self._under_way()
        late = 0 if status != "DELAYED" else LATE if delay is None else delay
        changes: dict[str, Any] = {"status": status, "message": message or ride.message}
        if status != "DELAYED":
            require(ride.picked_up_at is None, f"{ride.ref} has begun; it can be late or end")
        if ride.picked_up_at is not None:
            changes["duration"] = min(ride.duration + late, DAY)
        elif late:
            changes["delay"] = min(ride.delay + late, DAY)
            told = Estimate(delay=changes["delay"], time_stamp=self.now)
            changes["delay_history"] = (*ride.delay_history, told)
        if status == "IN_PROGRESS":
            changes["picked_up_at"] = self.now
        new = self.rides.change(ride.ref, **changes)
        title = {"DELAYED": "Your ride is late", "ARRIVED_AT_PICKUP": "Your cab is here"}
        self.notify(title.get(status, "Your ride has begun"), message or _when(new), new)
        return new

    @happens
    def cancel_ride(
        self, who_cancel: Literal["driver", "user"] = "driver", message: str = ""
    ) -> Ride:
        """The current ride is cancelled, by the driver as a rule."""
        ride = self._cancel(who_cancel, message)
        text = message or f"Your ride to {ride.end_location} will not take place"
        self.notify("Ride cancelled", text, ride)
        return ride

    @happens
    def end_ride(self) -> Ride:
        """The current ride is over."""
        ride = self.rides.change(self._under_way().ref, status="COMPLETED", ended_at=self.now)
        self._notify_end(ride)
        return ride

    # --- by the clock ---

    def next_due(self) -> datetime | None:
        current = self.current()
        if current is None:
            return None
        return current.pickup if current.picked_up_at is None else current.arrival

    def on_due(self) -> None:
        ride = self.current()
        if ride is None:
            return
        if ride.picked_up_at is None:
            begun = self.rides.change(ride.ref, picked_up_at=self.now)
            if ride.status != "ARRIVED_AT_PICKUP":
                self.notify("Your cab is here", _when(begun), begun)
        else:
            self._notify_end(self.rides.change(ride.ref, ended_at=self.now))

    # --- backend of screens ---

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

    # --- inside ---

    def _check_trip(self, start: str, end: str, when: datetime | None) -> None:
        require(place(start), "a ride needs a start_location")
        require(place(end), "a ride needs an end_location")
        require(place(start) != place(end), "start_location and end_location are the same")
        if when is not None:
            last = self.now + timedelta(days=DAYS_AHEAD)
            legal = f"give a time from {self.now:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}"
            require(when >= self.now, f"ride_time {when:%Y-%m-%d %H:%M} is past; {legal}")
            require(when <= last, f"ride_time {when:%Y-%m-%d %H:%M} is too far ahead; {legal}")

    def _under_way(self) -> Ride:
        ride = self.current()
        if ride is None:
            raise IllegalCall("no ride is under way; order one first")
        return ride

    def _cancel(self, who: Literal["driver", "user"], message: str) -> Ride:
        ride = self._under_way()
        require(self.can_cancel(ride.ref), f"{ride.ref} has begun; it cannot be cancelled now")
        return self.rides.change(
            ride.ref,
            status="CANCELLED",
            cancelled_by=who,
            message=message or ride.message,
            ended_at=self.now,
        )

    def _notify_end(self, ride: Ride) -> None:
        paid = shown(ride.price, ride.currency)
        self.notify("Your ride is over", f"{ride.end_location}, paid {paid}", ride)


def _when(ride: Ride) -> str:
    if ride.picked_up_at is not None:
        return f"To {ride.end_location}, there at {ride.arrival:%H:%M}"
    return f"To {ride.end_location}, pick-up at {ride.pickup:%H:%M}"
