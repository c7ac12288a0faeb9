"""One episode told turn by turn, as plain lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from heron.contracts import EpisodeRecord, Execution, ObserverAnswer, Scores, TurnRecord, UserStep
from heron.eval.report import why

INDENT = " " * 8


def tell(episode: EpisodeRecord) -> Iterator[str]:
    """The lines of the story."""
    config = episode.config
    yield f"{episode.scenario} (seed {episode.seed}, {episode.type}, {episode.kind})"
    yield f"observer {config.observer}, executor {config.executor}, user {config.user}"
    for turn in episode.turns:
        yield ""
        yield from _turn(turn)
    yield ""
    yield from _end(episode)


def _turn(turn: TurnRecord) -> Iterator[str]:
    yield f"{turn.turn:>2}  {turn.time:%H:%M:%S}  {turn.view.app}: {turn.view.title}"
    for preview in turn.previews:
        yield f"{INDENT}notification  {preview.app}: {preview.title}: “{preview.preview}”"
    yield f"{INDENT}user          {_step(turn.step)}" + (f"  [{turn.error}]" if turn.error else "")
    if turn.decision is not None and turn.decision.answer in ("accept", "reject"):
        decision = turn.decision
        yield f"{INDENT}answer        {decision.answer}s {decision.proposal_id}: {decision.reason}"
    if turn.expired is not None:
        yield f"{INDENT}expired       {turn.expired}"
    if turn.execution is not None:
        yield from _execution(turn.execution)
    for answer in turn.observer:
        yield f"{INDENT}observer      {_answer(answer.answer)}"
    if turn.proposal is not None:
        refs = ", ".join(f"{line.ref} {line.kind}" for line in turn.proposal.evidence)
        yield f"{INDENT}proposal      {turn.proposal.proposal_id} rests on {refs or 'nothing'}"


def _step(step: UserStep) -> str:
    move = step.move
    looking = " (to look first)" if step.looking else ""
    repaired = f" [after {step.invalid} that were no legal move]" if step.invalid else ""
    if move.type == "act":
        arguments = ", ".join(f"{name}={value}" for name, value in move.arguments.items())
        why = f" – {step.note}" if step.note else ""
        return f"{move.app}.{move.action}({arguments}){looking}{why}{repaired}"
    if move.type == "answered":
        return f"answers: {move.answer}{repaired}"
    if move.type == "reply":
        return f"replies: {move.text}{repaired}"
    return "does nothing" + (f" ({step.note})" if step.note else "") + repaired


def _execution(execution: Execution) -> Iterator[str]:
    for result in execution.calls:
        arguments = ", ".join(f"{k}={v!r}" for k, v in result.call.arguments.items())
        end = "ok" if result.ok else f"refused: {result.error}"
        yield f"{INDENT}executor      {result.call.name}({arguments}) → {end}"
    yield f"{INDENT}executor      {execution.end}: {execution.message}"


def _answer(answer: ObserverAnswer) -> str:
    scores = f"  {_scores(answer.scores)}" if answer.scores else ""
    if answer.type == "look":
        arguments = ", ".join(f"{k}={v}" for k, v in answer.call.arguments.items())
        return f"looks: {answer.call.name}({arguments}){scores}"
    if answer.type == "propose":
        return f"proposes: “{answer.text}” plan {', '.join(answer.plan) or 'none'}{scores}"
    return answer.type + ("s" if answer.type == "wait" else "") + scores


def _scores(scores: Scores) -> str:
    return f"[wait {scores.wait:.2f}, look {scores.look:.2f}, propose {scores.propose:.2f}]"


def _end(episode: EpisodeRecord) -> Iterator[str]:
    reason = why(episode)
    yield f"{episode.verdict.outcome}" + (f": {reason}" if reason else "")
    for check in episode.verdict.checks:
        mark = "passed" if check.passed else "FAILED"
        yield f"  {check.name:<11}{mark}" + (f"  {check.detail}" if check.detail else "")
    steps = episode.costs.steps
    wall = sum(step.wall_s for step in steps)
    tokens = [step.evaluated for step in steps if step.evaluated is not None]
    yield (
        f"  {len(steps)} decisions in {wall:.2f} s, {sum(tokens)} tokens evaluated, "
        f"{sum(use.bytes_out for use in episode.costs.usage)} bytes to the executor's model"
    )
    simulator = episode.costs.simulator
    if simulator is not None:
        spent = sum(step.wall_s for step in simulator.steps)
        yield (
            f"  the user's model: {len(simulator.steps)} steps in {spent:.2f} s, "
            f"{simulator.usage.tokens_in} tokens in, {simulator.usage.tokens_out} out "
            f"(the simulator's, not the device's)"
        )
