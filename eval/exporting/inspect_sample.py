"""The parts of an Inspect sample that are no chat: scores, error, output, metadata; plain JSON.

What it does not know: Inspect's library.
"""

from __future__ import annotations

from heron.contracts import EpisodeRecord
from heron.eval.attribution import attribute
from heron.eval.exporting.inspect_messages import Chat, Json
from heron.eval.exporting.wording import verdict_words

SCORER = "heron"
VERDICT, CAUSE = "verdict", "cause"


def scores_of(episode: EpisodeRecord) -> dict[str, Json]:
    """Verdict and cause; in Inspect's letters for right and wrong, which its pages colour."""
    passed = episode.verdict.passed and episode.fault is None
    cause = attribute(episode)
    scores: dict[str, Json] = {
        VERDICT: {
            "value": "C" if passed else "I",
            "answer": episode.verdict.outcome,
            "explanation": verdict_words(episode),
            "metadata": {
                "checks": [check.model_dump(mode="json") for check in episode.verdict.checks]
            },
        }
    }
    if cause is not None:
        scores[CAUSE] = {
            "value": cause.cause,
            "answer": cause.what,
            "explanation": cause.detail,
        }
    return scores


def error_of(episode: EpisodeRecord) -> Json | None:
    """A part that broke."""
    if episode.fault is None:
        return None
    fault = episode.fault
    text = f"{fault.part} broke in turn {fault.turn}: {fault.message}"
    return {"message": text, "traceback": text, "traceback_ansi": text}


def output_of(chat: Chat) -> Json:
    """The last offer or report: what the user got of it."""
    said = [m for m in chat.messages if m["role"] == "assistant" and m["content"]]
    told = [m for m in said if m.get("metadata", {}).get("answer") not in ("wait", "withdraw")]
    for message in (told or said)[-1:]:
        return {
            "model": message["model"],
            "choices": [{"message": message, "stop_reason": "stop"}],
        }
    return {}


def metadata_of(episode: EpisodeRecord) -> Json:
    """What the episode was, and which code and model files played it."""
    found, models = episode.assessment, episode.models
    return {
        "scenario": episode.scenario,
        "scenario_hash": episode.scenario_hash,
        "type": episode.type,
        "kind": episode.kind,
        "family": found.family if found else None,
        "part": found.part if found else None,
        "apps": list(found.apps) if found else None,
        "seed": episode.seed,
        "run": episode.run,
        "outcome": episode.verdict.outcome,
        "code": episode.code,
        "models": models,
        "state": episode.state,
        "egress_before_accept": episode.costs.egress_before_accept,
    }
