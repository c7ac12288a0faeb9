"""Measures models on the made-up streams and writes the observer's default settings.

    python -m tests.observer.measure MODEL [MODEL …] [--write]

For each model, one thread: the scores at every step where the observer waits throughout, how well
they tell steps that call for help from others (AUROC), the thresholds that serve the streams best,
and what the observer then says. ``--write`` puts the result into ``observer/data``. The streams are
few and were also used to word the prompt: the figures choose settings, they prove nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.observer.streams import Stream, streams

from heron.contracts import AnswerSeen, Propose, Scores
from heron.models.decision import LlamaDecisionModel, load_decision_model
from heron.observer.decide import OPTIONS, Thresholds, shares
from heron.observer.encode import Told, encode
from heron.observer.gguf import GgufObserver
from heron.observer.prompt import ordinary, prompt
from heron.observer.settings import GgufSettings

TABLE = Path(__file__).parents[2] / "observer" / "data" / "thresholds.json"
COMMAND = "python -m tests.observer.measure --write"
GRID = tuple(round(0.01 * 1.12**power, 4) for power in range(40))
DISTURBED = 0.5
"""What a stream disturbed costs, if one helped is worth 1."""
WINDOW = 2
"""Steps after the wanted one in which an offer is still of use."""


class Step(NamedTuple):
    """What a model made of one step."""

    stream: Stream
    position: int
    logprobs: tuple[float, ...]
    baseline: tuple[float, ...]
    cpu_s: float
    evaluated: int

    @property
    def is_wanted(self) -> bool:
        return self.position == self.stream.wanted

    @property
    def is_quiet(self) -> bool:
        return self.stream.wanted is None or self.position < self.stream.wanted

    @property
    def has_note(self) -> bool:
        return any(seen.type == "notification" for seen in self.stream.steps[self.position])

    def shares(self, contrast: bool) -> Scores:
        return shares(self.logprobs, self.baseline if contrast else None)


def score_steps(model: LlamaDecisionModel) -> list[Step]:
    """Scores of all steps, waiting at each."""
    words = prompt()
    model.begin(words.system, words.examples)
    curve = []
    for delta in ordinary():
        model.extend(delta)
        curve.append(model.option_logprobs(OPTIONS))
        model.choose("wait")
    steps = []
    for stream in streams():
        model.begin(words.system, words.examples)
        told = Told()
        for index in range(len(stream.steps)):
            model.take_cost()
            delta, told = encode(stream.observation(index), told)
            model.extend(delta)
            logprobs = model.option_logprobs(OPTIONS)
            cost = model.take_cost()
            baseline = curve[min(index, len(curve) - 1)]
            steps.append(
                Step(stream, index, logprobs, baseline, cost.cpu_s or 0.0, cost.evaluated or 0)
            )
            model.choose("wait")
    return steps


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Share of pairs in the right order."""
    pairs = [(p > n) + 0.5 * (p == n) for p in positive for n in negative]
    return round(sum(pairs) / len(pairs), 3)


def separation(steps: Sequence[Step], contrast: bool) -> dict[str, float]:
    """AUROC of the share of look and propose: against all quiet steps, and those with a note."""
    score = {id(step): 1.0 - step.shares(contrast).wait for step in steps}
    wanted = [score[id(step)] for step in steps if step.is_wanted]
    quiet = [score[id(step)] for step in steps if step.is_quiet]
    notes = [score[id(step)] for step in steps if step.is_quiet and step.has_note]
    return {"all": auroc(wanted, quiet), "notifications": auroc(wanted, notes)}


def utility(steps: Sequence[Step], threshold: float, contrast: bool) -> float:
    """Streams helped in time, minus ``DISTURBED`` for each disturbed before or without need."""
    total = 0.0
    for stream in streams():
        own = [step for step in steps if step.stream is stream]
        spoken = [step.position for step in own if step.shares(contrast).propose >= threshold]
        wanted = stream.wanted
        total -= DISTURBED * any(wanted is None or index < wanted for index in spoken)
        total += wanted is not None and any(wanted <= i <= wanted + WINDOW for i in spoken)
    return total


