"""Cabs: quotations, one ride at a time, the rides so far; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.cab.app import CabApp
from heron.sim.apps.cab.screens import (
    CabHome,
    CabQuotationDetail,
    CabRideDetail,
    CabRideHistory,
    CabServiceOptions,
)

CabApp.ROOT = CabHome
CabApp.SCREENS = (
    CabHome,
    CabServiceOptions,
    CabQuotationDetail,
    CabRideDetail,
    CabRideHistory,
)
APP = CabApp
