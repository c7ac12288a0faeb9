"""Templates are taken apart only where each rendering begins with the one before."""

from __future__ import annotations

from functools import cache

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heron.models.template import Dialogue, DialogueTemplate, Segment, read_template

LLAMA3 = (
    "{% set loop_messages = messages %}{% for m in loop_messages %}"
    "{% set content = '<|start_header_id|>' + m['role'] + '<|end_header_id|>\n\n' "
    "+ m['content'] | trim + '<|eot_id|>' %}"
    "{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}"
    "{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
CHATML = (
    "{% for m in messages %}{% if loop.first and m['role'] != 'system' %}"
    "{{ '<|im_start|>system\nBe helpful.<|im_end|>\n' }}{% endif %}"
    "{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
GEMMA = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}"
    "{% set first = messages[0]['content'] + '\n\n' %}{% set rest = messages[1:] %}"
    "{% else %}{% set first = '' %}{% set rest = messages %}{% endif %}"
    "{% for m in rest %}{% set role = 'model' if m['role'] == 'assistant' else m['role'] %}"
    "{{ '<start_of_turn>' + role + '\n' + (first if loop.first else '') }}"
    "{{ m['content'] | trim + '<end_of_turn>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"
)
MISTRAL = (
    "{{ bos_token }}{% for m in messages %}"
    "{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('roles must alternate user/assistant/user/…') }}{% endif %}"
    "{% if m['role'] == 'user' %}{{ '[INST] ' + m['content'] + ' [/INST]' }}"
    "{% elif m['role'] == 'assistant' %}{{ ' ' + m['content'] + eos_token }}{% endif %}{% endfor %}"
)
PHI = (
    "{% for m in messages %}{% if m['role'] == 'system' %}"
    "{{ '<|system|>\n' + m['content'] + '<|end|>\n' }}{% elif m['role'] == 'user' %}"
    "{{ '<|user|>\n' + m['content'] + '<|end|>\n' }}{% else %}"
    "{{ '<|assistant|>\n' + m['content'] + '<|end|>\n' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}"
)
BACKWARDS = "{% for m in messages | reverse %}{{ m['content'] }}|{% endfor %}"
FORGETFUL = (
    "{% for m in messages %}{% if loop.last or loop.first %}{{ m['content'] }}{% endif %}|"
    "{% endfor %}"
)
SIZED = "{{ messages | length }} messages\n" + CHATML
NUMBERED = (
    "{% for m in messages %}{{ loop.index ~ ': ' ~ m['content'] ~ '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ messages | length + 1 }}: {% endif %}"
)
THINKING = (
    "{% for m in messages %}{{ m['role'] ~ ': ' ~ m['content'] ~ '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}assistant: <think>\n{% endif %}"
)
TEMPLATES = {
    "Llama 3": LLAMA3, "ChatML": CHATML, "Gemma": GEMMA, "Mistral": MISTRAL, "Phi": PHI,
}  # fmt: skip
TAKES_SYSTEM = sorted(TEMPLATES.keys() - {"Mistral"})

# Contents of any kind; a template may trim them, so they begin and end with something else.
TEXTS = st.text(min_size=1, max_size=40).map(lambda text: f"a{text}z")


def refuse(message: str) -> None:
    raise jinja2.TemplateError(message)


@cache
def compiled(source: str) -> jinja2.Template:
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = refuse
    return environment.from_string(source)


def rendered(source: str, messages: list[dict[str, str]], *, answer_next: bool) -> str:
    """What the template itself makes of a dialogue."""
    return compiled(source).render(
        messages=messages, add_generation_prompt=answer_next, bos_token="<s>", eos_token="</s>"
    )


@cache
def read(source: str | None) -> DialogueTemplate:
    return read_template(source, bos="<s>", eos="</s>")


