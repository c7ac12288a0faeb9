"""The GGUF header check: sound files are described, all others end in one clear line."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heron.errors import HeronError, ModelFileError, UnknownName
from heron.models import store
from heron.models.catalog import CATALOG, ModelEntry
from heron.models.gguf_file import GgufInfo, check_gguf
from heron.models.verify import verify

U32, STRING, ARRAY, F32, BOOL = 4, 8, 9, 6, 7


def text(value: str) -> bytes:
    """A GGUF string."""
    return struct.pack("<Q", len(value.encode())) + value.encode()


def pair(key: str, kind: int, value: bytes) -> bytes:
    """A key with its value."""
    return text(key) + struct.pack("<I", kind) + value


def words(*values: str) -> bytes:
    """An array of strings."""
    return struct.pack("<IQ", STRING, len(values)) + b"".join(text(value) for value in values)


def tensor(name: str, shape: tuple[int, ...], kind: int, offset: int) -> bytes:
    """A row of the tensor table."""
    return (
        text(name)
        + struct.pack("<I", len(shape))
        + struct.pack(f"<{len(shape)}Q", *shape)
        + struct.pack("<IQ", kind, offset)
    )


PAIRS = [
    pair("general.architecture", STRING, text("tiny")),
    pair("general.name", STRING, text("Tiny Test")),
    pair("general.file_type", U32, struct.pack("<I", 3)),
    pair("tiny.context_length", U32, struct.pack("<I", 512)),
    pair("tiny.scale", F32, struct.pack("<f", 0.5)),
    pair("tiny.flag", BOOL, b"\1"),
    pair("tokenizer.ggml.tokens", ARRAY, words("<s>", "ab", "ü")),
    pair("tokenizer.ggml.scores", ARRAY, struct.pack("<IQ3f", F32, 3, 0.0, 1.0, 2.0)),
    pair("tokenizer.chat_template", STRING, text("{{ messages }}")),
]
TENSORS = [tensor("blk.0.a", (32, 2), 3, 0), tensor("b", (4,), 0, 64)]
DATA = 64 + 16
"""Two rows of one Q4_1 block make 40 bytes, padded to 64; four F32 make 16."""


def gguf(
    pairs: list[bytes] = PAIRS,
    tensors: list[bytes] = TENSORS,
    *,
    version: int = 3,
    data: int = DATA,
) -> bytes:
    """A GGUF file."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(pairs))
    head += b"".join(pairs) + b"".join(tensors)
    return head + b"\0" * (-len(head) % 32) + b"\0" * data


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a test's file goes."""
    return tmp_path / "model.gguf"


def check(file: Path, content: bytes) -> GgufInfo:
    """Write and check."""
    file.write_bytes(content)
    return check_gguf(file)


def test_a_sound_file_is_described(file: Path) -> None:
    content = gguf()
    assert check(file, content) == GgufInfo(
        path=file,
        bytes=len(content),
        version=3,
        kind="model",
        architecture="tiny",
        name="Tiny Test",
        file_type="Q4_1",
        context_length=512,
        vocab_size=3,
        chat_template=True,
        tensor_count=2,
        parameters=68,
        types={"Q4_1": 64},
        template="{{ messages }}",
    )


def test_what_a_header_does_not_say_is_none(file: Path) -> None:
    info = check(file, gguf(PAIRS[:1], [], data=0))
    assert (info.name, info.file_type, info.context_length, info.vocab_size) == (None,) * 4
    assert not info.chat_template


@pytest.mark.parametrize("missing", [1, 16, 17, DATA])
def test_a_file_without_its_last_bytes_is_truncated(file: Path, missing: int) -> None:
    with pytest.raises(ModelFileError, match=r"truncated: .* its tensors need .* fetch it again"):
        check(file, gguf(data=DATA - missing))


