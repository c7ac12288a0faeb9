"""The fragment of a page and the files beside it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from heron.contracts import EpisodeRecord
from heron.errors import Unavailable
from heron.eval.reporting.viewer.collection import Collection
from heron.eval.reporting.viewer.mount import Mounted, mount
from heron.eval.reporting.viewer.packing import in_script
from heron.eval.reporting.viewer.page import find, link, standalone
from heron.eval.reporting.viewer.rows import key_of, row_of, setting_of

PACK = re.compile(r'data-pack="\d+">([^<]*)<')


def _mounted(
    episodes: list[EpisodeRecord], page: Path | None, embed: int = 1000, budget: int = 10**7
) -> Mounted:
    with Collection() as collection:
        for episode in episodes:
            collection.add(episode)
        return mount(collection, page, embed=embed, budget=budget)


def _unpacked(text: str) -> dict[str, object]:
    content: dict[str, object] = json.loads(gzip.decompress(base64.b64decode(text)))
    return content


def test_all_that_fit_lie_in_the_page_and_the_others_beside_it(
    helped: EpisodeRecord, tmp_path: Path
) -> None:
    episodes = [helped.model_copy(update={"seed": seed}) for seed in range(5)]
    mounted = _mounted(episodes, tmp_path / "report.html", embed=2)
    assert (mounted.embedded, mounted.beside) == (2, 3)
    inside = {key for text in PACK.findall(mounted.html) for key in _unpacked(text)}
    (file,) = mounted.files
    assert file.parent == tmp_path / "report-episodes"
    called = re.fullmatch(r'heronPack\(1,"([^"]+)"\);\n', file.read_text("utf-8"))
    assert called is not None
    beside = set(_unpacked(called[1]))
    assert inside | beside == {key_of(episode) for episode in episodes}
    assert not inside & beside


def test_the_same_episodes_are_the_same_bytes(helped: EpisodeRecord, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    assert _mounted([helped], page).html == _mounted([helped], page).html


def test_without_a_place_for_files_nothing_is_written(helped: EpisodeRecord) -> None:
    mounted = _mounted([helped], None, embed=0)
    assert (mounted.embedded, mounted.beside, mounted.files) == (0, 0, ())


def test_a_budget_of_failures_puts_the_rest_beside(
    by_hand: Callable[..., EpisodeRecord], tmp_path: Path
) -> None:
    episodes = [by_hand().model_copy(update={"seed": seed}) for seed in range(30)]
    mounted = _mounted(episodes, tmp_path / "x.html", budget=8_000)
    assert 0 < mounted.embedded < 30
    assert mounted.embedded + mounted.beside == 30


def test_a_folder_that_cannot_be_written_is_one_line(helped: EpisodeRecord, tmp_path: Path) -> None:
    (tmp_path / "x-episodes").write_text("in the way")
    with pytest.raises(Unavailable, match="cannot write"):
        _mounted([helped], tmp_path / "x.html", embed=0)


def test_episodes_with_one_key_are_kept_apart(helped: EpisodeRecord) -> None:
    with Collection() as collection:
        keys = [collection.add(helped).key for _ in range(3)]
        assert keys == [key_of(helped), f"{keys[0]}-2", f"{keys[0]}-3"]
        assert json.loads(collection.content(keys[2]))["key"] == keys[2]


def test_no_text_ends_a_script() -> None:
    text = in_script({"x": "</script><!-- \u2028"})
    assert "<" not in text
    assert "\u2028" not in text
    assert json.loads(text) == {"x": "</script><!-- \u2028"}


def test_text_of_an_episode_stands_nowhere_in_the_page_as_markup(
    by_hand: Callable[..., EpisodeRecord],
) -> None:
    assert "window.evil" not in standalone([by_hand()]).replace("\\u003cscript>window.evil", "")


def test_a_row_says_what_went_wrong(by_hand: Callable[..., EpisodeRecord]) -> None:
    row = row_of(by_hand())
    assert (row.outcome, row.cause, row.what) == ("failure", "user", "lost")
    assert (row.proposals, row.accepts) == (1, 1)


def test_settings_are_told_where_they_are_not_as_usual(helped: EpisodeRecord) -> None:
    assert setting_of(helped.config) == ""
    noisy = helped.config.model_copy(update={"tool_failure": 0.4, "turns": 6})
    assert setting_of(noisy) == "6 turns, tools fail 40%"


def test_links_name_episode_turn_and_filters() -> None:
    assert link("a.0.12", 4) == "#episode=a.0.12&turn=4"
    assert find("late train", outcome="failure") == "#find=late+train&outcome=failure"
