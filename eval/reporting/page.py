"""A report as one HTML page that opens from disk and asks nothing of any network.

The page's text is complete without scripts. plotly.js lies in it compressed and is unpacked after
the text is shown; charts are drawn when they come into view or when nothing else is to be done.
What it does not know: what a report says.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from functools import cache
from importlib import resources, util
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

from heron import __version__
from heron.errors import Unavailable
from heron.eval.reporting.pieces import Chart, Report, Row
from heron.eval.reporting.viewer.page import assets as viewer_assets

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'self' file:; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
)
"""Nothing in the page can make it ask for anything but the files of episodes beside it."""

LIMIT = 25_000_000
"""Bytes that a page may take."""


def html(report: Report, *, viewer: bool = False) -> str:
    """The page.

    Args:
        report: what it says.
        viewer: it holds an episode viewer, whose style and scripts it needs.
    """
    drawn = any(isinstance(piece, Chart | Row) for s in report.sections for piece in s.pieces)
    style, script = viewer_assets() if viewer else ("", "")
    return _template().render(
        report=report,
        policy=POLICY,
        generator=f"heron {__version__}",
        style=_within(_asset("report.css") + style, "style"),
        script=_within(_asset("report.js"), "script"),
        viewer=_within(script, "script"),
        drawn=drawn,
        plotly=packed_plotly() if drawn else "",
    )


@cache
def packed_plotly() -> str:
    """plotly.js, gzip and base64.

    Raises:
        Unavailable: the library is not there.
    """
    found = util.find_spec("plotly")
    if found is None or found.origin is None:
        raise Unavailable("plotly is not installed, so there are no charts: pip install plotly")
    source = Path(found.origin).parent / "package_data" / "plotly.min.js"
    try:
        # A middling level: the best one takes longer than reading hundreds of episodes.
        return base64.b64encode(gzip.compress(source.read_bytes(), 6, mtime=0)).decode()
    except OSError as error:
        raise Unavailable(f"cannot read {source}: {error.strerror}") from error


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters["data"] = data
    environment.filters["kind"] = lambda piece: type(piece).__name__
    return environment.from_string(_asset("report.html"))


def data(value: Mapping[str, Any]) -> str:
    """JSON that may stand in a ``<script>``."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _within(text: str, element: str) -> str:
    """Our own style or script, which must not end its element early."""
    if f"</{element}" in text:
        raise ValueError(f"the text of <{element}> ends it")
    return text


def _asset(name: str) -> str:
    return resources.files("heron.eval.reporting").joinpath("assets", name).read_text("utf-8")
