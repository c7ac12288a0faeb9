"""Personas as data: those that are shipped, anybody's own file, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from heron.errors import InputError, UnknownName
from heron.sim.users.persona import NEUTRAL, Persona, persona_of, personas
from heron.sim.users.reasons import REASONS, Language, Why


def test_the_shipped_ones_are_named_as_their_files() -> None:
    found = personas()
    names = [persona.name for persona in found]
    assert names[0] == NEUTRAL
    assert names[1:] == sorted(names[1:])
    assert {"strict", "lenient", "tired", "hurried", "distracted"} < set(names)
    for persona in found:
        assert persona_of(persona.name) == persona


def test_the_neutral_one_has_the_defaults() -> None:
    neutral = persona_of("")
    assert neutral == persona_of(NEUTRAL) == Persona(name=NEUTRAL, summary=neutral.summary)


def test_every_language_has_every_reason() -> None:
    assert set(REASONS) == set(get_args(Language))
    for texts in REASONS.values():
        assert set(texts) == set(get_args(Why))
        assert len(set(texts.values())) == len(texts)
    assert len({texts["fits"] for texts in REASONS.values()}) == len(REASONS)


def test_anybodys_own_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine\nsummary: Is mine.\ntrust: 0.25\n")
    assert persona_of(str(file)) == Persona(name="mine", summary="Is mine.", trust=0.25)


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="unknown persona 'strikt'; did you mean 'strict'"):
        persona_of("strikt")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("summary: x\n", "name is missing"),
        ("name: x\nsummary: x\ntrusst: 1\n", "trusst: there is no such key; did you mean 'trust'"),
        ("name: x\nsummary: x\ntrust: 2\n", "trust: input should be less than or equal to 1"),
        ("name: x\nsummary: x\nstrictness: mild\n", "strictness: input should be 'lenient'"),
        ("name: x\nsummary: x\npreferences: {not_before: 9:00}\n", "preferences.not_before"),
        ("name: x\nsummary: x\npreferences: {hour: 9}\n", "preferences.hour: there is no such"),
        ("name: Xaver B\nsummary: x\n", "name: "),
        ("name: [x\n", "no YAML"),
        ("- x\n", "a table of keys"),
        ("", "a table of keys"),
    ],
)
def test_a_bad_file_is_told_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        persona_of(str(file))
    message = str(caught.value)
    assert message.startswith(str(file))
    assert told in message
    assert "\n" not in message


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read the persona .*gone\.yaml"):
        persona_of(str(tmp_path / "gone.yaml"))
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        persona_of(str(tmp_path / "bytes.yaml"))
