"""The apartment app: search, favourites; listings come, change their price, are withdrawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heron.sim.app import App, happens, require, tool
from heron.sim.apps.apartment.records import Apartment, ApartmentId, Area, Rooms
from heron.sim.listing import matches
from heron.sim.money import Amount, Currency, shown

_SAME = {
    "zip_code": "zip_code",
    "number_of_bedrooms": "bedrooms",
    "number_of_bathrooms": "bathrooms",
    "property_type": "property_type",
    "furnished_status": "furnished_status",
    "floor_level": "floor_level",
    "pet_policy": "pet_policy",
    "lease_term": "lease_term",
}
"""Search parameter → field that has to be the same, in any case."""


class ApartmentApp(App):
    """Where the owner looks for a home."""

    NAME = "apartment"
    TITLE = "Apartments"

    def setup(self) -> None:
        self.apartments = self.table("apartments", Apartment, "a")

    # --- tools ---

    @tool("read")
    def list_all_apartments(self) -> list[Apartment]:
        """All apartments that are to be had."""
        return [a for a in self.apartments if not a.withdrawn]

    @tool("read")
    def get_apartment_details(self, apartment_id: ApartmentId) -> Apartment:
        """One apartment in full."""
        return self.apartments.get(apartment_id)

    @tool("read")
    def list_saved_apartments(self) -> list[Apartment]:
        """Saved apartments, those withdrawn since then included."""
        return [a for a in self.apartments if a.saved]

    @tool("read")
    def search_apartments(  # noqa: PLR0913  (one parameter per field of the search form)
        self,
        *,
        name: str | None = None,
        location: str | None = None,
        zip_code: str | None = None,
        min_price: Amount | None = None,
        max_price: Amount | None = None,
        number_of_bedrooms: Rooms | None = None,
        number_of_bathrooms: Rooms | None = None,
        property_type: str | None = None,
        square_footage: Area | None = None,
        furnished_status: str | None = None,
        floor_level: str | None = None,
        pet_policy: str | None = None,
        lease_term: str | None = None,
        amenities: list[str] | None = None,
        saved_only: bool = False,
    ) -> list[Apartment]:
        """Search apartments; square_footage is the least, amenities must all be there."""
        wishes = {k: v for k, v in locals().items() if k not in ("self", "saved_only")}
        return [a for a in self.find(wishes) if a.saved or not saved_only]

    @tool("write")
    def save_apartment(self, apartment_id: ApartmentId) -> Apartment:
        """Save an apartment to the favourites."""
        found = self.apartments.get(apartment_id)
        require(not found.withdrawn, f"{apartment_id} is withdrawn; only listed ones can be saved")
        require(not found.saved, f"{apartment_id} is saved already")
        return self.apartments.change(apartment_id, saved=True)

    @tool("write")
    def remove_saved_apartment(self, apartment_id: ApartmentId) -> Apartment | str:
        """Take an apartment off the favourites; a withdrawn one is gone after that."""
        found = self.apartments.get(apartment_id)
        saved = ", ".join(a.ref for a in self.list_saved_apartments()) or "none"
        require(found.saved, f"{apartment_id} is not saved; saved are: {saved}")
        if found.withdrawn:
            return f"removed {self.apartments.delete(apartment_id).line()}"
        return self.apartments.change(apartment_id, saved=False)

    def find(self, wishes: Mapping[str, Any]) -> list[Apartment]:
        """Apartments that meet all wishes: search parameter → value, ``None`` for any."""
        given = {name: wish for name, wish in wishes.items() if wish is not None}
        listed = [a for a in self.apartments if a.saved or not a.withdrawn]
        return [a for a in listed if all(_meets(a, *wish) for wish in given.items())]

    def can_save(self, apartment_id: str) -> bool:
        """Whether an apartment is listed and not saved yet."""
        found = self.apartments.get(apartment_id)
        return not found.saved and not found.withdrawn

    # --- happenings ---

    @happens
    def add_new_apartment(  # noqa: PLR0913  (one parameter per field of a listing)
        self,
        *,
        name: str,
        location: str,
        zip_code: str,
        price: Amount,
        number_of_bedrooms: Rooms,
        number_of_bathrooms: Rooms,
        square_footage: Area,
        property_type: str = "",
        furnished_status: str = "",
        floor_level: str = "",
        pet_policy: str = "",
        lease_term: str = "",
        amenities: list[str] | None = None,
        currency: Currency = "USD",
    ) -> Apartment:
        """An apartment is listed."""
        require(name.strip(), "a listing needs a name")
        made = self.apartments.put(
            Apartment(
                apartment_id=self.apartments.new_id(),
                name=name,
                location=location,
                zip_code=zip_code,
                price=price,
                currency=currency,
                bedrooms=number_of_bedrooms,
                bathrooms=number_of_bathrooms,
                square_footage=square_footage,
                property_type=property_type,
                furnished_status=furnished_status,
                floor_level=floor_level,
                pet_policy=pet_policy,
                lease_term=lease_term,
                amenities=tuple(amenities or ()),
            )
        )
        self.notify("New listing", made.line(), made)
        return made

    @happens
    def update_apartment(self, apartment_id: ApartmentId, new_price: Amount) -> Apartment:
        """The rent of a listed apartment changes."""
        old = self.apartments.get(apartment_id)
        require(not old.withdrawn, f"{apartment_id} is withdrawn; its rent cannot change")
        new = self.apartments.change(apartment_id, price=new_price)
        title = "Saved listing: new price" if old.saved else "New price"
        before = shown(old.price, old.currency)
        self.notify(title, f"{new.name}: {shown(new.price, new.currency)}, was {before}", new)
        return new

    @happens
    def delete_apartment(self, apartment_id: ApartmentId) -> Apartment:
        """A listing is withdrawn; among the favourites it stays, marked as such."""
        old = self.apartments.get(apartment_id)
        require(not old.withdrawn, f"{apartment_id} is withdrawn already")
        if not old.saved:
            return self.apartments.delete(apartment_id)
        new = self.apartments.change(apartment_id, withdrawn=True)
        self.notify("Saved listing withdrawn", f"{new.name}, {new.location} is gone", new)
        return new


def _meets(apartment: Apartment, name: str, wish: Any) -> bool:
    """Whether an apartment meets one wish of a search."""
    if name in ("name", "location"):
        return matches(wish, [getattr(apartment, name)])
    if name == "min_price":
        return bool(apartment.price >= wish)
    if name == "max_price":
        return bool(apartment.price <= wish)
    if name == "square_footage":
        return bool(apartment.square_footage >= wish)
    if name == "amenities":
        return {_plain(one) for one in wish} <= {_plain(one) for one in apartment.amenities}
    return _plain(getattr(apartment, _SAME[name])) == _plain(wish)


def _plain(value: object) -> str:
    return str(value).strip().casefold()
