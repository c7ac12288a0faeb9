"""The user-model ablation on made-up runs whose figures are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from heron.contracts import (
    Decision,
    EpisodeConfig,
    EpisodeCosts,
    EpisodeRecord,
    Idle,
    Proposal,
    ScreenView,
    TurnRecord,
    UserStep,
    Verdict,
)
from heron.errors import InputError
from heron.eval.ablation import ablation, model_of
from heron.eval.grid import grid_of

SCENARIOS = tuple(f"s{number}" for number in range(20))


def played(user: str, observer: str, scenario: str, yes: bool, **changes: Any) -> EpisodeRecord:
    """An episode with one proposal, which is taken and helps, or neither."""
    answer = Decision(proposal_id="p1", turn=2, answer="accept" if yes else "reject")
    made = Proposal(proposal_id="p1", turn=1, text="Shall I?")
    view = ScreenView(app="system", screen="Home", title="Home")
    turns = tuple(
        TurnRecord.model_validate(
            {
                "turn": number,
                "time": "2026-03-10T09:00:00",
                "view": view,
                "step": UserStep(move=Idle()),
                "proposal": made if number == 1 else None,
                "decision": answer if number == 2 else None,
            }
        )
        for number in (1, 2)
    )
    config = EpisodeConfig(
        observer=observer, executor=changes.pop("executor", "oracle"), user=user, turns=2
    )
    return EpisodeRecord.model_validate(
        {
            "scenario": scenario,
            "scenario_hash": "0" * 64,
            "type": "goal",
            "kind": "scheduling",
            "seed": 0,
            "run": 0,
            "config": config,
            "turns": turns,
            "log": (),
            "state": "0" * 64,
            "verdict": Verdict(outcome="success" if yes else "failure", checks=()),
            "costs": EpisodeCosts(),
            **changes,
        }
    )


def run(user: str, observer: str, yes: int) -> Iterator[EpisodeRecord]:
    """A run in which ``yes`` of the twenty scenarios end well."""
    for place, scenario in enumerate(SCENARIOS):
        yield played(user, observer, scenario, place < yes)


def runs(table: dict[tuple[str, str], int]) -> list[EpisodeRecord]:
    return [episode for cell, yes in table.items() for episode in run(*cell, yes)]


CLEAR = {
    ("strict", "poor"): 0,
    ("strict", "fair"): 8,
    ("strict", "good"): 17,
    ("mild", "poor"): 2,
    ("mild", "fair"): 12,
    ("mild", "good"): 20,
}


def test_users_who_agree_on_the_order() -> None:
    found = ablation(grid_of(runs(CLEAR)), draws=200)
    assert [(k["by"], k["tau"]) for k in found["kendall"]] == [
        ("success", pytest.approx(1)),
        ("acceptance", pytest.approx(1)),
    ]
    assert [c["success_rank"] for c in found["cells"] if c["user"] == "strict"] == [3, 2, 1]
    (cell,) = [c for c in found["cells"] if (c["user"], c["observer"]) == ("mild", "fair")]
    assert cell["success_rate"] == cell["acceptance_rate"] == pytest.approx(0.6)
    low, high = (cell["success_interval"][end] for end in ("low", "high"))
    assert 0.3 < low < 0.6 < high < 0.85
    assert found["same_model"]["estimate"] is None
    assert "no model" in found["same_model"]["reason"]
    assert found["warnings"] == []


def test_users_who_turn_the_order_round() -> None:
    turned = {**CLEAR, ("mild", "poor"): 20, ("mild", "good"): 2}
    (tau,) = [
        k for k in ablation(grid_of(runs(turned)), draws=50)["kendall"] if k["by"] == "success"
    ]
    assert tau["tau"] == pytest.approx(-1)
    assert tau["interval"]["high"] < 0


def test_the_same_seed_gives_the_same_figures() -> None:
    grid = grid_of(runs(CLEAR))
    assert ablation(grid, seed=3, draws=50) == ablation(grid, seed=3, draws=50)
    assert ablation(grid, seed=3, draws=50) != ablation(grid, seed=4, draws=50)


def test_a_model_that_favours_itself_shows_with_an_interval() -> None:
    found = ablation(
        grid_of(
            runs(
                {
                    ("gguf:m#strict", "gguf:m"): 18,
                    ("gguf:m#strict", "rules"): 8,
                    ("scripted", "gguf:m"): 10,
                    ("scripted", "rules"): 10,
                }
            )
        ),
        draws=300,
    )
    assert found["same_model"]["models"] == ["gguf:m"]
    assert found["same_model"]["estimate"] == pytest.approx(0.5)
    assert 0.2 < found["same_model"]["interval"]["low"] < 0.5


def test_model_of_a_spec() -> None:
    assert model_of("gguf:m#strict") == model_of("gguf:m") == "gguf:m"
    assert model_of("scripted:strict") is None
    assert model_of("rules") is None


def test_too_little_is_told() -> None:
    few = {key: yes for key, yes in CLEAR.items() if key[1] != "fair"}
    warnings = ablation(grid_of(runs(few)), draws=20)["warnings"]
    assert any("fewer than 3 observers" in line for line in warnings)
    close = {**CLEAR, ("mild", "fair"): 19}
    (line,) = ablation(grid_of(runs(close)), draws=100)["warnings"]
    assert line.startswith("under mild")
    assert "good and fair" in line
    alone = {key: yes for key, yes in CLEAR.items() if key[0] == "mild"}
    found = ablation(grid_of(runs(alone)), draws=20)
    assert found["kendall"] == []
    assert any("one user only" in line for line in found["warnings"])


def test_only_what_all_cells_have_is_compared() -> None:
    episodes = [e for e in runs(CLEAR) if not (e.scenario == "s0" and e.config.user == "mild")]
    extra = list(run("mild", "mild's alone", 3))
    grid = grid_of([*episodes, *extra])
    assert grid.observers == ("poor", "fair", "good")
    assert grid.dropped == ("mild's alone",)
    assert len(grid.scenarios) == 19
    assert grid.left_out == 3 + 20
    found = ablation(grid, draws=20)
    assert any("mild's alone is left out" in line for line in found["warnings"])
    assert any("23 episodes are left out" in line for line in found["warnings"])


def test_a_user_to_whom_all_are_alike_has_no_tau() -> None:
    same = {key: 5 if key[0] == "mild" else yes for key, yes in CLEAR.items()}
    tau = ablation(grid_of(runs(same)), draws=20)["kendall"][0]
    assert tau["tau"] is None
    assert "alike" in tau["reason"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (played("strict", "poor", "s0", True), "played twice"),
        (played("strict", "new", "s0", True, executor="none"), "executor is 'oracle' and 'none'"),
        (played("strict", "new", "s0", True, scenario_hash="1" * 64), "different versions of"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(more: EpisodeRecord, told: str) -> None:
    with pytest.raises(InputError, match=told):
        grid_of([*runs(CLEAR), more])


def test_nothing_in_common_is_refused() -> None:
    with pytest.raises(InputError, match="no episodes"):
        grid_of([])
    with pytest.raises(InputError, match="under every user"):
        grid_of([*run("a", "x", 1), *run("b", "y", 1)])
    with pytest.raises(InputError, match="in common"):
        grid_of([played("a", "x", "s1", True), played("b", "x", "s2", True)])
