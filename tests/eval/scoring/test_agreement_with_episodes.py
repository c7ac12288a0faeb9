"""Metrics over features and the functions over episodes are the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.eval.scoring.played import entry, played

from heron.contracts import EpisodeRecord
from heron.eval import attribution, gathering, metrics, user_errors
from heron.eval.batch import Bench, Plan
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.estimates import estimate
from heron.eval.scoring.extraction import features_of

Episodes = list[EpisodeRecord]


def first(answer: str) -> Callable[[Episodes], float | None]:
    return lambda episodes: (metrics.first_answers(episodes) or {}).get(answer)  # type: ignore[call-overload]


def share(cause: str) -> Callable[[Episodes], float | None]:
    return lambda episodes: (attribution.shares(episodes) or {}).get(cause)  # type: ignore[call-overload]


SAME: dict[str, Callable[[Episodes], float | None]] = {
    "success_rate": metrics.success_rate,
    "silence_rate": metrics.silence_rate,
    "proposal_rate": metrics.proposal_rate,
    "acceptance_rate": metrics.acceptance_rate,
    "goal_acceptance_rate": lambda e: metrics.acceptance_rate(metrics.goals(e)),
    "quiet_acceptance_rate": lambda e: metrics.acceptance_rate(metrics.quiet_ones(e)),
    "gather_context_share": metrics.gather_context_share,
    "first_accept_share": first("accept"),
    "first_reject_share": first("reject"),
    "first_look_share": first("gather_context"),
    "first_ignore_share": first("ignore"),
    "looks_per_gathering": gathering.mean_looks,
    "seconds_per_gathering": gathering.mean_seconds,
    "read_actions": metrics.read_actions,
    "write_actions": metrics.write_actions,
    "tool_failure_rate": metrics.tool_failure_rate,
    "pare_success_at_k": metrics.pare_success_at_k,
    "pare_success_pow_k": metrics.pare_success_pow_k,
    "failures_by_observer": share("observer"),
    "failures_by_user": share("user"),
    "failures_by_executor": share("executor"),
    "failures_by_infrastructure": share("infrastructure"),
}


def agree(episodes: Episodes) -> None:
    columns = Columns([features_of(episode) for episode in episodes])
    for name, function in SAME.items():
        ours, theirs = estimate(columns, METRICS[name]).value, function(episodes)
        assert ours == (None if theirs is None else pytest.approx(theirs)), name
    k = columns.fewest_runs
    if k:
        for name, over in (
            ("success_at_k", metrics.success_at_k),
            ("success_pow_k", metrics.success_pow_k),
        ):
            assert estimate(columns, METRICS[name]).value == pytest.approx(over(episodes, k)), name
    errors = user_errors.totals(episodes) or {}
    counted = estimate(columns, METRICS["user_errors_per_episode"]).value
    assert counted == pytest.approx(sum(errors.values()) / len(episodes))


@st.composite
def scripts(draw: st.DrawFn) -> list[str]:
    """Turns as they can follow each other."""
    script, is_open = [], False
    for _ in range(draw(st.integers(0, 10))):
        words = []
        if is_open:
            words = [draw(st.sampled_from(["yes", "no", "look", "ignore", "ignore+expired"]))]
            is_open = words[0] in ("look", "ignore")
        if is_open and draw(st.booleans()):
            words.append("withdraw")
            is_open = False
        elif not is_open and draw(st.booleans()):
            words.append("offer")
            is_open = True
        script.append("+".join(words) or "-")
    return script


@st.composite
def episodes(draw: st.DrawFn) -> EpisodeRecord:
    """One of some scenarios, under some seed."""
    kind = draw(st.sampled_from(["goal", "quiet", "restraint"]))
    outcomes = ["success", "failure", "done_by_user"] if kind == "goal" else ["silent", "disturbed"]
    calls = [
        entry(
            draw(st.sampled_from(["assistant", "user"])),
            effect=draw(st.sampled_from(["read", "write"])),
            error=draw(st.sampled_from([None, "no"])),
            noise=draw(st.sampled_from([None, "transient", "lasting"])),
        )
        for _ in range(draw(st.integers(0, 3)))
    ]
    fault = draw(st.booleans())
    return played(
        *draw(scripts()),
        scenario=f"{kind}{draw(st.integers(0, 2))}",
        type=kind,
        outcome=("failure" if kind == "goal" else "disturbed")
        if fault
        else draw(st.sampled_from(outcomes)),
        log=calls,
        fault=fault,
        opened=draw(st.none() | st.integers(1, 10)),
        closes=draw(st.none() | st.integers(1, 10)),
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(episodes(), min_size=1, max_size=8))
def test_made_up_episodes(found: Episodes) -> None:
    agree(found)


@settings(max_examples=60, deadline=None)
@given(episodes())
def test_what_a_row_holds_adds_up(episode: EpisodeRecord) -> None:
    row = features_of(episode)
    first_answers = row.first_accept + row.first_reject + row.first_look + row.first_ignore
    assert first_answers == row.proposals
    ends = row.accepted + row.rejected + row.expired + row.withdrawn + row.unanswered
    assert ends == row.proposals
    assert row.hits is not None and row.missed is not None  # noqa: PT018
    assert row.alarms is not None and row.rests is not None  # noqa: PT018
    assert row.hits + row.alarms == row.proposals
    assert row.hits + row.missed + row.alarms + row.rests == row.points
    if episode.type == "goal":
        assert (row.inside or 0) + (row.early or 0) + (row.late or 0) == row.proposals


@pytest.mark.parametrize("observer", ["always", "oracle"])
def test_played_episodes(observer: str) -> None:
    from heron.cli.scenario_choice import chosen
    from heron.contracts import EpisodeConfig

    config = EpisodeConfig(observer=observer, executor="oracle", user="scripted", tool_failure=0.2)
    bench = Bench(Plan(config=config, runs=2))
    found = list(bench.episodes(chosen("smoke", None)))
    bench.close()
    agree(found)
    assert all(episode.assessment is not None for episode in found)
    if observer == "oracle":
        rows = [features_of(episode) for episode in found]
        assert all(row.inside == row.right == row.proposals for row in rows if row.goal)
        assert sum(row.met or 0 for row in rows) == sum(row.goal for row in rows)
        assert {(row.missed, row.alarms, row.early, row.late) for row in rows} == {(0, 0, 0, 0)}
