"""Calendar: events, once, repeating or all day, alone or with others; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.calendar.app import CalendarApp
from heron.sim.apps.calendar.screens import Agenda, EditEvent, EventDetail

CalendarApp.ROOT = Agenda
CalendarApp.SCREENS = (Agenda, EventDetail, EditEvent)
APP = CalendarApp
