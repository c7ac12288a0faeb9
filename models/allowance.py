"""What a run may ask of remote models: calls and tokens per minute, and money in all.

One SQLite file for all processes of a run, named by the environment variable ``HERON_ALLOWANCE``;
without it there are no limits. A call is asked for before it is made: it waits while its model's
minute is full or while calls under way could use the money up, and is refused once it is spent; so
the cap is passed by one call at most. A call that never came back counts with an estimate. What was
spent stays in the file: a run that is gone on with has what is left. What it does not know: which
library makes the calls.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from heron.errors import CapReached, InputError, Unavailable
from heron.models.limits import Limits, ModelLimits
from heron.models.prices import Price, price_of

VARIABLE: Final = "HERON_ALLOWANCE"
FILE: Final = "allowance.sqlite"
"""Its name in a run's folder."""
ANY: Final = "*"
"""Stands for every model that has no limits of its own."""
PERIOD_S: Final = 60.0
LOST_S: Final = 180.0
"""A call that has not come back by then never does: its process was killed."""
POLL_S: Final = 0.1
BUSY_S: Final = 60.0
"""How long a process waits for others that use the file."""

_TABLES = """
CREATE TABLE IF NOT EXISTS cap (usd REAL, period REAL NOT NULL);
CREATE TABLE IF NOT EXISTS model (
    name TEXT PRIMARY KEY, rpm INTEGER, tpm INTEGER, usd_in REAL, usd_out REAL);
CREATE TABLE IF NOT EXISTS call (
    id INTEGER PRIMARY KEY, model TEXT NOT NULL, at REAL NOT NULL, tokens INTEGER NOT NULL,
    usd REAL NOT NULL, answered INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS recent ON call (model, at);
"""


