"""Measures settings on the fixed stream, each in processes of its own.

Per setting: a process that evaluates the constant prefix (cold); one that finds it on disk (kept),
warms up on the first scenario and then reads the whole stream; one for tokens per second. An
interrupted setting keeps what it has. What it does not know: the terminal, files.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from heron.contracts import Observation, ObserverAnswer, StepCost
from heron.errors import Fault, HeronError, InputError
from heron.eval.observers import ProcessObserver
from heron.eval.profiling.figures import answers, decision_figures
from heron.eval.profiling.records import (
    Decided,
    Profiled,
    Setting,
    StreamFacts,
)
from heron.eval.profiling.speeds import governed, measure_speeds
from heron.eval.profiling.stream import FixedStream, Looks, Visit, kind_of
from heron.eval.usage import Usage
from heron.models import store
from heron.models.device import DeviceLimits, InForce, remove_group
from heron.models.energy import EnergyEstimate
from heron.observer.registry import NEEDS_MODEL, OBSERVERS, runs_in_harness
from heron.observer.setup import model_of
from heron.registry import split_spec


class Port(Protocol):
    """What is measured; ``ProcessObserver`` is one."""

    info: dict[str, Any]
    in_force: dict[str, Any]

    @property
    def pid(self) -> int | None: ...

    def begin(self, cue: None, seed: int) -> None: ...

    def observe(self, observation: Observation) -> tuple[ObserverAnswer, StepCost]: ...

    def close(self) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Options:
    """What holds for all settings."""

    usage: Usage
    limits: DeviceLimits = field(default_factory=DeviceLimits)
    """Memory and processor time; cores are the setting's threads."""
    estimate: EnergyEstimate | None = None
    """Estimates energy, in the place of the processor's counters."""
    prompt_tokens: int = 128
    decode_tokens: int = 32
    """Of the speed tests; 0: no such test."""
    make: Callable[..., Port] = ProcessObserver
    tell: Callable[[str], None] = field(default=lambda _line: None)
    """Told of progress, a line at a time."""


def setting_of(spec: str, threads: int, window: int) -> Setting:
    """A model by name or path, or an observer that runs in a process of its own.

    Raises:
        UnknownName: there is no such model.
        InputError: it is not here, or runs in the harness.
    """
    name, argument = split_spec(spec)
    if name not in OBSERVERS.names():
        store.resolve(spec)
        return Setting(observer=f"gguf:{spec}", threads=threads, window=window)
    if runs_in_harness(name):
        raise InputError(f"{spec!r} runs in the harness, so its costs cannot be told from those")
    if name in NEEDS_MODEL:
        store.resolve(model_of(argument))
    return Setting(observer=spec, threads=threads, window=window)


