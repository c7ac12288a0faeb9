"""Calls of Heron's tools and happenings → calls of ARE's functions.

The tables of ``calls`` read from the other side; a few calls are no row of them by nature and have
a function in ``special``. What it does not know: when a call is due.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from heron.errors import IllegalCall
from heron.scenarios.are.calls import Argument, Call, exported
from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.turned import DOWNLOADS
from heron.scenarios.are.values import call_time
from heron.sim.world import World

Role = Literal["read", "write", "event"]
Args = dict[str, Any]


@dataclass(frozen=True)
class Action:
    """A call on ARE's side."""

    app: str
    """Heron's app."""
    function: str
    args: Args
    writes: bool


class NoCounterpart(Exception):
    """ARE has nothing that does this."""


@dataclass
class Desk:
    """What turning calls over needs."""

    ledger: Ledger
    world: World
    made: dict[str, str] = field(default_factory=dict)
    """Id or ``@label`` of a record that an event makes → the event, as long as only that is known.
    """

    def turn(
        self, name: str, role: Role, arguments: Mapping[str, Any], ref: str = ""
    ) -> list[Action]:
        """Calls that do the same.

        Args:
            name: ``app.tool`` or ``app.happening``.
            role: what it is.
            arguments: as on Heron's side.
            ref: id of the record that it will make, if that is settled before.

        Raises:
            NoCounterpart: there are none.
        """
        from heron.scenarios.are.export.special import SPECIAL

        app, _, tool = name.partition(".")
        if not self.ledger.has(app):
            raise NoCounterpart(name)
        special = SPECIAL.get((name, role))
        if special is not None:
            return special(self, arguments, ref)
        call = exported(app, tool, role)
        if call is None:
            raise NoCounterpart(name)
        return [self.called(call, arguments, name)]

    def called(self, call: Call, arguments: Mapping[str, Any], name: str) -> Action:
        """A call by its row of the table."""
        known = {one.heron for one in call.arguments if one.heron is not None}
        for key, value in arguments.items():
            if key not in known and value not in (None, "", [], {}):
                self.ledger.note(f"argument {name}.{key}")
        args: Args = {}
        for one in call.arguments:
            if one.form == "downloads":
                args[one.are] = DOWNLOADS
            elif one.are in ("folder_name", "source_folder_name") and call.app == "email":
                args |= self._folder(one, arguments)
            elif one.heron is not None and arguments.get(one.heron) is not None:
                args[one.are] = self.value(one, arguments[one.heron])
        return Action(call.app, call.are, args, call.role != "read")

    def _folder(self, one: Argument, arguments: Mapping[str, Any]) -> Args:
        """Where a mail lies, which ARE has to be told; the inbox is its default."""
        if one.heron is not None:
            given = arguments.get(one.heron)
            return {} if given is None else {one.are: given}
        mail: Any = self.world.record(str(arguments.get("email_id")))
        folder = getattr(mail, "folder", "INBOX")
        return {} if folder == "INBOX" else {one.are: folder}

    # --- values ---

    def value(self, one: Argument, value: Any) -> Any:
        """An argument's value on ARE's side."""
        form = one.form.partition(":")[0]
        turn = _FORMS.get(form)
        return self.deep(value) if turn is None else turn(self, value)

    def deep(self, value: Any) -> Any:
        """A value in which records that are still to come are named by what makes them."""
        if isinstance(value, str):
            return f"{{{{{self.made[value]}}}}}" if value in self.made else value
        if isinstance(value, list | tuple):
            return [self.deep(item) for item in value]
        if isinstance(value, Mapping):
            return {key: self.deep(item) for key, item in value.items()}
        return value

    def path(self, value: Any) -> Any:
        """The path of a file that is named by path, id or name."""
        store = self.world.files
        if store is None or not isinstance(value, str):
            return value
        try:
            return store.look_up(value).path
        except IllegalCall:
            return value


def _time(_: Desk, value: Any) -> Any:
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return call_time(moment.replace(tzinfo=None))


def _paths(desk: Desk, value: Any) -> Any:
    return (
        [desk.path(one) for one in value] if isinstance(value, list | tuple) else desk.path(value)
    )


def _enclosed(desk: Desk, value: Any) -> Any:
    """Names; what they say is no argument of ARE's."""
    names = []
    for one in value:
        if isinstance(one, Mapping):
            desk.ledger.note("what a file says that comes with an event")
        names.append(one["name"] if isinstance(one, Mapping) else one)
    return names


def _ref(desk: Desk, value: Any) -> Any:
    return desk.deep(value)


_FORMS: dict[str, Callable[[Desk, Any], Any]] = {
    "time": _time,
    "paths": _paths,
    "path": _paths,
    "enclosed": _enclosed,
    "number": lambda _, value: float(value),
    "ref": _ref,
}
