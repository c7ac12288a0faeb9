"""The strict YAML: what is text, what is refused, on which line, and what the hash counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from heron.errors import ScenarioError
from heron.scenarios.document import parse, read


def test_times_dates_and_on_are_text() -> None:
    data = parse("on: yes\nt: 09:00\nu: 14:30\nd: 2026-03-10\nn: 07700\ne: 1e5\n").data
    assert data == {
        "on": "yes",
        "t": "09:00",
        "u": "14:30",
        "d": "2026-03-10",
        "n": "07700",
        "e": "1e5",
    }


def test_numbers_truth_and_nothing_are_themselves() -> None:
    data = parse("i: -3\nf: 2.50\nb: true\nn: null\nm: ~\nempty:\nquoted: '1'\n").data
    expected = {"i": -3, "f": 2.5, "b": True, "n": None, "m": None, "empty": None, "quoted": "1"}
    assert data == expected


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", None, "the file is empty"),
        ("a: [", 2, "did not find expected"),
        ("a: 1\nb:\n\t- c", 3, "cannot start any token"),
        ("a: &x [1]\nb: *x", 2, "anchors and aliases"),
        ("a: &x [*x]", 1, "anchors and aliases"),
        ("a: !!python/name:os.system x", 1, "tag"),
        ("a: 1\nb: !mine {}", 2, "tag"),
        ("a: 1\nb: 2\na: 3", 3, "stands twice"),
        ("? [1]\n: 2", 1, "no word"),
        ("a: " + "9" * 5000, 1, "no usable number"),
        ("a: 1.0e999", 1, "no usable number"),
        ("a: 1\n---\na: 2", 2, "another document"),
        ('a: "\x00"', None, "control characters"),
        ("a: " + "[" * 60 + "]" * 60, 1, "nested too deeply"),
        ("[" * 200_000, 1, "nesting"),
    ],
)
def test_what_is_no_document_says_where(text: str, line: int | None, says: str) -> None:
    with pytest.raises(ScenarioError, match=says) as caught:
        parse(text, "x.yaml")
    assert caught.value.line == line
    assert caught.value.file == "x.yaml"
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_a_place_that_is_not_there_has_the_line_of_what_is_above_it() -> None:
    document = parse("a:\n  b:\n    - c: 1\n    - d: 2\n")
    assert document.line(("a", "b", 1, "d")) == 4
    assert document.line(("a", "b", 1, "missing")) == 4
    assert document.line(("a", "b", 7)) == 2
    assert document.line(("nothing",)) == 1


def test_the_hash_counts_content_alone() -> None:
    document = parse("a: 1\nb: [x, 'y']\n")
    same = parse("# a remark\na:    1\n\nb:\n  - x   # why\n  - y\n")
    assert document.hash == same.hash
    assert document.hash != parse("a: 1\nb: [x, z]\n").hash
    assert document.hash != parse("a: '1'\nb: [x, y]\n").hash


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="cannot be read"):
        read(tmp_path / "none.yaml")
    with pytest.raises(ScenarioError, match="cannot be read"):
        read(tmp_path)
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("a: ü".encode("latin-1"))
    with pytest.raises(ScenarioError, match="byte 3 is not UTF-8"):
        read(latin)
