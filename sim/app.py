"""The app kernel: an app is tables of records plus declared tools and happenings.

``@tool("read"|"write")`` declares a flat call of the assistant, ``@happens`` something that the
environment does. Both return the function unaltered, so that screens and other methods call the
backend as plain Python and only the outermost call is ever logged, under its one actor. The name
is the function's, the description its docstring's first line, the schema its signature.

What it does not know: who calls, screens' state, other apps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from pydantic import ValidationError

from heron.contracts import Effect, ToolSpec
from heron.errors import IllegalCall, InputError
from heron.sim.signature import Signature, cached, summary
from heron.sim.tables import AppRecord, Journal, R, Table

if TYPE_CHECKING:
    from heron.sim.attachments import FileStore
    from heron.sim.screens import Screen

F = TypeVar("F", bound=Callable[..., Any])

_ID = re.compile(r"[^\s'\"]{1,64}")


@dataclass(frozen=True)
class Owner:
    """The person whose phone it is."""

    name: str
    email: str
    phone: str = ""
    contact_id: str = "me"

    @property
    def first_name(self) -> str:
        """The part by which friends call them."""
        return self.name.split()[0]


class Services(Protocol):
    """What the phone gives to an app."""

    owner: Owner
    journal: Journal

    @property
    def now(self) -> datetime:
        """The phone's clock."""

    @property
    def files(self) -> FileStore | None:
        """Where the phone keeps files; ``None`` if no app on it keeps any."""

    def notify(self, app: str, title: str, text: str, record: AppRecord | None) -> None:
        """Raise a notification."""

    def record(self, ref: str) -> AppRecord | None:
        """The record with this id, in whichever app it is."""


@dataclass(frozen=True)
class Declaration:
    """A tool or a happening."""

    name: str
    effect: Effect
    description: str
    signature: Signature

    def spec(self, app: str) -> ToolSpec:
        """As shown to models."""
        return ToolSpec(
            name=f"{app}.{self.name}",
            effect=self.effect,
            description=self.description,
            parameters=self.signature.schema,
        )


def tool(effect: Effect) -> Callable[[F], F]:
    """Declare a method as a tool of the assistant, with its effect."""
    if effect not in ("read", "write"):
        raise TypeError(f"@tool takes 'read' or 'write', not {effect!r}: write @tool('read')")

    def mark(function: F) -> F:
        function.__dict__["heron_tool"] = _declare(function, effect)
        return function

    return mark


def happens(function: F) -> F:
    """Declare a method as something that the environment does to the phone."""
    function.__dict__["heron_happening"] = _declare(function, "write")
    return function


def _declare(function: Callable[..., Any], effect: Effect) -> Declaration:
    return Declaration(function.__name__, effect, summary(function), Signature(function, skip=1))


class App:
    """Base of all apps. A subclass sets the class variables and makes its tables in ``setup``."""

    NAME: ClassVar[str]
    """Lower-case name, also the prefix of its tools."""
    TITLE: ClassVar[str]
    """As on the home screen."""
    ROOT: ClassVar[type[Screen[Any]]]
    """Screen on which the app opens; made without arguments."""
    SCREENS: ClassVar[tuple[type[Screen[Any]], ...]]

    TOOLS: ClassVar[dict[str, Declaration]]
    HAPPENINGS: ClassVar[dict[str, Declaration]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.TOOLS = _collect(cls, "heron_tool")
        cls.HAPPENINGS = _collect(cls, "heron_happening")

    @classmethod
    def tool_specs(cls) -> tuple[ToolSpec, ...]:
        """All its tools, as shown to models."""
        return _specs(cls)

    def __init__(self, services: Services) -> None:
        self.services = services
        self.tables: dict[str, Table[Any]] = {}
        self.setup()

    def setup(self) -> None:
        """Make the tables, with ``self.table``."""
        raise NotImplementedError

    def table(self, name: str, record_type: type[R], prefix: str) -> Table[R]:
        """A new table, called ``name`` in scenario files."""
        made = Table(record_type, prefix, self.services.journal)
        self.tables[name] = made
        return made

    def table_of(self, kind: str) -> Table[Any] | None:
        """The table that holds records of ``kind``."""
        return next((t for t in self.tables.values() if t.record_type.KIND == kind), None)

    @property
    def now(self) -> datetime:
        """The phone's clock."""
        return self.services.now

    @property
    def owner(self) -> Owner:
        """Whose phone it is."""
        return self.services.owner

    def notify(self, title: str, text: str, record: AppRecord | None = None) -> None:
        """Raise a notification of this app."""
        self.services.notify(self.NAME, title, text, record)

    def claim(self, table: Table[Any], wanted: str | None) -> str:
        """The id of a new record: the one that a scenario wants for it, or the next free one.

        Raises:
            IllegalCall: it is no id, or some record on this phone has it.
        """
        if wanted is None:
            return table.new_id()
        require(
            _ID.fullmatch(wanted),
            f"{wanted!r} is no id; an id has 1 to 64 characters, no blanks and no quotes",
        )
        require(self.services.record(wanted) is None, f"there is a record {wanted!r} already")
        return wanted

    def fill(self, content: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Load records from scenario data: table name → list of field mappings.

        A record without an id gets the next free one. An app overrides this where its data has a
        handier form (messages inside their conversation).

        Raises:
            InputError: an unknown table or field, or a value of the wrong type.
        """
        for name, rows in content.items():
            if name not in self.tables:
                raise InputError(f"{self.NAME} has no {name!r}; it has {', '.join(self.tables)}")
            for row in rows:
                self.add(name, row)

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one record from scenario data."""
        table = self.tables[table_name]
        id_field = table.record_type.ID
        try:
            row: AppRecord = table.record_type(**{id_field: table.new_id(), **fields})
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            where = ".".join(map(str, first["loc"]))
            known = ", ".join(table.record_type.model_fields)
            raise InputError(
                f"{self.NAME}.{table_name}: {where}: {first['msg']}; fields are {known}"
            ) from error
        table.put(row)
        return row

    def file_store(self) -> FileStore | None:
        """What other apps save and find files in, if this app keeps files."""
        return None

    def next_due(self) -> datetime | None:
        """When the clock will next make something happen here by itself, if ever."""
        return None

    def on_due(self) -> None:
        """Do what is due now; afterwards ``next_due`` lies later or is ``None``."""

    def call(self, declaration: Declaration, arguments: Mapping[str, Any]) -> Any:
        """Check the arguments and run a tool or a happening.

        Raises:
            IllegalCall: the arguments or the app's rules do not allow it.
        """
        checked = declaration.signature.check(f"{self.NAME}.{declaration.name}", arguments)
        return getattr(self, declaration.name)(**checked)


@cached
def _specs(app: type[App]) -> tuple[ToolSpec, ...]:
    return tuple(declaration.spec(app.NAME) for declaration in app.TOOLS.values())


def _collect(cls: type, attribute: str) -> dict[str, Declaration]:
    found: dict[str, Declaration] = {}
    for base in reversed(cls.__mro__):
        for function in vars(base).values():
            declaration = getattr(function, "__dict__", {}).get(attribute)
            if isinstance(declaration, Declaration):
                found[declaration.name] = declaration
    return found


def require(condition: object, problem: str) -> None:
    """Refuse a call unless ``condition`` holds.

    Raises:
        IllegalCall: with ``problem``, which says what would be legal.
    """
    if not condition:
        raise IllegalCall(problem)
