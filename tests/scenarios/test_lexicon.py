"""The words for acts: an entry stands for its phrases, and an unknown one is told."""

from __future__ import annotations

from datetime import datetime

import pytest

from heron.scenarios import locales
from heron.scenarios.lexicon import acts
from heron.scenarios.template import Scope, TemplateError, phrases

SCOPE = Scope({}, locales.load("en_GB"), lambda: datetime(2026, 3, 10))


def test_an_entry_stands_for_all_its_words() -> None:
    group = phrases(["~remind", "buzz me"], SCOPE)
    assert group == (*acts()["remind"], "buzz me")


def test_every_entry_has_words_that_no_other_spelling_hides() -> None:
    for name, said in acts().items():
        assert said, name
        assert len(set(said)) == len(said), name
        assert all(phrase.strip() for phrase in said), name


def test_an_unknown_entry_says_what_was_meant() -> None:
    with pytest.raises(TemplateError, match="no ~remimd in the lexicon") as caught:
        phrases(["~remimd"], SCOPE)
    assert "remind" in (caught.value.remedy or "")
