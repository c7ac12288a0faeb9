"""Files are taken over whole or not at all, and proved by their final state."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from heron.cli.app import build
from heron.contracts import EpisodeConfig
from heron.errors import InputError
from heron.eval.batch import Bench, Plan
from heron.eval.importing.importer import Imported, import_all, import_file, taken_over
from heron.scenarios.are.reading import of
from heron.scenarios.are.remarks import Refused
from heron.scenarios.are.yaml_text import FEW
from heron.scenarios.document import read
from heron.scenarios.loader import load_document, load_file

SHA = "0" * 64
SHARED = Path(__file__).parents[4] / "shared/data/are_scenarios"
FILES = sorted(SHARED.glob("*.json"))
ORACLE = EpisodeConfig(observer="oracle", executor="oracle", user="scripted")


def played(path: Path, config: EpisodeConfig = ORACLE) -> str:
    bench = Bench(Plan(config=config, seed=0, runs=1))
    return bench.episode(load_file(path), 0).verdict.outcome


def written(folder: Path, data: dict[str, Any], name: str = "glazier.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_clean_file_is_equal_in_the_end_and_can_be_played(tmp_path: Path, small: Any) -> None:
    found = import_file(written(tmp_path, small), tmp_path / ".", force=False, taken=set())
    assert (found.status, found.remarks) == ("clean", ())
    assert found.proof.records == 3
    assert found.proof.fields > 15
    assert found.output is not None
    scenario = load_file(Path(found.output))
    assert scenario.source is not None
    assert (scenario.source.file, scenario.source.id) == ("glazier.json", "glazier")
    assert played(Path(found.output)) == "success"


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda s: s["Emails"]["folders"]["SENT"]["emails"].clear(), "should not be"),
        (lambda s: s["Notes"]["folders"]["Inbox"]["notes"]["note-1"].update(title="x"), "title"),
        (
            lambda s: s["Emails"]["folders"]["SENT"]["emails"][0].update(content="No."),
            "content",
        ),
        (lambda s: s["Emails"]["folders"]["SENT"]["emails"][0].update(recipients=[]), "recipients"),
        (lambda s: s["Emails"]["folders"]["SENT"]["emails"][0].pop("parent_id"), "parent_id"),
        (lambda s: s["Notes"]["folders"]["Inbox"]["notes"].clear(), "should not be"),
    ],
)
def test_another_final_state_is_told_field_by_field(small: Any, spoil: Any, told: str) -> None:
    spoil(small["final_state"])
    text, _, proof = taken_over(of(small), "glazier", "glazier.json", SHA)
    assert any(told in one for one in proof.differences), proof
    assert "final_state: " in text


def test_nothing_is_written_where_a_file_is_refused(tmp_path: Path, small: Any) -> None:
    small["apps"].append({"name": "City", "class_name": "CityApp", "app_state": {}})
    found = import_file(written(tmp_path, small), tmp_path, force=False, taken=set())
    assert (found.status, found.refused) == ("refused", ("app City (class CityApp)",))
    assert [path.name for path in tmp_path.iterdir()] == ["glazier.json"]


def test_what_is_there_is_kept_unless_forced(tmp_path: Path, small: Any) -> None:
    file = written(tmp_path, small)
    target = tmp_path / "glazier.yaml"
    target.write_text("mine")
    kept = import_file(file, tmp_path, force=False, taken=set())
    assert kept.status == "refused"
    assert "--force" in kept.refused[0]
    assert target.read_text() == "mine"
    assert import_file(file, tmp_path, force=True, taken=set()).status == "clean"
    assert load_file(target).id == "glazier"


def test_an_interrupted_write_leaves_nothing(
    tmp_path: Path, small: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        import_file(written(tmp_path, small), tmp_path, force=False, taken=set())
    assert [path.name for path in tmp_path.iterdir()] == ["glazier.json"]


def test_files_of_one_name_get_ids_of_their_own(tmp_path: Path, small: Any) -> None:
    files = []
    for folder in ("one", "2 Two"):
        (tmp_path / folder).mkdir()
        files.append(written(tmp_path / folder, small, "9 Glazier!.json"))
    done: list[Imported] = []
    import_all(files, tmp_path / "out", force=False, told=done.append)
    names = [Path(one.output or "").name for one in done]
    assert names == ["are_9_glazier.yaml", "are_9_glazier_2.yaml"]


def test_large_phones_are_written_and_read_alike(tmp_path: Path, small: Any) -> None:
    folder = small["apps"][1]["app_state"]["folders"]["INBOX"]["emails"]
    odd = ["\x00\x07", "\u2028line\x85", "{braces}", "@at", "'\"", "日本 👩‍👩‍👧", "- a: b", "#x"]
    for number in range(FEW + 10):
        folder.append(
            {
                "email_id": f"old-{number}",
                "sender": "club@row.example",
                "recipients": ["ada@home.example"],
                "subject": f"Minutes {number}",
                "content": odd[number % len(odd)],
                "timestamp": 1.7e9 + number,
            }
        )
    small["final_state"] = None
    found = import_file(written(tmp_path, small), tmp_path, force=False, taken=set())
    assert found.status == "clean", found
    scenario = load_document(read(Path(found.output or "")))
    assert len(scenario.phone.content["email"]["emails"]) == FEW + 10
    assert played(Path(found.output or "")) == "success"


def test_advice_succeeds_if_it_is_taken_and_not_by_silence(tmp_path: Path, small: Any) -> None:
    del small["events"][3:], small["completed_events"][3:]
    small["final_state"] = None
    found = import_file(written(tmp_path, small), tmp_path, force=False, taken=set())
    assert [remark.kind for remark in found.remarks] == ["advice_only"]
    silent = EpisodeConfig(observer="never", executor="oracle", user="scripted")
    assert played(Path(found.output or "")) == "success"
    assert played(Path(found.output or ""), silent) == "failure"


def run(*arguments: str) -> object:
    return build().main(["import", "are", *arguments], "heron", standalone_mode=False)


def test_the_command_tells_of_each_file(
    tmp_path: Path, small: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    good = written(tmp_path, small)
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    report = tmp_path / "reports" / "report.json"
    arguments = [str(good), str(bad), "--out", str(tmp_path / "out"), "--report", str(report)]
    assert run(*arguments, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads(report.read_text())
    assert told["counts"] == {"clean": 1, "remarks": 0, "refused": 1}
    assert told["files"][1]["refused"][0].startswith("it is no JSON")


def test_a_report_is_not_written_over_what_it_tells_of(tmp_path: Path, small: Any) -> None:
    good = written(tmp_path, small)
    before = good.read_bytes()
    with pytest.raises(InputError, match="is one of the files to import"):
        run(str(good), "--out", str(tmp_path / "out"), "--report", str(good))
    assert good.read_bytes() == before
    assert not (tmp_path / "out").exists()


# --- other people's files, where they lie beside the checkout ----------------------------------


@pytest.mark.skipif(not FILES, reason="no shared/data/are_scenarios beside the checkout")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem[:12])
def test_files_of_pare(tmp_path: Path, file: Path) -> None:
    found = import_file(file, tmp_path, force=False, taken=set())
    assert found.status != "refused", found.refused
    kinds = {remark.kind for remark in found.remarks}
    data = json.loads(file.read_text(encoding="utf-8"))
    raised = any((one["metadata"] or {}).get("exception") for one in data["completed_events"])
    assert raised == ("reference_raised" in kinds)
    if found.status == "clean":
        assert not found.proof.missing
        assert found.proof.differences == ()
    assert played(Path(found.output or "")) == "success"


def test_a_refusal_is_one_line() -> None:
    assert str(Refused("a\nb", "c", "a\nb")) == "a b; c"
