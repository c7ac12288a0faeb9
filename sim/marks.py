"""Marks on the types of record fields and tool parameters.

``Annotated[str, Ref("event")]`` names a record, ``Annotated[str, PROSE]`` is free text that a
verdict compares by facts, ``Annotated[datetime, VOLATILE]`` differs from run to run and is not
compared. A mark also writes itself into the JSON schema (``x-ref``, ``x-text``), which is how
observers and executors learn of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from heron.sim.signature import cached

Meaning = Literal["ref", "text", "volatile", "id", "unordered", "untold"]


@dataclass(frozen=True)
class Mark:
    """What a field means beyond its type.

    Args:
        meaning: ``ref`` names a record of ``kind``; ``text`` is prose; ``volatile`` is not
            compared by verdicts; ``id`` is the record's own id; ``unordered`` is a list whose
            order says nothing; ``untold`` is left out of tools' answers.
        kind: the kind of record, for ``ref``.
    """

    meaning: Meaning
    kind: str = ""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        schema = handler(core_schema)
        if self.meaning == "ref":
            schema["x-ref"] = self.kind
        elif self.meaning == "text":
            schema["x-text"] = True
        return schema


def Ref(kind: str) -> Mark:  # noqa: N802  (reads as a type in annotations)
    """The id of a record of ``kind``."""
    return Mark("ref", kind)


ID = Mark("id")
PROSE = Mark("text")
VOLATILE = Mark("volatile")
UNORDERED = Mark("unordered")
UNTOLD = Mark("untold")


def marks_of(annotation: Any) -> tuple[Mark, ...]:
    """All marks in an annotation, those of list items and optional members included."""
    found: list[Mark] = []
    if get_origin(annotation) is Annotated:
        inner, *extras = get_args(annotation)
        found += [extra for extra in extras if isinstance(extra, Mark)]
        found += marks_of(inner)
    else:
        for part in get_args(annotation):
            found += marks_of(part)
    return tuple(found)


@cached
def field_marks(record_type: type) -> Mapping[str, tuple[Mark, ...]]:
    """Field name → its marks, for every annotated field of a record class."""
    hints = get_type_hints(record_type, include_extras=True)
    return {name: marks_of(hint) for name, hint in hints.items()}


def ref_kind(marks: tuple[Mark, ...]) -> str | None:
    """The kind that a field's marks refer to, if any."""
    return next((mark.kind for mark in marks if mark.meaning == "ref"), None)
