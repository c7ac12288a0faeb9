"""The observer's process: holds one model and one observer, and answers observations.

It imports the observer and the local models, nothing of the phone, the scenarios or litellm.
"""

from __future__ import annotations

import time
from pathlib import Path

from pydantic import TypeAdapter

from heron.contracts import Observation, ObserverAnswer, StepCost
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve
from heron.models import store
from heron.models.decision import load_decision_model
from heron.models.prefixes import default_store
from heron.observer.registry import NEEDS_MODEL, OBSERVERS, READS_HIDDEN
from heron.observer.setup import Setup, model_of
from heron.protocols import DecisionModel
from heron.registry import split_spec

ANSWER: TypeAdapter[ObserverAnswer] = TypeAdapter(ObserverAnswer)


def make(settings: Message, _channel: Channel) -> tuple[Message, Handler]:
    """Load the model, make the observer."""
    name, argument = split_spec(settings["spec"])
    model: DecisionModel | None = None
    info: Message = {}
    folder: Path | None = None
    if name in NEEDS_MODEL:
        file = store.resolve(model_of(argument))
        folder = file.parent
        # A calibration fits one file and no other, so the file has to be known.
        store.sealed_sha256(file)
        loaded = load_decision_model(
            model_of(argument),
            threads=settings["threads"],
            window=settings["window"],
            prefixes=default_store(),
            hidden=name in READS_HIDDEN,
        )
        model, info = loaded, loaded.info.model_dump(mode="json")
    setup = Setup(argument=argument, model=model, info=info, folder=folder)
    observer = OBSERVERS.get(name)(setup)

    def handle(message: Message) -> Message:
        wall, cpu = time.perf_counter(), time.process_time()
        answer = observer.observe(Observation.model_validate(message["observation"]))
        spent = StepCost(wall_s=time.perf_counter() - wall, cpu_s=time.process_time() - cpu)
        if model is not None:
            tokens = model.take_cost()
            spent = spent.model_copy(
                update={
                    "evaluated": tokens.evaluated,
                    "reused": tokens.reused,
                    "generated": tokens.generated,
                }
            )
        return {
            "answer": ANSWER.dump_python(answer, mode="json"),
            "cost": spent.model_dump(mode="json"),
        }

    return {"ready": info}, handle


if __name__ == "__main__":
    serve(make)
