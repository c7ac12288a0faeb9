"""Proves many scenarios: in a pool of processes, or in this one.

Each process proves one scenario at a time; what they bring back is put together in the order of
the scenarios. What it does not know: the terminal, tables.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context

from heron.errors import WorkerDied
from heron.eval.prover.across import Across, across, together
from heron.eval.prover.prove import prove
from heron.eval.prover.trials import Offered, Proof
from heron.scenarios.schema import Scenario

WORTH_IT = 4
"""Scenarios for which it pays to start processes."""

Told = Callable[[Proof], None]
"""Is told of each scenario when it is proved."""


def prove_all(
    scenarios: Sequence[Scenario],
    seeds: Sequence[int],
    jobs: int = 1,
    told: Told = lambda _: None,
) -> tuple[list[Proof], Across]:
    """Prove scenarios, and all of them against each other.

    Args:
        scenarios: what is proved.
        seeds: under which.
        jobs: processes.
        told: told of each as it is done, in any order.

    Raises:
        WorkerDied: a process ended by itself.
    """
    if jobs == 1 or len(scenarios) < WORTH_IT:
        proofs = []
        for scenario in scenarios:
            proofs.append(prove(scenario, seeds))
            told(proofs[-1])
        everybody = _everybody(proofs)
        return proofs, across(everybody, everybody)
    with _pool(min(jobs, len(scenarios))) as pool:
        proofs = _in_order(pool, scenarios, seeds, told)
        everybody = _everybody(proofs)
        parts = [pool.submit(across, everybody[at::jobs], everybody) for at in range(jobs)]
        return proofs, together(part.result() for part in parts)


def cores() -> int:
    """How many processes are used unless told otherwise: as many as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _everybody(proofs: Sequence[Proof]) -> list[Offered]:
    return [offered for proof in proofs for offered in proof.offered]


def _in_order(
    pool: ProcessPoolExecutor, scenarios: Sequence[Scenario], seeds: Sequence[int], told: Told
) -> list[Proof]:
    places: dict[Future[Proof], int] = {
        pool.submit(prove, scenario, tuple(seeds)): place
        for place, scenario in enumerate(scenarios)
    }
    found: dict[int, Proof] = {}
    for done in as_completed(places):
        found[places[done]] = done.result()
        told(done.result())
    return [found[place] for place in range(len(scenarios))]


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_quietly)
    try:
        yield pool
    except BrokenProcessPool as error:
        raise WorkerDied("a process of the proof ended by itself; try --jobs 1") from error
    finally:
        # After Ctrl-C each process ends with the scenario that it has in hand.
        pool.shutdown(cancel_futures=True)


def _quietly() -> None:
    """Ctrl-C reaches all processes of the terminal; the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
