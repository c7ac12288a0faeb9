"""Opens what can be replayed: recorded streams, ARE traces, stored episodes.

What a file is, its content says. What it does not know: observers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from heron.contracts import EpisodeRecord
from heron.errors import InputError, UnknownName
from heron.eval.judging.replay import LeftBehind
from heron.eval.judging.scenes import Scenes
from heron.eval.replaying.sources import EpisodeSource, Source, StreamSource
from heron.eval.replaying.stream import RecordedStream, read_stream
from heron.eval.replaying.trace import trace_in
from heron.eval.replaying.turning import stream_of
from heron.eval.store import read_episodes
from heron.eval.store.choosing import chosen_by
from heron.registry import nearest
from heron.scenarios.are.remarks import Refused


class Opened(NamedTuple):
    """What was found in some files."""

    sources: tuple[Source, ...]
    left: tuple[str, ...]
    """Lines on what cannot be replayed."""


def opened(paths: list[Path], chosen: str | None = None, limit: int | None = None) -> Opened:
    """What can be replayed in files and folders of runs.

    Args:
        paths: files or folders.
        chosen: ``SCENARIO`` or ``SCENARIO#SEED``: only these of Heron's episodes.
        limit: no more than so many in all.

    Raises:
        InputError: a file holds nothing of the kind.
        UnknownName: there is no such episode.
    """
    scenes = Scenes()
    sources: list[Source] = []
    left: list[str] = []
    for path in paths:
        for found in _found(path, chosen):
            if limit is not None and len(sources) >= limit:
                break
            if isinstance(found, RecordedStream):
                sources.append(StreamSource(found))
                continue
            try:
                sources.append(EpisodeSource(found, scenes))
            except LeftBehind as reason:
                left.append(str(reason))
    return Opened(tuple(sources), tuple(left))


def _found(path: Path, chosen: str | None) -> Iterator[RecordedStream | EpisodeRecord]:
    if path.is_dir():
        yield from _episodes(path, chosen)
        return
    text = _text(path)
    kind = _kind(text)
    if kind == "stream":
        yield read_stream(text, path)
    elif kind == "episodes":
        yield from _episodes(path, chosen)
    elif kind == "trace":
        try:
            yield stream_of(trace_in(text))
        except Refused as error:
            raise InputError(f"{path}: {error}") from error
    else:
        raise InputError(
            f"{path}: neither a recorded stream, a trace of ARE, nor episodes of Heron's"
        )


def _kind(text: str) -> str | None:
    """By the first line, or by the whole, which a trace is."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    for candidate in (first, text):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if not isinstance(value, dict):
            return None
        if value.get("format") == "heron-stream":
            return "stream"
        if "scenario_hash" in value:
            return "episodes"
        return "trace" if "completed_events" in value or "apps" in value else None
    return None


def _episodes(path: Path, chosen: str | None) -> Iterator[EpisodeRecord]:
    meant = chosen_by(chosen)
    known: set[str] = set()
    count = 0
    for episode in read_episodes(path):
        known.add(episode.scenario)
        if meant(episode):
            count += 1
            yield episode
    if not count and chosen is not None:
        close = nearest(chosen.partition("#")[0], sorted(known))
        raise UnknownName(f"{path} holds no episode {chosen!r}; {close}")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {path}: it is not UTF-8") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
