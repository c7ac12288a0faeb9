"""What the log tells of an episode: events of the surroundings, and what each step changed.

Entries are told apart by actor; an event belongs to the first turn in which anyone could see it.
What it does not know: who was right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heron.contracts import Change, EpisodeRecord, LogEntry, ToolCall
from heron.eval.reporting.viewer.compact import TEXT, Data, compact, plain

BY_THE_WAY = 120
"""Characters of a text in an event that noise made; there are many, and none matters."""


class Effects:
    """The log of one episode, to be asked by turn and call.

    Args:
        episode: as stored.
    """

    def __init__(self, episode: EpisodeRecord) -> None:
        self._turns = {turn.turn: turn.time for turn in episode.turns}
        self._log = episode.log
        self._calls = [entry for entry in episode.log if entry.actor == "assistant"]

    def events(self) -> dict[int | None, list[Data]]:
        """Turn → the events since the turn before; ``None``: after the last turn."""
        found: dict[int | None, list[Data]] = {}
        for entry in self._log:
            if entry.actor == "environment":
                found.setdefault(self._seen_in(entry), []).append(_event(entry))
        return found

    def of_user(self, turn: int) -> list[Data]:
        """What the user's step changed."""
        entries = [e for e in self._log if e.actor == "user" and e.turn == turn]
        return [change_of(change) for entry in entries for change in entry.changes]

    def take(self, call: ToolCall, turn: int, grant: str | None) -> LogEntry | None:
        """The entry of a call, each once; ``None`` if it never reached the phone."""
        for entry in self._calls:
            if (
                entry.turn == turn
                and entry.grant_id == grant
                and entry.name == call.name
                and entry.arguments == call.arguments
            ):
                self._calls.remove(entry)
                return entry
        return None

    def _seen_in(self, entry: LogEntry) -> int | None:
        later = (turn for turn, time in self._turns.items() if time >= entry.time)
        return next(later, None)


def change_of(change: Change) -> Data:
    """A change of a record; fields that only one side has as their value there."""
    return compact(
        op=change.op,
        kind=change.kind,
        app=change.app if change.app != change.kind else None,
        ref=change.ref,
        fields=dict(_fields(change)),
    )


def changes_of(entry: LogEntry | None) -> list[Data]:
    """The changes of an entry."""
    return [] if entry is None else [change_of(change) for change in entry.changes]


def _fields(change: Change) -> Iterator[tuple[str, object]]:
    for name, (before, after) in change.fields.items():
        if change.op == "update":
            yield name, [plain(before), plain(after)]
        else:
            value = after if change.op == "create" else before
            if value not in (None, "", [], {}, False):
                yield name, plain(value)


def _event(entry: LogEntry) -> Data:
    length = BY_THE_WAY if entry.noise else TEXT
    return compact(
        name=entry.name,
        time=f"{entry.time:%H:%M:%S}",
        args={name: plain(value, length) for name, value in entry.arguments.items()},
        noise=entry.noise,
        error=entry.error,
        changes=[] if _says_it_all(entry.changes) else [change_of(c) for c in entry.changes],
    )


def _says_it_all(changes: Sequence[Change]) -> bool:
    """Where an event only brings a new record, its arguments say what is in it."""
    return all(change.op == "create" for change in changes)
