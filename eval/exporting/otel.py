"""Stored episodes as OpenTelemetry traces: one per episode, to a file or to a collector.

One episode is held at a time. What it does not know: spans (see ``otel_spans``), the protocol (see
``otlp``).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from heron.contracts import EpisodeRecord, Record
from heron.errors import InputError, Unavailable
from heron.eval.exporting.extras import need
from heron.eval.exporting.otel_spans import Spans
from heron.eval.exporting.otlp import Collector, Json, as_line, traces_data
from heron.eval.exporting.stored import Stored

Tell = Callable[[EpisodeRecord], None]


class TracesWritten(Record):
    """What was written or sent."""

    to: str
    """A file, or an address."""
    traces: int
    spans: int


def write_traces(
    found: Sequence[Stored], out: Path, tell: Tell, *, content: bool = True
) -> TracesWritten:
    """Write all traces to a file, or nothing.

    Args:
        found: what is stored.
        out: the file.
        tell: told of each episode.
        content: whether texts, arguments and results are told.

    Raises:
        InputError: the file is there already, or a row is damaged.
        Unavailable: OpenTelemetry is not installed, or the file cannot be written.
    """
    need("opentelemetry.sdk", "otel")
    if out.exists():
        raise InputError(f"{out} is there already; choose another --out")
    part = out.with_name(out.name + ".part")
    traces = spans = 0
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8") as file:
            for data, count in _traces(found, tell, content=content):
                file.write(as_line(data) + "\n")
                traces, spans = traces + 1, spans + count
            file.flush()
            os.fsync(file.fileno())
        part.replace(out)
    except OSError as error:
        raise Unavailable(f"cannot write to {out}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return TracesWritten(to=str(out), traces=traces, spans=spans)


def send_traces(
    found: Sequence[Stored], endpoint: str, tell: Tell, *, content: bool = True
) -> TracesWritten:
    """Send all traces to a collector.

    Args:
        found: what is stored.
        endpoint: its address.
        tell: told of each episode.
        content: whether texts, arguments and results are told.

    Raises:
        InputError: the address is none, or a row is damaged.
        Unavailable: OpenTelemetry is not installed, or the collector does not take them; what was
            sent before stays there, under the ids that it would have again.
    """
    need("opentelemetry.sdk", "otel")
    collector = Collector(endpoint)
    traces = spans = 0
    try:
        for data, count in _traces(found, tell, content=content):
            collector.add(data)
            traces, spans = traces + 1, spans + count
        collector.flush()
    finally:
        collector.close()
    return TracesWritten(to=collector.url, traces=traces, spans=spans)


def _traces(found: Sequence[Stored], tell: Tell, *, content: bool) -> Iterator[tuple[Json, int]]:
    for own in found:
        maker = Spans(own, content=content)
        for episode in own.episodes():
            spans = maker.of(episode)
            yield traces_data(spans), len(spans)
            tell(episode)
