"""The observation stream that a file of Heron's own carries, as it was.

``heron export are-trace`` writes an episode as ARE's, with its stream under ``metadata.heron``. It
is taken back if the events beside it have not been altered since. What it does not know: how such a
file is written.
"""

from __future__ import annotations

import json

from heron.errors import InputError
from heron.eval.replaying.stream import RecordedStream, read_stream
from heron.scenarios.are.export.carried import Carried


def restored_stream(found: Carried | None) -> tuple[RecordedStream | None, str]:
    """The stream, or why there is none although the file carries something.

    Args:
        found: what the file carries.
    """
    if found is None or found.data.get("stream") is None:
        return None, ""
    if not found.sealed:
        return None, "its events were altered after the stream that it carries was written"
    lines = found.data["stream"]
    if not isinstance(lines, list):
        return None, "the stream that it carries is no list"
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    try:
        return read_stream(text, "the stream that it carries"), ""
    except InputError as error:
        return None, f"not restored: {' '.join(str(error).split())[:200]}"
