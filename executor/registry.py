"""The table of executors, and how one is made from its name.

What it does not know: how a ``ChatModel`` is made from a name, and in which process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from heron.errors import InputError
from heron.executor.baselines import NoExecutor, OracleExecutor, Reference
from heron.executor.boundary import Boundary
from heron.protocols import ChatModel, Executor
from heron.registry import Registry, split_spec


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What the harness hands to an executor that is being made."""

    argument: str = ""
    """What stands after the colon: ``gpt-5`` in ``litellm:gpt-5``."""
    model: ChatModel | None = None
    reference: Reference | None = None
    boundary: Boundary = field(default_factory=Boundary)


@dataclass(frozen=True, kw_only=True)
class ExecutorKind:
    """An executor as the table holds it.

    Third parties register one by an entry point of the group ``heron.executors``.
    """

    build: Callable[[Parts], Executor]
    needs: Literal["nothing", "reference", "model"] = "nothing"
    """Which of the parts has to be there."""
    in_harness: bool = False
    """Runs in the harness; otherwise in a process of its own, started at the first grant."""


EXECUTORS: Registry[ExecutorKind] = Registry(
    "executor",
    "heron.executors",
    {
        "none": "heron.executor.registry:NONE",
        "oracle": "heron.executor.registry:ORACLE",
        "litellm": "heron.executor.registry:LITELLM",
        "gguf": "heron.executor.registry:GGUF",
    },
)


def build_executor(
    spec: str,
    *,
    model: ChatModel | None = None,
    reference: Reference | None = None,
    boundary: Boundary | None = None,
) -> Executor:
    """The executor that ``spec`` names, made of the parts given.

    Args:
        spec: ``none``, ``oracle``, ``litellm:<model>``, ``gguf:<name>`` or a registered name.
        model: the chat model that ``spec`` names, for the kinds that need one.
        reference: the episode's reference solution, for ``oracle``.
        boundary: what reaches the model; everything, if not given.

    Raises:
        UnknownName: there is no such executor.
        InputError: the part that it needs was not given.
    """
    name, argument = split_spec(spec)
    kind = EXECUTORS.get(name)
    parts = Parts(
        argument=argument, model=model, reference=reference, boundary=boundary or Boundary()
    )
    if kind.needs != "nothing" and getattr(parts, kind.needs) is None:
        raise InputError(f"executor {spec!r} needs a {kind.needs}, and none was given")
    return kind.build(parts)


def _none(_parts: Parts) -> Executor:
    return NoExecutor()


def _oracle(parts: Parts) -> Executor:
    assert parts.reference is not None  # noqa: S101  (needs: reference)
    return OracleExecutor(parts.reference)


def _litellm(parts: Parts) -> Executor:
    # Not before it is used: the harness reads this table and never runs the loop.
    from heron.executor.loop import LoopExecutor

    assert parts.model is not None  # noqa: S101  (needs: model)
    return LoopExecutor(parts.model, boundary=parts.boundary)


def _gguf(parts: Parts) -> Executor:
    from heron.executor.loop import LoopExecutor
    from heron.executor.offers import Planned

    assert parts.model is not None  # noqa: S101  (needs: model)
    return LoopExecutor(parts.model, offer=Planned(steady=True), boundary=parts.boundary)


NONE = ExecutorKind(build=_none, in_harness=True)
ORACLE = ExecutorKind(build=_oracle, needs="reference", in_harness=True)
LITELLM = ExecutorKind(build=_litellm, needs="model")
GGUF = ExecutorKind(build=_gguf, needs="model")
