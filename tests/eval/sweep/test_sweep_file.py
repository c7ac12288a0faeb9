"""A sweep's file: what it means, and how mistakes in it are told."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from heron.contracts import EpisodeConfig
from heron.errors import HeronError, ScenarioError, UnknownName
from heron.eval.sweep.matrix import Part, parts_of, units_of_parts
from heron.eval.sweep.reading import load_sweep, ready_made, sweep_of
from heron.eval.sweep.schema import AXES, Scenarios
from heron.scenarios.loader import load_suite
from heron.scenarios.schema import Scenario

HEAD = "axes:\n  observer: [never, rules]\n  executor: oracle\n"


def find(choice: Scenarios) -> tuple[Scenario, ...]:
    if choice.names:
        return load_suite(ids=choice.names).scenarios
    return load_suite(*choice.splits, part=choice.part).scenarios


def parts(text: str) -> list[Part]:
    return parts_of(sweep_of(text, "mine.yaml"), find)


def test_axes_are_multiplied_and_the_first_changes_slowest() -> None:
    found = parts(f"{HEAD}  tool_failure: [0, 0.2]\nbase: {{turns: 4}}\nruns: 2\n")
    told = [(p.config.observer, p.config.tool_failure) for p in found]
    assert told == [*itertools.product(["never", "rules"], [0.0, 0.2])]
    assert {(p.config.turns, p.config.user, p.runs) for p in found} == {(4, "scripted", 2)}


def test_every_field_of_a_configuration_is_an_axis() -> None:
    assert set(AXES) == set(EpisodeConfig.model_fields)
    (one,) = parts("base: {observer: never, executor: none}\naxes: {background: [null]}\n")
    assert one.config.background is None


def test_combinations_are_left_out_and_added() -> None:
    found = parts(
        f"{HEAD}  tool_failure: [0, 0.2]\n"
        "exclude: [{observer: never, tool_failure: [0.2]}]\n"
        "include: [{axes: {observer: always, executor: none},"
        " scenarios: {names: [two_times_one_taken]}, runs: 3}]\n"
    )
    told = [(p.config.observer, p.config.tool_failure, len(p.scenarios), p.runs) for p in found]
    smoke = len(load_suite("smoke"))
    assert told == [
        ("never", 0.0, smoke, 1),
        ("rules", 0.0, smoke, 1),
        ("rules", 0.2, smoke, 1),
        ("always", 0.0, 1, 3),
    ]


def test_units_come_seed_by_seed_and_configuration_by_configuration_each_once() -> None:
    text = f"{HEAD}runs: 2\ninclude: [{{axes: {{observer: rules, executor: oracle}}, runs: 2}}]\n"
    units = units_of_parts(parts(text))
    smoke = len(load_suite("smoke"))
    assert len(units) == len({unit.name for unit in units}) == 2 * 2 * smoke
    told = [key for key, _ in itertools.groupby((u.run, u.config.observer) for u in units)]
    assert told == [(0, "never"), (0, "rules"), (1, "never"), (1, "rules")]


@pytest.mark.parametrize("name", sorted(ready_made()))
def test_ready_made_sweeps_are_sweeps(name: str) -> None:
    file = load_sweep(name)
    assert file.sweep.name == name
    assert file.sweep.description
    assert len(parts_of(file, find)) > 1


def test_the_papers_ablations_have_the_papers_values() -> None:
    failure, events = load_sweep("tool-failure").sweep, load_sweep("events").sweep
    assert failure.axes["tool_failure"] == [0, 0.1, 0.2, 0.4]
    assert events.axes["events_per_minute"] == [0, 2, 4, 6]
    assert {load_sweep(name).sweep.runs for name in ready_made()} == {4}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "axes:\n  observers: [never]\n",
            "2: axes.observers: there is no such axis (did you mean 'observer'",
        ),
        ("axes:\n  observer: never\n", "1: axes: 'executor' is missing"),
        (f"{HEAD}  tool_failure: [0, 2]\n", "4: axes.tool_failure.1: input should be less"),
        (f"{HEAD}  turns: ten\n", "4: axes.turns: input should be a valid integer"),
        (f"{HEAD}exlude: []\n", "4: exlude: there is no such key (did you mean 'exclude'"),
        (
            f"{HEAD}scenarios: {{split: [full]}}\n",
            "4: scenarios.split: there is no such key (did you mean 'splits'",
        ),
        (f"{HEAD}scenarios: {{splits: [ful]}}\n", "4: scenarios.splits.0: input should be"),
        (f"{HEAD}exclude:\n  - {{observer: always}}\n", "5: exclude.0: no combination is left out"),
        (f"{HEAD}exclude:\n  - {{executor: oracle}}\n", "4: exclude: no combination is left"),
        (f"{HEAD}exclude:\n  - {{}}\n", "5: exclude.0: excludes everything"),
        (
            f"{HEAD}limits: {{models: {{a/b: {{rmp: 3}}}}}}\n",
            "4: limits.models.a/b.rmp: there is no such key (did you mean 'rpm'",
        ),
        (f"{HEAD}include:\n  - {{axe: {{}}}}\n", "5: include.0"),
        ("axes:\n  observer: []\n  executor: none\n", "2: axes.observer: holds no value"),
        ("axes:\n  observer: [never, never]\n", "2: axes.observer: holds a value twice"),
        (f"base: {{turns: [1, 2]}}\n{HEAD}", "1: base.turns: is one value"),
        (f"{HEAD}runs: 0\n", "4: runs: input should be greater"),
        ("- a\n", "1: is no table of keys"),
        ("axes: &a {}\n", "1"),
    ],
)
def test_mistakes_are_told_with_file_line_key_and_remedy(text: str, told: str) -> None:
    with pytest.raises(ScenarioError) as error:
        parts(text)
    message = str(error.value)
    assert message.startswith(f"mine.yaml:{told}")
    assert "\n" not in message
    assert message.endswith(")")


def test_seeds_for_training_are_refused() -> None:
    with pytest.raises(HeronError, match="are not all for evaluation"):
        parts(f"{HEAD}seed: 999\nruns: 2\n")


def test_an_unknown_name_says_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'events'"):
        load_sweep("evens")
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_sweep(str(tmp_path / "x.yaml"))


def test_a_grid_without_end_and_turns_that_are_none_are_refused() -> None:
    many = ", ".join(map(str, range(1, 201)))
    with pytest.raises(ScenarioError, match=r"make 80,000 configurations"):
        sweep_of(f"{HEAD}  turns: [{many}]\n  max_steps: [{many}]\n", "mine.yaml")
    with pytest.raises(ScenarioError, match=r"mine\.yaml:4"):
        sweep_of(f"{HEAD}base: {{turns: -1}}\n", "mine.yaml")
