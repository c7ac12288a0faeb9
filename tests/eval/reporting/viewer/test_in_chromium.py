"""The viewer in a real browser, opened from disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heron.contracts import EpisodeRecord
from heron.eval.reporting.viewer.page import link, standalone, write
from heron.eval.reporting.viewer.rows import key_of
from heron.eval.reporting.viewer.stages import StageFinder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def episodes(
    played: Callable[..., list[EpisodeRecord]],
    by_hand: Callable[..., EpisodeRecord],
    helped: EpisodeRecord,
) -> list[EpisodeRecord]:
    """One that was helped, two in which rules failed, one full of markup, one with noise."""
    failed = played("rules", "club_session_earlier", "train_late_for_client")
    noise = {
        "tool_failure": 0.4,
        "lasting_failures": 0.3,
        "events_per_minute": 2.0,
        "tool_latency_s": 3.0,
    }
    return [helped, *failed, by_hand(), *played("oracle", "club_session_earlier", **noise)]


@pytest.fixture(scope="module")
def file(episodes: list[EpisodeRecord], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Failures lie in the page, what was helped in a file beside it."""
    file = tmp_path_factory.mktemp("viewer") / "some report.html"
    write(standalone(episodes, file, stages=StageFinder(), embed=0), file)
    return file


@pytest.fixture
def shown(browser: Browser, file: Path) -> Iterator[Open]:
    """Opens the page; at the end nothing was complained of, and nothing asked for elsewhere."""
    problems: list[str] = []
    asked: list[str] = []
    context = browser.new_context(viewport={"width": 1300, "height": 900})

    def open_(address: str = "", wait: str = ".hv-card") -> Page:
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri() + address)
        page.wait_for_selector(wait)
        return page

    yield open_
    context.close()
    assert not problems
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)


def _turn(page: Page) -> str:
    return page.locator(".hv-where").inner_text()


def test_one_clicks_through_an_episode(shown: Open, helped: EpisodeRecord) -> None:
    page = shown(link(key_of(helped)))
    assert _turn(page) == "turn 2 of 10"
    for number in range(1, 11):
        page.locator(".hv-column").nth(number - 1).click()
        assert _turn(page) == f"turn {number} of 10"
        assert page.locator(".hv-phone").count() == 1
    page.locator(".hv-column").nth(5).click()
    assert "accepts the offer" in page.locator(".hv-card.hv-user").inner_text()
    acts = page.locator(".hv-card.hv-executor").inner_text()
    assert "2026-03-10 16:15 → 2026-03-10 15:30" in acts
    assert page.locator(".hv-choices .hv-tap").inner_text() == "Yes"
    page.locator(".hv-column").nth(0).click()
    assert page.locator(".hv-apps .hv-tap").inner_text() == "Email"
    assert page.locator(".hv-checks .hv-good").count() == 4


def test_keys_lead_everywhere(shown: Open, episodes: list[EpisodeRecord]) -> None:
    page = shown(link(key_of(episodes[1]), 3))
    page.keyboard.press("ArrowRight")
    assert _turn(page).startswith("turn 4 ")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert _turn(page).startswith("turn 2 ")
    page.keyboard.press("j")
    page.wait_for_function(
        "document.querySelector('.hv-chosen').textContent.includes('train late')"
    )
    page.keyboard.press("k")
    page.wait_for_function(
        "document.querySelector('.hv-chosen').textContent.includes('club session')"
    )
    page.keyboard.press("/")
    page.keyboard.type("train")
    assert page.locator(".hv-row").count() == 1
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("dialog.hv-help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog.hv-help").is_visible()


def test_the_list_is_a_listbox_with_arrows(shown: Open, episodes: list[EpisodeRecord]) -> None:
    page = shown(link(key_of(episodes[1])))
    box = page.get_by_role("listbox", name="Episodes")
    box.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".hv-chosen[aria-posinset='3'][aria-selected='true']")
    assert box.get_attribute("aria-activedescendant") == page.locator(".hv-chosen").get_attribute(
        "id"
    )


def test_a_turn_is_told_to_those_who_hear(shown: Open, episodes: list[EpisodeRecord]) -> None:
    page = shown(link(key_of(episodes[1]), 1))
    page.keyboard.press("ArrowRight")
    told = page.locator("[aria-live]").inner_text()
    assert told.startswith("Turn 2, 12:40:05: 1 event; the user does email.open_email;")
    assert page.locator(".hv-column[aria-current='step']").get_attribute("aria-label") == told


