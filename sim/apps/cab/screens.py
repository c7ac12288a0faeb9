"""The cab app's screens: home, services for a trip, a quotation, a ride, the rides so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import NaiveDatetime

from heron.contracts import Item
from heron.sim.apps.cab.app import CabApp
from heron.sim.apps.cab.records import Ride, RideId, ServiceType
from heron.sim.money import shown
from heron.sim.screens import Screen, action, item, label


def _ride_is_on(_: object, app: CabApp) -> bool:
    return app.current() is not None


def _no_ride_is_on(_: object, app: CabApp) -> bool:
    return app.current() is None


@dataclass(frozen=True)
class CabHome(Screen[CabApp]):
    """The current ride and the services there are."""

    SHOWS = "service"

    def title(self, app: CabApp) -> str:
        return "Cab"

    def items(self, app: CabApp) -> Iterable[Item]:
        current = app.current()
        if current is not None:
            yield _row(current)
        for service in app.services_offered:
            yield item(service, "*")

    @action()
    def list_rides(
        self,
        app: CabApp,
        start_location: str,
        end_location: str,
        ride_time: NaiveDatetime | None = None,
    ) -> CabServiceOptions:
        """Look what cabs there are from one place to another, for now or for a time."""
        app.list_rides(start_location, end_location, ride_time)
        return CabServiceOptions(start_location, end_location, ride_time)

    @action(when=_ride_is_on)
    def open_current_ride(self, app: CabApp) -> CabRideDetail:
        """Open the current ride."""
        return CabRideDetail(app.get_current_ride_status().ref)

    @action()
    def get_ride_history(self, app: CabApp) -> CabRideHistory:
        """Show the rides so far."""
        return CabRideHistory()


@dataclass(frozen=True)
class CabServiceOptions(Screen[CabApp]):
    """The services for a trip, with their prices."""

    start_location: str
    end_location: str
    ride_time: datetime | None = None

    def title(self, app: CabApp) -> str:
        return f"{self.start_location} to {self.end_location}, {_time(self.ride_time)}"

    def items(self, app: CabApp) -> Iterable[Item]:
        for quote in app.quotes(self.start_location, self.end_location, self.ride_time):
            service = app.services_offered.get(quote.service_type)
            yield item(service, "service_type", "nb_seats", text=quote.line())

    @action()
    def list_service_types(self, app: CabApp) -> CabServiceOptions:
        """Show the services again."""
        return self

    @action()
    def set_ride_time(
        self, app: CabApp, ride_time: NaiveDatetime | None = None
    ) -> CabServiceOptions:
        """Choose when to ride; without a time it is now."""
        app.list_rides(self.start_location, self.end_location, ride_time)
        return replace(self, ride_time=ride_time)

    @action()
    def get_quotation(self, app: CabApp, service_type: ServiceType) -> CabQuotationDetail:
        """Open the quotation of a service."""
        app.get_quotation(self.start_location, self.end_location, service_type, self.ride_time)
        return CabQuotationDetail(
            self.start_location, self.end_location, service_type, self.ride_time
        )


@dataclass(frozen=True)
class CabQuotationDetail(Screen[CabApp]):
    """What one service would cost for a trip."""

    start_location: str
    end_location: str
    service_type: ServiceType
    ride_time: datetime | None = None

    def title(self, app: CabApp) -> str:
        return f"{self.service_type}, {_time(self.ride_time)}"

    def items(self, app: CabApp) -> Iterable[Item]:
        quote = app.quote(self.start_location, self.end_location, self.service_type, self.ride_time)
        yield label(f"From: {quote.start_location}", "field")
        yield label(f"To: {quote.end_location}", "field")
        yield label(f"Price: {shown(quote.price, quote.currency)}", "field")
        yield label(f"Distance: {quote.distance_km:g} km, {quote.duration} min", "field")
        yield label(f"Cab there in: {quote.delay} min", "field")

    @action()
    def show_quotation(self, app: CabApp) -> CabQuotationDetail:
        """Show the quotation again."""
        return self

    @action("write", when=_no_ride_is_on)
    def order_ride(self, app: CabApp) -> CabRideDetail:
        """Order this ride."""
        made = app.order_ride(
            self.start_location, self.end_location, self.service_type, self.ride_time
        )
        return CabRideDetail(made.ref)


@dataclass(frozen=True)
class CabRideHistory(Screen[CabApp]):
    """Rides so far, newest first."""

    def title(self, app: CabApp) -> str:
        return "Rides"

    def items(self, app: CabApp) -> Iterable[Item]:
        for ride in app.history():
            yield _row(ride)

    @action()
    def open_ride(self, app: CabApp, ride_id: RideId) -> CabRideDetail:
        """Open a ride."""
        return CabRideDetail(app.rides.get(ride_id).ref)


@dataclass(frozen=True)
class CabRideDetail(Screen[CabApp]):
    """One ride."""

    SHOWS = "ride"
    ride_id: RideId

    def title(self, app: CabApp) -> str:
        return f"Ride to {app.rides.get(self.ride_id).end_location}"

    def items(self, app: CabApp) -> Iterable[Item]:
        yield item(app.rides.get(self.ride_id), "*")

    @action("write", when=lambda screen, app: app.can_cancel(screen.ride_id))
    def cancel_ride(self, app: CabApp) -> CabRideDetail:
        """Cancel this ride."""
        app.user_cancel_ride()
        return self

    @action()
    def ride_again(self, app: CabApp) -> CabServiceOptions:
        """Look what cabs there are for the same trip now."""
        ride = app.rides.get(self.ride_id)
        app.list_rides(ride.start_location, ride.end_location)
        return CabServiceOptions(ride.start_location, ride.end_location)


def _row(ride: Ride) -> Item:
    text = f"{ride.state}: {ride.time_stamp:%Y-%m-%d %H:%M} to {ride.end_location}"
    return item(ride, "status", "time_stamp", "end_location", text=text)


def _time(moment: datetime | None) -> str:
    return "now" if moment is None else f"{moment:%Y-%m-%d %H:%M}"
