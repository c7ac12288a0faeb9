"""The device's status as something that events change: driving, presenting, asleep, battery.

It is an app without screens, tables and tools: users and observers see the status itself, and
only the environment changes it. What it does not know: what anybody makes of it.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol

from pydantic import Field

from heron.contracts import Activity, DeviceStatus
from heron.errors import IllegalCall
from heron.sim.app import App, Services, happens


class HasDevice(Services, Protocol):
    """Services of a phone whose status can be changed."""

    device: DeviceStatus


class Device(App):
    """The status and what changes it."""

    NAME = "device"
    TITLE = "Device"
    SCREENS = ()

    services: HasDevice

    def setup(self) -> None:
        """It keeps nothing of its own: the status is the phone's."""

    @happens
    def change(
        self,
        activity: Activity | None = None,
        do_not_disturb: bool | None = None,
        battery: Annotated[int, Field(ge=0, le=100)] | None = None,
        charging: bool | None = None,
    ) -> None:
        """Sensors report another status; what is left out stays."""
        given: dict[str, Any] = {
            "activity": activity,
            "do_not_disturb": do_not_disturb,
            "battery": battery,
            "charging": charging,
        }
        fields = {name: value for name, value in given.items() if value is not None}
        if not fields:
            raise IllegalCall(f"device.change needs at least one of {', '.join(given)}")
        self.services.device = self.services.device.model_copy(update=fields)
