"""Puts a soak together (phone, arrivals, observer, clock) and ends the observer's process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from heron.errors import InputError
from heron.eval.observers import WORKER, ProcessObserver
from heron.eval.soak.clocks import CLOCKS
from heron.eval.soak.phone import SoakPhone
from heron.eval.soak.records import Sample, SoakFolder, SoakPlan
from heron.eval.soak.run import Soak
from heron.eval.soak.stream import arrivals, rate_from, rates_of
from heron.eval.usage import load_usage
from heron.observer.registry import NEEDS_MODEL, OBSERVERS
from heron.registry import split_spec
from heron.scenarios.schema import Scenario


@contextmanager
def soaking(
    plan: SoakPlan,
    scenarios: Sequence[Scenario],
    folder: SoakFolder,
    *,
    resume: bool = False,
    module: str = WORKER,
) -> Iterator[Iterator[Sample]]:
    """The samples of a soak, as they come.

    Args:
        plan: what is to be run.
        scenarios: they lend the phone, and what happens on it beside chatter.
        folder: where samples go.
        resume: go on with what lies there.
        module: what the observer's process runs.

    Raises:
        UnknownName: there is no such observer or usage.
        InputError: the observer names no model, or the folder holds another soak.
    """
    name, argument = split_spec(plan.observer)
    if module == WORKER:
        OBSERVERS.get(name)
        if name in NEEDS_MODEL and not argument:
            raise InputError(f"observer {plan.observer!r} names no model; write {name}:<model>")
    rates = rates_of(load_usage(plan.usage), rate_from(plan.rate) if plan.rate else None)
    phone = SoakPhone(scenarios, plan.seed, plan.background)
    observer = ProcessObserver(
        plan.observer, threads=plan.threads, window=plan.window, module=module, keep_state=True
    )
    if resume:
        folder.mend()
    else:
        folder.begin(plan)
    checkpoint = folder.checkpoint() if resume else None
    clock = CLOCKS[plan.clock](checkpoint.at_s if checkpoint else 0.0)
    coming = arrivals(plan.seed, rates, phone.start)
    try:
        yield Soak(plan, phone, coming, observer, clock, folder, checkpoint).run()
    finally:
        observer.close()
        phone.world.close()
