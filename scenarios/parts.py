"""What all parts of a scenario file have in common: frozen, and nothing unknown in them."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from heron.registry import nearest

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
"""A slot, label, key, id or family."""
Seconds = Annotated[float, Field(ge=0, le=366 * 86400)]
"""From the start, or from something else; at most a year."""


class Part(BaseModel):
    """Base of all parts of a file: frozen; an unknown key is refused with what was meant."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown(cls, data: Any) -> Any:
        if not isinstance(data, dict) or cls.model_config.get("extra") == "allow":
            return data
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key in data:
            if key not in known:
                raise PydanticCustomError(
                    "unknown_key",
                    "unknown key '{key}'",
                    {"key": key, "remedy": nearest(str(key), known)},
                )
        return data


class OneOf(Part):
    """A part of which exactly one key is given."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if len(self._given()) != 1:
            names = ", ".join(f.alias or name for name, f in type(self).model_fields.items())
            raise PydanticCustomError("one_of", "needs exactly one of {names}", {"names": names})
        return self

    @property
    def chosen(self) -> tuple[str, Any]:
        """The key that is given, and what stands under it."""
        return self._given()[0]

    def _given(self) -> list[tuple[str, Any]]:
        values = self.__dict__
        return [(n, values[n]) for n in self.model_fields_set if values[n] is not None]


def share_field_sets(value: Any) -> None:
    """Let equal sets of given fields within ``value`` be one: a quarter of a scenario's memory."""
    if isinstance(value, BaseModel):
        given = value.model_fields_set
        shared = _FIELD_SETS.setdefault(frozenset(given), given)
        object.__setattr__(value, "__pydantic_fields_set__", shared)
        for inner in (value.__dict__, value.__pydantic_extra__):
            share_field_sets(inner)
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            if isinstance(inner, _HOLDERS):
                share_field_sets(inner)


_HOLDERS = (BaseModel, list, dict)
_FIELD_SETS: dict[frozenset[str], set[str]] = {}
"""Equal sets, each once; parts are frozen, so nobody changes one."""
