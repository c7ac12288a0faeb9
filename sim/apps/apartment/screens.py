"""The apartment app's screens: all listings, search, favourites, one listing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from heron.contracts import Item
from heron.sim.apps.apartment.app import ApartmentApp
from heron.sim.apps.apartment.records import Apartment, ApartmentId, Area, Rooms
from heron.sim.money import Amount
from heron.sim.screens import Screen, action, item, label


@dataclass(frozen=True)
class ApartmentHome(Screen[ApartmentApp]):
    """All apartments that are to be had."""

    def title(self, app: ApartmentApp) -> str:
        return "Apartments"

    def items(self, app: ApartmentApp) -> Iterable[Item]:
        for apartment in app.list_all_apartments():
            yield _row(apartment)

    @action()
    def list_apartments(self, app: ApartmentApp) -> ApartmentHome:
        """Show all apartments."""
        return ApartmentHome()

    @action()
    def open_search(self, app: ApartmentApp) -> ApartmentSearch:
        """Go to the search form."""
        return ApartmentSearch()

    @action()
    def open_favorites(self, app: ApartmentApp) -> ApartmentFavorites:
        """Go to the saved apartments."""
        return ApartmentFavorites()

    @action()
    def view_apartment(self, app: ApartmentApp, apartment_id: ApartmentId) -> ApartmentDetail:
        """Open an apartment."""
        return ApartmentDetail(app.apartments.get(apartment_id).ref)


@dataclass(frozen=True)
class ApartmentSearch(Screen[ApartmentApp]):
    """The search form and what it finds."""

    asked: tuple[tuple[str, Any], ...] | None = None
    """Parameter and value, of what was filled in; ``None`` before the first search."""

    def title(self, app: ApartmentApp) -> str:
        return "Search apartments"

    def items(self, app: ApartmentApp) -> Iterable[Item]:
        for name, value in self.asked or ():
            yield label(
                f"{name}: {', '.join(value) if isinstance(value, tuple) else value}", "field"
            )
        if self.asked is None:
            yield label("Fill in what matters and search")
            return
        for apartment in app.find(dict(self.asked)):
            yield _row(apartment)

    @action()
    def search(  # noqa: PLR0913  (one parameter per field of the search form)
        self,
        app: ApartmentApp,
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
        amenities: tuple[str, ...] | None = None,
    ) -> ApartmentSearch:
        """Search by what is filled in."""
        filled = {k: v for k, v in locals().items() if k not in ("self", "app") and v is not None}
        return ApartmentSearch(tuple(filled.items()))

    @action()
    def view_apartment(self, app: ApartmentApp, apartment_id: ApartmentId) -> ApartmentDetail:
        """Open an apartment that was found."""
        return ApartmentDetail(app.apartments.get(apartment_id).ref)


@dataclass(frozen=True)
class ApartmentFavorites(Screen[ApartmentApp]):
    """Saved apartments."""

    def title(self, app: ApartmentApp) -> str:
        return "Saved apartments"

    def items(self, app: ApartmentApp) -> Iterable[Item]:
        for apartment in app.list_saved_apartments():
            yield _row(apartment)

    @action()
    def view_apartment(self, app: ApartmentApp, apartment_id: ApartmentId) -> ApartmentDetail:
        """Open a saved apartment."""
        return ApartmentDetail(app.apartments.get(apartment_id).ref)


@dataclass(frozen=True)
class ApartmentDetail(Screen[ApartmentApp]):
    """One apartment."""

    SHOWS = "apartment"
    apartment_id: ApartmentId

    def title(self, app: ApartmentApp) -> str:
        return app.apartments.get(self.apartment_id).name

    def items(self, app: ApartmentApp) -> Iterable[Item]:
        yield item(app.apartments.get(self.apartment_id), "*")

    @action("write", when=lambda screen, app: app.can_save(screen.apartment_id))
    def save(self, app: ApartmentApp) -> ApartmentDetail:
        """Save this apartment."""
        app.save_apartment(self.apartment_id)
        return self

    @action("write", when=lambda screen, app: app.apartments.get(screen.apartment_id).saved)
    def unsave(self, app: ApartmentApp) -> ApartmentDetail | ApartmentFavorites:
        """Take this apartment off the favourites."""
        app.remove_saved_apartment(self.apartment_id)
        return self if self.apartment_id in app.apartments else ApartmentFavorites()


def _row(apartment: Apartment) -> Item:
    fields = ("name", "location", "price", "currency", "bedrooms", "withdrawn")
    return item(apartment, *fields, text=apartment.row())