def best_thresholds(steps: Sequence[Step], contrast: bool) -> tuple[Thresholds, float]:
    """For proposals the threshold of the highest utility; of several the middle one.

    For looks the lowest from 0.4 on at which at most a tenth of the quiet steps is looked at.
    """
    found: dict[float, list[float]] = {}
    for threshold in GRID:
        found.setdefault(utility(steps, threshold, contrast), []).append(threshold)
    best = max(found)
    looks = sorted(step.shares(contrast).look for step in steps if step.is_quiet)
    look = max(0.4, round(looks[int(len(looks) * 0.9)], 2))
    propose = found[best][len(found[best]) // 2]
    return Thresholds(propose=propose, look=look), best


def play(model: LlamaDecisionModel, settings: GgufSettings) -> tuple[list[str], dict[str, Any]]:
    """Lets the observer watch every stream: what it said, and how often rightly."""
    observer = GgufObserver(model, settings)
    told: list[str] = []
    counts = {"in_time": 0, "disturbed": 0, "looks": 0}
    cpu = []
    for stream in streams():
        early = hit = False
        ended: tuple[AnswerSeen, ...] = ()
        for index in range(len(stream.steps)):
            seen = stream.observation(index)
            seen = seen.model_copy(update={"new": (*ended, *seen.new)})
            ended = ()
            while True:
                answer = observer.observe(seen)
                cpu.append(model.take_cost().cpu_s or 0.0)
                if answer.type != "look":
                    break
                counts["looks"] += 1
                told.append(f"{stream.name} {index} look {answer.call.model_dump_json()}")
                seen = seen.model_copy(
                    update={
                        "step": seen.step + 1,
                        "looks_left": seen.looks_left - 1,
                        "new": (stream.look(answer.call),),
                        "brief": None,
                    }
                )
            if isinstance(answer, Propose):
                in_time = stream.wanted is not None and 0 <= index - stream.wanted <= WINDOW
                early |= stream.wanted is None or index < stream.wanted
                hit |= in_time
                ended = (AnswerSeen(proposal_id="p", answer="reject"),)
                mark = "+" if in_time else "-"
                told.append(
                    f"{mark} {stream.name} {index} {answer.text} {answer.plan} {answer.refs}"
                )
        counts["in_time"] += hit
        counts["disturbed"] += early
    return told, {**counts, "cpu_s_per_answer": round(statistics.mean(cpu), 3)}


def measure(name: str, window: int) -> tuple[list[str], dict[str, Any]]:
    """One model's row of the table, and what it said."""
    model = load_decision_model(name, window=window)
    try:
        steps = score_steps(model)
        separations = {str(c).lower(): separation(steps, c) for c in (False, True)}
        options = {c: best_thresholds(steps, c) for c in (False, True)}
        contrast = options[True][1] > options[False][1]
        settings = GgufSettings(thresholds=options[contrast][0], contrast=contrast)
        told, played = play(model, settings)
        figures = {
            "streams_with_need": sum(s.wanted is not None for s in streams()),
            "streams_without": sum(s.wanted is None for s in streams()),
            "auroc_plain": separations["false"],
            "auroc_contrast": separations["true"],
            "utility": options[contrast][1],
            "tokens_per_delta": statistics.median(step.evaluated for step in steps),
            "cpu_s_per_decision": round(statistics.median(step.cpu_s for step in steps), 3),
            "played": played,
        }
        row = {"settings": settings.model_dump(mode="json"), "figures": figures}
        return told, row
    finally:
        model.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--window", type=int, default=4096)
    options = parser.parse_args()
    for name in options.models:
        told, row = measure(name, options.window)
        print("\n".join([name, *told, json.dumps(row, indent=1)]), flush=True)
        if options.write:
            table = json.loads(TABLE.read_text("utf-8"))
            if table["prompt"] != prompt().digest:
                table["models"] = {}
            table.update(prompt=prompt().digest, command=COMMAND)
            table["models"][name] = row
            table["models"] = dict(sorted(table["models"].items()))
            TABLE.write_text(json.dumps(table, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
