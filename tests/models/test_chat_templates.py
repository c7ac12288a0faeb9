"""Templates as model files really carry them, written out here from the documented formats.

A growing dialogue is written in parts; each state must be what the template itself renders, and so
must begin with the state before. Templates for which that cannot hold get the raw form, and say so.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heron.models.decision import load_decision_model
from heron.models.template import Dialogue, DialogueTemplate, Segment, read_template
from heron.models.tiny_gguf import write_tiny_gguf

FOLDER = Path(__file__).parent / "templates"
WHOLE = (
    "chatml", "gemma-3", "lfm-2", "llama-2", "llama-3.1", "llama-3.2", "mistral-v7", "phi-3",
    "phi-4", "qwen-2.5", "qwen-3", "smollm-3", "zephyr",
)  # fmt: skip
"""The file's template, with the system text where it puts it."""
FIRST_USER = {
    "gemma-2": "the system role is not supported",
    "mistral-v1": "roles must take turns",
    # It moves the system text to the last message at every turn.
    "mistral-v3": "U1 does not stand once and in its order",
}
"""The system text is put before the first user text."""
WITH_SYSTEM = {"granite": "it writes the date of the day"}
"""Used with a system text only; without one, an empty one stands there."""
RAW = {
    "dated": "it writes the date of the day",
    "deepseek-r1": "another header",
    "last-turns-only": "U1 does not stand once",
    "shortens-old-answers": "A1 does not stand once",
}
TEXTS = st.text(min_size=1, max_size=30).map(lambda text: f"a{text}z")
TURNS = st.lists(st.tuples(TEXTS, TEXTS), min_size=2, max_size=5)


def source(name: str) -> str:
    return (FOLDER / f"{name}.jinja").read_text("utf-8")


def read(name: str) -> DialogueTemplate:
    return read_template(source(name), bos="<s>", eos="</s>")


def rendered(name: str, messages: list[dict[str, str]]) -> str:
    """What the template itself makes of a dialogue that waits for an answer."""
    text = re.sub(r"\{%-? *(end)?generation *-?%\}", "", source(name))
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(text).render(
        messages=messages, add_generation_prompt=True, bos_token="<s>", eos_token="</s>"
    )


def joined(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def states(template: DialogueTemplate, system: str, said: list[tuple[str, str]]) -> list[str]:
    """The dialogue at every point where an answer is due."""
    writer = Dialogue(template)
    so_far, found = joined(writer.begin(system)), []
    for question, answer in said:
        so_far += joined(writer.user(question))
        found.append(so_far)
        so_far += joined([*writer.answer(answer), *writer.close()])
    return found


def messages_of(system: str, said: list[tuple[str, str]], turns: int) -> list[dict[str, str]]:
    found = [{"role": "system", "content": system}] if system else []
    for question, answer in said[:turns]:
        found += [
            {"role": "user", "content": question},
            {"role": "assistant", "content": answer},
        ]
    return found[:-1]


def test_every_template_is_expected() -> None:
    names = sorted(path.stem for path in FOLDER.glob("*.jinja"))
    assert names == sorted([*WHOLE, *FIRST_USER, *WITH_SYSTEM, *RAW])


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=12)
@given(system=TEXTS, said=TURNS)
def test_a_growing_dialogue_is_what_the_template_renders(
    name: str, system: str, said: list[tuple[str, str]]
) -> None:
    template = read(name)
    assert (template.form, template.reason) == ("gguf", "")
    found = states(template, system, said)
    for turns, state in enumerate(found, start=1):
        whole = rendered(name, messages_of(system, said, turns))
        assert state == whole.rstrip(" ")
    for before, after in pairwise(found):
        assert after.startswith(before)


@pytest.mark.parametrize("name", [*WHOLE, *FIRST_USER])
@settings(max_examples=12)
@given(said=TURNS)
def test_so_is_one_without_a_system_text(name: str, said: list[tuple[str, str]]) -> None:
    for turns, state in enumerate(states(read(name), "", said), start=1):
        assert state == rendered(name, messages_of("", said, turns)).rstrip(" ")


@pytest.mark.parametrize("name", FIRST_USER)
@settings(max_examples=12)
@given(system=TEXTS, said=TURNS)
def test_a_system_text_that_has_no_place_of_its_own_stands_before_the_first_user_text(
    name: str, system: str, said: list[tuple[str, str]]
) -> None:
    template = read(name)
    assert template.form == "gguf"
    assert FIRST_USER[name] in template.reason
    moved = [(f"{system}\n\n{said[0][0]}", said[0][1]), *said[1:]]
    for turns, state in enumerate(states(template, system, said), start=1):
        assert state == rendered(name, messages_of("", moved, turns)).rstrip(" ")


@pytest.mark.parametrize("name", WITH_SYSTEM)
@settings(max_examples=12)
@given(system=TEXTS, said=TURNS)
def test_a_template_that_dates_its_own_system_text_is_used_with_ours(
    name: str, system: str, said: list[tuple[str, str]]
) -> None:
    template = read(name)
    assert WITH_SYSTEM[name] in template.reason
    for turns, state in enumerate(states(template, system, said), start=1):
        assert state == rendered(name, messages_of(system, said, turns)).rstrip(" ")


@pytest.mark.parametrize("name", RAW)
@settings(max_examples=12)
@given(system=TEXTS, said=TURNS)
def test_a_template_that_cannot_grow_at_its_end_is_replaced_and_that_is_said(
    name: str, system: str, said: list[tuple[str, str]]
) -> None:
    template = read(name)
    assert template.form == "raw"
    assert RAW[name] in template.reason
    found = states(template, system, said)
    for before, after in pairwise(found):
        assert after.startswith(before)


@pytest.mark.parametrize("name", [*WHOLE, *FIRST_USER, *WITH_SYSTEM, *RAW])
def test_a_model_with_the_template_only_appends(name: str, tmp_path: Path) -> None:
    path = write_tiny_gguf(tmp_path / "tiny.gguf", chat_template=source(name))
    model = load_decision_model(str(path), window=1536)
    assert model.info.template == ("raw" if name in RAW else "gguf")
    assert bool(model.info.template_reason) == (name not in WHOLE)
    model.begin("Watch.", [("Idle.", "wait")])
    before = list(model._context.tokens)
    evaluated = len(before)
    for turn in range(3):
        model.extend(f"Mail {turn}.")
        model.choose("wait")
        tokens = model._context.tokens
        assert tokens[: len(before)] == before
        evaluated += len(tokens) - len(before)
        before = list(tokens)
    assert model.take_cost().evaluated == evaluated
    model.close()