def test_addresses_lead_to_episode_and_turn_and_back(
    shown: Open, episodes: list[EpisodeRecord]
) -> None:
    page = shown(link(key_of(episodes[2]), 4))
    assert page.locator(".hv-head h3").text_content() == "train late for client"
    assert _turn(page).startswith("turn 4 ")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == link(key_of(episodes[2]), 5)
    page.evaluate(f"location.hash = '{link(key_of(episodes[1]), 2)}'")
    page.wait_for_function("document.querySelector('.hv-head h3').textContent.startsWith('club')")
    assert _turn(page).startswith("turn 2 ")


def test_an_address_may_ask_for_some_episodes(shown: Open) -> None:
    page = shown("#outcome=failure&observer=rules")
    assert page.locator(".hv-count").inner_text() == "2 of 5"
    assert page.locator(".hv-row").count() == 2


def test_other_addresses_are_left_alone(shown: Open) -> None:
    page = shown("#costs")
    assert page.evaluate("location.hash") == "#costs"
    assert page.locator(".hv-count").inner_text() == "5 episodes"


def test_what_is_not_in_the_page_is_loaded_when_it_is_asked_for(
    shown: Open, file: Path, episodes: list[EpisodeRecord]
) -> None:
    page = shown(link(key_of(episodes[1])))
    assert page.locator("script[src]").count() == 0
    page.locator(".hv-row", has_text="success").first.click()
    page.wait_for_function("document.querySelector('.hv-checks').textContent.includes('reached')")
    assert page.locator("script[src]").count() == 1
    assert len(list(file.with_name("some report-episodes").iterdir())) == 1


def test_a_missing_file_is_told(browser: Browser, helped: EpisodeRecord, tmp_path: Path) -> None:
    alone = tmp_path / "alone.html"
    write(standalone([helped], alone, embed=0), alone)
    next((tmp_path / "alone-episodes").iterdir()).unlink()
    page = browser.new_page()
    page.goto(alone.as_uri())
    page.wait_for_selector(".hv-episode .hv-error")
    assert "is not beside this page" in page.locator(".hv-episode").inner_text()
    page.close()


def test_nothing_is_unpacked_before_it_is_seen(browser: Browser, file: Path) -> None:
    page = browser.new_page(viewport={"width": 900, "height": 600})
    page.add_init_script(
        "document.addEventListener('DOMContentLoaded', () => {"
        "document.querySelector('main').style.paddingTop = '4000px'}, {once: true})"
    )
    page.goto(file.as_uri())
    page.wait_for_selector(".hv-row")
    page.wait_for_timeout(300)
    assert page.locator(".hv-card").count() == 0
    page.locator(".hv-list").scroll_into_view_if_needed()
    page.wait_for_selector(".hv-card")
    page.close()


def test_markup_in_a_scenario_is_text(shown: Open, by_hand: Callable[..., EpisodeRecord]) -> None:
    page = shown(link(key_of(by_hand()), 1))
    assert page.locator(".hv-item-text").inner_text().startswith("<script>window.evil")
    page.keyboard.press("ArrowRight")
    assert "<img src=x" in page.locator(".hv-card.hv-executor").inner_text()
    assert page.evaluate("window.evil") is None
    assert page.locator(".hv img").count() == 0


def test_scores_are_drawn_and_read_out(shown: Open, by_hand: Callable[..., EpisodeRecord]) -> None:
    page = shown(link(key_of(by_hand()), 1))
    bar = page.get_by_role("img", name="propose 0.6, 67 % of the three")
    assert "hv-on" in str(bar.get_attribute("class"))
    left = page.locator(".hv-box", has_text="What left the device").inner_text()
    assert "2.0 KiB" in left or "2 KiB" in left
    assert "litellm:gpt-5-mini" in left


def test_nothing_is_wider_than_a_phone(shown: Open, episodes: list[EpisodeRecord]) -> None:
    page = shown(link(key_of(episodes[0]), 6))
    page.set_viewport_size({"width": 375, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_paper_has_all_turns(shown: Open, episodes: list[EpisodeRecord]) -> None:
    page = shown(link(key_of(episodes[0]), 6))
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".hv-sheet-of-paper").count() == 10
    assert page.locator(".hv-sheet-of-paper").first.is_visible()
    assert not page.locator(".hv-list").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".hv-sheet-of-paper").count() == 0