class Allowance:
    """The file, as a process uses it.

    Args:
        file: made by ``in_force``.
        clock: seconds, the same for all processes.
        pause: waits so many seconds.

    Raises:
        Unavailable: it is not there.
    """

    def __init__(
        self,
        file: Path,
        *,
        clock: Callable[[], float] = time.time,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if not file.is_file():
            raise Unavailable(
                f"the limits of this run are not to be had: there is no {file} on this machine "
                f"(put --out on a file system that all machines share)"
            )
        self.file = file
        self._clock, self._pause = clock, pause

    def ask(self, model: str, tokens_in: int, tokens_out: int, *, priced: bool = True) -> int:
        """Wait until a call may be made, and note that it is.

        Args:
            model: litellm's ``provider/model``.
            tokens_in: estimate of what is sent.
            tokens_out: the most that may come back.
            priced: the call costs money.

        Returns:
            a number for ``tell``.

        Raises:
            CapReached: the money is spent.
            InputError: there is a cap and the model's price is not known.
            Unavailable: the file cannot be used.
        """
        while True:
            call, wait = self._try(model, tokens_in + tokens_out, tokens_in, priced)
            if call is not None:
                return call
            self._pause(wait)

    def tell(self, call: int, tokens: int, usd: float | None) -> None:
        """What a call took; ``None``: it cost what was estimated."""
        with self._changing() as base:
            base.execute(
                "UPDATE call SET tokens = ?, usd = coalesce(?, usd), answered = 1 WHERE id = ?",
                (tokens, usd, call),
            )

    def fail(self, call: int) -> None:
        """A call came back without an answer: it counts as a call that cost nothing."""
        self.tell(call, 0, 0.0)

    @property
    def spent_usd(self) -> float:
        """So far, calls under way included."""
        with self._changing() as base:
            return _spent(base)

    def price(self, model: str) -> Price | None:
        """What a model costs: as the run gives it, or as listed."""
        return self.given(model) or price_of(model)

    def given(self, model: str) -> Price | None:
        """What a model costs, where the run gives it."""
        with self._changing() as base:
            return _given(base, model)

    def _try(
        self, model: str, tokens: int, tokens_in: int, priced: bool
    ) -> tuple[int | None, float]:
        with self._changing() as base:
            cap, period = base.execute("SELECT usd, period FROM cap").fetchone()
            usd = self._estimate(base, model, tokens_in, tokens - tokens_in, cap) if priced else 0.0
            now = self._clock()
            wait = _wait(base, model, tokens, now, period)
            if cap is not None and priced:
                wait = max(wait, _wait_for_money(base, cap, now))
            if wait > 0:
                return None, wait
            done = base.execute(
                "INSERT INTO call (model, at, tokens, usd) VALUES (?, ?, ?, ?)",
                (model, now, tokens, usd),
            )
            return int(done.lastrowid or 0), 0.0

    def _estimate(
        self, base: sqlite3.Connection, model: str, sent: int, back: int, cap: float | None
    ) -> float:
        price = _given(base, model) or price_of(model)
        if price is not None:
            return price.of(sent, back)
        if cap is not None:
            raise InputError(
                f"the price of {model} is not known, so --max-usd cannot hold; give it in a sweep "
                f"file (limits: models: {model}: usd_per_million), or leave --max-usd out"
            )
        return 0.0

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """The file, to be changed by nobody else meanwhile."""
        try:
            with closing(_connected(self.file)) as base:
                base.execute("BEGIN IMMEDIATE")
                try:
                    yield base
                finally:
                    base.execute("COMMIT")
        except sqlite3.Error as error:
            raise Unavailable(f"cannot use {self.file}: {error}") from error


@contextmanager
def in_force(
    folder: Path, limits: Limits, *, period_s: float = PERIOD_S
) -> Iterator[Allowance | None]:
    """Put limits into force for this process and all that it starts meanwhile.

    Args:
        folder: of the run; a file that is there keeps what was spent, and the cap where ``limits``
            has none.
        limits: replace those of before, if there are any.
        period_s: what a minute lasts.

    Returns:
        the allowance; ``None`` if nothing is limited.

    Raises:
        Unavailable: it cannot be written.
    """
    file = (folder / FILE).absolute()
    if not limits.any and not file.exists():
        yield None
        return
    if limits.any:
        _open(file, limits, period_s)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(file)
    try:
        yield Allowance(file)
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before


def _open(file: Path, limits: Limits, period_s: float) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with closing(_connected(file)) as base:
            base.executescript(_TABLES)
            base.execute("BEGIN IMMEDIATE")
            _write(base, limits, period_s)
            base.execute("COMMIT")
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(f"cannot write {file}: {error}") from error


def allowance(environment: Mapping[str, str] = os.environ) -> Allowance | None:
    """The one that is in force for this process.

    Raises:
        Unavailable: it is named and not there.
    """
    named = environment.get(VARIABLE)
    return Allowance(Path(named)) if named else None


def _connected(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=BUSY_S, isolation_level=None)


def _write(base: sqlite3.Connection, limits: Limits, period_s: float) -> None:
    old = base.execute("SELECT usd FROM cap").fetchone()
    cap = limits.max_usd if limits.max_usd is not None or old is None else old[0]
    base.execute("DELETE FROM cap")
    base.execute("DELETE FROM model")
    base.execute("INSERT INTO cap VALUES (?, ?)", (cap, period_s))
    rest = ModelLimits(rpm=limits.rpm, tpm=limits.tpm)
    for name, own in {ANY: rest, **limits.models}.items():
        price = own.usd_per_million
        per_token = (price.input / 1e6, price.output / 1e6) if price else (None, None)
        base.execute(
            "INSERT INTO model VALUES (?, ?, ?, ?, ?)",
            (name, own.rpm or rest.rpm, own.tpm or rest.tpm, *per_token),
        )


def _given(base: sqlite3.Connection, model: str) -> Price | None:
    row = base.execute("SELECT usd_in, usd_out FROM model WHERE name = ?", (model,)).fetchone()
    return Price(*row) if row and row[0] is not None else None


def _wait_for_money(base: sqlite3.Connection, cap: float, now: float) -> float:
    """Seconds until it is known whether any is left; 0 if some is.

    Raises:
        CapReached: none is.
    """
    spent = _spent(base)
    (flying,) = base.execute(
        "SELECT coalesce(sum(usd), 0) FROM call WHERE NOT answered AND at > ?", (now - LOST_S,)
    ).fetchone()
    if spent - flying >= cap:
        raise CapReached(
            f"the run's ${cap:g} are spent (${spent - flying:.4f}); what was played is kept: go on "
            f"with --resume and a higher --max-usd"
        )
    return POLL_S if spent >= cap else 0.0


def _spent(base: sqlite3.Connection) -> float:
    return float(base.execute("SELECT coalesce(sum(usd), 0) FROM call").fetchone()[0])


def _wait(base: sqlite3.Connection, model: str, tokens: int, now: float, period: float) -> float:
    """Seconds until a call fits into its model's minute; 0 if it does now.

    In no stretch of ``period`` seconds are there more calls or tokens than allowed. A call that is
    larger than the limit itself waits until it is alone.
    """
    row = base.execute(
        "SELECT rpm, tpm FROM model WHERE name IN (?, ?) ORDER BY name = ? LIMIT 1",
        (model, ANY, ANY),
    ).fetchone()
    rpm, tpm = row or (None, None)
    if rpm is None and tpm is None:
        return 0.0
    recent = base.execute(
        "SELECT at, tokens FROM call WHERE model = ? AND at > ? ORDER BY at DESC",
        (model, now - period),
    ).fetchall()
    room = min(tokens, tpm) if tpm is not None else 0
    used = 0
    for number, (at, own) in enumerate(recent, 1):
        used += own
        if (rpm is not None and number >= rpm) or (tpm is not None and used + room > tpm):
            # This one, and all before it, must have left the stretch.
            return max(0.001, float(at) + period - now)
    return 0.0
