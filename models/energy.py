"""Energy: the processor's own counters (RAPL) as Linux shows them, and estimates that say so.

A package's counter covers its cores and graphics but not the memory, so packages and memory
(``dram``) are added up, each once: not what is nested in a package, not the platform (``psys``),
which holds it all, and not a second way to the same counter (``intel-rapl-mmio``). The counters
count the whole machine, not one process. Source: the kernel's ``power/powercap`` documentation.
What it does not know: what is being measured.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from heron.contracts import EnergySample, Record, StepCost
from heron.errors import InputError

ROOT: Final = Path("/")
CLASS: Final = "sys/class/powercap"
MOST_WATTS: Final = 1000.0
"""What no package exceeds: it bounds the time after which a counter may have come round twice."""

_ZONE: Final = re.compile(r"(intel-rapl|intel-rapl-mmio):(\d+)(?::(\d+))?$")
_PACKAGE: Final = re.compile(r"package-\d+")
_ABSENT: Final = (
    "no RAPL in /sys/class/powercap (a virtual machine, another kind of processor, or the kernel "
    "module intel_rapl_msr is not loaded)"
)


@dataclass(frozen=True)
class Domain:
    """A counter that is added up."""

    name: str
    """``package-0``, ``package-0/dram``."""
    path: Path
    range_uj: int
    """Where the counter begins at zero again."""

    def read(self) -> int:
        """Microjoules.

        Raises:
            OSError: it cannot be read.
            ValueError: it holds no number.
        """
        return int((self.path / "energy_uj").read_text(encoding="ascii"))


@dataclass(frozen=True)
class EnergyReading:
    """All counters at one moment."""

    at: float
    """``time.perf_counter``."""
    values: Mapping[str, int] = field(default_factory=dict)


class RaplMeter:
    """Adds up RAPL's domains.

    Args:
        root: the root of the file system.
    """

    def __init__(self, root: Path = ROOT) -> None:
        self.reason: str | None = None
        """Why nothing can be measured; ``None``: it can."""
        self.domains: tuple[Domain, ...] = ()
        try:
            self.domains = _domains(root / CLASS)
            for domain in self.domains:
                domain.read()
        except (OSError, ValueError) as error:
            self.reason = _reason(error)
        else:
            if not self.domains:
                self.reason = _ABSENT

    @property
    def detail(self) -> str:
        """What is added up, in words."""
        return f"{' + '.join(domain.name for domain in self.domains)}, whole machine"

    def read(self) -> EnergyReading:
        """The counters now; without values where they cannot be read."""
        now = time.perf_counter()
        if self.reason is not None:
            return EnergyReading(now)
        try:
            return EnergyReading(now, {domain.name: domain.read() for domain in self.domains})
        except (OSError, ValueError) as error:
            self.reason = _reason(error)
            return EnergyReading(now)

    def between(self, before: EnergyReading, after: EnergyReading) -> EnergySample:
        """Energy from one reading to another; a counter that came round once is accounted for."""
        if self.reason is not None:
            return EnergySample(joules=None, reason=self.reason)
        total = 0
        for domain in self.domains:
            if after.at - before.at > domain.range_uj / 1e6 / MOST_WATTS:
                reason = f"{domain.name} may have come round twice in {after.at - before.at:.0f} s"
                return EnergySample(joules=None, reason=reason)
            rise = after.values[domain.name] - before.values[domain.name]
            total += rise if rise >= 0 else rise + domain.range_uj
        return EnergySample(joules=total / 1e6, source="rapl", detail=self.detail)


class EnergyEstimate(Record):
    """An estimate in the place of a measurement: a named model with its one number."""

    by: Literal["cpu", "token"]
    """``cpu``: watts while a core computes; ``token``: joules per token evaluated."""
    number: float

    @classmethod
    def parse(cls, text: str) -> EnergyEstimate:
        """``cpu:4.5`` (watts) or ``token:0.3`` (joules).

        Raises:
            InputError: it is neither.
        """
        by, _, number = text.partition(":")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if by not in ("cpu", "token") or not 0 < value < float("inf"):
            raise InputError(
                f"energy {text!r}: write rapl, cpu:WATTS (per busy core) or token:JOULES "
                f"(per token evaluated)"
            )
        return cls(by="cpu" if by == "cpu" else "token", number=value)

    @property
    def name(self) -> str:
        """The model in words."""
        if self.by == "cpu":
            return f"CPU seconds × {self.number:g} W"
        return f"tokens evaluated × {self.number:g} J"

    def of(self, cost: StepCost) -> EnergySample:
        """Energy of a decision by this model."""
        amount = cost.cpu_s if self.by == "cpu" else cost.evaluated
        if amount is None:
            what = "CPU time" if self.by == "cpu" else "number of tokens"
            reason = f"no {what} to estimate from"
            return EnergySample(joules=None, detail=self.name, reason=reason)
        return EnergySample(joules=amount * self.number, source="estimate", detail=self.name)


def _domains(folder: Path) -> tuple[Domain, ...]:
    """Packages and their memory, each once; a package's own register before the memory-mapped."""
    found: dict[str, Domain] = {}
    for _, place, outer, inner in sorted(_zones(folder)):
        name = _name(place)
        if inner:
            if name != "dram":
                continue
            name = f"{_name(outer)}/{name}"
        elif not _PACKAGE.match(name):
            continue
        if name not in found:
            limit = int((place / "max_energy_range_uj").read_text(encoding="ascii"))
            found[name] = Domain(name=name, path=place, range_uj=limit)
    return tuple(found[name] for name in sorted(found))


def _zones(folder: Path) -> list[tuple[str, Path, Path, bool]]:
    """(control type, zone, the zone around it or itself, whether it is nested)."""
    found = []
    for place in folder.glob("intel-rapl*:*"):
        match = _ZONE.match(place.name)
        if match is not None:
            kind, number, inner = match.groups()
            found.append((kind, place, folder / f"{kind}:{number}", inner is not None))
    return found


def _name(zone: Path) -> str:
    return (zone / "name").read_text(encoding="ascii").strip()


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, PermissionError):
        place = Path(str(error.filename))
        return f"{place}: {error.strerror}; as root: chmod -R a+r {place.parent}"
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}"
    return f"RAPL: {error}"
