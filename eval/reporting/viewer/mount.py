"""Puts a collection of episodes into a page: a fragment of HTML, and files beside the page.

The fragment holds the list of all episodes and the packs of those chosen; the packs of the others
are scripts in a folder, loaded on demand, as a page opened from disk may fetch nothing else. What
it does not know: the page around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from heron.errors import Unavailable
from heron.eval.reporting.viewer.choosing import BUDGET, EMBED, choose
from heron.eval.reporting.viewer.collection import Collection
from heron.eval.reporting.viewer.index import index_of
from heron.eval.reporting.viewer.packing import chunk, full, in_script, pack

NO_SCRIPT = "The episode viewer needs scripts; they ask no server for anything."


@dataclass(frozen=True, kw_only=True)
class Mounted:
    """A viewer, ready to be put into a page."""

    html: str
    """A ``<section>``; wants the styles and scripts of ``page.assets`` in the same page."""
    embedded: int
    """Episodes in the fragment."""
    beside: int
    """Episodes in files beside the page."""
    files: tuple[Path, ...]
    """Those files, as they were written."""

    @property
    def size(self) -> int:
        """Bytes of the fragment."""
        return len(self.html.encode())


def mount(
    collection: Collection,
    page: Path | None = None,
    *,
    embed: int = EMBED,
    budget: int = BUDGET,
    seed: int = 0,
) -> Mounted:
    """The fragment for a page, and the files beside it.

    Args:
        collection: all episodes.
        page: where the page will lie; other episodes go to ``<stem>-episodes/`` beside it. If
            ``None``, they are in the list without their content.
        embed: how many episodes that did not fail lie in the page, at most; failures all do, if
            ``budget`` allows.
        budget: bytes of all of these.
        seed: of the choice.

    Raises:
        Unavailable: a file cannot be written.
    """
    chosen = set(choose(collection.rows, embed, seed, budget))
    packs = list(_within(((keys, pack(keys)) for keys in _packs(collection, chosen)), budget))
    inside = {key for keys, _ in packs for key in keys}
    where = {key: number for number, (keys, _) in enumerate(packs) for key in keys}
    files: list[Path] = []
    folder = None if page is None else page.with_name(f"{page.stem}-episodes")
    if folder is not None:
        rest = {row.key for row in collection.rows} - inside
        for number, keys in enumerate(_packs(collection, rest), len(packs)):
            files.append(_write(folder, number, pack(keys)))
            where |= dict.fromkeys(keys, number)
    return Mounted(
        html=_fragment(collection, where, [text for _, text in packs], folder),
        embedded=len(inside),
        beside=len(where) - len(inside),
        files=tuple(files),
    )


def _packs(collection: Collection, keys: set[str]) -> Iterator[dict[str, bytes]]:
    """Siblings lie together: they are opened one after the other, and share much of their text."""
    return full((key, collection.content(key)) for key in sorted(keys))


def _within(
    packs: Iterable[tuple[dict[str, bytes], str]], budget: int
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Keys and text of the packs that fit, as measured: the choice went by estimates."""
    left = budget
    for keys, text in packs:
        left -= len(text)
        if left >= 0:
            yield tuple(keys), text


def _write(folder: Path, number: int, packed: str) -> Path:
    file = folder / f"{number:03}.js"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(chunk(number, packed), "utf-8")
    except OSError as error:
        raise Unavailable(f"cannot write {file}: {error.strerror}") from error
    return file


def _fragment(
    collection: Collection, where: dict[str, int], packs: Iterable[str], folder: Path | None
) -> str:
    index = index_of(collection.rows, where) | {"folder": folder.name if folder else ""}
    lines = [
        '<section class="hv" data-heron-viewer aria-label="Episodes">',
        f"<noscript><p>{NO_SCRIPT}</p></noscript>",
        f'<script type="application/json" class="hv-index">{in_script(index)}</script>',
        *(
            f'<script type="text/plain" class="hv-pack" data-pack="{number}">{text}</script>'
            for number, text in enumerate(packs)
        ),
        "</section>",
    ]
    return "\n".join(lines)
