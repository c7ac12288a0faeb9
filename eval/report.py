"""A run's report in Markdown: what was run, the table, breakdowns, and every episode in a line.

The breakdowns are those of ``heron report``. What it does not know: how they are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from heron.contracts import EpisodeRecord
from heron.eval.table import rows

BREAKDOWNS = ("reliability", "kinds", "blame", "offer")
"""Sections of ``heron report``; the run's own table holds what the others say."""


def markdown(summary: dict[str, Any], episodes: Sequence[EpisodeRecord]) -> str:
    """The whole report."""
    return (
        "\n".join(
            [*_head(summary), *_figures(summary), *_breakdowns(episodes), *_episodes(episodes)]
        )
        + "\n"
    )


def _head(summary: dict[str, Any]) -> list[str]:
    run = summary["run"]
    lines = ["# Heron: report of a run", "", f"`{run['command']}`", ""]
    facts = {
        "observer": run["config"]["observer"],
        "executor": run["config"]["executor"],
        "user": run["config"]["user"],
        "turns": run["config"]["turns"],
        "clock": run["config"]["clock"],
        "seeds": f"{run['seed']} to {run['seed'] + summary['k'] - 1}",
        "threads": run["threads"],
        "model": _model(run["model"]),
        "user's model": _model(run.get("user_model", {})),
        "machine": run["machine"],
        "heron": run["version"],
        "digest": summary["digest"],
    }
    return [*lines, *(f"- {name}: {value}" for name, value in facts.items()), ""]


def _model(info: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in info.items()) or "none"


def _figures(summary: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for section, group in groupby(rows(summary), key=lambda row: row.section):
        lines += [f"## {section.capitalize()}", "", "| | |", "|---|---|"]
        lines += [f"| {row.name.strip()} | {row.value} |" for row in group]
        lines.append("")
    return lines


def _breakdowns(episodes: Sequence[EpisodeRecord]) -> list[str]:
    from heron.eval.reporting.build import build, figures_of
    from heron.eval.reporting.markdown import section_lines
    from heron.eval.reporting.material import material_of

    material = material_of(episodes)
    report = build(material, figures_of(material))
    return [line for s in report.sections if s.name in BREAKDOWNS for line in section_lines(s)]


def _episodes(episodes: Sequence[EpisodeRecord]) -> list[str]:
    lines = [
        "## Episodes",
        "",
        "| scenario | seed | outcome | proposals | why |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {e.scenario} | {e.seed} | {e.verdict.outcome} "
        f"| {sum(t.proposal is not None for t in e.turns)} | {_cell(why(e))} |"
        for e in episodes
    ]
    return lines


def why(episode: EpisodeRecord) -> str:
    """The first check that failed, in words; empty if none did."""
    failed = [check for check in episode.verdict.checks if not check.passed]
    if episode.fault is not None:
        return f"fault in turn {episode.fault.turn}: {episode.fault.part}: {episode.fault.message}"
    return f"{failed[0].name}: {failed[0].detail}" if failed else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
