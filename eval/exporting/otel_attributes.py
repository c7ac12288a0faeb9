"""What Heron's spans say, in the attributes of the semantic conventions for generative AI.

Attributes of Heron's own begin with ``heron.``; one that is ``None`` is left out. What it does not
know: OpenTelemetry's library.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from heron.contracts import EpisodeRecord, StepCost
from heron.eval.exporting.stored import Stored
from heron.eval.exporting.tokens import Tokens
from heron.registry import split_spec

Attributes = dict[str, Any]

LOCAL = "llama.cpp"
"""The conventions know no provider for a model in this process; a name of one's own is allowed."""
OWN = "heron"


def resource_of(own: Stored) -> Attributes:
    """What all of a configuration's spans have in common: where they come from."""
    last = own.sessions[-1] if own.sessions else None
    config = own.config.model_dump(mode="json", exclude_none=True)
    found: Attributes = {
        "service.name": "heron",
        **{f"heron.config.{key}": value for key, value in config.items()},
        **{f"heron.model.{role}.sha256": sha256 for role, sha256 in sorted(own.models.items())},
    }
    if last is not None:
        found |= {
            "service.version": last.heron,
            "heron.command": last.command,
            "heron.python": last.python,
            "heron.device": f"{last.device.processor}, {last.device.cores_usable} cores",
            "os.description": last.device.system,
        }
        if last.git.commit is not None:
            found |= {
                "vcs.ref.head.revision": last.git.commit,
                "heron.git.dirty": bool(last.git.dirty),
            }
    return found


def episode_attributes(episode: EpisodeRecord) -> Attributes:
    """What an episode was."""
    found, costs = episode.assessment, episode.costs
    return {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": episode.scenario,
        "gen_ai.conversation.id": f"{episode.scenario}#{episode.seed}",
        "heron.scenario": episode.scenario,
        "heron.scenario_hash": episode.scenario_hash,
        "heron.type": episode.type,
        "heron.kind": episode.kind,
        "heron.family": found.family if found else None,
        "heron.part": found.part if found else None,
        "heron.seed": episode.seed,
        "heron.run": episode.run,
        "heron.code": episode.code,
        "heron.outcome": episode.verdict.outcome,
        "heron.egress_before_accept": costs.egress_before_accept,
    }


def model_attributes(spec: str, asked: str | None) -> Attributes:
    """Provider and model of a part, as far as its name says."""
    name, argument = split_spec(spec)
    model = argument.partition("?")[0].partition("#")[0]
    if name == "litellm" and model:
        provider, slash, _ = model.partition("/")
        return {
            "gen_ai.provider.name": provider if slash else name,
            "gen_ai.request.model": model,
        }
    if asked is not None or (name == "gguf" and model):
        return {"gen_ai.provider.name": LOCAL, "gen_ai.request.model": asked or model}
    return {"gen_ai.provider.name": OWN}


def usage_attributes(tokens: Tokens | None) -> Attributes:
    """Tokens; as the conventions want it, those that were kept from before count as input."""
    if tokens is None:
        return {}
    return {
        "gen_ai.usage.input_tokens": tokens.read,
        "gen_ai.usage.cache_read.input_tokens": tokens.reused,
        "gen_ai.usage.output_tokens": tokens.out,
    }


def cost_attributes(cost: StepCost | None) -> Attributes:
    """What an answer cost, as far as it was measured."""
    if cost is None:
        return {}
    return {
        "heron.cpu_s": cost.cpu_s,
        "heron.queued_s": cost.queued_s,
        "heron.first_token_s": cost.first_token_s,
        "heron.woken": cost.woken,
        "heron.joules": cost.energy.joules if cost.energy is not None else None,
    }


def message_attributes(way: str, role: str, text: str | None) -> Attributes:
    """A message in the conventions' JSON; none without a text."""
    if not text:
        return {}
    message = {"role": role, "parts": [{"type": "text", "content": text}]}
    if way == "output":
        message["finish_reason"] = "stop"
    return {f"gen_ai.{way}.messages": as_json([message])}


def as_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """Compact JSON, for attributes that hold a structure."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
