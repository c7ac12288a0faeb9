"""Values in both directions: times, arguments written as text, placeholders, labels in texts.

ARE counts seconds since 1970 and tells times in UTC; a Heron phone's clock has no zone. So the time
that a reader of either sees is the same. What it does not know: which field holds what.
"""

from __future__ import annotations

import ast
import base64
import binascii
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from heron.scenarios.are.remarks import Refused

EPOCH = datetime(1970, 1, 1)
_FIRST, _LAST = datetime(1970, 1, 1), datetime(2099, 12, 31)
_PLACEHOLDER = re.compile(r"^\{\{(.+)\}\}$", re.DOTALL)
_FORMATS = (
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d",
)
_NONE = ("None", "null", "")
_SIMPLE = re.compile(r"^(?:Optional\[)?\s*(\w+)")


@dataclass(frozen=True)
class Placeholder:
    """``{{event.key}}``: what another event returned, or a part of it."""

    path: str

    def split(self, known: Any) -> tuple[str, str] | None:
        """The event's id and the key within its result; ids may hold dots themselves."""
        path = self.path.strip()
        if path in known:
            return path, ""
        for at in [m.start() for m in re.finditer(r"[.\[]", path)][::-1]:
            if path[:at] in known:
                return path[:at], path[at:].lstrip(".").rstrip("]").lstrip("[")
        return None


# --- arguments ----------------------------------------------------------------------------------


def parsed(value: Any, type_name: str | None) -> Any:
    """An argument as ARE writes it, value and type as text → the value.

    Lists and mappings are written as JSON or as Python writes them.
    """
    if not isinstance(value, str):
        return value
    value = value.encode("utf-8", "replace").decode("utf-8")
    found = _PLACEHOLDER.match(value)
    if found is not None:
        return Placeholder(found[1])
    if type_name is None:
        return value
    match = _SIMPLE.match(type_name)
    name = match[1] if match else type_name
    if name == "NoneType":
        return None
    if "None" in type_name and value in _NONE:
        return None
    return _READERS.get(name, str)(value)


def _structure(value: str) -> Any:
    """A list or mapping in JSON or in Python's own form; the text itself if it is neither."""
    for reader in (json.loads, ast.literal_eval):
        try:
            found = reader(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        return _deep(found)
    return value


def _deep(value: Any) -> Any:
    """Tuples as lists, and placeholders wherever they stand."""
    if isinstance(value, list | tuple):
        return [_deep(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _deep(item) for key, item in value.items()}
    if isinstance(value, str):
        return parsed(value, "str")
    return value


def _whole(value: str) -> Any:
    try:
        return int(value)
    except ValueError:
        return value


def _real(value: str) -> Any:
    try:
        return float(value)
    except ValueError:
        return value


def _flag(value: str) -> bool:
    return value.strip().lower() in ("true", "1", "t", "y", "yes")


_READERS: dict[str, Any] = {
    "str": str,
    "int": _whole,
    "float": _real,
    "bool": _flag,
    "list": _structure,
    "dict": _structure,
    "tuple": _structure,
    "set": _structure,
}


def written(value: Any) -> tuple[str | None, str | None]:
    """A value as ARE writes an argument: text and name of the type."""
    if value is None:
        return None, None
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False), type(value).__name__
    return str(value), type(value).__name__


# --- times --------------------------------------------------------------------------------------


def naive(seconds: float, place: str = "a time") -> datetime:
    """Seconds since 1970 → the phone's time.

    Raises:
        Refused: it lies outside of the years that a phone knows.
    """
    try:
        found = EPOCH + timedelta(seconds=round(float(seconds), 3))
    except (OverflowError, ValueError) as error:
        raise Refused(f"{place}: {seconds!r} is no time") from error
    if not _FIRST <= found <= _LAST:
        raise Refused(f"{place}: {seconds!r} is no time between 1970 and 2099")
    return found


def epoch(moment: datetime) -> float:
    """The phone's time → seconds since 1970."""
    return (moment - EPOCH).total_seconds()


def told(moment: datetime) -> str:
    """A time as a scenario file has it."""
    return moment.isoformat(sep=" ")


def read_time(value: Any, place: str) -> datetime:
    """A time in any of the forms in which ARE files hold one.

    Raises:
        Refused: it is none.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return naive(value, place)
    if isinstance(value, str):
        bare = value.strip()
        for form in _FORMATS:
            try:
                return _within(datetime.strptime(bare, form), place)
            except ValueError:
                continue
        try:
            found = datetime.fromisoformat(bare)
        except ValueError:
            pass
        else:
            zoned = found if found.tzinfo is None else found.astimezone(UTC)
            return _within(zoned.replace(tzinfo=None), place)
    raise Refused(f"{place}: {str(value)[:60]!r} is no time")


def call_time(moment: datetime) -> str:
    """A time as an argument of ARE's tools."""
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def _within(moment: datetime, place: str) -> datetime:
    if not _FIRST <= moment <= _LAST:
        raise Refused(f"{place}: {moment} is no time between 1970 and 2099")
    return moment


# --- texts --------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """A text as it stands in a scenario file, where braces and a leading @ have a meaning."""
    doubled = text.replace("{", "{{").replace("}", "}}")
    return f"@{doubled}" if doubled.startswith("@") else doubled


def phrase(text: str) -> str:
    """A phrase of a rubric: braces doubled, no mark of the lexicon in front."""
    return text.replace("{", "{{").replace("}", "}}").lstrip("~")


def ref(label: str) -> str:
    """How a file names the record with a label."""
    return f"@{label}"


def content_of(data: Any) -> tuple[str, bool]:
    """What an attachment says, from base64; whether that is all of it.

    A file that is no text is told in words.
    """
    if not isinstance(data, str) or not data:
        return "", True
    bare = re.sub(r"^b'(.*)'$", r"\1", data, flags=re.DOTALL)
    try:
        raw = base64.b64decode(bare, validate=True)
    except (binascii.Error, ValueError):
        return data, True
    try:
        return raw.decode("utf-8"), True
    except UnicodeDecodeError:
        return f"({len(raw)} bytes that are no text)", False


def encoded(content: str) -> str:
    """What an attachment says, as ARE keeps it."""
    return base64.b64encode(content.encode("utf-8")).decode("ascii")
