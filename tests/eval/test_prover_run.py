"""Proving many scenarios: processes, other people's proposals, the table, the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from heron.cli import app as cli
from heron.eval.prover import table
from heron.eval.prover.across import Across, across, together
from heron.eval.prover.run import prove_all
from heron.eval.prover.trials import Offered, Proof
from heron.scenarios.loader import DATA, load_suite
from heron.sim.users.brief import Rubric

SMOKE = load_suite("smoke").scenarios

Proving = Callable[..., Proof]


def test_the_shipped_smoke_split_has_no_survivor() -> None:
    proofs, found = prove_all(SMOKE, range(2))
    assert [s.line for proof in proofs for s in proof.survivors] == []
    assert [proof.error for proof in proofs if proof.error] == []
    texts = sum(len(offered.texts) for proof in proofs for offered in proof.offered)
    assert found.judged == texts * (len(SMOKE) - 1)
    assert found.passed
    by_hand = [t for proof in proofs for t in proof.trials if t.kind == "by_hand"]
    assert {trial.mutant for trial in by_hand} == {"the user does it by hand: done_by_user"}


@pytest.mark.slow
def test_processes_bring_back_the_same() -> None:
    told: list[str] = []
    alone, first = prove_all(SMOKE[:4], range(1))
    shared, second = prove_all(SMOKE[:4], range(1), 2, lambda proof: told.append(proof.scenario))
    assert [p.trials for p in shared] == [p.trials for p in alone]
    assert first == second
    assert sorted(told) == sorted(p.scenario for p in alone)


# --- across scenarios ---------------------------------------------------------------------------


def offered(name: str, *texts: str, phrase: str, seed: int = 0, wanted: bool = True) -> Offered:
    rubric = Rubric(object=((phrase,),), act=(("move",),))
    return Offered(name, "family", seed, rubric, wanted, texts)


def test_a_foreign_proposal_that_fits_is_told() -> None:
    one = offered("one", "Move the tea?", "Move the cups?", phrase="tea")
    other = offered("other", "Move the tea too?", phrase="cake")
    quiet = offered("quiet", phrase="tea", wanted=False)
    elsewhere = offered("elsewhere", "Move the tea?", phrase="none", seed=1)
    found = across([one, other, quiet], [one, other, quiet, elsewhere])
    assert found.judged == 1 + 2 + 3
    assert [(s.source, s.target, s.text) for s in found.strays] == [
        ("other", "one", "Move the tea too?")
    ]
    assert found.share == pytest.approx(1 / 6)
    assert not found.passed
    assert together([found, found]).judged == 12
    assert "other → one (siblings)" in next(table.strays(found))


def test_nobody_to_judge_is_no_share_of_zero() -> None:
    assert Across(0, ()).share is None
    assert Across(0, ()).passed


# --- table and command --------------------------------------------------------------------------


def test_the_table_counts_by_kind(goal: Proving) -> None:
    proof = goal(("needs: [news, fetch.due_datetime]", "needs: []"))
    rows = {row[0]: row[1:5] for row in table.rows([proof], Across(0, ()))}
    assert rows["unseen"] == ("1", "0", "1", "0")
    assert rows["early"] == ("0", "0", "0", "1")
    assert "silence" not in rows
    assert "across" not in rows
    total = [
        sum(int(row[at]) for name, row in rows.items() if name not in ("mutant", "in all"))
        for at in range(4)
    ]
    assert rows["in all"] == tuple(map(str, total))
    assert any("early" in line for line in table.reasons([proof]))


def prove(*arguments: str) -> int:
    """The exit code of ``heron scenarios prove``."""
    with pytest.raises(SystemExit) as end:
        cli.main(["scenarios", "prove", "--seeds", "1", "--jobs", "1", *arguments])
    assert isinstance(end.value.code, int)
    return end.value.code


def test_the_command_tells_a_survivor_by_line_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = DATA / "late_trains" / "train_late_for_client.yaml"
    file = tmp_path / sound.name
    text = sound.read_text(encoding="utf-8")
    facts = next(line for line in text.splitlines(keepends=True) if "    facts:" in line)
    file.write_text(text.replace(facts, ""), encoding="utf-8")
    broken = tmp_path / "broken.yaml"
    broken.write_text("schema: 1\nid: [")
    assert prove(str(file), str(broken)) == 1
    said = capsys.readouterr()
    first = said.out.splitlines()[0]
    assert first.startswith(f"{file}:")
    assert "blanked, seed 0: write 1" in first
    assert f"heron: {broken}:" in said.err


def test_the_command_proves_the_others_where_a_file_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("schema: 1\nid: [")
    assert prove(str(broken), "clinic_line_hours", "--json") == 2
    said = json.loads(capsys.readouterr().out)
    assert said["scenarios"] == 1
    assert said["survivors"] == []
    assert said["mutants"]["reference"]["killed"] == 1
    assert str(broken) in said["errors"][0]


def test_the_command_says_that_there_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove("clinic_line_hours", "--verbose") == 0
    assert "left out: it opens before anybody could answer" in capsys.readouterr().out
    assert prove("no_such_scenario") == 2
