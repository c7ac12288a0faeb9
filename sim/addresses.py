"""Email addresses as a parameter type: its pattern is in the JSON schema, so that a model's grammar
can hold it to one, and its refusal says where addresses are found.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

PATTERN = r"^[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,4}$"
_ADDRESS = re.compile(PATTERN)


def is_address(text: str) -> bool:
    """Whether a mail can be sent there."""
    return _ADDRESS.fullmatch(text) is not None


def _checked(text: str) -> str:
    if not is_address(text):
        raise ValueError(f"{text!r} is no email address (name@example.org); contacts have them")
    return text


Address = Annotated[str, AfterValidator(_checked), Field(json_schema_extra={"pattern": PATTERN})]
