"""``heron doctor``: its table, its JSON, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heron.cli import app as cli
from heron.models.catalog import CATALOG
from heron.models.tiny_gguf import write_tiny_gguf


def doctor(*arguments: str) -> int:
    """The exit code of ``heron doctor``."""
    with pytest.raises(SystemExit) as end:
        cli.main(["doctor", *arguments])
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty store and a key."""
    monkeypatch.setenv("HERON_MODELS", str(tmp_path / "store"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor() == 0
    out = capsys.readouterr().out
    rows = {line.split("  ")[0]: line for line in out.splitlines() if not line.startswith(" ")}
    assert {"heron", "processor", "cores", "memory", "llama.cpp", "energy", "store"} <= set(rows)
    assert "OPENAI_API_KEY" in rows["keys set"]
    assert "sk-very-secret" not in out
    assert "note: no model is here: heron models pull smollm2-135m" in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor("--json") == 0
    machine = json.loads(capsys.readouterr().out)
    assert machine["keys"]["OPENAI_API_KEY"] is True
    assert machine["llama"]["error"] is None


def test_it_says_where_a_chat_template_is_not_used(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "store").mkdir()
    base, chat = (tmp_path / "store" / entry.file_name for entry in CATALOG[:2])
    write_tiny_gguf(base, chat_template=None)
    write_tiny_gguf(chat)
    assert doctor("--json") == 0
    forms = json.loads(capsys.readouterr().out)["forms"]
    assert forms == {
        CATALOG[0].name: "raw: the file has no chat template",
        CATALOG[1].name: "gguf",
    }
    assert doctor() == 0
    lines = capsys.readouterr().out.splitlines()
    (row,) = [line for line in lines if CATALOG[0].name in line and "note:" not in line]
    assert row.endswith("(raw dialogue form: the file has no chat template)")


def test_without_llama_it_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "llama_cpp.py").write_text("raise ImportError('libllama.so is gone')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert doctor("--json") == 3
    printed = capsys.readouterr()
    assert "libllama.so is gone" in json.loads(printed.out)["llama"]["error"]
    (line,) = printed.err.splitlines()
    assert line.startswith(
        "heron: error: llama_cpp does not work (ImportError: libllama.so is gone"
    )
    assert "pip install" in line
