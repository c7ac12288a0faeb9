"""What scripted users make of right, wrong and degraded offers; prints one JSON object.

    python benchmarks/users.py [--seeds N] [--first SEED] [--split SPLIT] [--every N]

Neutral users take reference proposals at the right time, look before they answer, and refuse wrong
ones after a look; no user errs by its scenario's rubric; strict, neutral and lenient users order
as they should on the same offers; a tired one says yes less and less as interruptions add up.
Intervals draw whole scenarios (95 %). Exit code 1 if any of that does not hold.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise
from statistics import fmean
from typing import Any, get_args

from heron.errors import HeronError
from heron.eval.acceptance import Reception, ask, ask_again
from heron.eval.resampling import cluster_bootstrap
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario, Split

SHARE = 0.99
ORDER = ("strict", "neutral", "lenient")
COUNTS = (0, 1, 2, 3)


def share(found: Sequence[bool]) -> dict[str, Any]:
    """How many of how many."""
    return {
        "of": len(found),
        "yes": sum(found),
        "share": sum(found) / len(found) if found else None,
    }


def neutral_figures(all_answers: Iterable[Reception]) -> dict[str, Any]:
    """How the neutral persona does by kind of offer."""
    answers = [a for a in all_answers if a.persona == "neutral"]

    def of(*kinds: str) -> list[Reception]:
        return [a for a in answers if a.kind in kinds]

    wrong = [a for a in of("wrong", "degraded", "bait") if a.plausible]
    looked = [a.first == "gather_context" for a in wrong if a.unseen]
    unseen = [a for a in of("reference") if a.unseen]
    return {
        "reference_accepted": share([a.accepted for a in of("reference")]),
        "unseen_looked": share([a.first == "gather_context" for a in unseen]),
        "wrong_rejected": share([a.rejected for a in of("wrong", "vague", "bait")]),
        "degraded_rejected": share([a.rejected for a in of("degraded")]),
        "wrong_looked_first": share(looked),
        "vague_rejected_at_once": share([a.first == "reject" for a in of("vague")]),
    }


def order_figures(answers: Iterable[Reception]) -> dict[str, Any]:
    """Acceptance by persona on the same offers, and the differences between neighbours."""
    found = [a for a in answers if a.kind in ("reference", "degraded", "wrong")]
    rates = {p: share([a.accepted for a in found if a.persona == p]) for p in ORDER}
    steps = {
        f"{more} - {less}": difference(found, lambda a: a.persona, more, less)
        for less, more in pairwise(ORDER)
    }
    return {"acceptance": rates, "differences": steps}


def tired_figures(answers: Sequence[Reception]) -> dict[str, Any]:
    """Acceptance of the tired persona by count of earlier interruptions, beside the neutral one's
    where it takes the same offer after as many.
    """
    taken = {
        (a.scenario, a.seed, a.earlier) for a in answers if a.persona == "neutral" and a.accepted
    }
    all_in_time = [
        a
        for a in answers
        if a.persona == "tired" and all((a.scenario, a.seed, n) in taken for n in COUNTS)
    ]
    steps = {
        f"{less} - {more} earlier": difference(all_in_time, lambda a: a.earlier, less, more)
        for less, more in (*pairwise(COUNTS), (COUNTS[0], COUNTS[-1]))
    }
    rates = {n: share([a.accepted for a in all_in_time if a.earlier == n]) for n in COUNTS}
    return {"acceptance": rates, "differences": steps}


def difference(
    answers: Iterable[Reception], key: Callable[[Reception], Any], first: Any, second: Any
) -> dict[str, Any] | None:
    """Acceptance at ``first`` minus at ``second``, paired by offer; the interval draws scenarios.

    Returns:
        ``None`` if no offer met both, or all that did are of one scenario.
    """
    sides: dict[Any, dict[tuple[str, int, str, str], bool]] = defaultdict(dict)
    for a in answers:
        sides[key(a)][a.scenario, a.seed, a.kind, a.text] = a.accepted
    steps: dict[str, list[int]] = defaultdict(list)
    for offer, accepted in sides[first].items():
        if offer in sides[second]:
            steps[offer[0]].append(accepted - sides[second][offer])
    interval = cluster_bootstrap(steps, fmean)
    if interval is None:
        return None
    return {"estimate": fmean(chain.from_iterable(steps.values())), **interval.model_dump()}


def failures(found: dict[str, Any]) -> list[str]:
    """What does not hold."""
    neutral = found["neutral"]
    wrong = [
        f"{name} {figure['share']} below {SHARE}"
        for name, figure in neutral.items()
        if figure["of"] and figure["share"] < SHARE
    ]
    for part in ("order", "tired"):
        for name, interval in found[part]["differences"].items():
            if interval is None or interval["low"] <= 0:
                wrong.append(f"{part}: {name} does not exclude 0")
    if found["user_errors"]:
        wrong.append(f"user errors: {found['user_errors']}")
    return wrong


def chosen(options: argparse.Namespace) -> list[Scenario]:
    """The scenarios to try."""
    suite = load_suite(options.split) if options.split else load_suite()
    return list(suite)[:: options.every]


def main() -> int:
    """Try all, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--split", choices=get_args(Split))
    parser.add_argument("--every", type=int, default=1, help="every n-th scenario only")
    options = parser.parse_args()
    began = time.process_time()
    answers: list[Reception] = []
    again: list[Reception] = []
    broken: Counter[str] = Counter()
    scenarios = chosen(options)
    for scenario in scenarios:
        for seed in range(options.first, options.first + options.seeds):
            try:
                answers += ask(scenario, seed, ORDER)
                again += ask_again(scenario, seed, ("neutral", "tired"), COUNTS)
            except HeronError as error:
                broken[str(error)] += 1
    every = [*answers, *again]
    found: dict[str, Any] = {
        "scenarios": len(scenarios),
        "seeds": options.seeds,
        "episodes": len(every),
        "neutral": neutral_figures(answers),
        "order": order_figures(answers),
        "tired": tired_figures(again),
        "user_errors": {
            p: n
            for p in ("neutral", "strict", "lenient", "tired")
            if (n := sum(a.errors for a in every if a.persona == p))
        },
        "misses": [
            a.model_dump(include={"scenario", "seed", "kind", "text", "first"})
            for a in answers
            if a.persona == "neutral" and a.kind == "reference" and not a.accepted
        ],
        "not_playable": dict(broken),
        "cpu_s": round(time.process_time() - began, 1),
    }
    found["failures"] = failures(found)
    print(json.dumps(found, indent=2, ensure_ascii=False))
    return int(bool(found["failures"]))


if __name__ == "__main__":
    sys.exit(main())