def test_a_file_cut_anywhere_is_refused(file: Path) -> None:
    content = gguf()
    for size in range(0, len(content), 5):
        with pytest.raises(ModelFileError):
            check(file, content[:size])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a GGUF file"),
        (b"GG", "not a GGUF file"),
        (b"PK\3\4" + b"\0" * 100, "not a GGUF file"),
        (gguf(version=1), "version 1 is not supported"),
        (gguf(version=3 << 24), "big-endian is not supported"),
        (gguf(PAIRS[1:]), "it names no architecture"),
        (gguf([*PAIRS, pair("k", 99, b"")]), "key 'k' has the unknown type 99"),
        (gguf([*PAIRS, pair("k", ARRAY, struct.pack("<IQ", ARRAY, 1))]), "unknown type 9"),
        (gguf([*PAIRS, pair("general.alignment", U32, b"\3\0\0\0")]), "not a power of two"),
        (gguf([*PAIRS, pair("general.alignment", STRING, text("a"))]), "not a whole number"),
        (gguf(tensors=[tensor("t", (1,) * 5, 0, 0)]), "'t' has 5 dimensions"),
        (gguf(tensors=[tensor("t", (31,), 3, 0)]), "'t' has an impossible shape"),
        (gguf(tensors=[tensor("t", (32,), 3, 8)]), "'t' has an impossible shape or place"),
    ],
)
def test_what_is_wrong_is_named(file: Path, content: bytes, message: str) -> None:
    with pytest.raises(ModelFileError, match=message) as error:
        check(file, content)
    assert str(error.value).startswith(f"{file}: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("count", [2**63, 2**64 - 1])
def test_absurd_lengths_end_at_once(file: Path, count: int) -> None:
    huge = struct.pack("<Q", count)
    for content in (
        b"GGUF" + struct.pack("<I", 3) + huge + huge,
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + huge,
        gguf([*PAIRS, pair("k", ARRAY, struct.pack("<I", STRING) + huge)]),
        gguf([*PAIRS, pair("k", ARRAY, struct.pack("<I", U32) + huge)]),
    ):
        with pytest.raises(ModelFileError, match="truncated or corrupt"):
            check(file, content)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="No such file"):
        check_gguf(tmp_path / "none.gguf")
    with pytest.raises(ModelFileError, match="Is a directory"):
        check_gguf(tmp_path)
    with pytest.raises(ModelFileError, match="not a file"):
        check_gguf(Path("/dev/zero"))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file for many examples."""
    return tmp_path_factory.mktemp("fuzz") / "model.gguf"


@given(garbage=st.binary(max_size=400))
def test_garbage_after_the_magic_is_refused(scratch: Path, garbage: bytes) -> None:
    refused_or_sound(scratch, b"GGUF\3\0\0\0" + garbage)


@given(data=st.data())
def test_a_changed_file_is_refused_or_sound(scratch: Path, data: st.DataObject) -> None:
    content = bytearray(gguf())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    refused_or_sound(scratch, bytes(content))


def refused_or_sound(file: Path, content: bytes) -> None:
    """Nothing else may come of it."""
    with contextlib.suppress(ModelFileError):
        assert check(file, content).bytes == len(content)


def test_verify_a_file_of_ones_own(file: Path) -> None:
    file.write_bytes(gguf())
    finding = verify(str(file))
    assert finding.ok
    assert (finding.model, finding.sha256) == (None, store.sha256_of(file))
    assert finding.gguf is not None


def test_verify_says_what_is_wrong_with_a_file(file: Path) -> None:
    file.write_bytes(gguf()[:-1])
    finding = verify(str(file))
    assert not finding.ok
    assert finding.problem is not None
    assert finding.problem.startswith("truncated")


def test_verify_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERON_MODELS", str(tmp_path))
    entry = CATALOG[0]
    assert "heron models pull" in str(verify(entry.alias).problem)
    store.path_of(entry).write_bytes(gguf())
    finding = verify(entry.alias)
    assert not finding.ok
    assert "sha256 is not the catalogue's" in str(finding.problem)
    assert store.state_of(entry) == "damaged"
    with pytest.raises(UnknownName):
        verify("no-such-model")


@pytest.mark.weights
@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.alias)
def test_the_catalogue_tells_the_truth(entry: ModelEntry) -> None:
    try:
        path = store.resolve(entry.name)
    except HeronError as error:
        pytest.skip(str(error))
    info = check_gguf(path)
    assert (info.architecture, info.chat_template) == (entry.architecture, entry.chat_template)
    assert entry.file_name.lower().endswith(f"{str(info.file_type).lower()}.gguf")
