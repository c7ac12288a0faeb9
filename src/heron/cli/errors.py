"""How the command line tells an error: one line on stderr, and an exit code.

===========================  ====================================================  =========
what happened                what is shown                                         exit code
===========================  ====================================================  =========
``HeronError``               ``heron: error: <message>``                           its own
wrong usage                  ``heron: error: <message> (see 'heron X --help')``    2
Ctrl-C                       ``heron: interrupted``                                130
stdout closed by the reader  nothing                                               1
stdout on a full disk        ``heron: error: cannot write …``                      3
anything else                Python's traceback: it is a defect of Heron           1
===========================  ====================================================  =========

``HERON_DEBUG=1`` shows the traceback of a ``HeronError`` as well. What it does not know: any
command.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Any

import typer

from heron.errors import HeronError, Unavailable

SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}
"""Arguments for the ``typer.Typer`` of every command: plain help, which loads no rich, and plain
tracebacks."""

INTERRUPTED = 130


def run(command: Callable[[], object]) -> int:
    """Run ``command`` and tell its errors.

    Args:
        command: returns ``None`` or an exit code, as typer's ``standalone_mode=False`` does.

    Returns:
        the exit code.
    """
    try:
        code = _code(command())
        sys.stdout.flush()
    except HeronError as error:
        if os.environ.get("HERON_DEBUG") == "1":
            raise
        return tell(f"error: {error}", error.exit_code)
    except typer.TyperException as error:
        return tell(_usage(error), error.exit_code)
    except typer.Abort:
        return tell("aborted", 1)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return 1
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        _drop_stdout()
        return tell(f"error: cannot write the output: {error.strerror}", Unavailable.exit_code)
    return tell("interrupted", code) if code == INTERRUPTED else code


def _drop_stdout() -> None:
    """The interpreter flushes stdout once more when it ends; that must find an open file."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(message: str, code: int) -> int:
    """Print ``message`` as one line on stderr and give ``code`` back."""
    line = " ".join(message.splitlines())
    typer.echo(f"heron: {line}", err=True)
    return code


def _code(result: object) -> int:
    return result if isinstance(result, int) and not isinstance(result, bool) else 0


def _usage(error: typer.TyperException) -> str:
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    see = f" (see '{context.command_path} --help')" if context is not None else ""
    return f"error: {message[:1].lower()}{message[1:]}{see}"
