"""Streams a model file from the Hugging Face hub, from any byte on.

``huggingface_hub`` says where the file is and whether the hub may be asked (``HF_ENDPOINT``,
``HF_HUB_OFFLINE``); the bytes come over plain HTTP, since the library's own download cannot go on
from where another source stopped. No token is sent: the catalogue's files are public. What this
file does not know: whether the bytes are right; the caller hashes them.
"""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from urllib.parse import urlsplit

from heron.models.catalog import HubFile
from heron.models.store import CHUNK
from heron.models.wheels import SourceFailed

TIMEOUT_S = 30.0
"""Without a byte for that long, the hub counts as out of reach."""


def stream(place: HubFile, start: int) -> Iterator[bytes]:
    """The bytes of ``place`` from ``start`` on.

    Raises:
        SourceFailed: the hub cannot be reached, refuses, or breaks off.
    """
    # Imported here: it is slow to load, and most pulls do without.
    from huggingface_hub import constants, hf_hub_url

    if constants.HF_HUB_OFFLINE:
        raise SourceFailed("the Hugging Face hub is switched off (HF_HUB_OFFLINE)")
    url = hf_hub_url(place.repository, place.file, revision=place.revision)
    host = urlsplit(url).hostname
    request = urllib.request.Request(  # noqa: S310 - the user's own endpoint
        url,
        headers={"Range": f"bytes={start}-", "User-Agent": "heron", "Accept-Encoding": "identity"},
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
            # A server that does not know ranges begins at the beginning.
            skip = 0 if answer.status == HTTPStatus.PARTIAL_CONTENT else start
            while chunk := answer.read(CHUNK):
                if skip < len(chunk):
                    yield chunk[skip:]
                skip = max(0, skip - len(chunk))
    except urllib.error.HTTPError as error:
        raise SourceFailed(f"the hub at {host} answered HTTP {error.code}") from error
    except (OSError, HTTPException) as error:
        why = getattr(error, "reason", error)
        raise SourceFailed(f"the hub at {host} cannot be reached ({why})") from error
