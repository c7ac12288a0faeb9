"""Models for the tests of this room: a tiny fake that is always there, and real ones if pulled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heron.errors import HeronError
from heron.models.llama_lib import LlamaModel
from heron.models.store import resolve
from heron.models.tiny_gguf import write_tiny_gguf

SMALL = "smollm2-135m-instruct-q4_1"


@pytest.fixture(scope="session")
def tiny_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF file with random weights."""
    return write_tiny_gguf(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture(scope="session")
def tiny(tiny_path: Path) -> Iterator[LlamaModel]:
    model = LlamaModel(tiny_path)
    yield model
    model.close()


@pytest.fixture(scope="session")
def small_path() -> Path:
    """The catalogue's smallest model; the test is skipped where it was not pulled."""
    try:
        return resolve(SMALL)
    except HeronError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def small(small_path: Path) -> Iterator[LlamaModel]:
    model = LlamaModel(small_path)
    yield model
    model.close()
