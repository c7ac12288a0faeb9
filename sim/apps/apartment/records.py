"""What the apartment app stores: listings."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from heron.sim.listing import short
from heron.sim.marks import ID, UNORDERED, Ref
from heron.sim.money import Amount, Currency, shown
from heron.sim.tables import AppRecord

ApartmentId = Annotated[str, Ref("apartment")]
Rooms = Annotated[int, Field(ge=0, le=100)]
Area = Annotated[int, Field(ge=0, le=100_000)]


class Apartment(AppRecord):
    """A listing."""

    KIND: ClassVar[str] = "apartment"
    ID: ClassVar[str] = "apartment_id"

    apartment_id: Annotated[str, ID]
    name: str
    location: str
    """Street or quarter."""
    zip_code: str
    price: Amount
    """Rent for a month."""
    currency: Currency = "USD"
    bedrooms: Rooms
    bathrooms: Rooms
    square_footage: Area
    property_type: str = ""
    furnished_status: str = ""
    floor_level: str = ""
    pet_policy: str = ""
    lease_term: str = ""
    amenities: Annotated[tuple[str, ...], UNORDERED] = ()
    saved: bool = False
    withdrawn: bool = False
    """It is no longer to be had; only a saved listing is still there after that."""

    def line(self) -> str:
        size = f"{self.bedrooms} bed, {self.bathrooms} bath, {self.square_footage} sq ft"
        terms = (self.property_type, self.furnished_status, self.floor_level, self.pet_policy)
        marks = ("saved" if self.saved else "", "withdrawn" if self.withdrawn else "")
        parts = (
            f"'{self.name}' {self.location} {self.zip_code}",
            f"{shown(self.price, self.currency)}/month",
            size,
            *terms,
            f"lease {self.lease_term}" if self.lease_term else "",
            *self.amenities,
            *marks,
        )
        return short(", ".join(part for part in parts if part), 400)

    def row(self) -> str:
        """What a list shows."""
        gone = ", withdrawn" if self.withdrawn else ""
        rent = f"{shown(self.price, self.currency)}/month"
        return short(f"'{self.name}' {self.location}, {rent}, {self.bedrooms} bed{gone}")
