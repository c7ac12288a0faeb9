"""Names of configurations: what all have in common is said once, what differs stands in each name.

What it does not know: episodes, figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from heron.contracts import EpisodeConfig
from heron.eval.reporting.drawing import Mark
from heron.eval.reporting.material import Played

FIELDS = tuple(EpisodeConfig.model_fields)
KNOWN_KINDS = ("gguf:", "litellm:")
"""Left out of names; ``calibrated:`` and the like say something about the observer."""
HASH = 8


def marks_of(played: Sequence[Played]) -> list[Mark]:
    """A letter and a name for each, in order."""
    return [
        Mark(
            key=letter(place),
            name=short(one.config.observer),
            place=place,
            sub=", ".join(_settings(one, played)),
        )
        for place, one in enumerate(played)
    ]


def letter(place: int) -> str:
    """A to Z, then A2 to Z2, and so on."""
    turn, at = divmod(place, len(ascii_uppercase))
    return ascii_uppercase[at] + (str(turn + 1) if turn else "")


def short(spec: str) -> str:
    """A model's name without the kind that goes without saying."""
    for kind in KNOWN_KINDS:
        if spec.startswith(kind):
            return spec.removeprefix(kind)
    return spec


def shared(played: Sequence[Played]) -> str:
    """What all configurations have in common, as a list in words."""
    config = played[0].config
    common = [
        said(name, getattr(config, name))
        for name in FIELDS
        if name != "observer" and not _differs(name, played)
    ]
    return ", ".join(one for one in common if one)


def _settings(one: Played, played: Sequence[Played]) -> list[str]:
    differing = [name for name in FIELDS if name != "observer" and _differs(name, played)]
    told = [said(name, getattr(one.config, name)) for name in differing]
    told = [words for words in told if words]
    twins = [other for other in played if other.config == one.config and other is not one]
    told += [f"{role} model {digest[:HASH]}" for role, digest in one.models.items() if twins]
    return told


def _differs(name: str, played: Sequence[Played]) -> bool:
    return any(getattr(one.config, name) != getattr(played[0].config, name) for one in played)


def said(name: str, value: Any, *, bare: bool = True) -> str:
    """A setting in words; empty for what is usual, where ``bare``."""
    if bare and name in _USUAL and value == _USUAL[name]:
        return ""
    return _WORDS[name](value) if name in _WORDS else f"{name.replace('_', ' ')} {value}"


_USUAL = {
    name: field.default
    for name, field in EpisodeConfig.model_fields.items()
    if not field.is_required() and name != "turns"
}
_WORDS: dict[str, Any] = {
    "observer": lambda value: f"observer {short(value)}",
    "executor": lambda value: f"executor {short(value)}",
    "user": lambda value: f"user {short(value)}",
    "turns": lambda value: f"{value} turns",
    "clock": lambda value: f"{value} clock",
    "max_looks": lambda value: f"up to {value} looks",
    "max_steps": lambda value: f"up to {value} steps",
    "background": lambda value: f"{value or 'own'} phone",
    "tool_failure": lambda value: f"tools fail {value:.0%}",
    "lasting_failures": lambda value: f"{value:.0%} of failures lasting",
    "tool_latency_s": lambda value: f"tools take {value:g} s",
    "events_per_minute": lambda value: f"{value:g} events/min",
}
