"""The process of a model that answers decision points; it holds no phone and no scenario.

litellm is imported for a remote model alone; a local one needs nothing of it.
"""

from __future__ import annotations

import time

from heron.contracts import StepCost, Usage
from heron.eval.judging import asking
from heron.eval.judging.points import DecisionPoint
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve
from heron.protocols import ChatModel
from heron.registry import split_spec


def make(settings: Message, _channel: Channel) -> tuple[Message, Handler]:
    """Load the chat model."""
    model, info = _load(settings["spec"], settings["threads"], settings["window"])

    def handle(message: Message) -> Message:
        point = DecisionPoint.model_validate(message["point"])
        wall, cpu = time.perf_counter(), time.process_time()
        reply = model.complete(
            asking.messages(point), schema=asking.SCHEMA, max_tokens=asking.MAX_TOKENS
        )
        said = asking.read(reply.text)
        cost = StepCost(
            wall_s=time.perf_counter() - wall,
            cpu_s=time.process_time() - cpu,
            generated=reply.tokens_out,
        )
        usage = Usage(
            calls=1,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            bytes_out=reply.bytes_out,
            bytes_in=reply.bytes_in,
            cost_usd=reply.cost_usd,
            remote=model.remote,
        )
        return {
            "said": said._asdict(),
            "cost": cost.model_dump(mode="json"),
            "usage": usage.model_dump(mode="json"),
        }

    return {"ready": info}, handle


def _load(spec: str, threads: int, window: int) -> tuple[ChatModel, Message]:
    name, argument = split_spec(spec)
    if name == "gguf":
        from heron.models.chat_llama import load_llama_chat

        chat = load_llama_chat(argument, threads=threads, window=window)
        return chat, chat.info.model_dump(mode="json")
    from heron.models.litellm_chat import chat_model

    model = chat_model(spec, threads=threads, window=window)
    return model, {"model": argument, "remote": model.remote}


if __name__ == "__main__":
    serve(make)
