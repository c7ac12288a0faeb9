"""The viewer's style sheet and scripts, links into it, and a page of its own.

What it does not know: what an episode holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib import resources
from pathlib import Path
from urllib.parse import urlencode

from heron.contracts import EpisodeRecord
from heron.errors import Unavailable
from heron.eval.reporting.viewer.choosing import BUDGET, EMBED
from heron.eval.reporting.viewer.collection import Collection, Stages, no_stage
from heron.eval.reporting.viewer.mount import Mounted, mount

STYLES = ("viewer.css", "phone.css", "turns.css")
SCRIPTS = (
    "dom.js",
    "store.js",
    "words.js",
    "list.js",
    "phone.js",
    "turns.js",
    "timeline.js",
    "summary.js",
    "viewer.js",
)
"""In this order they make one script."""

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'self' file:; "
    "img-src data:"
)
"""Nothing that the page shows can make it ask for anything but the files beside it."""


def assets() -> tuple[str, str]:
    """Style sheet and script for ``<style>`` and ``<script>``, once per page, in any order."""
    scripts = "\n".join(_read(name) for name in SCRIPTS)
    return "\n".join(_read(name) for name in STYLES), f'(() => {{\n"use strict";\n{scripts}\n}})();'


def link(key: str, turn: int | None = None) -> str:
    """The address within the page at which the viewer shows an episode."""
    return "#" + urlencode({"episode": key} | ({} if turn is None else {"turn": turn}))


def find(words: str = "", **fields: str) -> str:
    """The address at which the list shows only some episodes.

    Args:
        words: to be found in names, reasons and the like.
        fields: columns of ``index.NAMED`` with the value that they must have.
    """
    return "#" + urlencode(({"find": words} if words else {}) | fields)


def standalone(
    episodes: Iterable[EpisodeRecord],
    page: Path | None = None,
    *,
    title: str = "Episodes",
    stages: Stages = no_stage,
    embed: int = EMBED,
    budget: int = BUDGET,
) -> str:
    """A page that holds nothing but the viewer.

    Args:
        episodes: in any order; each is looked at once.
        page: where it will lie, see ``mount``.
        title: of the page.
        stages: see ``Collection``.
        embed: see ``mount``.
        budget: see ``mount``.
    """
    with Collection(stages) as collection:
        for episode in episodes:
            collection.add(episode)
        return around(mount(collection, page, embed=embed, budget=budget), title)


def save(episodes: Iterable[EpisodeRecord], page: Path, title: str) -> None:
    """Write a page of its own, with what the suite says of the scenarios.

    Raises:
        Unavailable: a file cannot be written.
    """
    from heron.eval.reporting.viewer.stages import StageFinder

    write(standalone(episodes, page, title=title, stages=StageFinder()), page)


def write(text: str, page: Path) -> None:
    """Write a page.

    Raises:
        Unavailable: that cannot be.
    """
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, "utf-8")
    except OSError as error:
        raise Unavailable(f"cannot write {page}: {error.strerror}") from error


def around(mounted: Mounted, title: str) -> str:
    """The page around a fragment."""
    css, js = assets()
    lines = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{css}</style></head>",
        f'<body class="hv-page"><main><h1>{escape(title)}</h1>',
        mounted.html,
        f"</main><script>{js}</script></body></html>",
    ]
    return "\n".join(lines)


def _read(name: str) -> str:
    return resources.files(__package__).joinpath("assets", name).read_text("utf-8")
