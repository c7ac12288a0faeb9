"""Apartments to rent: listings, a search, favourites; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.apartment.app import ApartmentApp
from heron.sim.apps.apartment.screens import (
    ApartmentDetail,
    ApartmentFavorites,
    ApartmentHome,
    ApartmentSearch,
)

ApartmentApp.ROOT = ApartmentHome
ApartmentApp.SCREENS = (ApartmentHome, ApartmentSearch, ApartmentFavorites, ApartmentDetail)
APP = ApartmentApp
