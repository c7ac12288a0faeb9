"""The executor's process, started at the first grant: holds the chat model and the tool loop.

The phone stays in the harness: every tool call crosses the pipe and its result comes back.
"""

from __future__ import annotations

import time

from heron.contracts import Execution, StepCost, Task, ToolCall, ToolResult, ToolSpec
from heron.errors import ModelFault, RemoteFault
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve
from heron.executor.loop import LoopExecutor
from heron.executor.registry import build_executor
from heron.models.litellm_chat import chat_model


class PipedTools:
    """The phone's tools, behind the pipe."""

    def __init__(self, channel: Channel, specs: tuple[ToolSpec, ...]) -> None:
        self._channel, self._specs = channel, specs

    def specs(self) -> tuple[ToolSpec, ...]:
        """What may be called."""
        return self._specs

    def call(self, call: ToolCall) -> ToolResult:
        """Have the harness call a tool."""
        self._channel.send({"call": call.model_dump(mode="json")})
        return ToolResult.model_validate(self._channel.receive()["result"])


def make(settings: Message, channel: Channel) -> tuple[Message, Handler]:
    """Load the chat model, make the executor."""
    model = chat_model(settings["spec"], threads=settings["threads"])
    executor = build_executor(settings["spec"], model=model)
    specs: tuple[ToolSpec, ...] = ()

    def handle(message: Message) -> Message:
        nonlocal specs
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            if "task" in message:
                task = Task.model_validate(message["task"])
                specs = task.tools
                done: Execution = executor.start(task, PipedTools(channel, specs))
            else:
                done = executor.resume(message["reply"], PipedTools(channel, specs))
        except (ModelFault, RemoteFault):
            # What it used before it broke has left the device all the same.
            if isinstance(executor, LoopExecutor):
                channel.send({"spent": executor.ledger.take().model_dump(mode="json")})
            raise
        cost = StepCost(
            wall_s=time.perf_counter() - wall,
            cpu_s=time.process_time() - cpu,
            generated=done.usage.tokens_out,
        )
        return {
            "execution": done.model_dump(mode="json"),
            "cost": cost.model_dump(mode="json"),
        }

    return {"ready": {"remote": model.remote}}, handle


if __name__ == "__main__":
    serve(make)
