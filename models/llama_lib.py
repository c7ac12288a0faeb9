"""llama.cpp's C library: a GGUF file in memory, its vocabulary, and what the library says.

Only the low-level functions are used. llama.cpp prints nothing through this module: its messages go
to a ring of the last lines, from which errors are explained and buffer sizes are read. What it does
not know: contexts and evaluation (see ``llama_context``), chats (see ``template``).
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections import deque
from importlib import metadata
from pathlib import Path
from typing import Any, cast

import llama_cpp.llama_cpp as c

from heron.errors import ModelFault, ModelFileError
from heron.models.gguf_file import check_gguf

_DEBUG, _ERROR = 1, 4
"""ggml's levels. Debug messages are not kept: there are thousands at each load."""

_USERS_OWN = int(c.LLAMA_TOKEN_ATTR_USER_DEFINED)

_LOG: deque[tuple[int, str]] = deque(maxlen=600)
_BUFFER = re.compile(r"(\S+)\s+(model|KV|RS|compute|output) buffer size\s*=\s*([\d.]+) MiB")


@c.llama_log_callback  # type: ignore[untyped-decorator]
def _keep(level: int, text: bytes, _data: object) -> None:
    if level != _DEBUG:
        _LOG.append((level, text.decode("utf-8", "replace")))


class LogMark:
    """What llama.cpp said since this was made."""

    def __init__(self) -> None:
        _LOG.clear()

    def buffers(self) -> dict[str, int]:
        """Bytes of each kind of buffer (``model`` is mapped; ``repacked``, ``KV``, ``compute``)."""
        found: dict[str, int] = {}
        for place, kind, size in _BUFFER.findall("".join(text for _, text in _LOG)):
            key = "repacked" if place.endswith("_REPACK") else kind
            whole = round(float(size) * 2**20)
            # A compute buffer is announced again whenever it is reserved anew; the others add up.
            found[key] = whole if key == "compute" else found.get(key, 0) + whole
        return found

    def reason(self) -> str:
        """The first error, or else the last line, for an error message."""
        errors = [text for level, text in _LOG if level == _ERROR]
        lines = errors or [text for _, text in list(_LOG)[-1:]]
        return " ".join(lines[0].split()) if lines else "llama.cpp gives no reason"


def start_library() -> None:
    """Take the library's messages away from stderr and start it; harmless when repeated."""
    c.llama_log_set(_keep, ctypes.c_void_p(0))
    c.llama_backend_init()


def library_text() -> str:
    """Versions of the binding and of llama.cpp itself."""
    inner = cast(bytes, c.llama_version()).decode()
    return f"llama-cpp-python {metadata.version('llama-cpp-python')}, llama.cpp {inner}"


def system_text() -> str:
    """What the library was built for, as it says itself (``CPU : SSE3 = 1 | AVX2 = 1 …``)."""
    return cast(bytes, c.llama_print_system_info()).decode().strip(" |")


