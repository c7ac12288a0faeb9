"""What the simulated phone costs: CPU, memory and tokens, with backgrounds from bare to full.

    python benchmarks/sim.py [--split NAME] [--rounds N] [--episodes N] [--seeds N] [--json FILE]

For each background (bare, light, full), with scripted user and oracle executor:

- CPU time of an episode of ten turns, its phone restored and not built, with the observers never
  and oracle: the median over rounds of the mean over scenarios; per turn, per call of an app, and
  which part of an episode takes which share
- CPU time of building a phone, of a snapshot and of going back to it
- memory of a process of its own that plays ``--episodes`` episodes (10,000 for the claim): after
  import, after a tenth of them, at the end; and the slope between. A phone is built anew for every
  episode on bare and light and for every twentieth on full
- tokens of an observer's whole context after ten turns, prompt included, as the 135M counts them:
  what never and the oracle were shown, and their answers as a model would write them

Exit code 1 if a target is missed: see ``TARGETS``. Figures for CPU are worth what the machine's
quiet is worth; the ratios hold on a busy one as well.
"""

from __future__ import annotations

import argparse
import functools
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self, get_args

from heron.contracts import Background, EpisodeConfig
from heron.eval import batch
from heron.eval.batch import Bench, Plan, Prepared
from heron.eval.observers import HarnessObserver
from heron.scenarios.builder import build
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario
from heron.sim.feed import ObserverFeed, UserFeed
from heron.sim.log import Entry
from heron.sim.phone import Phone
from heron.sim.users.scripted import ScriptedUser
from heron.sim.world import World

BACKGROUNDS: tuple[Background, ...] = get_args(Background)
OBSERVERS = ("never", "oracle")
TARGETS = {
    "episode_ms": {"bare": 8.0, "light": 8.0, "full": 62.0},
    "memory_mib": 194 / 3,
    "memory_growth": 0.02,
    "restore_to_build": 0.1,
    "context_tokens": 1000,
}
"""At most. 62 ms and 194 MiB are what PARE's stub run takes on a nearly empty phone."""
PARTS: dict[str, tuple[tuple[Any, str], ...]] = {
    "restore": ((World, "restore"),),
    "user": ((ScriptedUser, "step"),),
    "user's actions": ((World, "user_act"),),
    "views": ((Phone, "view"), (Phone, "offers")),
    "time and events": ((World, "advance_to"),),
    "feeds": ((ObserverFeed, "take"), (UserFeed, "take")),
    "observer": ((HarnessObserver, "observe"),),
    "tools": ((World, "call_tool"),),
    "log and digest": ((World, "digest"), (Entry, "record")),
    "verdict": ((batch, "decide"),),
}


class Account:
    """CPU time by part, what is called within a part counted with the inner one."""

    def __init__(self) -> None:
        self.own: dict[str, int] = defaultdict(int)
        self.whole: dict[str, int] = defaultdict(int)
        self.calls: dict[str, int] = defaultdict(int)
        self._inner: list[int] = [0]
        self._kept = [(owner, name) for pairs in PARTS.values() for owner, name in pairs]

    def __enter__(self) -> Self:
        self._before = [getattr(owner, name) for owner, name in self._kept]
        for part, pairs in PARTS.items():
            for owner, name in pairs:
                setattr(owner, name, self._timed(part, getattr(owner, name)))
        return self

    def __exit__(self, *_: object) -> None:
        for (owner, name), function in zip(self._kept, self._before, strict=True):
            setattr(owner, name, function)

    def _timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            self._inner.append(0)
            start = time.thread_time_ns()
            try:
                return function(*arguments, **named)
            finally:
                spent = time.thread_time_ns() - start
                self.own[part] += spent - self._inner.pop()
                self._inner[-1] += spent
                self.whole[part] += spent
                self.calls[part] += 1

        return timed


def bench(background: Background, observer: str, runs: int = 1) -> Bench:
    """The oracle executor and the scripted user with an observer."""
    config = EpisodeConfig(
        observer=observer, executor="oracle", user="scripted", background=background
    )
    return Bench(Plan(config=config, runs=runs))


def milliseconds(function: Callable[[], object], times: int = 1) -> float:
    """CPU time of one call."""
    start = time.process_time()
    for _ in range(times):
        function()
    return (time.process_time() - start) / times * 1000


# --- time ---------------------------------------------------------------------------------------


def episode_cost(player: Bench, phones: Sequence[Prepared], rounds: int) -> dict[str, Any]:
    """CPU time per episode, per turn and per call, and the parts' shares."""
    for phone in phones:
        player.play(phone)
    each = [
        statistics.fmean(milliseconds(lambda p=phone: player.play(p)) for phone in phones)  # type: ignore[misc]
        for _ in range(rounds)
    ]
    with Account() as account:
        start = time.thread_time_ns()
        for phone in phones:
            player.play(phone)
        total = time.thread_time_ns() - start
    calls = {
        part: {
            "calls": account.calls[part] / len(phones),
            "us": account.whole[part] / account.calls[part] / 1000,
        }
        for part in ("user's actions", "tools")
        if account.calls[part]
    }
    shares = {part: account.own[part] / total for part in PARTS}
    shares["the rest"] = 1 - sum(shares.values())
    median = statistics.median(each)
    turns = player.plan.config.turns
    return {"episode_ms": median, "turn_ms": median / turns, "per_call": calls, "shares": shares}


