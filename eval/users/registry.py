"""The table of simulated users. What it does not know: how they judge."""

from __future__ import annotations

from collections.abc import Callable

from heron.protocols import User
from heron.registry import Registry
from heron.scenarios.stage import Stage

UserFactory = Callable[[Stage, str], User]
"""Makes an episode's user from its stage and what stands after the colon."""


class OwnProcess:
    """Stands in the table for users that are models."""


MODEL = OwnProcess()

USERS: Registry[UserFactory | OwnProcess] = Registry(
    "user",
    "heron.users",
    {
        "scripted": "heron.eval.users.scripted:make",
        "gguf": "heron.eval.users.registry:MODEL",
        "litellm": "heron.eval.users.registry:MODEL",
    },
)
