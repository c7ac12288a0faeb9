"""A whole run in which the executor's process speaks real HTTP to a server on this machine.

The server plays a script. litellm takes seconds to import, once per test.
"""

from __future__ import annotations

from typing import cast

import pytest

from heron.contracts import EpisodeConfig, EpisodeRecord, ToolCall
from heron.errors import RemoteFault
from heron.eval.batch import Bench, Plan
from heron.models.scripted import ChatRequest, ScriptedChatModel
from heron.models.serve import ChatServer
from heron.scenarios.loader import load_suite

pytestmark = pytest.mark.slow

GOAL = next(s for s in load_suite("smoke").sound().scenarios if s.type == "goal")
REPORT = "There was nothing to do."


def look(request: ChatRequest) -> ToolCall:
    """Search with the first search that is offered."""
    offered = [cast("dict[str, str]", tool["function"])["name"] for tool in request.tools]
    return ToolCall(
        name=next(name for name in offered if "search" in name), arguments={"query": "club"}
    )


def run(monkeypatch: pytest.MonkeyPatch, model: ScriptedChatModel) -> EpisodeRecord:
    config = EpisodeConfig(observer="oracle", executor="litellm:openai/heron", user="scripted")
    bench = Bench(Plan(config=config))
    with ChatServer(model) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        try:
            return bench.episode(GOAL, 0)
        finally:
            bench.close()


def test_an_execution_over_http_reaches_the_phone_and_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = ScriptedChatModel([look, REPORT])
    episode = run(monkeypatch, model)
    assert episode.fault is None
    execution = next(t.execution for t in episode.turns if t.execution is not None)
    assert (execution.end, execution.message) == ("done", REPORT)
    assert [result.ok for result in execution.calls] == [True]
    assert len(model.requests) == 2
    assert execution.usage.bytes_out > len(str(model.requests[-1].messages))
    assert episode.costs.egress_before_accept == 0
    assert episode.verdict.outcome == "failure"


def test_a_server_that_breaks_is_a_fault_and_what_was_sent_before_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = [RemoteFault("the server is on fire")] * 10
    episode = run(monkeypatch, ScriptedChatModel([look, *broken]))
    assert episode.fault is not None
    assert episode.fault.part == "executor"
    assert "\n" not in episode.fault.message
    assert [use.calls for use in episode.costs.usage] == [1]
    assert episode.costs.usage[0].bytes_out > 0
    assert episode.verdict.outcome == "failure"
