"""The strict YAML: what is text, what is refused, on which line, and what the hash counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heron.errors import ScenarioError
from heron.scenarios import document
from heron.scenarios.bulk import set_aside
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


def _as_json(*rows: object) -> str:
    return "".join(f"  - {json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def test_rows_written_as_json_are_read_as_yaml_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"a": "x: y # z", "b": [1, -0, 2.5, True, None, "null", "09:00"], "c": {"d": 'q"\\\n\t'}},
        {"e": "1e5", "f": "!row 0", "g": "ünïcode 😀", "h": {}, "i": []},
        {"j": "nbsp\u00a0", "k": 1e16},
    ]
    text = "rows:\n" + _as_json(rows[0], rows[2]) + "last: 1\n"
    fast = parse(text)
    monkeypatch.setattr(document, "set_aside", lambda text: (text, {}))
    slow = parse(text)
    assert fast.data == slow.data
    assert list(fast.data["rows"][0]) == ["a", "b", "c"]
    assert fast.hash == slow.hash


def test_rows_take_the_short_way_and_odd_ones_do_not() -> None:
    good, twice = '  - {"a": 1}', '  - {"a": 1, "a": 2}'
    odd = [
        '{"a": 1e5}',
        '{"a": NaN}',
        '{"": 1}',
        '{"a": 1.5e999}',
        '{"a": "\\ud83d"}',
        '{"a": 1} x}',
    ]
    text = "\n".join([good, twice, *(f"  - {one}" for one in odd), '  - {"k": [' + "[" * 40 + "}"])
    short, rows = set_aside(text)
    assert rows == {"0": {"a": 1}}
    assert short.splitlines() == ["  - !row 0", *text.splitlines()[1:]]


@pytest.mark.parametrize(
    "text",
    [
        'a: |\n  - {"b": 1}\n',
        'a: "x\n  - {"b": 1}\n',
        'a: x\n  - {"b": 1}\nc:\n  - {"b": 2}\n',
        'a:\n  - {"b": 1}\n    more\n',
        'a:\n  - {"b": 1}\n  - !row 0\n',
        'a: |\n  - {"b": 1}\nc:\n  - !row 0\n',
        'a: [\n  - {"b": 1}\n]\n',
    ],
)
def test_what_only_looks_like_a_row_is_read_as_before(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def outcome() -> object:
        try:
            return parse(text).data
        except ScenarioError as error:
            return str(error)

    fast = outcome()
    monkeypatch.setattr(document, "set_aside", lambda text: (text, {}))
    assert fast == outcome()
