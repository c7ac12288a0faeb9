"""Packs of episodes as text that any page can hold: JSON, gzip, base64.

Packs are unpacked one by one when they are needed. What it does not know: which episodes there are.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Iterator
from typing import Any

PACK = 400_000
"""Bytes of JSON from which on a pack is full: about 50 episodes, unpacked in some milliseconds."""
CHUNK_CALL = "heronPack"
"""Function of the page that a file beside it calls."""


def to_json(value: Any) -> bytes:
    """JSON without white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def in_script(value: Any) -> str:
    """JSON that may stand in a ``<script>``: no text in it ends the element or begins a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def full(items: Iterable[tuple[str, bytes]], size: int = PACK) -> Iterator[dict[str, bytes]]:
    """Items in groups, each as large as ``size`` at least but for the last.

    Args:
        items: key and JSON of an episode.
        size: bytes of JSON.
    """
    group: dict[str, bytes] = {}
    held = 0
    for key, content in items:
        group[key] = content
        held += len(content)
        if held >= size:
            yield group
            group, held = {}, 0
    if group:
        yield group


def pack(group: dict[str, bytes]) -> str:
    """A group as text of letters, digits, ``+``, ``/`` and ``=``: ``{key: episode}``."""
    body = b",".join(to_json(key) + b":" + content for key, content in group.items())
    # No time in the header: the same episodes are the same bytes.
    return base64.b64encode(gzip.compress(b"{" + body + b"}", 9, mtime=0)).decode()


def chunk(number: int, packed: str) -> str:
    """The content of a file beside the page; a script, as a page from disk may fetch nothing."""
    return f'{CHUNK_CALL}({number},"{packed}");\n'
