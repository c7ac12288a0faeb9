"""Writing under a JSON schema with llguidance against llama.cpp's own grammar (GBNF).

    python benchmarks/constrained.py [--model NAME|FILE|tiny] [--count N] [--threads N]
                                     [--json FILE]

Both engines, and writing without a schema, take turns in one run on the same prompts, so that a
busy moment meets all. Each text follows a different message. Reported per engine: tokens per second
and milliseconds of CPU time per token while constrained (evaluation, choice and grammar together),
what compiling the grammars and reading the vocabulary took, and texts that break their schema by
jsonschema, a library that neither engine uses to write. ``tiny`` is a fake with random weights,
which tries what a real model would not. Exit code 1 if any text breaks its schema.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator

from heron.errors import ModelFault
from heron.models.constraint import EngineName, Grammars
from heron.models.generation import write_json, write_text
from heron.models.llama_context import LlamaContext
from heron.models.llama_lib import LlamaModel
from heron.models.store import resolve
from heron.models.tiny_gguf import write_tiny_gguf

ENGINES: Final[tuple[EngineName, ...]] = ("llguidance", "gbnf")
PROMPT = "You watch a phone. Answer with JSON.\n"
REFS = ["e2", "v4", "m7", "o9"]
SCHEMAS: Final[tuple[dict[str, Any], ...]] = (
    {
        "type": "object",
        "properties": {
            "refs": {"type": "array", "items": {"enum": REFS}, "minItems": 1, "maxItems": 2},
            "text": {"type": "string", "minLength": 5, "maxLength": 24},
        },
        "required": ["refs", "text"],
    },
    {
        "type": "object",
        "properties": {
            "tool": {"enum": ["calendar.search_events", "email.get_email", "notes.get_note"]},
            "args": {"type": "object", "properties": {"id": {"enum": REFS}}, "required": ["id"]},
        },
        "required": ["tool", "args"],
    },
    {
        "type": "object",
        "properties": {
            "day": {"type": "string", "pattern": "^2026-(0[1-9]|1[0-2])-[0-3][0-9]$"},
            "minutes": {"type": "integer", "minimum": 5, "maximum": 240},
            "late": {"type": "boolean"},
        },
        "required": ["day", "minutes"],
    },
    {
        "anyOf": [
            {"type": "object", "properties": {"wait": {"const": True}}, "required": ["wait"]},
            {
                "type": "object",
                "properties": {"price": {"type": "number", "minimum": 0, "maximum": 99.5}},
                "required": ["price"],
            },
        ]
    },
)


@dataclass
class Figures:
    """What one way of writing took."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    tokens: int = 0
    texts: int = 0
    distinct: set[str] = field(default_factory=set)
    compile_s: float = 0.0
    broken: list[str] = field(default_factory=list)
    unfinished: int = 0
    """Not complete within the limit of tokens; no violation, but no text either."""

    def row(self) -> dict[str, object]:
        """For people and machines."""
        per_token = 1000 * self.cpu_s / self.tokens if self.tokens else None
        return {
            "texts": self.texts,
            "distinct": len(self.distinct),
            "tokens": self.tokens,
            "tokens_per_s": round(self.tokens / self.wall_s, 1) if self.wall_s else None,
            "cpu_ms_per_token": None if per_token is None else round(per_token, 2),
            "compile_cpu_s": round(self.compile_s, 3),
            "violations": len(self.broken),
            "unfinished": self.unfinished,
        }


def measure(model: LlamaModel, count: int, threads: int) -> dict[str, Figures]:
    """All ways in turn, ``count`` texts each."""
    context = LlamaContext(model, window=512, threads=threads)
    found = {name: Figures() for name in (*ENGINES, "free")}
    grammars: dict[str, Grammars] = {}
    for name in ENGINES:
        begun = time.process_time()
        grammars[name] = Grammars(model, engine=name)
        for schema in SCHEMAS:
            # The first token makes an engine read the vocabulary.
            context.clear()
            context.append(model.tokenize("{", markup=False))
            grammars[name].constraint(schema).best(context.logits())
        found[name].compile_s = time.process_time() - begun
    prompt = model.tokenize(PROMPT, markup=False, at_start=True)
    context.clear()
    context.append(prompt)
    for number in range(count):
        message = f"14:{number % 60:02d} mail e{number} of Tom: {number * 7919 % 9973}?\n"
        tokens = model.tokenize(message, markup=False)
        schema = SCHEMAS[number % len(SCHEMAS)]
        for way, figures in found.items():
            context.rewind(len(prompt))
            context.append(tokens)
            _write(context, figures, grammars.get(way), schema)
    context.close()
    return found


def _write(
    context: LlamaContext, figures: Figures, grammars: Grammars | None, schema: dict[str, Any]
) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        if grammars is None:
            written = write_text(context, unread=(), max_tokens=12)
        else:
            constraint = grammars.constraint(schema)
            written = write_json(context, constraint, unread=(), max_tokens=160)
    except ModelFault as error:
        if "within" in str(error):
            figures.unfinished += 1
        else:
            figures.broken.append(str(error))
        return
    figures.wall_s += time.perf_counter() - wall
    figures.cpu_s += time.process_time() - cpu
    figures.tokens += len(written.tokens)
    figures.texts += 1
    figures.distinct.add(written.text)
    if grammars is not None and not _valid(written.text, schema):
        figures.broken.append(written.text)


def _valid(text: str, schema: dict[str, Any]) -> bool:
    try:
        return bool(Draft202012Validator(schema).is_valid(json.loads(text)))
    except ValueError:
        return False


def main(arguments: list[str]) -> int:
    """Measure, print, and count violations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", default="smollm2-135m-instruct-q4_1")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        tiny = given.model == "tiny"
        path = write_tiny_gguf(Path(folder) / "tiny.gguf") if tiny else resolve(given.model)
        model = LlamaModel(path)
        load_before = os.getloadavg()[0]
        found = measure(model, given.count, given.threads)
    load = f"load {load_before:.1f} before, {os.getloadavg()[0]:.1f} after"
    print(f"{given.model}, {given.threads} thread(s), {given.count} texts each, {load}")
    for name, figures in found.items():
        print(f"  {name:11}", ", ".join(f"{key} {value}" for key, value in figures.row().items()))
        for text in figures.broken[:3]:
            print(f"    broken: {text}")
    if given.json:
        rows = {name: figures.row() for name, figures in found.items()}
        given.json.write_text(json.dumps({"model": given.model, "load": load, "ways": rows}) + "\n")
    return int(any(figures.broken for figures in found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
