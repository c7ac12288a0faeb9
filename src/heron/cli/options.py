"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.errors import InputError

if TYPE_CHECKING:
    from heron.eval.batch import Plan
    from heron.eval.engine.engine import Engine
    from heron.eval.engine.unit import Shard
    from heron.models.limits import Limits

DEFAULT_OBSERVER = "gguf:qwen2.5-coder-1.5b-instruct-q4_k_m"
DEFAULT_EXECUTOR = "gguf:qwen2.5-coder-1.5b-instruct-q4_k_m"


class Background(StrEnum):
    """How lived-in the phone is."""

    bare = "bare"
    light = "light"
    full = "full"


class Clock(StrEnum):
    """Whether the models' thinking takes time on the phone."""

    logical = "logical"
    measured = "measured"


class Stale(StrEnum):
    """What becomes of rows that other code or other scenario files made."""

    refuse = "refuse"
    replay = "replay"
    keep = "keep"


class EngineKind(StrEnum):
    """Where episodes are played."""

    local = "local"
    processes = "processes"
    ray = "ray"


Observer = Annotated[
    str,
    typer.Option(
        "--observer",
        help="never, always, rules, oracle, gguf:<catalogue name or path>, calibrated:<same>, "
        "probe:<same>, or a plugged-in one.",
    ),
]
Executor = Annotated[
    str,
    typer.Option(
        "--executor",
        help="none, oracle, litellm:<model> (needs the provider's key), gguf:<name or path>.",
    ),
]
User = Annotated[
    str,
    typer.Option(
        "--user",
        help="scripted[:persona], gguf:<name or path>[#persona], litellm:<model>[#persona] (needs "
        "the provider's key); for example scripted:strict, "
        "gguf:qwen2.5-coder-1.5b#tired, litellm:gpt-5-mini.",
    ),
]
Turns = Annotated[int, typer.Option("--turns", min=1, max=1000, help="Turns of each episode.")]
Seed = Annotated[int, typer.Option("--seed", help="First seed, 0 to 999.")]
ClockOption = Annotated[
    Clock,
    typer.Option(
        "--clock",
        help="logical: thinking takes no time on the phone; measured: it takes what it took.",
    ),
]
Threads = Annotated[
    int, typer.Option("--threads", min=1, help="Threads of each local model; 1 repeats best.")
]
Window = Annotated[
    int, typer.Option("--window", min=512, max=32768, help="Tokens of the observer's context.")
]
BackgroundOption = Annotated[
    Background | None,
    typer.Option(
        "--background",
        help="bare: only what the scenario needs; light: 100 records more; full: 2,000 more "
        "[as the scenario says].",
        show_default=False,
    ),
]
ToolFailure = Annotated[
    float,
    typer.Option("--tool-failure", min=0, max=1, help="Probability that a tool's call fails."),
]
LastingFailures = Annotated[
    float,
    typer.Option(
        "--lasting-failures",
        min=0,
        max=1,
        help="Share of the failures due to tools that are down for the whole episode.",
    ),
]
ToolLatency = Annotated[
    float,
    typer.Option(
        "--tool-latency",
        min=0,
        max=86_400,  # more, a few calls long, and the phone's clock runs past the last date
        help="Seconds of phone time that a tool's call takes.",
    ),
]
EventsPerMinute = Annotated[
    float,
    typer.Option(
        "--events-per-minute",
        min=0,
        max=60,
        help="Things that happen by the way, per minute of phone time.",
    ),
]
StaleOption = Annotated[
    Stale,
    typer.Option(
        "--stale",
        help="With --resume, what becomes of episodes that other code or other scenario files "
        "made: refuse to go on, replay them, or keep them as they are.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, max=1024, help="Processes that play at a time [1].", show_default=False
    ),
]
ShardOption = Annotated[
    str | None,
    typer.Option(
        "--shard", metavar="I/N", help="Play only part I of N, into a file of its own (job arrays)."
    ),
]
EngineOption = Annotated[
    EngineKind | None,
    typer.Option(
        "--engine",
        help="local: in this process; processes: --workers of them on this machine; ray: on a Ray "
        "cluster (extra) [processes for several workers, else local].",
        show_default=False,
    ),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address", help="Of a cluster [RAY_ADDRESS, else one is started on this machine]."
    ),
]
MaxUsd = Annotated[
    float | None,
    typer.Option(
        "--max-usd",
        min=0.000001,
        max=1e9,
        metavar="FLOAT",
        help="Stop when models have cost so many US dollars.",
    ),
]
Rpm = Annotated[
    int | None,
    typer.Option("--rpm", min=1, help="Calls per minute of each remote model, by all workers."),
]
Tpm = Annotated[
    int | None,
    typer.Option("--tpm", min=1, help="Tokens per minute of each remote model, by all workers."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout instead of text.")]
Html = Annotated[
    Path | None,
    typer.Option("--html", help="Also write a page that shows it turn by turn, phone and all."),
]


@dataclass(frozen=True, kw_only=True)
class Play:
    """How episodes are played: each field is an option of the commands that ``plays`` decorates."""

    observer: Observer = DEFAULT_OBSERVER
    executor: Executor = DEFAULT_EXECUTOR
    user: User = "scripted"
    turns: Turns = 10
    seed: Seed = 0
    clock: ClockOption = Clock.logical
    threads: Threads = 1
    window: Window = 4096
    background: BackgroundOption = None
    tool_failure: ToolFailure = 0.0
    lasting_failures: LastingFailures = 0.0
    tool_latency: ToolLatency = 0.0
    events_per_minute: EventsPerMinute = 0.0

    def plan(self, runs: int = 1) -> Plan:
        """The plan of a run, each scenario played so often.

        Raises:
            InputError: options that have no effect together.
        """
        from heron.contracts import EpisodeConfig
        from heron.eval.batch import Plan

        if self.lasting_failures and not self.tool_failure:
            raise InputError(
                "--lasting-failures is a share of the failures, and there are none without "
                "--tool-failure"
            )
        config = EpisodeConfig(
            observer=placed(self.observer),
            executor=placed(self.executor),
            user=placed(self.user),
            turns=self.turns,
            clock=self.clock.value,
            background=self.background.value if self.background else None,
            tool_failure=self.tool_failure,
            lasting_failures=self.lasting_failures,
            tool_latency_s=self.tool_latency,
            events_per_minute=self.events_per_minute,
            window=self.window,
        )
        return Plan(config=config, runs=runs, seed=self.seed, threads=self.threads)


def placed(spec: str) -> str:
    """A spec as it is stored: a model file below the home folder is named from there, so that no
    row names its user.
    """
    from heron.eval.provenance import without_home

    return without_home(spec) if spec.startswith(("gguf:", "calibrated:", "probe:")) else spec


@dataclass(frozen=True, kw_only=True)
class Scale:
    """On what episodes are played, and what may be asked of remote models meanwhile."""

    workers: Workers = None
    shard: ShardOption = None
    engine: EngineOption = None
    ray_address: RayAddress = None
    max_usd: MaxUsd = None
    rpm: Rpm = None
    tpm: Tpm = None

    @property
    def elsewhere(self) -> bool:
        """Whether other processes than this one play."""
        return self.engine not in (None, EngineKind.local) or (self.workers or 1) > 1

    def open_engine(self) -> Engine:
        """What plays."""
        from heron.eval.engine.choice import engine_of

        return engine_of(self.engine.value if self.engine else None, self.workers, self.ray_address)

    def part(self) -> Shard | None:
        """Which part of the run is played."""
        from heron.eval.engine.unit import Shard

        return Shard.of(self.shard) if self.shard is not None else None

    def limits(self) -> Limits:
        """Of remote models."""
        from heron.models.limits import Limits

        return Limits(max_usd=self.max_usd, rpm=self.rpm, tpm=self.tpm)


GROUPS: dict[str, type[Play | Scale]] = {"play": Play, "scale": Scale}
"""Name of a command's parameter → the options that it stands for."""


def plays(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose keyword parameters in ``GROUPS`` are given as options, one for each field."""
    own = signature(command, eval_str=True)
    groups = {
        name: signature(GROUPS[name], eval_str=True).parameters
        for name in own.parameters
        if name in GROUPS
    }

    @wraps(command)
    def run(**given: Any) -> None:
        made = {
            group: GROUPS[group](**{name: given.pop(name) for name in options})
            for group, options in groups.items()
        }
        command(**made, **given)

    shown = [
        parameter
        for name, at in own.parameters.items()
        for parameter in (groups[name].values() if name in groups else [at])
    ]
    # Typer reads which options there are off the signature.
    run.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return run
