"""The observer's process: holds one model and one observer, and answers observations.

It imports the observer and the local models, nothing of the phone, the scenarios or litellm.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from heron.contracts import Brief, Observation, ObserverAnswer, ObserverState
from heron.errors import Fault, InputError
from heron.eval.workers.channel import Channel, Message
from heron.eval.workers.serve import Handler, serve
from heron.models import store
from heron.models.decision import LlamaDecisionModel, load_decision_model
from heron.models.device import DeviceLimits, put_in_force
from heron.models.meter import DecisionMeter
from heron.models.prefixes import PrefixStore, default_store
from heron.observer.registry import NEEDS_MODEL, OBSERVERS, READS_HIDDEN
from heron.observer.setup import Setup, model_of
from heron.protocols import Gated, Observer, Restorable, UsesNetwork
from heron.registry import split_spec

ANSWER: TypeAdapter[ObserverAnswer] = TypeAdapter(ObserverAnswer)


def make(settings: Message, channel: Channel) -> tuple[Message, Handler]:
    """Load the model, make the observer; an emulated device's limits hold from before that."""
    in_force = put_in_force(DeviceLimits.model_validate(settings.get("limits") or {}))
    name, argument = split_spec(settings["spec"])
    model: LlamaDecisionModel | None = None
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
            prefixes=_prefixes(settings),
            hidden=name in READS_HIDDEN,
        )
        model, info = loaded, loaded.info.model_dump(mode="json")
    setup = Setup(argument=argument, model=model, info=info, folder=folder)
    observer = OBSERVERS.get(name)(setup)
    meter = DecisionMeter(kv=info.get("kv"))

    wanted = settings.get("keep_state", False)
    kept = observer if wanted and isinstance(observer, Restorable) else None

    def handle(message: Message) -> Message:
        if "restore" in message:
            return _restore(observer, message)
        meter.start(message.get("arrived"))
        try:
            answer = observer.observe(Observation.model_validate(message["observation"]))
        except Fault:
            if isinstance(observer, UsesNetwork):
                lost = meter.stop().model_copy(update={"usage": observer.take_usage()})
                channel.send({"lost": lost.model_dump(mode="json")})
            raise
        first_read = model.first_read if model else None
        spent = meter.stop(model.take_cost() if model else None, first_read)
        if isinstance(observer, Gated):
            spent = spent.model_copy(update={"woken": observer.woken})
        if isinstance(observer, UsesNetwork):
            spent = spent.model_copy(update={"usage": observer.take_usage()})
        return {
            "answer": ANSWER.dump_python(answer, mode="json"),
            "cost": spent.model_dump(mode="json"),
            # Saving is the harness's wish and no part of the decision, so it is not measured.
            "state": kept.save().model_dump(mode="json") if kept else None,
            "context": _context(model),
        }

    return {"ready": info, "in_force": in_force.model_dump(mode="json")}, handle


def _restore(observer: Observer, message: Message) -> Message:
    """Go on where another process stopped.

    Raises:
        InputError: the observer cannot.
    """
    if not isinstance(observer, Restorable):
        raise InputError("this observer keeps no state that could be restored")
    brief = Brief.model_validate(message["brief"])
    observer.load(ObserverState.model_validate(message["restore"]), brief)
    return {"restored": True}


def _context(model: LlamaDecisionModel | None) -> Message | None:
    """Counters of the model's context since the process began."""
    if model is None:
        return None
    return {"trims": model.trims, "again": model.read_again, "recoveries": model.recoveries}


def _prefixes(settings: Message) -> PrefixStore | None:
    """Where evaluated prefixes are kept: the user's store, unless a folder is given."""
    folder = settings.get("prefixes")
    return PrefixStore(Path(folder)) if folder else default_store()


if __name__ == "__main__":
    serve(make)
