"""The metrics as tables of docs/metrics.md, so that the page cannot say what the code does not.

``python -m heron.eval.scoring.handbook`` prints them. What it does not know: the page around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heron.eval.scoring.catalogue.all_metrics import FILES
from heron.eval.scoring.metric import Metric
from heron.eval.scoring.weights import WEIGHTS

BEGIN = "<!-- generated from eval/scoring/catalogue: edit there -->"
END = "<!-- end of what is generated -->"


def markdown() -> str:
    """All tables, one per section, and the weights of interruptions."""
    lines: list[str] = []
    for file, metrics in FILES.items():
        for section in dict.fromkeys(metric.section for metric in metrics):
            own = [metric for metric in metrics if metric.section == section]
            lines += [f"### {section[:1].upper()}{section[1:]}", ""]
            lines += [f"In code: `eval/scoring/catalogue/{file}`.", ""]
            lines += [*_table(own), "", *_sources(own)]
    lines += ["### Weights of the interruption cost", "", "| each of | weighs |", "|---|---|"]
    lines += [f"| `{name}` | {weight:g} |" for name, weight in WEIGHTS.items()]
    return "\n".join(lines) + "\n"


def _table(metrics: Iterable[Metric]) -> Iterator[str]:
    yield "| metric | what it says | formula | unit | better | no value where |"
    yield "|---|---|---|---|---|---|"
    for metric in metrics:
        yield (
            f"| **{metric.title}** `{metric.name}` | {metric.meaning} | `{metric.formula}` "
            f"| {metric.unit} | {metric.better or '–'} | {metric.empty} |"
        )


def _sources(metrics: Iterable[Metric]) -> list[str]:
    told = dict.fromkeys(metric.source for metric in metrics if metric.source)
    named = {
        source: ", ".join(f"`{m.name}`" for m in metrics if m.source == source) for source in told
    }
    lines = [f"- {names}: {source}." for source, names in named.items()]
    return ["Sources:", "", *lines, ""] if lines else []


if __name__ == "__main__":
    print(markdown(), end="")  # noqa: T201
