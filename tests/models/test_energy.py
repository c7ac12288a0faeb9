"""RAPL on made-up machines: what is counted once, what comes round, what cannot be read."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from heron.contracts import StepCost
from heron.errors import InputError
from heron.models import energy
from heron.models.energy import EnergyEstimate, EnergyReading, RaplMeter

RANGE = 262_143_328_850


class Machine:
    """A file system with RAPL zones."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "sys/class/powercap"

    def zone(self, place: str, name: str, energy_uj: int | str, limit: int = RANGE) -> Path:
        zone = self.folder / place
        zone.mkdir(parents=True, exist_ok=True)
        (zone / "name").write_text(f"{name}\n")
        (zone / "energy_uj").write_text(f"{energy_uj}\n")
        (zone / "max_energy_range_uj").write_text(f"{limit}\n")
        return zone


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Two sockets with memory, a platform counter, and a second way to the first socket."""
    found = Machine(tmp_path)
    found.zone("intel-rapl:0", "package-0", 1_000_000)
    found.zone("intel-rapl:0:0", "core", 400_000)
    found.zone("intel-rapl:0:1", "dram", 50_000)
    found.zone("intel-rapl:1", "package-1", 2_000_000)
    found.zone("intel-rapl:1:0", "dram", 60_000)
    found.zone("intel-rapl:2", "psys", 9_000_000)
    found.zone("intel-rapl-mmio:0", "package-0", 1_000_000)
    found.zone("intel-rapl-mmio:0:0", "dram", 50_000)
    (found.folder / "intel-rapl").mkdir()
    return found


def test_packages_and_their_memory_count_once_and_nothing_nested(machine: Machine) -> None:
    meter = RaplMeter(machine.root)
    names = ["package-0", "package-0/dram", "package-1", "package-1/dram"]
    assert [domain.name for domain in meter.domains] == names
    assert not any("mmio" in domain.path.name for domain in meter.domains)
    before = meter.read()
    for place, name, value in (
        ("intel-rapl:0", "package-0", 3_000_000),
        ("intel-rapl:0:0", "core", 5_400_000),
        ("intel-rapl:0:1", "dram", 150_000),
        ("intel-rapl:1", "package-1", 2_500_000),
        ("intel-rapl:2", "psys", 99_000_000),
        ("intel-rapl-mmio:0", "package-0", 3_000_000),
    ):
        machine.zone(place, name, value)
    found = meter.between(before, meter.read())
    assert found.joules == pytest.approx(2.0 + 0.1 + 0.5)
    assert found.source == "rapl"
    assert "package-0/dram" in found.detail


def test_a_second_way_to_the_counter_is_taken_where_it_is_the_only_one(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.zone("intel-rapl-mmio:0", "package-0", 1)
    assert [d.path.name for d in RaplMeter(tmp_path).domains] == ["intel-rapl-mmio:0"]


def test_a_counter_that_came_round_is_accounted_for(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.zone("intel-rapl:0", "package-0", RANGE - 300_000)
    meter = RaplMeter(tmp_path)
    before = meter.read()
    machine.zone("intel-rapl:0", "package-0", 700_000)
    assert meter.between(before, meter.read()).joules == pytest.approx(1.0)


def test_a_counter_that_may_have_come_round_twice_measures_nothing(tmp_path: Path) -> None:
    Machine(tmp_path).zone("intel-rapl:0", "package-0", 5, limit=65_000_000)
    meter = RaplMeter(tmp_path)
    after = meter.read()
    longest = 65 / energy.MOST_WATTS
    assert meter.between(EnergyReading(after.at - longest / 2, after.values), after).joules == 0
    late = meter.between(EnergyReading(after.at - 2 * longest, after.values), after)
    assert late.joules is None
    assert "come round twice" in str(late.reason)


def test_without_counters_there_is_a_reason_and_no_zero(tmp_path: Path) -> None:
    meter = RaplMeter(tmp_path)
    found = meter.between(meter.read(), meter.read())
    assert found.joules is None
    assert "no RAPL" in str(found.reason)


def test_a_counter_that_may_not_be_read_says_how_it_could_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone = Machine(tmp_path).zone("intel-rapl:0", "package-0", 5)
    whole = Path.read_text

    def refuse(path: Path, *args: str, **more: str) -> str:
        if path.name == "energy_uj":
            raise PermissionError(13, "Permission denied", str(path))
        return whole(path, *args, **more)

    monkeypatch.setattr(Path, "read_text", refuse)
    meter = RaplMeter(tmp_path)
    assert meter.between(meter.read(), meter.read()).joules is None
    assert str(meter.reason).endswith(f"Permission denied; as root: chmod -R a+r {zone}")


def test_a_counter_that_goes_away_ends_the_measurement(tmp_path: Path) -> None:
    zone = Machine(tmp_path).zone("intel-rapl:0", "package-0", 5)
    meter = RaplMeter(tmp_path)
    before = meter.read()
    (zone / "energy_uj").unlink()
    found = meter.between(before, meter.read())
    assert (found.joules, found.reason) == (None, meter.reason)
    assert meter.reason is not None


def test_an_estimate_says_by_which_model_it_is_one() -> None:
    cost = StepCost(wall_s=9.0, cpu_s=2.0, evaluated=30)
    by_cpu = EnergyEstimate.parse("cpu:4.5").of(cost)
    assert (by_cpu.joules, by_cpu.source) == (9.0, "estimate")
    assert by_cpu.detail == "CPU seconds × 4.5 W"
    by_token = EnergyEstimate.parse("token:2.6").of(cost)
    assert by_token.joules == pytest.approx(78)
    assert by_token.detail == "tokens evaluated × 2.6 J"
    unknown = EnergyEstimate.parse("token:2.6").of(StepCost(wall_s=1.0))
    assert (unknown.joules, unknown.source) == (None, None)
    assert "number of tokens" in str(unknown.reason)


@pytest.mark.parametrize("text", ["", "cpu", "cpu:", "cpu:-1", "watts:3", "cpu:inf", "cpu:nan"])
def test_an_estimate_that_is_none_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match="cpu:WATTS"):
        EnergyEstimate.parse(text)


def test_readings_carry_the_time(tmp_path: Path) -> None:
    Machine(tmp_path).zone("intel-rapl:0", "package-0", 5)
    before = time.perf_counter()
    assert before <= RaplMeter(tmp_path).read().at <= time.perf_counter()
