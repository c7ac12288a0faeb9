"""The page as people use it: from disk in a browser, by keyboard, in both themes, on paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from heron.eval.reporting.make import Wanted, make

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CONTRAST = """
() => {
  const channels = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = channels(getComputedStyle(at).backgroundColor);
      if (a > 0) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const poor = [];
  const ours = "header *, main > section:not(#episodes) *, footer *";
  for (const element of document.querySelectorAll(ours)) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || element.closest("svg, script, .chart") || !element.offsetParent) continue;
    const style = getComputedStyle(element);
    const [x, y] = [light(channels(style.color)), light(behind(element))];
    const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    if (ratio < 4.5) poor.push(`${element.tagName} ${element.textContent.slice(0, 30)} ${ratio}`);
  }
  return poor;
}
"""


@dataclass
class Opened:
    """A page with what it said and asked for."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def file(runs: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of four configurations."""
    page = tmp_path_factory.mktemp("report") / "report.html"
    make(runs, Wanted(page=page))
    return page


def _open(browser: Browser, file: Path, **settings: Any) -> Opened:
    context = browser.new_context(**({"viewport": {"width": 1360, "height": 900}} | settings))
    opened = Opened(context.new_page())
    opened.page.on("console", lambda message: opened.said.append(message.text))
    opened.page.on("pageerror", lambda error: opened.said.append(str(error)))
    opened.page.on("request", lambda request: opened.asked.append(request.url))
    opened.page.goto(file.as_uri())
    return opened


@pytest.fixture
def opened(browser: Browser, file: Path) -> Iterator[Opened]:
    """The page, with all charts drawn."""
    opened = _open(browser, file)
    opened.page.wait_for_selector("html[data-charts=drawn]", timeout=60_000)
    yield opened
    opened.page.context.close()


def test_opens_from_disk_without_an_error_or_a_request(opened: Opened) -> None:
    assert opened.said == []
    local = ("file:", "data:", "blob:")
    assert [url for url in opened.asked if not url.startswith(local)] == []
    policy = opened.page.locator("meta[http-equiv]").get_attribute("content")
    assert policy is not None
    assert "default-src 'none'" in policy


def test_nothing_leaves_the_page_even_if_asked_to(opened: Opened) -> None:
    refused = opened.page.evaluate(
        "() => fetch('https://example.org/').then(() => 'sent', () => 'refused')"
    )
    assert refused == "refused"


def test_reads_without_scripts(browser: Browser, file: Path) -> None:
    opened = _open(browser, file, java_script_enabled=False)
    text = opened.page.inner_text("#leaderboard")
    assert "oracle" in text
    assert "100.0 %" in text
    opened.page.context.close()


def test_every_chart_is_drawn_and_has_words_and_figures(opened: Opened) -> None:
    figures = opened.page.locator("figure")
    assert figures.count() >= 8
    for at in range(figures.count()):
        figure = figures.nth(at)
        assert figure.locator(".chart svg.main-svg").count() > 0
        assert figure.locator(".chart").get_attribute("role") == "img"
        names = str(figure.locator(".chart").get_attribute("aria-labelledby")).split()
        assert all(opened.page.locator(f"#{name}").inner_text().strip() for name in names)
        assert figure.locator("details table tbody tr").count() > 0


def test_the_leaderboard_sorts_by_keyboard(opened: Opened) -> None:
    page = opened.page
    head = page.locator("#leaderboard th", has_text="silence")
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    first = page.locator("#leaderboard tbody tr")
    assert "always" in first.last.inner_text()
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "ascending"
    assert "always" in first.first.inner_text()
    assert "Sorted by silence" in page.locator("#told").inner_text()


def test_unknown_values_stay_below(opened: Opened) -> None:
    page = opened.page
    head = page.locator("#leaderboard th", has_text="own memory")
    for _ in range(2):
        head.locator("button").click()
        assert page.locator("#leaderboard tbody tr").last.inner_text().count("–") > 0


def test_the_theme_follows_the_system_and_the_button(browser: Browser, file: Path) -> None:
    opened = _open(browser, file, color_scheme="dark")
    page = opened.page
    page.wait_for_selector("html[data-charts=drawn]", timeout=60_000)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    ink = "document.querySelector('.chart .xtick text').style.fill"
    before = page.evaluate(ink)
    page.get_by_role("button", name="Light theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark
    assert page.evaluate(ink) != before
    page.context.close()


def test_text_stands_out_in_both_themes(browser: Browser, file: Path) -> None:
    for scheme in ("light", "dark"):
        opened = _open(browser, file, color_scheme=scheme)
        assert opened.page.evaluate(CONTRAST) == []
        opened.page.context.close()


def test_fits_a_phone(browser: Browser, file: Path) -> None:
    opened = _open(browser, file, viewport={"width": 375, "height": 800})
    opened.page.wait_for_selector("html[data-charts=drawn]", timeout=60_000)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 375
    opened.page.context.close()


def test_has_landmarks_headings_in_order_and_labels(opened: Opened) -> None:
    page = opened.page
    assert page.locator("main").count() == page.locator("h1").count() == 1
    assert page.locator("html").get_attribute("lang") == "en"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    levels = page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for table in page.locator("main table").all():
        assert table.locator("caption").inner_text().strip() or not table.is_visible()
        assert table.locator("thead th[scope]").count() > 0
    unnamed = page.evaluate(
        "[...document.querySelectorAll('img, svg')].filter((e) => !e.closest('[aria-hidden=true]')"
        " && !e.getAttribute('aria-label') && !e.getAttribute('alt')"
        " && !e.closest('[role=img]')).length"
    )
    assert unnamed == 0
    doubled = page.evaluate(
        "(() => { const ids = [...document.querySelectorAll('main [id]')].map((e) => e.id)"
        ".filter((id) => !id.startsWith('clip') && !/^g?[0-9a-f]{6}/.test(id));"
        " return ids.filter((id, at) => ids.indexOf(id) !== at); })()"
    )
    assert doubled == []


def test_prints_in_light_colours(browser: Browser, file: Path) -> None:
    opened = _open(browser, file, color_scheme="dark")
    page = opened.page
    page.wait_for_selector("html[data-charts=drawn]", timeout=60_000)
    assert len(page.pdf(prefer_css_page_size=True)) > 50_000
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    # A4 landscape within its margins; what is wider is cut off on paper.
    page.set_viewport_size({"width": 1032, "height": 730})
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1032
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.context.close()


def test_an_episode_can_be_opened(opened: Opened) -> None:
    page = opened.page
    entry = page.locator("#episodes [role=option], #episodes .hv-list a, #episodes .hv-list button")
    entry.first.click()
    page.wait_for_function("location.hash.includes('episode=')")
    assert opened.said == []
