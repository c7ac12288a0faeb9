"""The cab app: one ride at a time, which moves on by the clock; drivers are late or cancel."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import NaiveDatetime

from heron.errors import IllegalCall
from heron.sim.app import happens, require, tool
from heron.sim.apps.cab.backend import CabBackend
from heron.sim.apps.cab.records import (
    Estimate,
    Minutes,
    Quotation,
    Ride,
    RideId,
    ServiceType,
)
from heron.sim.listing import Limit, Offset, page

DAY = 1440
"""Minutes; no ride is later or longer."""
LATE = 10
"""Minutes that a delay takes if nobody says how long."""


class CabApp(CabBackend):
    """Where the owner orders a cab."""

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
        self.check_trip(start_location, end_location, ride_time)
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
        self.check_trip(start_location, end_location, ride_time)
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
        return self.cancel("user", "")

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
        ride = self.under_way()
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
        ride = self.cancel(who_cancel, message)
        text = message or f"Your ride to {ride.end_location} will not take place"
        self.notify("Ride cancelled", text, ride)
        return ride

    @happens
    def end_ride(self) -> Ride:
        """The current ride is over."""
        ride = self.rides.change(self.under_way().ref, status="COMPLETED", ended_at=self.now)
        self.notify_end(ride)
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
            self.notify_end(self.rides.change(ride.ref, ended_at=self.now))


def _when(ride: Ride) -> str:
    if ride.picked_up_at is not None:
        return f"To {ride.end_location}, there at {ride.arrival:%H:%M}"
    return f"To {ride.end_location}, pick-up at {ride.pickup:%H:%M}"
