"""From what was read to a report: which section holds what, and the sentences around it.

What it does not know: HTML, Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heron import __version__
from heron.eval.reporting.blame import causes_table, ends_chart
from heron.eval.reporting.breakdown import by_app, by_kind, noise, reliability
from heron.eval.reporting.contrasts import Contrast, borne_out, contrasts
from heron.eval.reporting.contrasts import table as contrasts_table
from heron.eval.reporting.curves import calibration
from heron.eval.reporting.drawing import span
from heron.eval.reporting.figures import Figures, runs_of
from heron.eval.reporting.leaderboard import COSTS, LEADERS, OFFERS, OTHERS, names, table_of
from heron.eval.reporting.marks import marks_of, shared
from heron.eval.reporting.material import Material, Played
from heron.eval.reporting.notices import warnings_of
from heron.eval.reporting.origin import origin
from heron.eval.reporting.pieces import (
    Legend,
    Note,
    Piece,
    Prose,
    Raw,
    Report,
    Row,
    Section,
)
from heron.eval.reporting.published import published_table
from heron.eval.reporting.tradeoffs import tradeoffs
from heron.eval.scoring.columns import Columns
from heron.eval.table import percent

COLOPHON = (
    "Made by Heron {version}. Charts by plotly.js (MIT licence), which lies in this page; nothing "
    "is fetched from any network."
)


def figures_of(material: Material) -> list[Figures]:
    """Configurations with their figures, the most successful first."""
    played = sorted(material.played, key=_rank)
    columns = [Columns(one.features) for one in played]
    k = min((own.fewest_runs for own in columns if own.fewest_runs), default=1)
    return [
        Figures(mark=mark, played=one, columns=own, k=k)
        for mark, one, own in zip(marks_of(played), played, columns, strict=True)
    ]


def _rank(one: Played) -> tuple[float, float]:
    def share(part: int, whole: int) -> float:
        return -part / whole if whole else 1.0

    rows = one.features
    return (
        share(sum(r.success for r in rows), sum(r.goal for r in rows)),
        share(sum(r.silent for r in rows), sum(r.quiet for r in rows)),
    )


def build(material: Material, figures: Sequence[Figures], viewer: str = "") -> Report:
    """The report.

    Args:
        material: what was read.
        figures: of ``figures_of``.
        viewer: HTML of the episode viewer; empty: none.
    """
    for one in figures:
        one.take([*names(LEADERS), *names(OFFERS)])
        one.take_plain([*names(OTHERS), *names(COSTS)])
    found, refused = contrasts(figures)
    sections = [
        _leaders(figures, found, refused),
        _tradeoffs(figures),
        _reliable(figures),
        _kinds(figures),
        _noise(figures),
        _blame(figures),
        _offers(figures),
        _costs(figures),
        _published(),
        _episodes(viewer),
        _origin(material, figures),
    ]
    warnings = warnings_of(material, figures)
    return Report(
        title=_title(figures),
        kicker=_kicker(figures),
        lead=_lead(figures, found),
        notes=(Note(title="Before you read on:", lines=tuple(warnings)),) if warnings else (),
        sections=tuple(section for section in sections if section.pieces),
        colophon=COLOPHON.format(version=__version__),
    )


# --- head -----------------------------------------------------------------------------------------


def _title(figures: Sequence[Figures]) -> str:
    if len(figures) == 1:
        return f"How {figures[0].mark.name} fared"
    return f"{len(figures)} configurations compared"


def _kicker(figures: Sequence[Figures]) -> str:
    rows = [row for one in figures for row in one.features]
    scenarios = len({row.scenario for row in rows})
    fewest = min(runs_of(one.features)[0] for one in figures)
    most = max(runs_of(one.features)[1] for one in figures)
    runs = f"{most} run{'s' if most > 1 else ''}" if fewest == most else f"{fewest} to {most} runs"
    return f"Heron report · {scenarios} scenarios, {runs} each · {len(rows):,} episodes"


def _lead(figures: Sequence[Figures], found: Sequence[Contrast]) -> str:
    best, alone = figures[0], len(figures) == 1
    success, silence = best.get("success_rate"), best.get("silence_rate")
    told = []
    if success.value is not None:
        narrow = success.low == success.high
        between = "" if narrow else f" (95 % interval {span(success, percent)})"
        goals = f"reached the goal in {percent(success.value)} of its goal episodes{between}"
        told.append(
            f"{best.mark.full} {goals}."
            if alone
            else f"The most successful configuration, {best.mark.said}, {goals}."
        )
        if not alone:
            told.append(_lead_borne_out(figures, found))
    if silence.value is not None:
        told.append(f"Where no help was wanted, it stayed silent in {percent(silence.value)}.")
    common = shared([one.played for one in figures])
    told.append(f"Played with {common}." if alone else f"Common to all: {common}.")
    return " ".join(told)


def _lead_borne_out(figures: Sequence[Figures], found: Sequence[Contrast]) -> str:
    best = figures[0]
    own = [c for c in found if c.metric == "success_rate" and best in (c.first, c.second)]
    rivals = [c.second if c.first is best else c.first for c in own if c.better is not best]
    if own and not rivals:
        return "It is borne out as better than each of the others."
    if not own:
        return "It cannot be compared with the others."
    if len(rivals) == len(figures) - 1:
        return "The data does not tell it apart from any other."
    return f"The data does not tell it apart from {', '.join(one.mark.said for one in rivals)}."


# --- sections ----------------------------------------------------------------------------------


def _legend(figures: Sequence[Figures]) -> list[Piece]:
    if len(figures) < 2:
        return []
    return [Legend(cells=tuple(replace(one.mark.cell(), sub=one.mark.sub) for one in figures))]


def _leaders(
    figures: Sequence[Figures], found: Sequence[Contrast], refused: Sequence[str]
) -> Section:
    best = borne_out(figures, found)
    marked = (
        " Shaded: better than every other configuration, with the correction below."
        if best
        else " No best value is marked, as the data bears none out."
        if len(figures) > 1
        else ""
    )
    pieces: list[Piece] = [
        table_of(
            LEADERS,
            figures,
            name="leaderboard",
            caption="One row per configuration. Beneath a value stands its 95 % interval, from a "
            "bootstrap that resamples scenarios; none stands there where all of them agree. A "
            f"dash: not known, never zero.{marked}"
            + (" Press the head of a column to sort by it." if len(figures) > 1 else ""),
            best=best,
        )
    ]
    if found:
        pieces.append(contrasts_table(found, len(figures)))
    if refused:
        pieces.append(Note(title="Not compared:", lines=tuple(refused)))
    return Section(name="leaders", title="Leaderboard", pieces=tuple(pieces))


def _tradeoffs(figures: Sequence[Figures]) -> Section:
    charts, notes = tradeoffs(figures)
    pieces: list[Piece] = []
    if charts:
        pieces = [
            Prose(
                text="Each point is a configuration. The dotted line joins those that no other "
                "beats on both counts; whether two points differ at all, their intervals tell."
            ),
            *_legend(figures),
            Row(charts=tuple(charts)),
            *notes,
        ]
    return Section(
        name="tradeoffs", title="What success costs", short="Trade-offs", pieces=tuple(pieces)
    )


def _reliable(figures: Sequence[Figures]) -> Section:
    runs = [chart for needs in ("all", "any") if (chart := reliability(figures, needs))]
    scores = calibration(figures)
    charts = (*runs, *([scores] if scores else []))
    pieces: list[Piece] = [*_legend(figures), Row(charts=charts)] if charts else []
    return Section(
        name="reliability",
        title="How reliable it is",
        short="Reliability",
        pieces=tuple(pieces),
    )


def _kinds(figures: Sequence[Figures]) -> Section:
    charts = [c for c in (by_kind(figures, True), by_kind(figures, False), by_app(figures)) if c]
    pieces: list[Piece] = []
    if charts:
        few = Prose(
            text="A kind holds few scenarios, so that most intervals are wide: look for patterns, "
            "not for winners."
        )
        pieces = [few, *_legend(figures), Row(charts=tuple(charts))]
    return Section(
        name="kinds", title="By kind and by app", short="Kinds, apps", pieces=tuple(pieces)
    )


def _noise(figures: Sequence[Figures]) -> Section:
    charts = noise(figures)
    return Section(
        name="noise",
        title="Under noise",
        short="Noise",
        pieces=(*_legend(figures), Row(charts=tuple(charts))) if charts else (),
    )


def _blame(figures: Sequence[Figures]) -> Section:
    pieces = [piece for piece in (ends_chart(figures), causes_table(figures)) if piece is not None]
    return Section(name="blame", title="Where it went wrong", short="Causes", pieces=tuple(pieces))


def _offers(figures: Sequence[Figures]) -> Section:
    offers = table_of(
        OFFERS,
        figures,
        name="offers",
        caption="The worth and the time of offers. An offer is right if it fits by the scenario's "
        "rubric and comes while help is useful, whatever the simulated user made of it.",
    )
    others = table_of(
        OTHERS,
        figures,
        name="others",
        caption="The same decisions as other benchmarks count them. The scenarios are Heron's, so "
        "the figures are beside theirs, not among them.",
        intervals=False,
    )
    return Section(name="offer", title="Offers", pieces=(offers, others))


def _costs(figures: Sequence[Figures]) -> Section:
    table = table_of(
        COSTS,
        figures,
        name="costs-table",
        caption="Measured on the machine named below. Memory is the largest sample; an observer "
        "without a process of its own has none. Intervals stand in the leaderboard.",
        intervals=False,
    )
    return Section(name="costs", title="What it costs", short="Costs", pieces=(table,))


def _published() -> Section:
    return Section(
        name="published",
        title="For orientation: published figures",
        short="Published",
        pieces=(published_table(),),
    )


def _episodes(viewer: str) -> Section:
    pieces: tuple[Piece, ...] = (Raw(html=viewer),) if viewer else ()
    return Section(name="episodes", title="Episodes", pieces=pieces)


def _origin(material: Material, figures: Sequence[Figures]) -> Section:
    return Section(
        name="origin",
        title="How these figures were made",
        short="Origin",
        pieces=origin(material, figures),
    )
