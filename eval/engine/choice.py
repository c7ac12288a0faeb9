"""Which engine a name means. What it does not know: what is played."""

from __future__ import annotations

from typing import Literal

from heron.errors import InputError
from heron.eval.engine.engine import Engine, LocalEngine
from heron.eval.engine.processes import ProcessEngine
from heron.eval.engine.unit import check_workers

EngineName = Literal["local", "processes", "ray"]


def engine_of(name: EngineName | None, workers: int | None, address: str | None = None) -> Engine:
    """The engine that is asked for.

    Args:
        name: by default ``processes`` for several workers, else ``local``.
        workers: how many; by default one.
        address: of a Ray cluster.

    Raises:
        InputError: the two do not fit.
        Unavailable: Ray is asked for and not installed.
    """
    count = 1 if workers is None else workers
    check_workers(count)
    name = name or ("processes" if count > 1 else "local")
    if address and name != "ray":
        raise InputError("--ray-address needs --engine ray")
    if name == "ray":
        # An extra.
        from heron.eval.engine.ray_cluster import RayEngine

        return RayEngine(count, address=address)
    if name == "local":
        if count > 1:
            raise InputError("--engine local plays in one process; leave --workers out")
        return LocalEngine()
    return ProcessEngine(count)
