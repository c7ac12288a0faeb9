"""Spans in the JSON of OpenTelemetry's protocol (OTLP), to a file or to a collector over HTTP.

A file holds one ``TracesData`` per line, one line per episode, as the protocol's file exporter
writes it and the collector's ``otlpjsonfile`` receiver reads it. Ids are hexadecimal, 64-bit
numbers are strings, kinds and codes are numbers
(https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). What it does not know: episodes.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import httpx

from heron.errors import InputError, Unavailable

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import Event, ReadableSpan

Json = dict[str, Any]

PATH = "/v1/traces"
BATCH = 512 * 1024
"""Bytes after which what was gathered is sent."""
TRIES = 5
AGAIN = frozenset({429, 502, 503, 504})
"""Answers after which the protocol asks to try again."""
HEADERS = ("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS")


def traces_data(spans: Sequence[ReadableSpan]) -> Json:
    """Spans of one resource and one scope as ``TracesData``."""
    first = spans[0]
    scope = first.instrumentation_scope
    own: Json = {
        "resource": {"attributes": _attributes(first.resource.attributes)},
        "scopeSpans": [{"spans": [_span(span) for span in spans]}],
    }
    if scope is not None:
        own["scopeSpans"][0]["scope"] = {"name": scope.name, "version": scope.version or ""}
        own["scopeSpans"][0]["schemaUrl"] = scope.schema_url or ""
    return {"resourceSpans": [own]}


def _span(span: ReadableSpan) -> Json:
    context, parent = span.get_span_context(), span.parent
    assert context is not None  # noqa: S101  (the SDK's own always has one)
    found: Json = {
        "traceId": f"{context.trace_id:032x}",
        "spanId": f"{context.span_id:016x}",
        "name": span.name,
        "kind": span.kind.value + 1,  # the protocol's first kind is "unspecified"
        "startTimeUnixNano": str(span.start_time),
        "endTimeUnixNano": str(span.end_time),
        "attributes": _attributes(span.attributes or {}),
        "events": [_event(event) for event in span.events],
        "status": {"code": span.status.status_code.value},
    }
    if parent is not None:
        found["parentSpanId"] = f"{parent.span_id:016x}"
    if span.status.description:
        found["status"]["message"] = span.status.description
    return found


def _event(event: Event) -> Json:
    return {
        "timeUnixNano": str(event.timestamp),
        "name": event.name,
        "attributes": _attributes(event.attributes or {}),
    }


def _attributes(values: Mapping[str, Any]) -> list[Json]:
    return [{"key": key, "value": _value(value)} for key, value in values.items()]


def _value(value: Any) -> Json:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, (list, tuple)):
        return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": str(value)}


def as_line(data: Json) -> str:
    """One line of a file, without its end."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# --- to a collector -----------------------------------------------------------------------------


class Collector:
    """Sends traces over HTTP, in batches.

    Headers come from ``OTEL_EXPORTER_OTLP_HEADERS``, as with OpenTelemetry's own exporters.

    Args:
        endpoint: the collector's address, with or without ``/v1/traces``.
        wait: waits some seconds between tries.

    Raises:
        InputError: the address is none.
    """

    def __init__(self, endpoint: str, wait: Callable[[float], None] = time.sleep) -> None:
        self.url = _url(endpoint)
        self._wait = wait
        self._gathered: list[Json] = []
        self._size = 0
        self._client = httpx.Client(headers=dict(_headers()), timeout=30)

    def add(self, data: Json) -> None:
        """Gather, and send if it is enough.

        Raises:
            Unavailable: the collector does not take it.
        """
        self._gathered += data["resourceSpans"]
        self._size += len(as_line(data))
        if self._size >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Send what was gathered.

        Raises:
            Unavailable: the collector does not take it.
        """
        if self._gathered:
            body = as_line({"resourceSpans": self._gathered}).encode()
            self._gathered, self._size = [], 0
            self._send(body)

    def close(self) -> None:
        """End the connection."""
        self._client.close()

    def _send(self, body: bytes) -> None:
        answer = self._post(body)
        for tries in range(1, TRIES):
            if answer.status_code not in AGAIN:
                break
            self._wait(_pause(answer, tries))
            answer = self._post(body)
        if not answer.is_success:
            raise Unavailable(
                f"{self.url} answers {answer.status_code} {answer.reason_phrase}; it has to take "
                f"OTLP over HTTP as JSON"
            )
        refused = _refused(answer)
        if refused:
            raise Unavailable(f"{self.url} refused spans: {refused}")

    def _post(self, body: bytes) -> httpx.Response:
        headers = {"content-type": "application/json"}
        try:
            return self._client.post(self.url, content=body, headers=headers)
        except httpx.HTTPError as error:
            raise Unavailable(f"cannot reach {self.url}: {error}") from error


def _url(endpoint: str) -> str:
    try:
        url = httpx.URL(endpoint.strip().rstrip("/"))
    except httpx.InvalidURL as error:
        raise InputError(f"{endpoint!r} is no address: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError(
            f"{endpoint!r} is no address; write http://HOST:PORT, for example http://localhost:4318"
        )
    return str(url) if url.path.endswith(PATH) else f"{str(url).rstrip('/')}{PATH}"


def _headers() -> Iterator[tuple[str, str]]:
    from opentelemetry.util.re import parse_env_headers

    for name in HEADERS:
        yield from parse_env_headers(os.environ.get(name, ""), liberal=True).items()


def _pause(answer: httpx.Response, tries: int) -> float:
    """Seconds: what the collector asks for, or twice as long each time."""
    asked = answer.headers.get("retry-after", "")
    return float(asked) if asked.isdecimal() else 2.0 ** (tries - 1)


def _refused(answer: httpx.Response) -> str:
    """What the collector says of spans that it did not take; empty if it took all."""
    try:
        content = answer.json()
    except ValueError:
        return ""
    partial = content.get("partialSuccess") if isinstance(content, dict) else None
    if not isinstance(partial, dict) or not int(partial.get("rejectedSpans") or 0):
        return ""
    return f"{partial['rejectedSpans']}, {partial.get('errorMessage') or 'without a reason'}"