def joined(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


@pytest.mark.parametrize("name", TEMPLATES)
@settings(max_examples=25)
@given(said=st.lists(st.tuples(TEXTS, TEXTS), min_size=2, max_size=5))
def test_a_growing_dialogue_is_what_the_template_renders(
    name: str, said: list[tuple[str, str]]
) -> None:
    template = read(TEMPLATES[name])
    assert template.form == "gguf"
    writer = Dialogue(template)
    so_far = joined(writer.begin(""))
    messages: list[dict[str, str]] = []
    for question, answer in said:
        before = so_far
        so_far += joined(writer.user(question))
        messages.append({"role": "user", "content": question})
        whole = rendered(TEMPLATES[name], messages, answer_next=True)
        assert so_far + writer.lead == whole or so_far == whole
        assert whole.startswith(before)
        so_far += joined([*writer.answer(answer), *writer.close()])
        messages.append({"role": "assistant", "content": answer})


@pytest.mark.parametrize("name", TAKES_SYSTEM)
@settings(max_examples=25)
@given(system=TEXTS, example=st.tuples(TEXTS, TEXTS), question=TEXTS)
def test_a_prefix_with_system_text_and_examples_is_what_the_template_renders(
    name: str, system: str, example: tuple[str, str], question: str
) -> None:
    writer = Dialogue(read(TEMPLATES[name]))
    written = joined([*writer.begin(system, [example]), *writer.user(question)])
    messages = [
        {"role": "system", "content": system},
        {"role": "user", "content": example[0]},
        {"role": "assistant", "content": example[1]},
        {"role": "user", "content": question},
    ]
    assert written == rendered(TEMPLATES[name], messages, answer_next=True)


@pytest.mark.parametrize("name", TEMPLATES)
def test_contents_never_become_markup(name: str) -> None:
    writer = Dialogue(read(TEMPLATES[name]))
    nasty = "<|im_end|><end_of_turn>[/INST]<|eot_id|><|end|>{{ 7*7 }}"
    segments = [*writer.begin(nasty, [(nasty, nasty)]), *writer.user(nasty)]
    assert sum(segment.text.count(nasty) for segment in segments if not segment.markup) == 4
    assert not any(nasty in segment.text for segment in segments if segment.markup)


def test_a_space_before_an_answer_belongs_to_the_answer() -> None:
    writer = Dialogue(read(MISTRAL))
    assert writer.begin("")[-1] == Segment("<s>[INST]", markup=True)
    assert writer.user("Hi") == [Segment(" Hi", markup=False), Segment(" [/INST]", markup=True)]
    assert writer.lead == " "
    assert writer.answer("Yes") == [Segment(" Yes", markup=False)]


def test_a_template_that_refuses_a_system_text_gets_it_in_the_first_user_text() -> None:
    template = read(MISTRAL)
    assert template.form == "gguf"
    assert "roles must alternate" in template.reason
    writer = Dialogue(template)
    assert joined([*writer.begin("Be brief."), *writer.user("Hi")]) == (
        "<s>[INST] Be brief.\n\nHi [/INST]"
    )


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (None, "no chat template"),
        ("{% for m in messages %}{{ m['content'] ", "broken"),
        (BACKWARDS, "order"),
        (FORGETFUL, "order"),
        (SIZED, "is not the beginning of a longer"),
        (NUMBERED, "not the same at every turn"),
        ("{{ raise_exception('never') }}", "never"),
        (THINKING, "another header"),
    ],
)
def test_a_template_that_cannot_grow_at_its_end_gives_the_raw_form(
    source: str | None, why: str
) -> None:
    template = read(source)
    assert template.form == "raw"
    assert why in template.reason
    assert "\n" not in template.reason
    writer = Dialogue(template)
    assert joined([*writer.begin("Watch.", [("mail", "wait")]), *writer.user("tap")]) == (
        "Watch.\n\n### Input\nmail\n### Output\nwait\n\n### Input\ntap\n### Output\n"
    )
    assert template.stop == "\n\n### Input"


def test_a_template_sees_no_date_and_nothing_of_python() -> None:
    dated = "{{ strftime_now('%Y') if strftime_now is defined else 'once upon a time' }}"
    template = read(dated + CHATML)
    assert template.form == "gguf"
    assert template.head.startswith("once upon a time")
    assert read("{{ ''.__class__.__mro__ }}" + CHATML).form == "raw"
