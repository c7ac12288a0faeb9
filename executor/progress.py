"""What an execution has done so far, and whether a call says the same thing again.

What it does not know: how the model is told.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from heron.contracts import ToolCall, ToolResult, ToolSpec


class Progress:
    """Calls that went through, under one grant.

    A small model repeats its first call; a write must not happen twice by that. So a call that
    went through is *again* asked for if its arguments are the same: a write for good, a read until
    something was written or the user answered, since only then its result can differ.
    """

    def __init__(self, tools: Iterable[ToolSpec]) -> None:
        self._writes = {spec.name for spec in tools if spec.effect == "write"}
        self._failed: Counter[str] = Counter()
        self._calls: dict[str, ToolCall] = {}
        self._read: set[str] = set()
        self._wrote: set[str] = set()
        self.calls = 0
        """Calls that came back, from the phone or refused before."""
        self.looks = 0
        """Reads that came back since the last write that went through."""
        self.written: list[ToolCall] = []
        """Writes that went through, in order."""

    def again(self, call: ToolCall) -> bool:
        """The same call went through before."""
        return _key(call) in (self._wrote if call.name in self._writes else self._read)

    def futile(self, call: ToolCall) -> bool:
        """The same call failed twice: once may be chance, twice is the call's own fault."""
        return self._failed[_key(call)] >= 2

    def futile_arguments(self, name: str) -> set[str]:
        """Arguments of a tool's calls that failed twice: the fault may be one that was given."""
        return {
            a
            for key, call in self._calls.items()
            if self._failed[key] >= 2
            for a in call.arguments
            if call.name == name
        }

    def note(self, result: ToolResult) -> None:
        """A call came back."""
        self.calls += 1
        self.looks += result.call.name not in self._writes
        if not result.ok:
            self._failed[_key(result.call)] += 1
            self._calls[_key(result.call)] = result.call
            return
        if result.call.name in self._writes:
            self._wrote.add(_key(result.call))
            self.written.append(result.call)
            self.looks = 0
            self._read.clear()
            self._failed.clear()
        else:
            self._read.add(_key(result.call))

    def user_answered(self) -> None:
        """Time passed and the user may have changed things: all but writes may be repeated."""
        self._read.clear()
        self._failed.clear()

    def left_of(self, plan: Iterable[str]) -> list[str]:
        """Writes of the plan that have not gone through yet, as often as the plan names them."""
        done = [call.name for call in self.written]
        left = []
        for name in plan:
            if name in done:
                done.remove(name)
            elif name in self._writes:
                left.append(name)
        return left


def _key(call: ToolCall) -> str:
    return call.name + json.dumps(call.arguments, sort_keys=True, ensure_ascii=False)
