"""Chat templates, taken apart so that a dialogue can grow at its end only.

A GGUF file may hold a Jinja template that renders a whole dialogue. Rendering a probe dialogue
whose contents are placeholders shows the markup between the contents. If that is the same at every
turn and each rendering begins with the one before, the template is used in its parts: a step adds
only what is new, and contents never pass through the template, so that no text can smuggle control
tokens in. If not, or if there is no template, a raw form is used and the reason is kept. What it
does not know: tokens (see ``llama_lib``), and which turns there are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, NoReturn

from jinja2 import TemplateError, TemplateSyntaxError, UndefinedError, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

Message = Mapping[str, str]
Form = Literal["gguf", "raw"]

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Private-use characters: no template looks for them, and none trims them."""
_TURNS: Final = 4
"""Turns of the probe dialogue."""


class Segment(NamedTuple):
    """A piece of a rendered dialogue."""

    text: str
    markup: bool
    """Written by the template: names of control tokens in it are meant. Contents are plain."""


class NotIncremental(Exception):
    """The template cannot be taken apart; the text says why."""


@dataclass(frozen=True, kw_only=True)
class DialogueTemplate:
    """The markup between the contents of a dialogue of user and assistant."""

    form: Form
    reason: str
    """Why the form is ``raw`` or the system text stands in the first message; empty otherwise."""
    head: str
    """Before a system text."""
    after_system: str
    """Between the system text and the first user text."""
    head_bare: str
    """Before the first user text, where there is no system text."""
    header: str
    """Between a user text and the assistant's answer."""
    closing: str
    """Between an answer and the next user text."""

    @property
    def stop(self) -> str | None:
        """Text at which a free answer ends, where no control token ends it."""
        return self.closing.rstrip() if self.form == "raw" else None


class Dialogue:
    """Writes one dialogue piece by piece.

    Spaces at the end of markup are held back until the content that follows, since vocabularies
    have a space at the beginning of a word.
    """

    def __init__(self, template: DialogueTemplate) -> None:
        self._template = template
        self.lead = ""
        """The spaces that the next content begins with."""

    def begin(self, system: str, examples: Sequence[tuple[str, str]] = ()) -> list[Segment]:
        """Begin anew: a system text (none if empty) and examples of (user, assistant)."""
        self.lead = ""
        template = self._template
        if system.strip():
            parts = [
                *self._markup(template.head),
                *self._content(system),
                *self._markup(template.after_system),
            ]
        else:
            parts = self._markup(template.head_bare)
        for said, answer in examples:
            parts += [*self.user(said), *self.answer(answer), *self.close()]
        return parts

    def user(self, text: str) -> list[Segment]:
        """A user text and the header of the answer."""
        return [*self._content(text), *self._markup(self._template.header)]

    def answer(self, text: str) -> list[Segment]:
        """The assistant's answer, still open."""
        return self._content(text)

    def close(self) -> list[Segment]:
        """The end of an answer, up to where the next user text begins."""
        return self._markup(self._template.closing)

    def _content(self, text: str) -> list[Segment]:
        # Most templates trim contents; here all are trimmed, so that it is the same everywhere.
        spaced, self.lead = self.lead + text.strip(), ""
        return [Segment(spaced, markup=False)] if spaced else []

    def _markup(self, text: str) -> list[Segment]:
        kept = text.rstrip(" ")
        before = [Segment(self.lead, markup=False)] if self.lead and kept else []
        self.lead = text[len(kept) :] if kept else self.lead + text
        return [*before, Segment(kept, markup=True)] if kept else []


def raw_template(reason: str) -> DialogueTemplate:
    """The form for models without a usable template: plain headings, one per line."""
    return DialogueTemplate(
        form="raw",
        reason=reason,
        head="",
        after_system="\n\n### Input\n",
        head_bare="### Input\n",
        header="\n### Output\n",
        closing="\n\n### Input\n",
    )


def read_template(source: str | None, *, bos: str = "", eos: str = "") -> DialogueTemplate:
    """Take a template apart.

    Args:
        source: the Jinja text, or None if there is none.
        bos: text of the vocabulary's first token, as templates write it.
        eos: text of its last token.

    Returns:
        the parts; in the raw form, with the reason, where the template cannot be used.
    """
    if not source:
        return raw_template("the file has no chat template")
    try:
        render = _Renderer(source, bos, eos)
    except TemplateSyntaxError as error:
        return raw_template(f"the chat template is broken: {error.message}")
    bare = system = None
    reasons = []
    try:
        bare = _take_apart(render, system=False)
    except (TemplateError, NotIncremental) as error:
        reasons.append(f"without a system text: {error}")
    try:
        system = _take_apart(render, system=True)
    except (TemplateError, NotIncremental) as error:
        reasons.append(f"with a system text: {error}")
    return _joined(bare, system, _one_line("; ".join(reasons)))


