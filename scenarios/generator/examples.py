"""The finished examples, one of each type, in the form in which a model writes.

What it does not know: prompts.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, cast

from heron.scenarios.document import parse
from heron.scenarios.generator.answers import Answer, StageName
from heron.scenarios.generator.assembly import assemble
from heron.scenarios.generator.request import Request
from heron.scenarios.loader import load_document
from heron.scenarios.schema import KINDS, Scenario, ScenarioType
from heron.scenarios.writing import write

USUAL_KIND: dict[ScenarioType, str] = {
    "goal": "upstream_change",
    "quiet": "settled",
    "restraint": "driving",
}
"""Kind that the example of a type is of."""
_STARTS = ("2026-03-24 17:30", "2026-06-16 17:30", "2026-10-14 17:30")


@cache
def example(type_: ScenarioType) -> dict[StageName, Answer]:
    """Stage → answer."""
    text = files("heron.scenarios.generator").joinpath("examples.yaml").read_text("utf-8")
    return cast("dict[StageName, Answer]", parse(text, "examples.yaml").data[type_])


def example_data(
    type_: ScenarioType, *, kind: str | None = None, locale: str = "en_GB"
) -> dict[str, Any]:
    """The data of an example's file."""
    request = Request(
        type=type_,
        kind=kind or USUAL_KIND[type_],
        setting="family",
        locale=locale,
        seed=0,
        number=0,
        apps=(),
        twist="",
        starts=_STARTS,
    )
    return assemble(request, example(type_))


@cache
def example_scenarios() -> tuple[Scenario, ...]:
    """The examples, built: copies of them are near-duplicates as well."""
    types = cast("list[ScenarioType]", list(KINDS))
    return tuple(load_document(parse(write(example_data(type_)))) for type_ in types)
