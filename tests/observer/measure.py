"""Measures models on the made-up streams and writes the observer's default settings.

    python -m tests.observer.measure MODEL [MODEL …] [--write]

For each model, one thread: the scores at every step where the observer waits throughout, how well
they tell steps that call for help from others (AUROC), the thresholds that serve the streams best
(the gate first, then what a proposal needs after a look), and what the observer then says.
``--write`` puts the settings into ``observer/data``. The streams are few and were also used to
word the prompt, and "helped" judges the moment, not the sentence: the figures choose settings,
they prove nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.observer.streams import Stream, streams

from heron.contracts import AnswerSeen
from heron.models.decision import LlamaDecisionModel, load_decision_model
from heron.observer.decide import OPTIONS, Thresholds, shares
from heron.observer.encode import Told, encode
from heron.observer.gguf import GgufObserver
from heron.observer.prompt import ordinary, prompt
from heron.observer.settings import GgufSettings

TABLE = Path(__file__).parents[2] / "observer" / "data" / "thresholds.json"
COMMAND = "python -m tests.observer.measure MODEL --write"
GRID = tuple(round(0.01 * 1.1**power, 4) for power in range(49))
DISTURBED = 0.5
"""What a stream disturbed costs, if one helped is worth 1."""


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

    def gate(self, contrast: bool) -> float:
        """What opens the gate: the share of look or of propose."""
        found = shares(self.logprobs, self.baseline if contrast else None)
        return max(found.look, found.propose)


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
    """AUROC of what opens the gate: against all quiet steps, and those with a notification."""
    gate = [(step, step.gate(contrast)) for step in steps]
    wanted = [score for step, score in gate if step.is_wanted]
    quiet = [score for step, score in gate if step.is_quiet]
    notes = [score for step, score in gate if step.is_quiet and step.has_note]
    return {"all": auroc(wanted, quiet), "notifications": auroc(wanted, notes)}


def utility(spoken: Collection[tuple[str, int]]) -> float:
    """Streams helped in time, minus ``DISTURBED`` for each disturbed before or without need.

    Args:
        spoken: (stream, step) pairs at which something would be said.
    """
    total = 0.0
    for stream in streams():
        steps = [step for name, step in spoken if name == stream.name]
        total -= DISTURBED * any(stream.is_early(step) for step in steps)
        total += any(stream.is_in_time(step) for step in steps)
    return total


def best(scored: Mapping[tuple[str, int], float]) -> tuple[float, float]:
    """The threshold of the highest utility, of several the middle one, and that utility."""
    found: dict[float, list[float]] = {}
    for threshold in GRID:
        spoken = [place for place, score in scored.items() if score >= threshold]
        found.setdefault(utility(spoken), []).append(threshold)
    highest = max(found)
    return found[highest][len(found[highest]) // 2], highest


def play(
    model: LlamaDecisionModel, settings: GgufSettings
) -> tuple[list[str], dict[tuple[str, int], float], dict[str, Any]]:
    """Lets the observer watch every stream; every offer is turned down.

    Returns:
        what it did, the share of "propose" by (stream, step) of its offers, and figures.
    """
    observer = GgufObserver(model, settings)
    told: list[str] = []
    offers: dict[tuple[str, int], float] = {}
    cpu, looks = [], 0
    for stream in streams():
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
                looks += 1
                told.append(f"  look {answer.call.name} {answer.call.arguments}")
                seen = stream.after_look(seen, answer.call)
            if answer.type == "propose" and answer.scores is not None:
                scores = answer.scores
                share = scores.propose / (scores.wait + scores.look + scores.propose)
                offers[stream.name, index] = share
                ended = (AnswerSeen(proposal_id="p", answer="reject"),)
                mark = "+" if stream.is_in_time(index) else "-"
                place = f"{mark} {share:.3f} {stream.name} {index}"
                told.append(f"{place}: {answer.text} {answer.plan} {answer.refs}")
            elif seen.step:
                told.append(f"  {stream.name} {index}: waits after all")
    return told, offers, {"looks": looks, "cpu_s_per_answer": round(statistics.mean(cpu), 3)}


def measure(name: str, window: int) -> tuple[list[str], dict[str, Any]]:
    """One model's row of the table, and what it said."""
    model = load_decision_model(name, window=window)
    try:
        steps = score_steps(model)
        scored = {
            contrast: {(s.stream.name, s.position): s.gate(contrast) for s in steps}
            for contrast in (False, True)
        }
        contrast = best(scored[True])[1] > best(scored[False])[1]
        gate, possible = best(scored[contrast])
        eager = Thresholds(look=gate, propose=gate, after_look=1e-6)
        settings = GgufSettings(thresholds=eager, contrast=contrast)
        told, offers, played = play(model, settings)
        after_look, reached = best(offers)
        settings = settings.model_copy(
            update={"thresholds": Thresholds(look=gate, propose=gate, after_look=after_look)}
        )
        made = [place for place, share in offers.items() if share >= after_look]
        by_name = {stream.name: stream for stream in streams()}
        figures = {
            "streams": {
                "with_need": sum(stream.wanted is not None for stream in streams()),
                "without": sum(stream.wanted is None for stream in streams()),
            },
            "auroc": separation(steps, contrast=False),
            "auroc_contrast": separation(steps, contrast=True),
            "utility": {"of_gate": possible, "reached": reached},
            "helped": len({name for name, i in made if by_name[name].is_in_time(i)}),
            "disturbed": len({name for name, i in made if by_name[name].is_early(i)}),
            "tokens_per_delta": statistics.median(step.evaluated for step in steps),
            "cpu_s_per_decision": round(statistics.median(step.cpu_s for step in steps), 3),
            **played,
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
