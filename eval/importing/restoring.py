"""A Heron scenario that an ARE file carries is restored, if it still fits what is beside it.

A file that ``heron export are`` wrote holds the scenario itself under ``metadata.heron``. It is
taken back if apps and events have not been altered since, if it is a sound scenario, and if its
phone, before and after the reference, is the one that was written. Otherwise the file is read as
any other. What it does not know: how such a file is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from heron.errors import HeronError
from heron.eval.are_export.course import Course
from heron.scenarios.are.export.carried import Carried
from heron.scenarios.are.export.ledger import Ledger
from heron.scenarios.are.remarks import Refused
from heron.scenarios.are.yaml_text import text_of
from heron.scenarios.builder import build
from heron.scenarios.document import parse
from heron.scenarios.loader import load_document
from heron.scenarios.schema import Scenario

LONGEST_ID = 120


@dataclass(frozen=True)
class Restored:
    """A scenario as it was before it was written as ARE's."""

    name: str
    text: str
    """Of its file."""
    records: int
    """On its phone, which is the one that was written."""


def restored(found: Carried | None) -> tuple[Restored | None, str]:
    """The scenario, or why there is none although the file carries something.

    Args:
        found: what the file carries.
    """
    if found is None:
        return None, ""
    if not found.sealed:
        return None, "apps or events were altered after the scenario in it was written"
    try:
        scenario, text = _scenario(found.data.get("scenario"))
        return _fitting(scenario, text, found), ""
    except HeronError as error:
        return None, f"the scenario in it cannot be restored: {' '.join(str(error).split())[:160]}"


def _scenario(data: Any) -> tuple[Scenario, str]:
    try:
        Scenario.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise Refused(f"{where}: {first['msg']}") from error
    if len(data["id"]) > LONGEST_ID:
        raise Refused("its id is too long for a file's name")
    text = text_of(data)
    return load_document(parse(text, f"{data['id']}.yaml")), text


def _fitting(scenario: Scenario, text: str, found: Carried) -> Restored:
    seed = found.data.get("seed")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise Refused("its seed is no number")
    stage = build(scenario, seed)
    try:
        records = sum(
            len(table) for app in stage.world.apps.values() for table in app.tables.values()
        )
        if stage.world.digest() != found.data.get("state"):
            raise Refused("its phone is not the one that was written")
        Course(stage, Ledger()).play()
        if stage.world.digest() != found.data.get("final"):
            raise Refused("its reference ends in another state")
    finally:
        stage.world.close()
    return Restored(scenario.id, text, records)
