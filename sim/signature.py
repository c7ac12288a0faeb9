"""Turns a function's signature and docstring into a JSON schema and a checked call.

Used for tools, actions and environment functions alike, so that a declaration is the only place
in which a name, a type or a description stands.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeVar, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError, create_model

from heron.errors import IllegalCall

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Signature:
    """Parameters of a declared function, without its first ``skip`` ones (self, app)."""

    function: Callable[..., Any]
    skip: int

    @cached_property
    def hints(self) -> Mapping[str, Any]:
        """Parameter and ``return`` annotations, resolved, with their marks."""
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        """The parameters a caller gives."""
        return tuple(inspect.signature(self.function).parameters.values())[self.skip :]

    @cached_property
    def model(self) -> type[BaseModel]:
        """A pydantic model of the arguments."""
        fields: dict[str, Any] = {
            parameter.name: (
                self.hints[parameter.name],
                ... if parameter.default is inspect.Parameter.empty else parameter.default,
            )
            for parameter in self.parameters
        }
        config = ConfigDict(extra="forbid", frozen=True)
        return create_model(self.function.__qualname__, __config__=config, **fields)

    @cached_property
    def schema(self) -> dict[str, JsonValue]:
        """JSON schema of the arguments, marks included, without pydantic's titles."""
        schema = self.model.model_json_schema()
        _drop_titles(schema)
        return schema

    def check(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Validated arguments, ready to be passed.

        Raises:
            IllegalCall: an argument is missing, unknown or of the wrong type.
        """
        if not self.parameters and not arguments:
            return {}
        try:
            checked = self.model.model_validate(arguments)
        except ValidationError as error:
            raise IllegalCall(f"{name}: {self._complaint(error)}") from error
        return {parameter.name: getattr(checked, parameter.name) for parameter in self.parameters}

    def _complaint(self, error: ValidationError) -> str:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "arguments"
        takes = ", ".join(parameter.name for parameter in self.parameters) or "no arguments"
        problem = first["msg"].removeprefix("Value error, ")
        return " ".join(f"{where}: {problem}; it takes {takes}".split())


def cached(function: F) -> F:
    """``functools.cache`` that keeps the signature, for functions of classes and declarations."""
    return cast(F, cache(function))


def summary(function: Callable[..., Any]) -> str:
    """First line of a docstring; a declaration without one is refused at import."""
    text = inspect.getdoc(function)
    if not text:
        raise TypeError(f"{function.__qualname__} needs a docstring: it is its description")
    return text.splitlines()[0].strip()


def _drop_titles(node: Any) -> None:
    if isinstance(node, dict):
        if isinstance(node.get("title"), str):
            del node["title"]
        for value in node.values():
            _drop_titles(value)
    elif isinstance(node, list):
        for value in node:
            _drop_titles(value)