def give_back() -> None:
    """Return freed memory to the system, where the C library keeps it (glibc); no-op elsewhere.

    Reading a vocabulary of 152 k tokens leaves 7 MB behind, making a grammar engine's of it 9 MB.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


class LlamaModel:
    """A GGUF file, memory-mapped, and its vocabulary.

    Args:
        path: the file; its header is checked first, since llama.cpp may abort on a broken one.
        vocabulary_only: load no weights.

    Raises:
        ModelFileError: the file cannot be used.
    """

    def __init__(self, path: Path, *, vocabulary_only: bool = False) -> None:
        self.path = path
        info = None if vocabulary_only else check_gguf(path)
        if info is not None and info.kind != "model":
            raise ModelFileError(f"{path}: holds {info.kind!r}, not a model")
        start_library()
        params = c.llama_model_default_params()
        params.n_gpu_layers = 0
        params.load_mode = c.LLAMA_LOAD_MODE_MMAP
        params.vocab_only = vocabulary_only
        mark = LogMark()
        self.pointer: Any = c.llama_model_load_from_file(str(path).encode(), params)
        if not self.pointer:
            raise ModelFileError(f"{path}: llama.cpp cannot load it: {mark.reason()}")
        self.buffers = mark.buffers()
        if not vocabulary_only and not c.llama_model_has_decoder(self.pointer):
            self.close()
            raise ModelFileError(f"{path}: an encoder only; it cannot write text")
        self.vocab: Any = c.llama_model_get_vocab(self.pointer)
        self.n_vocab = int(c.llama_vocab_n_tokens(self.vocab))
        self.trained_window = int(c.llama_model_n_ctx_train(self.pointer))
        self.width = int(c.llama_model_n_embd_out(self.pointer))
        """Numbers in a hidden state."""
        self.parameters = int(c.llama_model_n_params(self.pointer))
        self.architecture = self.meta("general.architecture") or "unknown"
        self.quantisation = (info.file_type if info else None) or "unknown"
        self.bos = int(c.llama_vocab_bos(self.vocab))
        self.eos = int(c.llama_vocab_eos(self.vocab))
        self.adds_bos = bool(c.llama_vocab_get_add_bos(self.vocab))
        self._break = self._tokens_of_break()
        give_back()

    @property
    def chat_template(self) -> str | None:
        """The Jinja template in the file, if there is one."""
        found = cast("bytes | None", c.llama_model_chat_template(self.pointer, None))
        return None if found is None else found.decode("utf-8", "replace")

    def meta(self, key: str) -> str | None:
        """A value of the file's header, as text (at most 4 KiB)."""
        buffer = ctypes.create_string_buffer(4096)
        size = c.llama_model_meta_val_str(self.pointer, key.encode(), buffer, len(buffer))
        return None if size < 0 else buffer.value.decode("utf-8", "replace")

    def tokenize(self, text: str, *, markup: bool, at_start: bool = False) -> list[int]:
        """Tokens of a piece of text.

        Args:
            text: the piece.
            markup: names of control tokens in the text become these tokens; without it they are
                plain text.
            at_start: nothing stands before the text, so that a vocabulary that puts a space
                before the first word may do so.
        """
        if not text:
            return []
        if at_start or not self._break:
            return self._tokenize(text, markup)
        # A vocabulary of this kind (Llama 2, Mistral, Phi 3) puts a space before every text that
        # it is given; behind a line break, which is taken off again, it cannot.
        tokens = self._tokenize("\n" + text, markup)
        cut = len(self._break)
        return tokens[cut:] if tokens[:cut] == self._break else self._tokenize(text, markup)

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """The bytes that a token stands for; a control token has none unless ``special``."""
        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            found = c.llama_token_to_piece(self.vocab, token, buffer, size, 0, special)
            if found >= 0:
                return buffer.raw[:found]
            size = -found

    def ends(self, token: int) -> bool:
        """The token ends an answer."""
        return bool(c.llama_vocab_is_eog(self.vocab, token))

    def is_control(self, token: int) -> bool:
        """The token is no text: a control token, one that ends an answer, or one of the user's
        own that looks like a tag.
        """
        attributes = int(c.llama_vocab_get_attr(self.vocab, token))
        if attributes & c.LLAMA_TOKEN_ATTR_CONTROL or self.ends(token):
            return True
        name = self.piece(token, special=True) if attributes & _USERS_OWN else b""
        return len(name) > 2 and name[:1] in b"<[" and name[-1:] in b">]"

    @property
    def tokenize_address(self) -> int:
        """Address of the C function, for libraries that tokenise by themselves."""
        function = c._lib.llama_tokenize
        return cast(int, ctypes.cast(function, ctypes.c_void_p).value)

    def close(self) -> None:
        """Unmap the file; the model and its contexts must not be used any more."""
        if self.pointer:
            c.llama_model_free(self.pointer)
            self.pointer = None

    def _tokenize(self, text: str, markup: bool) -> list[int]:
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        tokens = (c.llama_token * room)()
        count = c.llama_tokenize(self.vocab, data, len(data), tokens, room, False, markup)
        if count < 0:
            raise ModelFault(f"{len(data)} bytes of text could not be tokenised")
        return [int(token) for token in tokens[:count]]

    def _tokens_of_break(self) -> list[int]:
        """Tokens of a line break, where a space is put before it; else none."""
        tokens = self._tokenize("\n", markup=False)
        written = b"".join(map(self.piece, tokens))
        return tokens if written.startswith(b" ") else []
