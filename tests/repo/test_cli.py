"""The root of the command line: lazy sub-commands, and errors in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from heron import __version__
from heron.cli import app as cli
from heron.cli.errors import SETTINGS
from heron.cli.errors import run as run_command
from heron.errors import ConsentError, HeronError, InputError, ScenarioError, Unavailable

Run = Callable[..., subprocess.CompletedProcess[str]]

HELP_AND_MODULES = """
import sys
from heron.cli.app import main
try:
    main(["--help"])
except SystemExit as end:
    assert end.code == 0
print("MODULES", *sorted(sys.modules))
"""

SLOW = {"llama_cpp", "litellm", "llguidance", "numpy", "rich", "yaml", "heron.eval", "heron.sim"}


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """A table with one command, ``sample``, whose ``--fail`` raises what ``seen["error"]`` is."""
    seen: dict[str, object] = {"error": None}
    app = typer.Typer(**SETTINGS)

    @app.command()
    def sample(count: int = 1) -> None:
        """Do something."""
        seen["count"] = count
        if isinstance(seen["error"], BaseException):
            raise seen["error"]

    monkeypatch.setattr(sys.modules[__name__], "sample_app", app, raising=False)
    monkeypatch.setattr(cli, "COMMANDS", {"sample": cli.Entry(f"{__name__}:sample_app", "Do it.")})
    return seen


def call(*arguments: str) -> int:
    """The exit code of ``heron`` with these arguments."""
    with pytest.raises(SystemExit) as end:
        cli.main(list(arguments))
    assert isinstance(end.value.code, int)
    return end.value.code


def test_help_lists_every_command_and_imports_none(run: Run) -> None:
    done = run("-c", HELP_AND_MODULES)
    assert done.returncode == 0, done.stderr
    text, _, modules = done.stdout.partition("MODULES")
    for name, entry in cli.COMMANDS.items():
        assert name in text
        assert entry.help in text
    assert SLOW & set(modules.split()) == set()
    assert not [
        m
        for m in modules.split()
        if m.startswith("heron.cli.") and "app" not in m and m != "heron.cli.errors"
    ]


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_in_the_table_loads_and_has_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(name, "--help") == 0
    assert f"Usage: heron {name}" in capsys.readouterr().out


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert call() == 0
    assert "Usage: heron" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--version") == 0
    assert capsys.readouterr().out == f"heron {__version__}\n"


def test_a_command_gets_its_options(sample: dict[str, object]) -> None:
    assert call("sample", "--count", "3") == 0
    assert sample["count"] == 3


def test_a_misspelt_command_is_told_what_was_meant(
    sample: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("smaple") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "heron: error: no such command 'smaple'. Did you mean 'sample'? (see 'heron --help')\n"
    )


def test_wrong_usage_of_a_command_is_one_line(
    sample: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("sample", "--count", "many") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("heron: error: invalid value for '--count'")
    assert line.endswith("(see 'heron sample --help')")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (HeronError("it broke"), 1),
        (InputError("no such file"), 2),
        (ScenarioError("two lines\nof text", file="a.yaml", line=3), 2),
        (Unavailable("no network"), 3),
        (ConsentError("no grant"), 1),
    ],
)
def test_an_error_of_heron_is_one_line(
    sample: dict[str, object], capsys: pytest.CaptureFixture[str], error: HeronError, code: int
) -> None:
    sample["error"] = error
    assert call("sample") == code
    expected = " ".join(str(error).splitlines())
    assert capsys.readouterr().err == f"heron: error: {expected}\n"


def test_debug_shows_the_traceback(
    sample: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERON_DEBUG", "1")
    sample["error"] = InputError("no such file")
    with pytest.raises(InputError, match="no such file"):
        cli.main(["sample"])


def test_a_defect_is_not_hidden(sample: dict[str, object]) -> None:
    sample["error"] = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        cli.main(["sample"])


@pytest.mark.parametrize("outside", [True, False])
def test_an_interrupt_is_one_line(
    sample: dict[str, object], capsys: pytest.CaptureFixture[str], outside: bool
) -> None:
    """Whether it comes while a command runs or before typer is in charge."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    sample["error"] = KeyboardInterrupt()
    assert (run_command(interrupt) if outside else call("sample")) == 130
    assert capsys.readouterr().err == "heron: interrupted\n"


@pytest.mark.parametrize("code", [0, 1, 7])
def test_a_command_can_end_with_a_code(sample: dict[str, object], code: int) -> None:
    sample["error"] = typer.Exit(code)
    assert call("sample") == code


def test_a_reader_that_goes_away_is_no_error(root: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "heron", "--help"],
        check=False,
        stdout=writer,
        stderr=subprocess.PIPE,
        cwd=root,
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 1


def test_a_buffered_result_that_nobody_reads_is_no_error(root: Path) -> None:
    """As above, where the pipe is found closed only when the command's output is flushed."""
    reader, writer = os.pipe()
    os.close(reader)
    text = "from heron.cli.errors import run; import sys; sys.exit(run(lambda: print('x')))"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-c", text],
        check=False,
        stdout=writer,
        stderr=subprocess.PIPE,
        cwd=root,
        env=environment,
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 1
