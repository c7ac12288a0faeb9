"""The loop over real HTTP, against an OpenAI-compatible server on this machine.

The server plays a script, so that what is tried is the way there and back: names, ids, schemas and
errors as a provider's client sends and receives them. litellm takes seconds to import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from heron.contracts import ToolCall
from heron.errors import ModelFault, RemoteFault
from heron.executor.loop import LoopExecutor
from heron.models.litellm_chat import LitellmChat
from heron.models.scripted import ScriptedChatModel
from heron.models.serve import ChatServer
from heron.protocols import ChatReply

pytestmark = pytest.mark.slow

MOVE = ToolCall(name="calendar-move", arguments={"event_id": "e3", "start": "2026-03-11 15:00"})
FIND = ToolCall(name="contacts-search", arguments={"query": "Anna"})
TELL = ToolCall(name="messaging-send", arguments={"contact_id": "c1", "text": "Moved. – Grüße"})
FINISH = ToolCall(name="finish", arguments={"message": "Moved it and told Anna."})
ASK = ToolCall(name="ask_user", arguments={"question": "Which Anna?"})

Client = Callable[..., tuple[LitellmChat, ScriptedChatModel]]


@pytest.fixture
def client() -> Any:
    """Makes a client of a server that plays answers: (client, the model behind the server)."""
    servers: list[ChatServer] = []

    def make(*answers: Any, remote: bool | None = None) -> tuple[LitellmChat, ScriptedChatModel]:
        model = ScriptedChatModel(answers)
        server = ChatServer(model)
        server.__enter__()
        servers.append(server)
        chat = LitellmChat(
            "openai/heron", api_base=server.url, remote=remote, pause=lambda _seconds: None
        )
        return chat, model

    yield make
    for server in servers:
        server.close()


def dotted(call: ToolCall) -> ToolCall:
    return ToolCall(name=call.name.replace("-", "."), arguments=call.arguments)


@pytest.mark.parametrize("remote", [None, True])
def test_a_task_is_done_over_http(
    client: Client, new_phone: Any, new_task: Any, remote: bool | None
) -> None:
    chat, model = client(MOVE, FIND, TELL, FINISH, remote=remote)
    tools = new_phone()
    execution = LoopExecutor(chat).start(new_task(tools), tools)
    assert (execution.end, execution.message) == ("done", "Moved it and told Anna.")
    assert tools.called == [dotted(call) for call in (MOVE, FIND, TELL)]
    usage = execution.usage
    assert (usage.calls, usage.remote) == (4, bool(remote))
    assert chat.bytes_from == "http"
    last: Any = model.requests[-1].messages
    ids = [call["id"] for message in last for call in message.get("tool_calls") or ()]
    assert [m["tool_call_id"] for m in last if m["role"] == "tool"] == ids
    listed: Any = model.requests[0].tools
    assert ("give_up" in [tool["function"]["name"] for tool in listed]) == bool(remote)
    # The bodies hold at least what the server read out of them.
    assert usage.bytes_out > sum(len(str(m.get("content"))) for m in last)


def test_a_narrowed_schema_arrives_as_it_was_made(
    client: Client, new_phone: Any, new_task: Any
) -> None:
    chat, model = client(FIND, "Done.", remote=True)
    tools = new_phone()
    LoopExecutor(chat).start(new_task(tools), tools)
    listed: Any = model.requests[-1].tools
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in listed}
    assert schemas["calendar-move"]["properties"]["event_id"]["enum"] == ["e3"]
    assert schemas["messaging-send"]["properties"]["contact_id"]["enum"] == ["c1"]


def test_unreadable_arguments_come_back_to_the_model(
    client: Client, new_phone: Any, new_task: Any
) -> None:
    broken = {"id": "t1", "type": "function", "function": {"name": FIND.name, "arguments": "{"}}
    raw: Any = {"role": "assistant", "content": None, "tool_calls": [broken]}
    chat, model = client(ChatReply("", raw=raw), FIND, "Found her.", remote=True)
    tools = new_phone()
    execution = LoopExecutor(chat).start(new_task(tools), tools)
    assert (execution.end, execution.message) == ("done", "Found her.")
    assert "the arguments are no JSON" in str(model.requests[1].messages[-1]["content"])
    assert [result.ok for result in execution.calls] == [False, True]


def test_a_question_is_answered_over_http(client: Client, new_phone: Any, new_task: Any) -> None:
    chat, model = client(MOVE, ASK, FINISH, remote=True)
    tools = new_phone()
    executor = LoopExecutor(chat)
    assert executor.start(new_task(tools), tools).end == "question"
    assert executor.resume("Anna Frei", tools).end == "done"
    assert model.requests[-1].messages[-1]["content"] == "Mara answers: Anna Frei"


def test_a_model_that_fails_behind_the_server_is_a_fault_of_the_remote_side(
    client: Client, new_phone: Any, new_task: Any
) -> None:
    chat, _ = client(MOVE, *[ModelFault("out of memory")] * 3)
    tools = new_phone()
    executor = LoopExecutor(chat)
    with pytest.raises(RemoteFault, match="out of memory"):
        executor.start(new_task(tools), tools)
    assert executor.ledger.take().calls == 1
