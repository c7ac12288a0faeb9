"""Writes one scenario: asks stage by stage, sends answers back with what was found wrong.

After each answer everything written so far is judged. The first stage with findings is asked again,
also when a later one brought them to light; when nothing is left to ask, the proof judges. What it
does not know: model libraries, episodes, where drafts are kept.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from heron.errors import ModelFault
from heron.protocols import ChatModel
from heron.scenarios.document import Problem
from heron.scenarios.generator import prompts
from heron.scenarios.generator.answers import STAGES, Answer, StageName, owner_of, schema_of
from heron.scenarios.generator.assembly import assemble
from heron.scenarios.generator.journal import Journal
from heron.scenarios.generator.judging import (
    Finding,
    Known,
    findings,
    place,
    scenario_of,
    wrong_form,
)
from heron.scenarios.generator.request import Request
from heron.scenarios.schema import Scenario
from heron.scenarios.writing import write

Prove = Callable[[Scenario], Sequence[Problem]]
"""What survives of a scenario's mutants, each with its place in the file."""
AVOIDED = 8
"""Summaries of the same kind that a model is told so that it thinks of something else."""
MOST_TOLD = 8
"""Findings that are sent back at once."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """A step of the making, for whoever waits."""

    stage: str
    """A stage, or ``proof``."""
    seconds: float | None
    """That the model took; ``None`` where an answer was played back."""
    findings: int


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What the making of one scenario may take."""

    repairs: int = 3
    """Of each stage."""
    tokens: int = 2048
    """Of each answer."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What came out."""

    state: Literal["ready", "failed"]
    """``ready``: loads, and the checks find nothing."""
    id: str | None
    text: str | None
    """Of the file, as far as it got."""
    reasons: tuple[str, ...] = ()
    """Why it failed."""
    survivors: tuple[str, ...] = ()
    """What the proof still finds in a ready one."""
    stage: str = "proof"
    """The last stage that was reached."""
    repairs: dict[str, int]


