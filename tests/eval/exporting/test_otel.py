"""Traces: structure, ids and times by hand, the JSON by OpenTelemetry's own definitions."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from heron.contracts import EpisodeRecord, Usage
from heron.errors import InputError, Unavailable
from heron.eval.exporting.otel import send_traces, write_traces
from heron.eval.exporting.otlp import Collector
from heron.eval.exporting.stored import stored

pytest.importorskip("opentelemetry.sdk")


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def spans(data: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data["resourceSpans"][0]["scopeSpans"][0]["spans"]
    return found


def attributes(record: dict[str, Any]) -> dict[str, Any]:
    return {a["key"]: next(iter(a["value"].values())) for a in record["attributes"]}


@pytest.fixture
def written(full_run: Path, tmp_path: Path) -> dict[str, dict[str, Any]]:
    """Name → span of the episode with everything in it."""
    out = tmp_path / "t.jsonl"
    done = write_traces(stored([full_run], lambda _: None), out, lambda _: None)
    (data,) = lines(out)
    assert (done.traces, done.spans) == (1, len(spans(data)))
    return {span["name"]: span for span in spans(data)}


def test_a_trace_has_the_shape_of_the_episode(written: dict[str, dict[str, Any]]) -> None:
    root = written["invoke_workflow s1"]
    observer, executor = written["invoke_agent observer"], written["invoke_agent executor"]
    assert set(written) == {
        "invoke_workflow s1",
        "invoke_agent observer",
        "chat small",
        "decide",  # the gate let the model sleep
        "execute_tool email.get_email",
        "invoke_agent executor",
        "execute_tool reminder.add",
    }
    assert "parentSpanId" not in root
    for name, parent in (
        ("invoke_agent observer", root),
        ("invoke_agent executor", root),
        ("chat small", observer),
        ("decide", observer),
        ("execute_tool email.get_email", observer),
        ("execute_tool reminder.add", executor),
    ):
        assert written[name]["parentSpanId"] == parent["spanId"], name
        assert written[name]["traceId"] == root["traceId"]


def test_attributes_are_the_conventions(written: dict[str, dict[str, Any]]) -> None:
    chat = attributes(written["chat small"])
    assert chat["gen_ai.operation.name"] == "chat"
    assert chat["gen_ai.provider.name"] == "llama.cpp"
    assert chat["gen_ai.request.model"] == "small"
    assert chat["gen_ai.usage.input_tokens"] == "110"
    assert chat["gen_ai.usage.cache_read.input_tokens"] == "100"
    assert chat["gen_ai.usage.output_tokens"] == "12"
    assert json.loads(chat["gen_ai.output.messages"])[0]["parts"][0]["content"].startswith(
        "Shall I?"
    )
    executor = attributes(written["invoke_agent executor"])
    assert executor["gen_ai.provider.name"] == "acme"
    assert executor["gen_ai.request.model"] == "acme/large"
    assert executor["gen_ai.usage.input_tokens"] == "300"
    assert "heron.usd" not in executor  # no price is known
    tool = attributes(written["execute_tool reminder.add"])
    assert json.loads(tool["gen_ai.tool.call.arguments"]) == {"title": "Milk"}
    assert tool["gen_ai.tool.call.result"] == "r1 reminder: Milk"


def test_kinds_are_the_protocols_numbers(
    written: dict[str, dict[str, Any]], full: EpisodeRecord, tmp_path: Path
) -> None:
    assert {span["kind"] for span in written.values()} == {1}  # INTERNAL: all in this process
    asked = [step.model_copy(update={"usage": Usage(calls=1)}) for step in full.costs.steps]
    costs = full.costs.model_copy(update={"steps": tuple(asked)})
    file = tmp_path / "remote.jsonl"
    file.write_text(full.model_copy(update={"costs": costs}).model_dump_json() + "\n")
    write_traces(stored([file], lambda _: None), tmp_path / "r", lambda _: None)
    kinds = {span["name"]: span["kind"] for span in spans(lines(tmp_path / "r")[0])}
    assert kinds["chat small"] == 3  # CLIENT
    assert kinds["invoke_agent observer"] == 1


def test_errors_are_a_status(written: dict[str, dict[str, Any]]) -> None:
    look = written["execute_tool email.get_email"]
    assert look["status"] == {"code": 2, "message": "the mail app is down"}
    assert attributes(look)["error.type"] == "_OTHER"
    assert written["invoke_workflow s1"]["status"]["message"] == "observer: gone"
    assert written["chat small"]["status"] == {"code": 0}


def test_times_begin_at_the_phones_clock_where_the_run_says_none(
    written: dict[str, dict[str, Any]],
) -> None:
    start = 1_773_133_200 * 10**9  # 2026-03-10 09:00 UTC
    root = written["invoke_workflow s1"]
    assert int(root["startTimeUnixNano"]) == start
    assert int(root["endTimeUnixNano"]) == start + 9 * 10**9
    executor = written["invoke_agent executor"]
    assert int(executor["startTimeUnixNano"]) == start + 3_500_000_000
    assert int(executor["endTimeUnixNano"]) == start + 7_500_000_000


def test_the_verdict_is_an_event_of_the_trace(written: dict[str, dict[str, Any]]) -> None:
    (event,) = written["invoke_workflow s1"]["events"]
    assert event["name"] == "gen_ai.evaluation.result"
    told = attributes(event)
    assert told["gen_ai.evaluation.score.value"] == 0.0
    assert told["gen_ai.evaluation.score.label"] == "failure"
    assert told["heron.cause"] == "infrastructure"


def test_the_same_run_gives_the_same_bytes_and_traces_do_not_overlap(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    found = stored([runs["oracle"], runs["rules"]], lambda _: None)
    seen: list[str] = []
    for name in ("a", "b"):
        write_traces(found, tmp_path / name, lambda e: seen.append(e.scenario))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert len(seen) == 16
    data = lines(tmp_path / "a")
    assert len({spans(one)[0]["traceId"] for one in data}) == 8
    roots = [one for line in data[:4] for one in spans(line) if "parentSpanId" not in one]
    assert all(
        int(one["endTimeUnixNano"]) <= int(after["startTimeUnixNano"])
        for one, after in pairwise(roots)
    )
    every = [one["spanId"] for line in data for one in spans(line)]
    assert len(set(every)) == len(every)


def test_the_resource_says_what_played_it(runs: dict[str, Path], tmp_path: Path) -> None:
    write_traces(stored([runs["rules"]], lambda _: None), tmp_path / "a", lambda _: None)
    told = attributes(lines(tmp_path / "a")[0]["resourceSpans"][0]["resource"])
    assert told["service.name"] == "heron"
    assert told["heron.config.observer"] == "rules"
    assert {"service.version", "heron.command", "heron.device", "os.description"} <= set(told)


def test_content_can_be_left_out(full_run: Path, tmp_path: Path) -> None:
    found = stored([full_run], lambda _: None)
    write_traces(found, tmp_path / "a", lambda _: None, content=False)
    text = (tmp_path / "a").read_text()
    for word in ("Shall I?", "Milk", "no milk", "Done."):
        assert word not in text, word
    assert "gen_ai.usage.input_tokens" in text


def test_every_line_is_the_protocols_own(runs: dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("opentelemetry.proto")
    from google.protobuf.json_format import ParseDict  # type: ignore[import-untyped]
    from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

    write_traces(stored([runs["oracle"]], lambda _: None), tmp_path / "a", lambda _: None)
    for data in lines(tmp_path / "a"):
        for span in spans(data):
            # The one point in which the protocol's JSON is not protobuf's: ids are hexadecimal.
            for key in {"traceId", "spanId", "parentSpanId"} & set(span):
                span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
        read = ParseDict(data, TracesData())  # refuses unknown fields and values
        names = [span.name for span in read.resource_spans[0].scope_spans[0].spans]
        assert names[-1].startswith("invoke_workflow ")


def test_a_file_is_written_whole_or_not_at_all(full_run: Path, tmp_path: Path) -> None:
    found = stored([full_run], lambda _: None)
    out = tmp_path / "deep" / "t.jsonl"

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_traces(found, out, stop)
    assert list(out.parent.iterdir()) == []
    write_traces(found, out, lambda _: None)
    with pytest.raises(InputError, match="is there already"):
        write_traces(found, out, lambda _: None)


def test_an_sdk_that_is_switched_off_is_told(
    full_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    with pytest.raises(Unavailable, match="OTEL_SDK_DISABLED"):
        write_traces(stored([full_run], lambda _: None), tmp_path / "t", lambda _: None)


# --- to a collector -----------------------------------------------------------------------------


class Taken(ThreadingHTTPServer):
    """A collector that keeps what it is sent, and answers what it is told to."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.answers: list[tuple[int, bytes]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {key.lower(): value for key, value in self.headers.items()}
                server.requests.append((self.path, headers, json.loads(body)))
                status, content = server.answers.pop(0) if server.answers else (200, b"{}")
                self.send_response(status)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def collector() -> Iterator[Taken]:
    server = Taken()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_collector_gets_what_the_file_holds(
    runs: dict[str, Path], tmp_path: Path, collector: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=secret%20word")
    found = stored([runs["oracle"]], lambda _: None)
    write_traces(found, tmp_path / "a", lambda _: None)
    done = send_traces(found, f"{collector.url}/", lambda _: None)
    assert done.to == f"{collector.url}/v1/traces"
    ((path, headers, body),) = collector.requests
    assert path == "/v1/traces"
    assert headers["content-type"] == "application/json"
    assert headers["x-key"] == "secret word"
    sent = [{"resourceSpans": [one]} for one in body["resourceSpans"]]
    assert sent == lines(tmp_path / "a")


def test_a_busy_collector_is_asked_again(collector: Taken) -> None:
    waited: list[float] = []
    sender = Collector(f"{collector.url}/v1/traces", waited.append)
    collector.answers = [(503, b""), (429, b"")]
    sender.add({"resourceSpans": [{}]})
    sender.flush()
    sender.flush()  # nothing is left
    assert len(collector.requests) == 3
    assert waited == [1.0, 2.0]
    sender.close()


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([(400, b"")], "answers 400"),
        ([(503, b"")] * 5, "answers 503"),
        ([(200, b'{"partialSuccess":{"rejectedSpans":"3","errorMessage":"old"}}')], "3, old"),
    ],
)
def test_what_a_collector_does_not_take_is_told(
    collector: Taken, answers: list[tuple[int, bytes]], told: str
) -> None:
    sender = Collector(collector.url, lambda _: None)
    collector.answers = list(answers)
    sender.add({"resourceSpans": [{}]})
    with pytest.raises(Unavailable, match=told):
        sender.flush()
    assert len(collector.requests) == len(answers)
    sender.close()


def test_an_address_that_is_none_or_answers_nothing(full_run: Path) -> None:
    found = stored([full_run], lambda _: None)
    for wrong in ("localhost:4318", "ftp://host", "http://", "http://[::"):
        with pytest.raises(InputError, match="is no address"):
            send_traces(found, wrong, lambda _: None)
    with pytest.raises(Unavailable, match="cannot reach"):
        send_traces(found, "http://127.0.0.1:1", lambda _: None)
