"""What the assistant offered before the episode, and how the user took it, as an event.

It is an app without screens, tables and tools, like the device's status: a scenario in which an
offer has been turned down already begins with it, and the observer is told. What it does not
know: the offers of the episode itself.
"""

from __future__ import annotations

from heron.errors import IllegalCall
from heron.sim.app import App, happens


class Assistant(App):
    """Earlier offers of the assistant."""

    NAME = "assistant"
    TITLE = "Assistant"
    SCREENS = ()

    def setup(self) -> None:
        """It keeps nothing: what happened stands in the log."""

    @happens
    def turned_down(self, text: str, reason: str = "") -> None:
        """The user turned down the offer that said ``text``."""
        if not text.strip():
            raise IllegalCall("assistant.turned_down needs the text of the offer")


TURNED_DOWN = f"{Assistant.NAME}.{Assistant.turned_down.__name__}"
"""Its name in the log."""
