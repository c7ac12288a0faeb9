"""Whatever is done to a file, it loads and builds, or says in one line what is wrong with it."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from heron.errors import ScenarioError
from heron.scenarios.builder import build
from heron.scenarios.check import check
from heron.scenarios.document import parse
from heron.scenarios.loader import Suite, load_document

ODD: list[Any] = [
    *(None, True, 0, -1, 3.5, 10**30, 1e300),
    *("", " ", "x", "@x", "@@", "@", "{", "}", "{}", "{me}", "{me.phone}", "{none}", "{me:day}"),
    *("2026-02-30 25:00", "2026-03-10 09:00", "me", "goal", "email.receive", "on", "\n", "ü" * 300),
    *([], [[]], [None], ["x"], {}, {"x": 1}, {"person": {}}, {"label": "x"}, {"choice": ["{x}"]}),
]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to everything in a document."""
    found = [path] if path else []
    below: Any = ()
    if isinstance(data, dict):
        below = data.items()
    elif isinstance(data, list):
        below = enumerate(data)
    for key, value in below:
        found += places(value, (*path, key))
    return found


def mutate(data: Any, rng: random.Random) -> None:
    """Change one place: other value, nothing, twice, another name, or another place's value."""
    path = rng.choice(places(data))
    node = data
    for step in path[:-1]:
        node = node[step]
    key, how = path[-1], rng.randrange(5)
    if how == 0:
        node[key] = copy.deepcopy(rng.choice(ODD))
    elif how == 1:
        del node[key]
    elif how == 2 and isinstance(node, dict):
        node[f"{key}x"] = node.pop(key)
    elif how == 3 and isinstance(node, list):
        node.append(copy.deepcopy(node[key]))
    else:
        other = data
        for step in rng.choice(places(data)):
            other = other[step]
        node[key] = copy.deepcopy(other)


def try_out(text: str) -> None:
    """Load, build and check; refusals are fine if they are told properly."""
    try:
        scenario = load_document(parse(text))
        build(scenario, 0)
        problems = check(scenario, range(2))
    except ScenarioError as error:
        problems = [error]
    for problem in problems:
        assert "\n" not in str(problem)
        assert problem.line is None or problem.line >= 1


@pytest.mark.slow
@settings(max_examples=150)
@given(st.integers(0, 7), st.integers(1, 3), st.integers(0, 10**9))
def test_a_file_whose_data_is_spoiled(which: int, times: int, seed: int) -> None:
    document = DOCUMENTS[which]
    data = copy.deepcopy(document.data)
    rng = random.Random(seed)
    for _ in range(times):
        if data:
            mutate(data, rng)
    try_out(yaml.safe_dump(data, sort_keys=False, allow_unicode=True))


@settings(max_examples=100)
@given(st.integers(0, 7), st.integers(0, 10**9))
def test_a_file_whose_text_is_spoiled(which: int, seed: int) -> None:
    rng = random.Random(seed)
    lines = DOCUMENTS[which].text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    how = rng.randrange(4)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines[at] = rng.choice(["  ", "- ", "\t", "# ", "&a "]) + lines[at]
    elif how == 2:
        line = lines[at]
        cut = rng.randrange(len(line))
        lines[at] = line[:cut] + rng.choice("{}[]:,#'\"@!&*%\\\x07é") + line[cut:]
    else:
        lines = lines[:at]
    try_out("".join(lines))


DOCUMENTS: list[Any] = []


@pytest.fixture(autouse=True, scope="module")
def documents(suite: Suite) -> None:
    """The shipped files, as what is spoiled."""
    DOCUMENTS[:] = [scenario.document for scenario in suite][:8]