class Writing:
    """One scenario in the making.

    Args:
        request: what it is to be.
        model: who writes.
        journal: of its answers; its head gives what the file's provenance says.
        known: what it may not repeat.
        prove: judges a finished one.
        limits: what it may take.
        told: told of each step.
    """

    def __init__(
        self,
        request: Request,
        model: ChatModel,
        journal: Journal,
        known: Known,
        prove: Prove,
        *,
        limits: Limits = Limits(),
        told: Callable[[Told], None] = lambda _: None,
    ) -> None:
        self._request, self._model, self._journal = request, model, journal
        self._known, self._prove, self._limits, self._told = known, prove, limits, told
        self._answers: dict[StageName, Answer] = {}
        self._written: dict[StageName, str] = {}
        self._prompts: dict[StageName, list[prompts.Message]] = {}
        self._repairs: Counter[str] = Counter()
        self._best: Draft | None = None
        self._asked = ""
        self._stuck = False

    def finish(self) -> Draft:
        """Write it.

        Raises:
            RemoteFault: the model cannot be reached; what was written so far is in the journal.
        """
        found: list[Finding] = []
        while True:
            missing = next((stage for stage in STAGES if stage not in self._answers), None)
            if found:
                stage = found[0].stage
                if self._stuck or self._repairs[stage] >= self._limits.repairs:
                    return self._end(found)
                found = self._again(stage, found)
            elif missing is not None:
                # A copy shows as soon as the texts are there; the rest need not be written.
                repeated = self._repeated() if missing == "solution" else []
                if repeated:
                    return self._end(repeated)
                found = self._first(missing)
            else:
                found, over = self._complete()
                if over:
                    return self._end(found)

    # --- one step -------------------------------------------------------------------------------

    def _first(self, stage: StageName) -> list[Finding]:
        """Ask for a stage; what is wrong with all that is written then."""
        avoid = self._known.summaries.get(self._request.kind, [])[-AVOIDED:]
        self._prompts[stage] = prompts.messages(stage, self._request, self._answers, avoid)
        return self._ask(stage, self._prompts[stage])

    def _again(self, stage: StageName, found: Sequence[Finding]) -> list[Finding]:
        """Send a stage's answer back. The same answer once more is the end: nothing new comes."""
        self._repairs[stage] += 1
        before = self._written[stage]
        texts = [finding.text for finding in found if finding.stage == stage][:MOST_TOLD]
        found = self._ask(stage, [*self._prompts[stage], *prompts.repair(before, texts)])
        self._stuck = self._written[stage] == before
        return found

    def _ask(self, stage: StageName, sent: list[prompts.Message]) -> list[Finding]:
        """One answer, kept if its form is right."""
        self._asked, self._stuck = stage, False
        line, new = self._answered(stage, sent)
        self._written[stage] = line.get("answer", "")
        answer, found = _read(stage, line, self._request, self._answers)
        if answer is not None and not found:
            self._answers[stage] = answer
            found = findings(self._request, self._answers, self._known)
        self._told(Told(stage=stage, seconds=line["seconds"] if new else None, findings=len(found)))
        return found

    def _answered(
        self, stage: StageName, sent: list[prompts.Message]
    ) -> tuple[dict[str, Any], bool]:
        """The journal's line with the model's answer or fault, and whether it is a new one."""
        prompt = prompts.digest([sent])
        recalled = self._journal.recall(prompt)
        if recalled is not None:
            return recalled, False
        line: dict[str, Any] = {"stage": stage, "prompt": prompt}
        began = time.monotonic()
        tight = not self._model.remote
        schema = schema_of(stage, self._request, self._answers, tight=tight)
        try:
            reply = self._model.complete(sent, schema=schema, max_tokens=self._limits.tokens)
            line |= {"answer": reply.text, "in": reply.tokens_in, "out": reply.tokens_out}
            if reply.cost_usd is not None:
                line["usd"] = reply.cost_usd
        except ModelFault as fault:
            line["fault"] = str(fault)
        line["seconds"] = round(time.monotonic() - began, 1)
        self._journal.note(line)
        return line, True

    def _complete(self) -> tuple[list[Finding], bool]:
        """Prove what is finished; what survives, and whether nothing is left to do.

        The draft is kept if none before was better.
        """
        scenario = scenario_of(self._request, self._answers)
        repeated = self._repeated()
        if repeated:
            self._best = None
            return repeated, True
        found = [_finding(problem, self._answers) for problem in self._prove(scenario)]
        found.sort(key=lambda finding: STAGES.index(finding.stage))
        self._told(Told(stage="proof", seconds=None, findings=len(found)))
        if self._best is None or len(found) < len(self._best.survivors):
            self._best = self._draft("ready", survivors=[finding.text for finding in found])
        return found, not found

    def _repeated(self) -> list[Finding]:
        repeated = self._known.repeats(scenario_of(self._request, self._answers))
        return [Finding("idea", repeated)] if repeated is not None else []

    # --- the end --------------------------------------------------------------------------------

    def _end(self, found: Sequence[Finding]) -> Draft:
        """The best that passed the checks, or what there is with the reasons."""
        if self._best is not None:
            return self._best
        return self._draft("failed", reasons=[f"{one.stage}: {one.text}" for one in found])

    def _draft(
        self,
        state: Literal["ready", "failed"],
        *,
        reasons: Iterable[str] = (),
        survivors: Iterable[str] = (),
    ) -> Draft:
        idea = self._answers.get("idea")
        text = None
        if idea is not None:
            text = write(assemble(self._request, self._answers, self._provenance()))
        return Draft(
            state=state,
            id=idea["id"] if idea else None,
            text=text,
            reasons=tuple(reasons),
            survivors=tuple(survivors),
            stage="proof" if state == "ready" else self._asked,
            repairs=dict(self._repairs),
        )

    def _provenance(self) -> dict[str, Any]:
        head = self._journal.head
        return {
            "model": head["model"],
            "seed": self._request.seed,
            "number": self._request.number,
            "prompt": prompts.digest(self._prompts.values()),
            "heron": head["heron"],
            "date": head["date"],
            "repairs": dict(self._repairs),
        }


def _read(
    stage: StageName, line: dict[str, Any], request: Request, answers: Mapping[StageName, Answer]
) -> tuple[Answer | None, list[Finding]]:
    """An answer's data, and what is wrong with its form."""
    if "fault" in line:
        return None, [Finding(stage, f"{line['fault']}: write less")]
    try:
        answer = json.loads(line["answer"])
        # Half a character in an escape is JSON, but no text that a file can hold.
        json.dumps(answer, ensure_ascii=False).encode()
    except ValueError as error:
        return None, [Finding(stage, f"the answer is no JSON object: {error}")]
    return answer, wrong_form(stage, answer, request, answers)


def _finding(problem: Problem, answers: dict[StageName, Answer]) -> Finding:
    key = ".".join(map(str, problem.path))
    remedy = f" ({problem.remedy})" if problem.remedy else ""
    return Finding(owner_of(key), f"{place(key, answers)}: {problem.text}{remedy}")
