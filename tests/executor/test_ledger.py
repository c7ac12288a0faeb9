"""Sums of what model calls took."""

from __future__ import annotations

from heron.executor.ledger import Ledger
from heron.protocols import ChatReply

REPLY = ChatReply("", tokens_in=100, tokens_out=7, bytes_out=900, bytes_in=50, cost_usd=0.25)


def test_calls_add_up() -> None:
    ledger = Ledger(remote=True)
    ledger.add(REPLY)
    ledger.add(REPLY)
    usage = ledger.take()
    assert (usage.calls, usage.tokens_in, usage.tokens_out) == (2, 200, 14)
    assert (usage.bytes_out, usage.bytes_in, usage.cost_usd) == (1800, 100, 0.5)
    assert usage.remote


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    for order in ((REPLY, ChatReply("")), (ChatReply(""), REPLY)):
        ledger = Ledger(remote=True)
        for reply in order:
            ledger.add(reply)
        assert ledger.take().cost_usd is None


def test_what_was_taken_is_not_counted_again() -> None:
    ledger = Ledger(remote=False)
    ledger.add(ChatReply(""))
    ledger.take()
    ledger.add(REPLY)
    usage = ledger.take()
    assert (usage.calls, usage.cost_usd, usage.remote) == (1, 0.25, False)


def test_no_call_costs_nothing() -> None:
    assert Ledger(remote=True).take().cost_usd == 0.0
