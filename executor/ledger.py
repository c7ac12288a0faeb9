"""Adds up what an execution's model calls took: tokens, bytes, money.

What it does not know: prices, and how bytes are counted; both come with each reply.
"""

from __future__ import annotations

from heron.contracts import Usage
from heron.protocols import ChatReply


class Ledger:
    """Usage since the last ``take``.

    Args:
        remote: the model is not on this device, so that bytes sent to it are egress.
    """

    def __init__(self, *, remote: bool) -> None:
        self._nothing = Usage(cost_usd=0.0, remote=remote)
        self._usage = self._nothing

    def add(self, reply: ChatReply) -> None:
        """One more model call. A single unknown price makes the sum unknown."""
        so_far = self._usage
        unknown = so_far.cost_usd is None or reply.cost_usd is None
        self._usage = Usage(
            calls=so_far.calls + 1,
            tokens_in=so_far.tokens_in + reply.tokens_in,
            tokens_out=so_far.tokens_out + reply.tokens_out,
            bytes_out=so_far.bytes_out + reply.bytes_out,
            bytes_in=so_far.bytes_in + reply.bytes_in,
            cost_usd=None if unknown else (so_far.cost_usd or 0.0) + (reply.cost_usd or 0.0),
            remote=so_far.remote,
        )

    def take(self) -> Usage:
        """The sum, and begin anew. After a fault it holds what the calls before it took."""
        usage, self._usage = self._usage, self._nothing
        return usage
