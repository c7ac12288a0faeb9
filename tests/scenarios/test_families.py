"""Parts are fixed by family, by a table or else by the name's hash."""

from __future__ import annotations

from collections import Counter

from heron.scenarios.families import part_of, table
from heron.scenarios.loader import Suite, load_suite


def test_the_table_names_each_family_of_the_suite_once_and_no_other(suite: Suite) -> None:
    assert set(table()) == {scenario.family for scenario in suite}


def test_each_split_has_its_due_of_test(suite: Suite) -> None:
    splits = {split for scenario in suite for split in scenario.splits}
    for split in splits:
        parts = Counter(s.part for s in suite if split in s.splits)
        assert parts["test"] >= 0.4 * parts.total(), split
        assert parts["dev"] >= 0.3 * parts.total(), split


def test_a_family_of_anybody_goes_by_its_name() -> None:
    parts = Counter(part_of(f"family_{number}") for number in range(400))
    assert 150 < parts["test"] < 250
    assert part_of("family_7") == part_of("family_7")


def test_a_part_of_several_splits_comes_whole_and_once() -> None:
    both = load_suite("quiet", "smoke", part="dev")
    assert len({scenario.id for scenario in both}) == len(both)
    assert {scenario.part for scenario in both} == {"dev"}
    alone = {s.id for split in ("quiet", "smoke") for s in load_suite(split, part="dev")}
    assert {scenario.id for scenario in both} == alone
