"""Executors are made by name, of the parts that they need."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from heron.errors import InputError, UnknownName
from heron.executor.baselines import NoExecutor, OracleExecutor, Reference
from heron.executor.registry import EXECUTORS, build_executor


def test_the_built_in_names() -> None:
    assert EXECUTORS.names() == ["gguf", "litellm", "none", "oracle"]


def test_baselines_run_in_the_harness_and_models_do_not() -> None:
    assert {name: EXECUTORS.get(name).in_harness for name in EXECUTORS.names()} == {
        "gguf": False,
        "litellm": False,
        "none": True,
        "oracle": True,
    }


def test_what_each_is_made_of() -> None:
    assert isinstance(build_executor("none"), NoExecutor)
    assert isinstance(build_executor("oracle", reference=Reference(calls=())), OracleExecutor)


def test_only_a_model_held_to_schemas_gets_a_steady_list(
    new_phone: Any, new_task: Any, script: Any
) -> None:
    listed = {}
    for spec in ("gguf:m", "litellm:m"):
        tools, model = new_phone(), script("Done.", remote=False)
        build_executor(spec, model=model).start(new_task(tools), tools)
        listed[spec] = [tool["function"]["name"] for tool in model.requests[0].tools]
    assert "finish" in listed["gguf:m"]
    assert "finish" not in listed["litellm:m"]


@pytest.mark.parametrize(
    ("spec", "part"), [("oracle", "reference"), ("litellm:gpt-x", "model"), ("gguf:m", "model")]
)
def test_a_missing_part_is_named(spec: str, part: str) -> None:
    with pytest.raises(InputError, match=f"executor '{spec}' needs a {part}"):
        build_executor(spec)


def test_an_unknown_name_says_what_is_near() -> None:
    with pytest.raises(UnknownName, match="did you mean 'oracle'"):
        build_executor("orakel")


def test_the_harness_does_not_load_the_loop_to_read_the_table() -> None:
    code = (
        "import sys\n"
        "from heron.executor.registry import EXECUTORS\n"
        "assert EXECUTORS.get('gguf').needs == 'model'\n"
        "print([m for m in ('heron.executor.loop', 'jsonschema') if m in sys.modules])"
    )
    done: Any = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
