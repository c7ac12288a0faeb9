"""The phone's surface: home screen, a stack of screens per app, back and home.

It knows which screen is in front; the world tells it what to do. ``back`` and ``go_home`` are
legal on every screen; at home they do nothing. Opening an app starts at its root screen,
switching to one returns to where it was left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heron.contracts import ActionOffer, Item, ScreenView
from heron.errors import IllegalCall
from heron.sim.app import App
from heron.sim.screens import Screen

SYSTEM = "system"
HOME = "Home"
TAKES = 5.0
"""Seconds that going home, back or to another app takes."""

Stack = tuple[Screen[Any], ...]


@dataclass(slots=True)
class PhoneState:
    """Which app is in front, and where every app was left."""

    front: str | None = None
    stacks: dict[str, Stack] = field(default_factory=dict)

    def copy(self) -> PhoneState:
        """An independent copy; screens are frozen and shared."""
        return PhoneState(self.front, dict(self.stacks))


class Phone:
    """Navigation over the installed apps.

    Args:
        apps: name → app, in the home screen's order.
    """

    def __init__(self, apps: Mapping[str, App]) -> None:
        self.apps = apps
        self.state = PhoneState()

    @property
    def screen(self) -> Screen[Any] | None:
        """The screen in front, ``None`` at home. Screens whose records are gone are closed."""
        name = self.state.front
        if name is None:
            return None
        stack = self.state.stacks[name]
        while stack and not stack[-1].alive(self.apps[name]):
            stack = stack[:-1]
        self.state.stacks[name] = stack = stack or (self.apps[name].ROOT(),)
        return stack[-1]

    def view(self) -> ScreenView:
        """What is on the screen."""
        screen = self.screen
        if screen is None:
            icons = tuple(
                Item.model_construct(ref=name, kind="app", text=app.TITLE, shows=())
                for name, app in self.apps.items()
            )
            return ScreenView.model_construct(app=SYSTEM, screen=HOME, title="Home", items=icons)
        return screen.view(self.apps[self.state.front or ""])

    def offers(self) -> tuple[ActionOffer, ...]:
        """The actions that are legal now."""
        screen, name = self.screen, self.state.front
        own: list[ActionOffer] = []
        if screen is not None and name is not None:
            own = [action.offer(name) for action in screen.legal(self.apps[name])]
        return (*own, *self._system_offers())

    def act(self, app: str, name: str, arguments: Mapping[str, Any]) -> None:
        """Do an action of the screen in front, or of the system.

        Raises:
            IllegalCall: it is not legal now.
        """
        if app == SYSTEM:
            self._system(name, arguments)
            return
        screen = self.screen
        if screen is None or app != self.state.front:
            where = f"{self.state.front} is in front" if screen else "the home screen is in front"
            raise IllegalCall(f"{app} is not in front; {where}: use system.open_app first")
        self._check_visible(screen, app, name, arguments)
        self._go(app, screen.act(self.apps[app], name, arguments))

    def takes(self, app: str, name: str) -> float:
        """Seconds that an action takes."""
        screen = self.screen
        if app != SYSTEM and screen is not None and name in screen.ACTIONS:
            return screen.ACTIONS[name].takes
        return TAKES

    def _check_visible(
        self, screen: Screen[Any], app: str, name: str, arguments: Mapping[str, Any]
    ) -> None:
        action = screen.ACTIONS.get(name)
        refs = action.refs() if action else {}
        if not refs:
            return
        items = screen.view(self.apps[app]).items
        for parameter, kind in refs.items():
            given = arguments.get(parameter)
            visible = [item.ref for item in items if item.kind == kind]
            for ref in given if isinstance(given, list | tuple) else [given]:
                if ref is not None and ref not in visible:
                    shown = ", ".join(str(v) for v in visible[:8]) or f"no {kind}"
                    raise IllegalCall(
                        f"{app}.{name}: no {kind} {ref!r} on the screen; it shows {shown}"
                    )

    def _go(self, app: str, following: Screen[Any]) -> None:
        stack = self.state.stacks[app]
        kinds = [type(screen) for screen in stack]
        if type(following) in kinds:
            stack = stack[: kinds.index(type(following))]
        elif stack[-1].FORM and len(stack) > 1:
            stack = stack[:-1]
        self.state.stacks[app] = (*stack, following)

    def _system(self, name: str, arguments: Mapping[str, Any]) -> None:
        state = self.state
        if name in ("open_app", "switch_app"):
            target = self._target(name, arguments)
            if name == "open_app" or target not in state.stacks:
                state.stacks[target] = (self.apps[target].ROOT(),)
            state.front = target
        elif name == "go_home" and not arguments:
            state.front = None
        elif name == "back" and not arguments:
            self._back()
        else:
            raise IllegalCall(f"system has no {name!r}; open_app, switch_app, back, go_home")

    def _back(self) -> None:
        name = self.state.front
        if name is None:
            return
        stack = self.state.stacks[name]
        if len(stack) > 1:
            self.state.stacks[name] = stack[:-1]
        else:
            self.state.front = None

    def _target(self, name: str, arguments: Mapping[str, Any]) -> str:
        target = arguments.get("app")
        if set(arguments) != {"app"} or target not in list(self.apps):
            raise IllegalCall(f"system.{name} takes app, one of {', '.join(self.apps)}")
        if name == "switch_app" and target not in self.state.stacks:
            opened = ", ".join(self.state.stacks) or "none"
            raise IllegalCall(f"{target} has not been opened; use open_app (opened: {opened})")
        return str(target)

    def _system_offers(self) -> tuple[ActionOffer, ...]:
        offers = [_offer("open_app", "Open an app at its first screen.", list(self.apps))]
        others = [app for app in self.state.stacks if app != self.state.front]
        if others:
            offers.append(_offer("switch_app", "Return to an app where it was left.", others))
        if self.state.front is not None:
            offers.append(_offer("back", "Go one screen back."))
            offers.append(_offer("go_home", "Go to the home screen."))
        return tuple(offers)


def _offer(name: str, description: str, apps: list[str] | None = None) -> ActionOffer:
    parameters: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    if apps is not None:
        parameters["properties"] = {"app": {"type": "string", "enum": list(apps)}}
        parameters["required"] = ["app"]
    return ActionOffer.model_construct(
        app=SYSTEM,
        name=name,
        effect="read",
        description=description,
        takes=TAKES,
        parameters=parameters,
    )
