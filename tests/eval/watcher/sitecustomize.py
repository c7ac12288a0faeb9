"""Watches every Python process that inherits it: imports of litellm, internet sockets.

Put this folder first on PYTHONPATH and name a file in HERON_WATCH; each event becomes a line
``pid event detail`` there.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

_FILE = os.open(os.environ["HERON_WATCH"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_INTERNET = {int(socket.AF_INET), int(socket.AF_INET6)}
_WORKERS = {f"heron.eval.workers.{part}" for part in ("executor", "observer", "user")}
_TELLING = {"litellm", *_WORKERS}


def _write(event: str, detail: object) -> None:
    os.write(_FILE, f"{os.getpid()} {event} {detail}\n".encode())


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if event == "import" and args[0] in _TELLING:
        _write("import", args[0])
    elif event == "socket.__new__" and int(args[1]) in _INTERNET:
        _write("socket", int(args[1]))
    elif event == "socket.connect" and isinstance(args[1], tuple):
        _write("connect", args[1][0])
    elif event == "socket.getaddrinfo":
        _write("lookup", args[0])


sys.addaudithook(_hook)
for argument in sys.orig_argv:
    if argument in _TELLING:
        _write("runs", argument)
