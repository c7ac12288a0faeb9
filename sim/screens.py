"""Screens as classes: fields are what the screen is about, methods are what the user can do.

A method with ``@action`` is an action; its return annotation is the transition, so the state
graph is derived from the types (see ``graph``) and cannot drift from the code. Screens are frozen:
an action returns the next screen. What it does not know: the stack of screens (see ``phone``).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar, Union, get_args, get_origin

from heron.contracts import ActionOffer, Effect, Item, ScreenView
from heron.errors import IllegalCall
from heron.sim.app import App
from heron.sim.marks import field_marks, marks_of, ref_kind
from heron.sim.signature import Signature, cached, summary
from heron.sim.tables import AppRecord

A = TypeVar("A", bound=App)
F = TypeVar("F", bound=Callable[..., Any])

TAKES = 20.0
"""Seconds that an action takes unless it says otherwise."""


@dataclass(frozen=True)
class Action:
    """A declared action of a screen."""

    name: str
    effect: Effect
    takes: float
    description: str
    signature: Signature
    when: Callable[[Any, Any], bool] | None

    def offer(self, app: str) -> ActionOffer:
        """As shown to a user."""
        found = self._offers.get(app)
        if found is None:
            found = self._offers[app] = self._offer(app)
        return found

    @cached_property
    def _offers(self) -> dict[str, ActionOffer]:
        return {}

    def _offer(self, app: str) -> ActionOffer:
        return ActionOffer.model_construct(
            app=app,
            name=self.name,
            effect=self.effect,
            description=self.description,
            takes=self.takes,
            parameters=self.signature.schema,
        )

    def refs(self) -> dict[str, str]:
        """Parameter → kind, for parameters that name a record."""
        return self._refs

    @cached_property
    def _refs(self) -> dict[str, str]:
        signature = self.signature
        kinds = {p.name: ref_kind(marks_of(signature.hints[p.name])) for p in signature.parameters}
        return {name: kind for name, kind in kinds.items() if kind}


def action(
    effect: Effect = "read",
    *,
    takes: float = TAKES,
    when: Callable[[Any, Any], bool] | None = None,
) -> Callable[[F], F]:
    """Declare a screen's method as an action.

    Args:
        effect: ``write`` if it changes records.
        takes: seconds that it takes the user.
        when: (screen, app) → whether it is legal now; always, if not given.
    """

    def mark(function: F) -> F:
        signature = Signature(function, skip=2)
        function.__dict__["heron_action"] = Action(
            function.__name__, effect, takes, summary(function), signature, when
        )
        return function

    return mark


@dataclass(frozen=True)
class Screen(Generic[A]):
    """Base of all screens. A subclass is a frozen dataclass; its fields hold what it is about."""

    SHOWS: ClassVar[str | None] = None
    """Kind of record that this screen shows in full."""
    FORM: ClassVar[bool] = False
    """A form is left behind when it is saved or discarded; ``back`` does not return to it."""
    ACTIONS: ClassVar[dict[str, Action]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        found: dict[str, Action] = {}
        for base in reversed(cls.__mro__):
            for function in vars(base).values():
                declared = getattr(function, "__dict__", {}).get("heron_action")
                if isinstance(declared, Action):
                    found[declared.name] = declared
        cls.ACTIONS = found

    def title(self, app: A) -> str:
        """Heading."""
        return type(self).__name__

    def items(self, app: A) -> Iterable[Item]:
        """What can be read and touched."""
        return ()

    def view(self, app: A) -> ScreenView:
        """The screen, rendered."""
        return ScreenView.model_construct(
            app=app.NAME,
            screen=type(self).__name__,
            title=self.title(app),
            items=tuple(self.items(app)),
        )

    def alive(self, app: A) -> bool:
        """Whether the records that the screen is about are still there."""
        for field, kind in screen_refs(type(self)).items():
            table, ref = app.table_of(kind), getattr(self, field)
            if table is not None and ref is not None and ref not in table:
                return False
        return True

    def legal(self, app: A) -> list[Action]:
        """The actions that are legal now."""
        return [a for a in self.ACTIONS.values() if a.when is None or a.when(self, app)]

    def act(self, app: A, name: str, arguments: Mapping[str, Any]) -> Screen[A]:
        """Do an action.

        Raises:
            IllegalCall: no such action here, or its arguments or the app refuse it.
        """
        chosen = self.ACTIONS.get(name)
        if chosen is None or (chosen.when is not None and not chosen.when(self, app)):
            legal = ", ".join(a.name for a in self.legal(app)) or "nothing but back and home"
            raise IllegalCall(f"{app.NAME}.{type(self).__name__} has no {name!r} now; {legal}")
        checked = chosen.signature.check(f"{app.NAME}.{name}", arguments)
        following = getattr(self, name)(app, **checked)
        if not isinstance(following, targets(type(self), name)):
            raise TypeError(
                f"{type(self).__name__}.{name} returned {type(following).__name__}, "
                f"which its return annotation does not declare"
            )
        next_screen: Screen[A] = following
        return next_screen


@cached
def screen_refs(screen: type) -> dict[str, str]:
    """Field → kind, for the screen's fields that name a record."""
    kinds = {name: ref_kind(marks) for name, marks in field_marks(screen).items()}
    return {name: kind for name, kind in kinds.items() if kind}


@cached
def targets(screen: type[Screen[Any]], name: str) -> tuple[type[Screen[Any]], ...]:
    """The screens that an action can lead to, from its return annotation."""
    annotation = screen.ACTIONS[name].signature.hints.get("return")
    options = get_args(annotation) if _is_union(annotation) else (annotation,)
    found = tuple(screen if option is Self else get_origin(option) or option for option in options)
    for option in found:
        if not (isinstance(option, type) and issubclass(option, Screen)):
            raise TypeError(
                f"{screen.__name__}.{name} must be annotated with the screens it leads to"
            )
    return found


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType)


def item(record: AppRecord, *shows: str, text: str | None = None) -> Item:
    """A record on a screen, showing the fields ``shows`` (``*`` for all of them)."""
    return Item.model_construct(
        ref=record.ref,
        kind=record.KIND,
        text=record.line() if text is None else text,
        shows=shows,
    )


def label(text: str, kind: str = "text") -> Item:
    """Something on a screen that is no record."""
    return Item.model_construct(ref=None, kind=kind, text=text, shows=())
