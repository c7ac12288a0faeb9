"""``heron scenarios generate``: let a model write scenarios into a review queue.

What it does not know: how they are written (see ``heron.scenarios.generator``) or proved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from filelock import FileLock, Timeout

from heron import __version__
from heron.cli.options import Json, Threads
from heron.errors import InputError, Unavailable

if TYPE_CHECKING:
    from heron.protocols import ChatModel
    from heron.scenarios.document import Problem
    from heron.scenarios.generator.judging import Known
    from heron.scenarios.generator.pipeline import Draft, Limits, Told
    from heron.scenarios.generator.queue import Entry, Queue
    from heron.scenarios.generator.request import Request
    from heron.scenarios.schema import Scenario

HELP = """Let a model write scenarios, stage by stage, into a folder to be reviewed.

What loads and passes the checks is ready for `heron scenarios review`; the rest is kept with
reasons. Every answer is on disk before the next is asked for; --resume goes on after a break.
See docs/authoring.md.

Examples:

  heron scenarios generate --model litellm:openai/gpt-5-mini --count 20

  heron scenarios generate --model gguf:qwen2.5-coder-1.5b-instruct-q4_k_m --kind lateness
"""

DEFAULT_QUEUE = Path("queue")
PROOF_SEEDS = 2


class Type(StrEnum):
    """Types of scenarios."""

    goal = "goal"
    quiet = "quiet"
    restraint = "restraint"


TypeOption = Annotated[
    Type | None,
    typer.Option(
        "--type", help="goal, quiet or restraint [the kind's, or goal].", show_default=False
    ),
]
KindOption = Annotated[str | None, typer.Option("--kind", help="A kind, such as lateness.")]
LocaleOption = Annotated[
    str | None, typer.Option("--locale", help="Of names and money, such as de_DE.")
]


def generate(
    model: Annotated[
        str, typer.Option("--model", help="litellm:<provider/model> or gguf:<name or path>.")
    ],
    count: Annotated[int, typer.Option("--count", min=1, max=10000, help="How many.")] = 1,
    type_: TypeOption = None,
    kind: KindOption = None,
    setting: Annotated[
        str | None, typer.Option("--setting", help="Whose life, such as student.")
    ] = None,
    locale: LocaleOption = None,
    seed: Annotated[int, typer.Option("--seed", help="Decides what is not given.")] = 0,
    out: Annotated[Path, typer.Option("--out", help="The queue's folder.")] = DEFAULT_QUEUE,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what was begun; skip what is finished.")
    ] = False,
    repairs: Annotated[
        int, typer.Option("--repairs", min=0, max=20, help="Repairs of each stage.")
    ] = 3,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=256, help="Tokens of an answer.")
    ] = 2048,
    window: Annotated[
        int, typer.Option("--window", min=2048, help="Tokens of a local model's context.")
    ] = 10240,
    threads: Threads = 1,
    as_json: Json = False,
) -> None:
    """See ``HELP``."""
    from heron.models.litellm_chat import chat_model
    from heron.scenarios.generator.pipeline import Limits
    from heron.scenarios.generator.queue import Queue
    from heron.scenarios.generator.request import draw

    given: dict[str, Any] = {
        "type_": type_.value if type_ else None,
        "kind": kind,
        "setting": setting,
        "locale": locale,
    }
    requests = [draw(seed, number, **given) for number in range(1, count + 1)]
    queue = Queue(out)
    with _alone(out):
        finished = _finished(queue, requests, resume=resume)
        left = [request for request in requests if request.key not in finished]
        run = _Run(
            queue,
            model,
            chat_model(model, threads=threads, window=window) if left else None,
            Limits(repairs=repairs, tokens=max_tokens),
        )
        entries = [finished.get(request.key) or run.write(request) for request in requests]
    if as_json:
        typer.echo(json.dumps([entry.model_dump(mode="json") for entry in entries], indent=2))
    else:
        for entry in entries:
            for line in told(entry):
                typer.echo(line)


def told(entry: Entry) -> list[str]:
    """An entry in lines."""
    if entry.state == "failed":
        lines = [f"{entry.key} failed at {entry.stage}: {entry.id or 'no idea came'}"]
        return [*lines, *(f"  {reason}" for reason in entry.reasons)]
    survived = f"{len(entry.survivors)} mutants survive" if entry.survivors else "nothing survives"
    lines = [f"{entry.key} {entry.state}: {entry.id} ({survived} its proof)"]
    return [*lines, *(f"  {survivor}" for survivor in entry.survivors)]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other process writes into the queue meanwhile; a killed one lets go by itself.

    Raises:
        InputError: one does.
        Unavailable: the folder cannot be made or written to.
    """
    lock = FileLock(folder / ".lock")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(f"another process generates into {folder}; give another --out") from None
    except OSError as error:
        raise Unavailable(f"cannot write to {folder}: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


def _finished(queue: Queue, requests: Sequence[Request], *, resume: bool) -> dict[str, Entry]:
    """Entries that are there; without ``--resume`` nothing may have been begun.

    Raises:
        InputError: something has.
    """
    if not resume:
        begun = [request.key for request in requests if queue.journal(request.key).exists()]
        if begun:
            raise InputError(
                f"{queue.folder} holds {begun[0]} already: --resume goes on with it, another "
                f"--seed or --out begins anew"
            )
    wanted = {request.key for request in requests}
    return {entry.key: entry for entry in queue.entries() if entry.key in wanted}


class _Run:
    """What all scenarios of one run share."""

    def __init__(self, queue: Queue, spec: str, model: ChatModel | None, limits: Limits) -> None:
        self._queue, self._spec, self._model, self._limits = queue, spec, model, limits
        self._known: Known | None = None

    def write(self, request: Request) -> Entry:
        """Write one and put it into the queue."""
        from heron.scenarios.generator.journal import Journal
        from heron.scenarios.generator.pipeline import Writing

        assert self._model is not None  # noqa: S101 - there is one where anything is left
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        head = {
            "model": self._spec,
            "request": request.model_dump(mode="json"),
            "heron": __version__,
            "date": today,
        }
        journal = Journal(self._queue.journal(request.key), head)
        known = self._known or _known(self._queue)
        self._known = known
        draft = Writing(
            request,
            self._model,
            journal,
            known,
            proves(),
            limits=self._limits,
            told=_Progress(request.key),
        ).finish()
        entry = self._queue.put(request.key, draft)
        self._learn(known, entry, draft)
        return entry

    def _learn(self, known: Known, entry: Entry, draft: Draft) -> None:
        from heron.scenarios.loader import load_file

        if draft.state == "ready":
            known.learn(load_file(self._queue.file_of(entry)))


def _known(queue: Queue) -> Known:
    """The suite, the examples that models are shown, and the queue."""
    from heron.scenarios.generator.examples import example_scenarios
    from heron.scenarios.generator.judging import Known
    from heron.scenarios.loader import load_suite

    known = Known()
    for scenario in example_scenarios():
        known.learn(scenario, f"the example {scenario.id!r}")
    for scenario in load_suite():
        known.learn(scenario)
    queue.learn(known)
    return known


def proves(seeds: int = PROOF_SEEDS) -> Callable[[Scenario], Sequence[Problem]]:
    """What survives of a scenario's mutants, each once."""
    from heron.eval.prover.prove import prove
    from heron.scenarios.document import Problem

    def survivors(scenario: Scenario) -> Sequence[Problem]:
        proof = prove(scenario, range(seeds))
        if proof.error is not None:
            return [Problem(("reference",), proof.error)]
        found: dict[tuple[Any, ...], Problem] = {}
        for trial in proof.trials:
            if trial.state == "survived":
                same = (trial.kind, trial.path, trial.remedy, trial.mutant.partition(":")[0])
                text = f"proof, {trial.kind}: {trial.mutant}: {trial.detail}"
                found.setdefault(same, Problem(trial.path, text, trial.remedy or None))
        return list(found.values())

    return survivors


class _Progress:
    """A line per answer, on stderr."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __call__(self, told: Told) -> None:
        time = f", {told.seconds:.0f} s" if told.seconds is not None else ""
        found = f"{told.findings} findings" if told.findings else "sound"
        typer.echo(f"{self._key} {told.stage}: {found}{time}", err=True)
