"""The error tree, named by what the catcher does with it.

HeronError
├── InputError            a file, name or option is wrong; told in one line, exit code 2
│   ├── ScenarioError     a scenario file, with line, key and remedy
│   ├── UnknownName       no such observer, model, app, …; says what is near
│   └── ModelFileError    a weights file is missing, truncated, corrupt or of another format
├── Unavailable           the machine lacks something (network, disk, key); exit code 3
│   └── CapReached        the money that a run may spend is spent; its rows are kept
├── IllegalCall           the world refused an action or tool call; its state is untouched
│   └── ConsentError      a write of the assistant without an open grant
└── Fault                 a part broke during an episode; recorded as an infrastructure fault
    ├── WorkerDied        a process ended or stopped answering
    ├── ModelFault        a local model failed (overflow, NaN, failed decode)
    │   └── Unfinished    its text was not complete within the tokens allowed; it can be asked again
    └── RemoteFault       a remote model or its network failed

Every message is one line. What it does not know: how an error is shown (see ``cli``).
"""

from __future__ import annotations

from pathlib import Path


class HeronError(Exception):
    """Root of all errors that Heron raises on purpose."""

    exit_code = 1


class InputError(HeronError):
    """What the caller gave is wrong; the message says what and how to mend it."""

    exit_code = 2


class ScenarioError(InputError):
    """A scenario file is wrong.

    Args:
        problem: what is wrong, without a full stop.
        file: the file.
        line: line number, from 1, if known.
        key: the dotted key, if known.
        remedy: what to do about it.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: Path | str = "<memory>",
        line: int | None = None,
        key: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.problem, self.file, self.line, self.key, self.remedy = problem, file, line, key, remedy
        place = f"{file}:{line}" if line else str(file)
        text = f"{place}: {key}: {problem}" if key else f"{place}: {problem}"
        super().__init__(f"{text} ({remedy})" if remedy else text)


class UnknownName(InputError):
    """A name is not in the table it was looked up in."""


class ModelFileError(InputError):
    """A model file cannot be used."""


class Unavailable(HeronError):
    """This machine lacks what the command needs (network, disk space, key, build)."""

    exit_code = 3


class CapReached(Unavailable):
    """The money that a run may spend on models is spent; the run stops and can be gone on with."""


class IllegalCall(HeronError):
    """The world refused a call; nothing changed. The message says what would be legal."""


class ConsentError(IllegalCall):
    """The assistant tried to write without an open grant."""


class Fault(HeronError):
    """A part broke during an episode. The batch records it and goes on."""


class WorkerDied(Fault):
    """A worker process ended or stopped answering."""


class ModelFault(Fault):
    """A local model failed while evaluating or generating."""


class Unfinished(ModelFault):
    """A local model's text was not complete within the tokens allowed."""


class RemoteFault(Fault):
    """A remote model, or the way to it, failed."""
