"""What the cab app stores: services and rides; and what a quotation says.

A ride's ``status`` is what somebody decided (booked, delayed, cancelled, …). How far it has come
by the clock alone stands in volatile times, so that two runs of a scenario do not differ in it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, NaiveDatetime

from heron.sim.listing import short
from heron.sim.marks import ID, PROSE, VOLATILE, Ref
from heron.sim.money import Amount, Currency, shown
from heron.sim.tables import AppRecord

RideId = Annotated[str, Ref("ride")]
ServiceType = Annotated[str, Ref("service")]
Minutes = Annotated[int, Field(ge=0, le=1440)]
Kilometres = Annotated[float, Field(gt=0, le=2000, allow_inf_nan=False)]

Status = Literal["BOOKED", "DELAYED", "ARRIVED_AT_PICKUP", "IN_PROGRESS", "COMPLETED", "CANCELLED"]


class Service(AppRecord):
    """A kind of cab."""

    KIND: ClassVar[str] = "service"
    ID: ClassVar[str] = "service_type"

    service_type: Annotated[str, ID]
    nb_seats: Annotated[int, Field(ge=1, le=60)] = 4
    price_per_km: Amount
    base_delay_min: Minutes = 5
    """Minutes that a cab takes to come, at least."""
    max_distance_km: Kilometres = 25.0
    currency: Currency = "USD"

    def line(self) -> str:
        price = f"{shown(self.price_per_km, self.currency)}/km"
        wait = f"there in {self.base_delay_min} min or more"
        far = f"up to {self.max_distance_km:g} km"
        return f"{self.service_type}: {self.nb_seats} seats, {price}, {wait}, {far}"


class Estimate(BaseModel):
    """A pick-up as it was estimated at some time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    delay: Minutes
    time_stamp: NaiveDatetime


class Quotation(BaseModel):
    """What a ride would cost; nothing is stored of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    service_type: str
    start_location: str
    end_location: str
    distance_km: float
    duration: int
    """Minutes on the way."""
    price: float
    currency: str
    time_stamp: datetime
    """When the ride would begin."""
    delay: int
    """Minutes from ``time_stamp`` until the cab is there."""
    nb_seats: int

    def line(self) -> str:
        """In one line."""
        price = shown(self.price, self.currency)
        return (
            f"{self.service_type}: {price}, {self.nb_seats} seats, {self.distance_km:g} km, "
            f"{self.duration} min on the way, cab there in {self.delay} min"
        )


class Ride(AppRecord):
    """A ride that was ordered."""

    KIND: ClassVar[str] = "ride"
    ID: ClassVar[str] = "ride_id"

    ride_id: Annotated[str, ID]
    status: Status = "BOOKED"
    service_type: ServiceType
    start_location: str
    end_location: str
    price: Amount
    currency: Currency = "USD"
    duration: Minutes
    """Minutes on the way."""
    distance_km: Kilometres
    ride_time: NaiveDatetime | None = None
    """When it was ordered for; ``None`` if it was ordered for at once."""
    time_stamp: Annotated[NaiveDatetime, VOLATILE]
    """When it was ordered for, or when it was ordered."""
    delay: Annotated[Minutes, VOLATILE] = 0
    """Minutes from ``time_stamp`` until the cab is there, as last estimated."""
    delay_history: Annotated[tuple[Estimate, ...], VOLATILE] = ()
    message: Annotated[str, PROSE] = ""
    """The driver's last word."""
    cancelled_by: Literal["user", "driver"] | None = None
    picked_up_at: Annotated[NaiveDatetime | None, VOLATILE] = None
    ended_at: Annotated[NaiveDatetime | None, VOLATILE] = None

    @property
    def active(self) -> bool:
        """Neither over nor cancelled."""
        return self.status not in ("COMPLETED", "CANCELLED") and self.ended_at is None

    @property
    def state(self) -> Status:
        """How things stand, by decisions and by the clock."""
        if self.status in ("COMPLETED", "CANCELLED"):
            return self.status
        if self.ended_at is not None:
            return "COMPLETED"
        return "IN_PROGRESS" if self.picked_up_at is not None else self.status

    @property
    def pickup(self) -> datetime:
        """When the cab is there, as last estimated."""
        return self.time_stamp + timedelta(minutes=self.delay)

    @property
    def arrival(self) -> datetime:
        """When it will be over, as last estimated."""
        return (self.picked_up_at or self.pickup) + timedelta(minutes=self.duration)

    def line(self) -> str:
        when = self.picked_up_at or self.pickup
        who = f" by the {self.cancelled_by}" if self.cancelled_by else ""
        said = f", driver: {self.message}" if self.message else ""
        return short(
            f"{self.state}{who}: {self.service_type} from {self.start_location} to "
            f"{self.end_location}, pick-up {when:%Y-%m-%d %H:%M}, {self.duration} min, "
            f"{self.distance_km:g} km, {shown(self.price, self.currency)}{said}",
            400,
        )
