"""A phone of four tools, a task on it, and a scripted model that works on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pytest

from heron.contracts import Arguments, Evidence, Execution, Grant, Proposal, Task
from heron.errors import IllegalCall
from heron.executor.fakes import FakeTool, FakeToolset
from heron.executor.loop import LoopExecutor
from heron.executor.offers import Offer
from heron.models.scripted import ScriptedChatModel
from heron.protocols import ChatReply

DENTIST = Evidence(ref="e3", kind="event", text="'Dentist' 2026-03-11 10:00-10:30")
ANNA = Evidence(ref="c1", kind="contact", text="Anna Frei")


def _search(arguments: Arguments) -> tuple[Any, Sequence[Evidence]]:
    return [{"contact_id": "c1", "name": "Anna Frei"}], [ANNA]


def _send(arguments: Arguments) -> tuple[Any, Sequence[Evidence]]:
    if arguments["text"] == "":
        raise IllegalCall("a message needs a text")
    return "sent", ()


def make_phone() -> FakeToolset:
    """``messaging.send`` needs a contact, which only ``contacts.search`` shows."""
    event: Any = {"type": "string", "x-ref": "event"}
    contact: Any = {"type": "string", "x-ref": "contact"}
    time: Any = {"type": "string", "format": "date-time"}
    text: Any = {"type": "string", "x-text": True}
    word: Any = {"type": "string"}
    return FakeToolset(
        [
            FakeTool(
                name="calendar.move",
                effect="write",
                description="Move an event.",
                parameters={"event_id": event, "start": time, "place": text},
                optional=frozenset({"place"}),
            ),
            FakeTool(
                name="contacts.search",
                effect="read",
                description="Find people by name.",
                parameters={"query": word, "city": text},
                optional=frozenset({"city"}),
                handler=_search,
            ),
            FakeTool(
                name="contacts.edit",
                effect="write",
                description="Edit a contact.",
                parameters={"contact_id": contact},
            ),
            FakeTool(
                name="messaging.send",
                effect="write",
                description="Send a message.",
                parameters={"contact_id": contact, "text": text},
                handler=_send,
            ),
        ]
    )


def make_task(tools: FakeToolset, *, max_steps: int = 10) -> Task:
    """Two writes are planned; the second needs a read first."""
    return Task(
        grant=Grant(grant_id="g1", proposal_id="p1", turn=2),
        proposal=Proposal(
            proposal_id="p1",
            turn=1,
            text="Move the dentist to 15:00 and tell Anna?",
            plan=("calendar.move", "messaging.send"),
            evidence=(DENTIST,),
        ),
        user_name="Mara",
        time=datetime(2026, 3, 10, 9, 0),
        tools=tools.specs(),
        max_steps=max_steps,
    )


class Played(NamedTuple):
    """An execution, with the model and the phone that took part."""

    execution: Execution
    model: ScriptedChatModel
    tools: FakeToolset

    @property
    def told(self) -> str:
        """The last message that the model was shown."""
        return str(self.model.requests[-1].messages[-1]["content"])

    def functions(self, step: int) -> dict[str, Any]:
        """The tools of a step: name → parameters."""
        listed: list[Any] = [tool["function"] for tool in self.model.requests[step].tools]
        return {one["name"]: one["parameters"] for one in listed}


@pytest.fixture(scope="session")
def new_phone() -> Callable[[], FakeToolset]:
    """Makes a phone of four tools."""
    return make_phone


@pytest.fixture(scope="session")
def new_task() -> Callable[..., Task]:
    """Makes a task on it: move the dentist, tell Anna."""
    return make_task


@pytest.fixture(scope="session")
def script() -> Callable[..., ScriptedChatModel]:
    """Makes a model that plays its answers; a list of calls is one answer."""

    def make(*answers: Any, remote: bool = True) -> ScriptedChatModel:
        plays = [
            ChatReply("", calls=tuple(one)) if isinstance(one, list) else one for one in answers
        ]
        return ScriptedChatModel(plays, remote=remote)

    return make


@pytest.fixture(scope="session")
def play(script: Callable[..., ScriptedChatModel]) -> Callable[..., Played]:
    """Plays answers on a new phone."""

    def played(
        *answers: Any, remote: bool = True, max_steps: int = 10, offer: Offer | None = None
    ) -> Played:
        tools, model = make_phone(), script(*answers, remote=remote)
        task = make_task(tools, max_steps=max_steps)
        return Played(LoopExecutor(model, offer=offer).start(task, tools), model, tools)

    return played
