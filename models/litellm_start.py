"""Imports litellm, once, with its side effects off, and counts what goes over the wire.

litellm fetches a price list at import unless told not to, prints to stdout when something fails,
and takes seconds to load: so it is imported here and only when a model of it is made. Bodies of
requests and answers are counted where they are sent, by a hook of the HTTP client that litellm
uses for OpenAI-compatible providers; for the others nobody is asked and nothing is counted. What it
does not know: messages and models.
"""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

_SETTINGS = {
    # The price list that is installed; importing would otherwise be a request to the internet.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    # aiohttp sessions are known to leak; httpx is used throughout.
    "USE_AIOHTTP_TRANSPORT": "False",
    "DISABLE_AIOHTTP_TRANSPORT": "True",
}
_SECRET = re.compile(r"(?i)\b(sk-|pk-|bearer )[\w.\-*]{6,}")


@dataclass
class Wire:
    """Bodies that went through the HTTP client."""

    requests: int = 0
    sent: int = 0
    """Bytes of request bodies."""
    received: int = 0
    """Bytes of response bodies, unpacked."""

    def note_request(self, request: httpx.Request) -> None:
        """Hook of the client."""
        self.requests += 1
        self.sent += len(request.read())

    def note_response(self, response: httpx.Response) -> None:
        """Hook of the client."""
        self.received += len(response.read())


WIRE = Wire()
"""Of this process. There is one, since litellm has one client."""


@contextmanager
def quiet() -> Iterator[None]:
    """Litellm loads its parts when they are first used, and warns of its own types then."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def start_litellm() -> Any:
    """The module ``litellm``, set up; the first call imports it (seconds, about 190 MiB)."""
    os.environ.update(_SETTINGS)
    with quiet():
        import litellm
    if litellm.client_session is None:
        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        litellm.disable_aiohttp_transport = True
        litellm.client_session = httpx.Client(
            follow_redirects=True,
            event_hooks={"request": [WIRE.note_request], "response": [WIRE.note_response]},
        )
    return litellm


def told(error: Exception, *, secrets: tuple[str, ...] = ()) -> str:
    """An error of litellm in one line, without keys.

    Args:
        error: the error.
        secrets: texts that must not show; keys of the environment never do.
    """
    text = " ".join(str(error).split())
    named = (value for name, value in os.environ.items() if name.endswith(("_KEY", "_TOKEN")))
    for secret in (*secrets, *named):
        if len(secret) >= 6:
            text = text.replace(secret, "***")
    text = _SECRET.sub(r"\1***", text).removeprefix("litellm.")
    return text[:300]
