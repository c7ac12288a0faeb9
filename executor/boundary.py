"""The one place through which everything passes on its way to the executor's model, and back.

The phone's side knows real records; the model's side knows what the boundary lets through. The
loop calls ``show_*`` on all that it puts before the model and ``restore_*`` on all that the model
says, so a policy is a subclass that overrides these five methods: one that hides fields overrides
``show_task`` and ``show_result``; one that gives pseudonyms takes them back in ``restore_*``.
References are offered by what ``show_*`` returned: a record left out of it can't be named.

``Execution.calls`` keeps the phone's side: it stays on the device.

What it does not know: what is private.
"""

from __future__ import annotations

from heron.contracts import Task, ToolCall, ToolResult


class Boundary:
    """Lets everything through, both ways."""

    def show_task(self, task: Task) -> Task:
        """The accepted proposal, its evidence, the user's name and the tools, for the model."""
        return task

    def show_result(self, result: ToolResult) -> ToolResult:
        """A tool's answer, for the model."""
        return result

    def show_reply(self, text: str) -> str:
        """The user's answer to a question, for the model."""
        return text

    def restore_call(self, call: ToolCall) -> ToolCall:
        """A call of the model, for the phone."""
        return call

    def restore_text(self, text: str) -> str:
        """The model's report or question, for the user."""
        return text
