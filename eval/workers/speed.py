"""The process that measures a model's tokens per second, under the same limits as an observer's."""

from __future__ import annotations

from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve
from heron.models.device import DeviceLimits, put_in_force
from heron.models.llama_context import LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.speed import run_test
from heron.models.store import resolve


def make(settings: Message, _channel: Channel) -> tuple[Message, Handler]:
    """Load the model as an observer does."""
    in_force = put_in_force(DeviceLimits.model_validate(settings.get("limits") or {}))
    model = LlamaModel(resolve(settings["model"]))
    context = LlamaContext(model, window=settings["window"], threads=settings["threads"])

    def handle(message: Message) -> Message:
        return {"taken": run_test(context, message["test"], message["tokens"])._asdict()}

    return {"in_force": in_force.model_dump(mode="json")}, handle


if __name__ == "__main__":
    serve(make)