class Profiler:
    """Measures one setting on one stream.

    Args:
        setting: what to measure.
        stream: what it reads.
        options: what holds for all.
    """

    def __init__(self, setting: Setting, stream: FixedStream, options: Options) -> None:
        self.setting, self.stream, self.options = setting, stream, options
        self.decided: list[Decided] = []
        """The measured decisions, as they come."""
        self._looks = Looks()
        self._answered = 0
        self._phone_s = self._wall_s = 0.0
        self._found: dict[str, Any] = {}

    def run(self) -> None:
        """Measure; a part that breaks is kept as a fault.

        Raises:
            KeyboardInterrupt: what was measured until then is kept.
        """
        before = os.getloadavg()[0]
        try:
            with tempfile.TemporaryDirectory(prefix="heron-profile-") as folder:
                self._start_cold(folder)
                self._read(folder)
            options = self.options
            tests = (("prompt", options.prompt_tokens), ("decode", options.decode_tokens))
            self._found.update(measure_speeds(self.setting, self._limits, tests, self._tell))
        except Fault as fault:
            self._note(fault)
        finally:
            self._found["load"] = (round(before, 2), round(os.getloadavg()[0], 2))

    def result(self) -> Profiled:
        """What was measured so far."""
        return Profiled(
            setting=self.setting,
            stream=StreamFacts(
                digest=self.stream.digest,
                seed=self.stream.seed,
                observations=self.stream.observations,
                scenarios=len(self.stream.visits),
                phone_s=self.stream.phone_s,
            ),
            complete=self._answered == self.stream.observations,
            decisions=len(self.decided),
            observations=self._answered,
            answers=answers(self.decided),
            costs=decision_figures(self.decided, self._phone_s, self._wall_s, self.options.usage),
            **self._found,
        )

    # --- the stream ---

    def _start_cold(self, folder: str) -> None:
        self._tell("cold start")
        with self._port(folder) as port:
            _, cost = port.observe(self.stream.visits[0].observations[0])
            self._found["cold"] = self._with_energy(cost)

    def _read(self, folder: str) -> None:
        """The whole stream; after a fault a fresh process goes on with the next scenario."""
        left = list(self.stream.visits)
        whole = True
        while left:
            began, before = time.perf_counter(), len(left)
            with self._port(folder) as port:
                self._found.setdefault("ready_s", time.perf_counter() - began)
                try:
                    self._warm_up(port, whole=whole)
                    while left:
                        self._visit(port, left.pop(0))
                except Fault as fault:
                    if len(left) < before:
                        self._note(fault)
                    elif not whole:
                        raise
            whole = False

    def _warm_up(self, port: Port, *, whole: bool) -> None:
        """The first scenario; in a process that takes the place of a broken one its start alone."""
        first = self.stream.visits[0].observations
        _, cost = port.observe(first[0])
        self._found.setdefault("kept", self._with_energy(cost))
        self._tell("warm-up")
        for observation in first[1:] if whole else ():
            port.observe(observation)

    def _note(self, fault: Fault) -> None:
        self._found["faults"] = self._found.get("faults", 0) + 1
        self._found.setdefault("fault", str(fault))
        self._tell(f"fault: {fault}")

    def _visit(self, port: Port, visit: Visit) -> None:
        """One scenario, from its start."""
        for observation in visit.observations:
            began = time.perf_counter()
            self._observe(port, visit.scenario, observation)
            self._wall_s += time.perf_counter() - began
            self._answered += 1
            self._phone_s += visit.phone_s / len(visit.observations)
        self._tell(
            f"{self._answered}/{self.stream.observations} observations, {self._wall_s:.1f} s"
        )

    def _observe(self, port: Port, scenario: str, observation: Observation) -> None:
        """One observation with its looks; offers are worded and dropped."""
        kind = kind_of(observation)
        self._looks.note(observation)
        while True:
            answer, cost = port.observe(observation)
            self.decided.append(
                Decided(
                    scenario=scenario,
                    turn=observation.turn,
                    step=observation.step,
                    kind=kind,
                    answer=answer.type,
                    cost=self._with_energy(cost),
                )
            )
            if answer.type != "look" or observation.looks_left <= 0:
                return
            observation = self._looks.after(observation, answer.call)

    def _with_energy(self, cost: StepCost) -> StepCost:
        estimate = self.options.estimate
        return cost if estimate is None else cost.model_copy(update={"energy": estimate.of(cost)})

    @property
    def _limits(self) -> DeviceLimits:
        return self.options.limits.model_copy(update={"cores": self.setting.threads})

    @contextmanager
    def _port(self, folder: str) -> Iterator[Port]:
        """A process under the limits, with its prefixes in ``folder``."""
        port = self.options.make(
            self.setting.observer,
            threads=self.setting.threads,
            window=self.setting.window,
            limits=self._limits.model_dump(mode="json"),
            prefixes=folder,
        )
        in_force = InForce()
        try:
            port.begin(None, self.stream.seed)
            in_force = InForce.model_validate(port.in_force)
            self._found.update(info=port.info, in_force=in_force)
            with governed(port.pid, in_force):
                yield port
        finally:
            port.close()
            remove_group(in_force)

    def _tell(self, what: str) -> None:
        self.options.tell(f"{self.setting.name}: {what}")


def profile_all(
    settings: Sequence[Setting],
    stream: FixedStream,
    options: Options,
    keep: Callable[[Profiled, Sequence[Decided]], None],
) -> None:
    """Measure one setting after the other.

    Args:
        settings: in this order.
        stream: what each reads.
        options: what holds for all.
        keep: handed each setting's result, also that of one that was interrupted or broke.

    Raises:
        KeyboardInterrupt: after what was measured was handed over.
        HeronError: a setting could not be measured at all.
    """
    for setting in settings:
        profiler = Profiler(setting, stream, options)
        try:
            profiler.run()
        except HeronError:
            if not profiler.decided:
                raise
            keep(profiler.result(), profiler.decided)
            raise
        except KeyboardInterrupt:
            if profiler.decided:
                keep(profiler.result(), profiler.decided)
            raise
        keep(profiler.result(), profiler.decided)


def default_folder() -> Path:
    """Where results go, unless a folder is given."""
    return Path("runs") / f"profile-{time.strftime('%Y%m%d-%H%M%S')}"