def building_cost(scenarios: Sequence[Scenario], background: Background) -> dict[str, float]:
    """CPU time of building a phone, of a snapshot and of going back to it."""
    built = [milliseconds(lambda s=s: build(s, 1, background)) for s in scenarios]  # type: ignore[misc]
    world = build(scenarios[0], 1, background).world
    start = world.snapshot()
    snapshot = milliseconds(world.snapshot, 200)
    restore = milliseconds(lambda: world.restore(start), 200)
    mean = statistics.fmean(built)
    return {
        "build_ms": mean,
        "snapshot_ms": snapshot,
        "restore_ms": restore,
        "restore_to_build": (snapshot + restore) / mean,
    }


# --- in processes of their own ------------------------------------------------------------------


def elsewhere(script: str, *arguments: object) -> dict[str, Any]:
    """What a script beside this one measures."""
    command = [sys.executable, str(Path(__file__).with_name(script)), *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


# --- all of it ----------------------------------------------------------------------------------


def chosen(split: str | None) -> tuple[Scenario, ...]:
    """The scenarios of a split, or all."""
    return load_suite(*([split] if split else [])).sound().scenarios  # type: ignore[arg-type]


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    scenarios = chosen(options.split)
    results: dict[str, Any] = {"scenarios": len(scenarios), "targets": TARGETS, "backgrounds": {}}
    for background in BACKGROUNDS:
        found: dict[str, Any] = {"building": building_cost(scenarios, background)}
        for observer in OBSERVERS:
            player = bench(background, observer)
            phones = [player.prepare(scenario, 0) for scenario in scenarios]
            found[observer] = episode_cost(player, phones, options.rounds)
        split = [options.split] if options.split else []
        found["memory"] = elsewhere("sim_memory.py", background, options.episodes, *split)
        found["context"] = {
            observer: elsewhere("sim_context.py", background, observer, options.seeds, *split)
            for observer in OBSERVERS
        }
        results["backgrounds"][background] = found
    results["missed"] = missed(results)
    return results


def missed(results: dict[str, Any]) -> list[str]:
    """The targets that are not met."""
    found = []
    for background, figures in results["backgrounds"].items():
        most: Any = TARGETS["episode_ms"]
        for observer in OBSERVERS:
            value = figures[observer]["episode_ms"]
            if value > most[background]:
                found.append(f"{background}, {observer}: {value:.1f} ms an episode")
        memory = figures["memory"]
        if memory["end_mib"] > TARGETS["memory_mib"]:
            found.append(f"{background}: {memory['end_mib']:.1f} MiB")
        if memory["growth"] > TARGETS["memory_growth"]:
            found.append(f"{background}: memory grows by {memory['growth']:.1%}")
    full, light = results["backgrounds"]["full"], results["backgrounds"]["light"]
    if full["building"]["restore_to_build"] > TARGETS["restore_to_build"]:
        found.append(f"restoring full: {full['building']['restore_to_build']:.2f} of building it")
    for observer, context in light["context"].items():
        if context["median"] > TARGETS["context_tokens"]:
            found.append(f"light, {observer}: {context['median']:.0f} tokens of context")
    return found


def tell(results: dict[str, Any]) -> None:
    """The figures as text."""
    for background, figures in results["backgrounds"].items():
        building, memory = figures["building"], figures["memory"]
        print(f"\n{background}: {results['scenarios']} scenarios")
        print(
            f"  building {building['build_ms']:.1f} ms, snapshot {building['snapshot_ms']:.3f} ms, "
            f"restore {building['restore_ms']:.3f} ms ({building['restore_to_build']:.2%} of it)"
        )
        for observer in OBSERVERS:
            cost = figures[observer]
            calls = ", ".join(
                f"{c['us']:.0f} µs for each of {c['calls']:.1f} {part}"
                for part, c in cost["per_call"].items()
            )
            print(
                f"  {observer}: {cost['episode_ms']:.2f} ms CPU an episode, "
                f"{cost['turn_ms']:.3f} ms a turn; {calls}"
            )
            shares = sorted(cost["shares"].items(), key=lambda pair: -pair[1])
            print("    " + ", ".join(f"{part} {share:.0%}" for part, share in shares))
        print(
            f"  memory {memory['imported_mib']:.1f} MiB imported, {memory['settled_mib']:.1f} "
            f"settled, {memory['end_mib']:.1f} after {memory['episodes']} episodes "
            f"(anonymous {memory['anonymous_mib']:.1f}); growth {memory['growth']:.2%}, "
            f"{memory['slope_kib_per_episode']:.3f} KiB an episode"
        )
        for observer, context in figures["context"].items():
            print(
                f"  context of {observer} after ten turns {context['median']:.0f} tokens (max "
                f"{context['max']}), {context['prompt']} of them prompt, "
                f"{context['per_observation']:.0f} an observation; {context['episodes']} episodes, "
                f"counted by {context['counted_by']}"
            )
    print("\nmissed: " + ("; ".join(results["missed"]) or "nothing"))


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--split", help="all scenarios, if not given")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results = measure(options)
    tell(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    return int(bool(results["missed"]))


if __name__ == "__main__":
    sys.exit(main())
