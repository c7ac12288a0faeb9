"""``heron users judge``: put recorded decision points before another user and tell how they agree.

What it does not know: how points are read, asked and counted (see ``heron.eval.judging``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli import options
from heron.cli.columns import columns
from heron.errors import InputError

if TYPE_CHECKING:
    from heron.eval.judging.judge import Judgement, JudgementStore
    from heron.eval.judging.points import DecisionPoint

HELP = """Put recorded decision points before a user and tell how far it agrees with the record.

A line that is no decision point is told by its number, and the others are judged all the same; the
exit code is then 2. Ctrl-C keeps what is done. With --out each judgement is on disk before the next
begins, and a second call with the same --out goes on where the first ended.
See docs/decision-points.md.

Examples:

  heron users judge points.jsonl --user gguf:qwen2.5-coder-0.5b-instruct-q4_k_m

  heron users judge points.jsonl --user litellm:openai/gpt-5-mini --out judged.jsonl --json

  heron users judge points.jsonl --user scripted:strict
"""

UserOption = Annotated[
    str,
    typer.Option(
        "--user",
        help="gguf:<model>, litellm:<model>, or scripted[:persona] for points of Heron's episodes.",
    ),
]


def judge(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Decision points, JSON lines.")],
    user: UserOption,
    threads: options.Threads = 1,
    window: Annotated[
        int, typer.Option("--window", min=512, max=32768, help="Tokens of a local model's context.")
    ] = 4096,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first N points.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Append each judgement to this file as it comes.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the bootstrap.")] = 0,
    as_json: options.Json = False,
) -> None:
    """See ``HELP``."""
    from heron.eval.judging.judge import JudgementStore
    from heron.eval.judging.points import read_points

    points, bad = read_points(file, limit)
    for line in bad:
        typer.echo(f"heron: {file}:{line.number}: no decision point: {line.problem}", err=True)
    if not points:
        raise InputError(f"{file} holds no decision points; see docs/decision-points.md")
    with JudgementStore(out) if out is not None else nullcontext() as store:
        judging = Judging(points, user, store)
        try:
            judging.run(threads, window)
        finally:
            # Also after Ctrl-C: what was judged is counted and shown.
            if judging.done:
                _show(judging.results(seed), as_json=as_json)
    if bad:
        raise typer.Exit(InputError.exit_code)
    if all(judgement.fault for judgement in judging.done):
        raise typer.Exit(1)


class Judging:
    """The points of a file on their way through a user.

    Args:
        points: in this order.
        user: the user's spec.
        store: where judgements go, and where those of an earlier call are.
    """

    def __init__(
        self, points: Sequence[DecisionPoint], user: str, store: JudgementStore | None
    ) -> None:
        self.points, self.user, self.store = points, user, store
        kept = [store.of(point, user) if store else None for point in points]
        self.done: list[Judgement] = [judgement for judgement in kept if judgement is not None]
        self.left = [p for p, judgement in zip(points, kept, strict=True) if judgement is None]
        self.kept = len(self.done)
        """How many an earlier call had done."""
        self.info: dict[str, Any] = {}
        self.memory: dict[str, Any] | None = None

    def run(self, threads: int, window: int) -> None:
        """Judge what is left."""
        from heron.cli.progress import counting
        from heron.eval.judging.answerers import answerer_of
        from heron.eval.judging.judge import judge as judge_point

        if not self.left:
            return
        answerer = answerer_of(self.user, self.left, threads=threads, window=window)
        self.info = answerer.info
        try:
            with counting(len(self.left), "judging", lambda _: "judging", _said) as told:
                for point in self.left:
                    judgement = judge_point(point, self.user, answerer)
                    if self.store is not None:
                        self.store.append(judgement)
                    self.done.append(judgement)
                    told(judgement)
        finally:
            self.memory = answerer.memory().model_dump(mode="json")
            answerer.close()

    def results(self, seed: int) -> dict[str, Any]:
        """All figures of what is done."""
        from heron.eval.judging.results import results
        from heron.models.machine import machine_line

        return {
            "user": self.user,
            "of_points": len(self.points),
            "kept": self.kept,
            **results(self.done, seed=seed),
            "memory": self.memory,
            "model": self.info,
            "machine": machine_line(),
        }


def _show(results: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(results, indent=2, ensure_ascii=False))
        return
    from heron.eval.judging.table import confusion_rows, facts, group_rows

    done, planned = results["points"], results["of_points"]
    typer.echo(f"{results['user']}" + ("" if done == planned else f": {done} of {planned} points"))
    typer.echo(columns(facts(results)))
    typer.echo("")
    _table(confusion_rows(results))
    for key, heading in (("by_user", "RECORDED USER"), ("by_observer", "PROPOSED BY")):
        typer.echo("")
        _table(group_rows(results[key], heading))


def _table(rows: Sequence[tuple[str, ...]]) -> None:
    typer.echo(columns(rows, right=range(1, len(rows[0]))))


def _said(judgement: Judgement) -> str:
    """A judgement in a line, for logs."""
    said = judgement.said or f"no answer: {judgement.problem}"
    return f"{judgement.point_id}: recorded {judgement.recorded}, said {said}"