class _Parts(NamedTuple):
    head: tuple[str, ...]
    header: str
    closing: str


def _joined(bare: _Parts | None, system: _Parts | None, reason: str) -> DialogueTemplate:
    """One template of what was found without and with a system text."""
    if system is not None and (bare is None or system[1:] == bare[1:]):
        head, after = system.head
        return DialogueTemplate(
            form="gguf",
            reason=reason,
            head=head,
            after_system=after,
            # Templates that insist on a system text get an empty one.
            head_bare=bare.head[0] if bare else head + after,
            header=system.header,
            closing=system.closing,
        )
    if bare is not None:
        return DialogueTemplate(
            form="gguf",
            reason=f"the system text is put before the first user text ({reason})",
            head=bare.head[0],
            after_system="\n\n",
            head_bare=bare.head[0],
            header=bare.header,
            closing=bare.closing,
        )
    return raw_template(f"the chat template cannot grow at its end ({reason})")


class _Generation(Extension):
    """``{% generation %}`` marks answers for training; its contents are rendered as they are."""

    tags = {"generation"}  # noqa: RUF012 - the base's declaration

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """The contents."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Renderer:
    """Renders a dialogue as the Hugging Face libraries do, in a sandbox."""

    def __init__(self, source: str, bos: str, eos: str) -> None:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.loopcontrols", _Generation],
        )
        environment.filters["tojson"] = _to_json
        # No strftime_now: a template that finds none writes a fixed date, and a prompt must not
        # change from day to day.
        environment.globals["raise_exception"] = _refuse
        self._template = environment.from_string(source)
        self._asks_date = "strftime_now" in source
        self._tokens = {"bos_token": bos, "eos_token": eos}

    def __call__(self, messages: Sequence[Message], *, answer_next: bool) -> str:
        try:
            return self._template.render(
                messages=messages, add_generation_prompt=answer_next, **self._tokens
            )
        except UndefinedError as error:
            if self._asks_date and "strftime_now" in str(error):
                raise TemplateError("it writes the date of the day") from error
            raise


def _to_json(value: object, indent: int | None = None, **_rest: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _refuse(message: object) -> NoReturn:
    raise TemplateError(str(message))


def _take_apart(render: _Renderer, *, system: bool) -> _Parts:
    """The parts of a template, checked on every length of the probe dialogue.

    Raises:
        NotIncremental: the markup differs between turns, or a rendering is not the beginning of
            the next.
        TemplateError: the template refuses such a dialogue.
    """
    growing = [render(_probe(turns, system), answer_next=True) for turns in range(1, _TURNS + 1)]
    marks = [_mark(name) for name in (["S"] if system else [])]
    for turn in range(1, _TURNS + 1):
        marks += [_mark(f"U{turn}"), _mark(f"A{turn}")]
    between = _split(growing[-1], marks[:-1])
    head = tuple(between[: 1 + system])
    rest = between[1 + system :]
    headers, closings, tail = rest[0:-1:2], rest[1:-1:2], rest[-1]
    if len(set(headers)) > 1 or len(set(closings)) > 1:
        raise NotIncremental("the markup is not the same at every turn")
    header, closing = headers[0], closings[0]
    # Some templates write the space before a finished answer only; it belongs to the answer.
    if header.rstrip(" ") != tail.rstrip(" "):
        raise NotIncremental("a finished answer stands behind another header than a new one")
    so_far = "".join(text + mark for text, mark in zip(head, marks, strict=False))
    for turn, rendered in enumerate(growing, start=1):
        if rendered.rstrip(" ") != so_far + header.rstrip(" "):
            raise NotIncremental(f"the dialogue of {turn} turns is not the beginning of a longer")
        so_far += header + _mark(f"A{turn}") + closing + _mark(f"U{turn + 1}")
    return _Parts(head, header, closing)


def _probe(turns: int, system: bool) -> list[Message]:
    """A dialogue of placeholders that ends with a user text."""
    messages: list[Message] = [{"role": "system", "content": _mark("S")}] if system else []
    for turn in range(1, turns + 1):
        messages.append({"role": "user", "content": _mark(f"U{turn}")})
        messages.append({"role": "assistant", "content": _mark(f"A{turn}")})
    return messages[:-1]


def _mark(name: str) -> str:
    return f"{_OPEN}{name}{_CLOSE}"


def _split(text: str, marks: Sequence[str]) -> list[str]:
    """The texts between the placeholders, each of which must occur once and in order."""
    parts = []
    for mark in marks:
        before, found, text = text.partition(mark)
        if not found or mark in text:
            raise NotIncremental(f"{mark[1:-1]} does not stand once and in its order")
        parts.append(before)
    if any(mark in part for part in (*parts, text) for mark in marks):
        raise NotIncremental("a text stands twice")
    return [*parts, text]


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]
