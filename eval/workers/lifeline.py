"""Ends a worker when the other end of its pipe is gone, also in the middle of its work.

So a harness that is killed leaves nothing behind: the kernel closes its ends of the pipes, its
workers end, and with them the pipes of theirs.
"""

from __future__ import annotations

import os
import select
import socket
import threading

GONE = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)


def hold(end: socket.socket) -> None:
    """End this process as soon as the other side of ``end`` is closed.

    A thread waits for that; it takes no time and does not keep the process from ending.
    """
    threading.Thread(target=_wait, args=(end.fileno(),), daemon=True, name="lifeline").start()


def _wait(descriptor: int) -> None:
    poll = select.poll()
    poll.register(descriptor, GONE)
    while True:
        if any(event & (GONE | select.POLLNVAL) for _, event in poll.poll()):
            os._exit(0)
