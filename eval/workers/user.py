"""The process of a user that is a model: holds the chat model and answers views.

It holds what its briefing and the views tell, nothing of the phone or the scenarios. A local model
is called directly, so that litellm is imported for a remote one alone.
"""

from __future__ import annotations

import time

from heron.contracts import StepCost, UserView
from heron.errors import ModelFault, RemoteFault
from heron.eval.users.model import ModelUser
from heron.eval.users.prompt import Briefing
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve
from heron.models.litellm_chat import LitellmChat
from heron.protocols import ChatModel
from heron.registry import split_spec


def make(settings: Message, channel: Channel) -> tuple[Message, Handler]:
    """Load the model, make the user."""
    name, argument = split_spec(settings["spec"])
    model: ChatModel
    info: Message = {}
    if name == "gguf":
        # Not at the top: a remote model needs nothing of llama.cpp.
        from heron.models.chat_llama import load_llama_chat

        model = local = load_llama_chat(
            argument, threads=settings["threads"], window=settings["window"]
        )
        info = local.info.model_dump(mode="json")
    else:
        model = LitellmChat(argument)
    user = ModelUser(model)

    def handle(message: Message) -> Message:
        if "begin" in message:
            told = Briefing.model_validate(message["begin"])
            if isinstance(model, LitellmChat):
                model.seed = told.seed
            user.begin(told)
            return {"begun": True}
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            step = user.step(UserView.model_validate(message["view"]))
        except (ModelFault, RemoteFault):
            # What it used before it broke was used all the same.
            channel.send({"spent": user.take_usage().model_dump(mode="json")})
            raise
        usage = user.take_usage()
        cost = StepCost(
            wall_s=time.perf_counter() - wall,
            cpu_s=time.process_time() - cpu,
            generated=usage.tokens_out,
        )
        return {
            "step": step.model_dump(mode="json"),
            "cost": cost.model_dump(mode="json"),
            "usage": usage.model_dump(mode="json"),
        }

    return {"ready": info}, handle


if __name__ == "__main__":
    serve(make)
