"""The options that ``bench`` and ``episode`` share: each is given, and each reaches the plan."""

from __future__ import annotations

from dataclasses import fields
from inspect import signature
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from heron.cli import bench, episode, options


@pytest.mark.parametrize("command", [bench.bench, episode.episode])
def test_every_field_is_an_option_of_the_command(command: Any) -> None:
    given = signature(command).parameters
    assert {field.name for field in fields(options.Play)} <= set(given)
    assert "play" not in given


def test_what_is_given_reaches_the_plan() -> None:
    app = typer.Typer()
    seen: list[tuple[str, options.Play]] = []

    @app.command()
    @options.plays
    def command(*, name: str = "", play: options.Play) -> None:
        seen.append((name, play))

    line = "x --observer never --seed 7 --clock measured --background light --tool-latency 2.5"
    told = CliRunner().invoke(app, ["--name", *line.split()])
    assert told.exit_code == 0, told.output
    ((name, play),) = seen
    plan = play.plan(runs=3)
    assert (name, plan.runs, plan.seed, plan.window) == ("x", 3, 7, 4096)
    config = plan.config
    assert (config.observer, config.executor) == ("never", options.DEFAULT_EXECUTOR)
    assert (config.clock, config.background, config.tool_latency_s) == ("measured", "light", 2.5)


@pytest.mark.parametrize("seconds", ["inf", "nan", "1e12", "-1"])
def test_a_latency_that_no_clock_can_hold_is_refused(seconds: str) -> None:
    app = typer.Typer()

    @app.command()
    @options.plays
    def command(*, play: options.Play) -> None:
        play.plan()

    assert CliRunner().invoke(app, ["--tool-latency", seconds]).exit_code == 2


@pytest.mark.parametrize("dollars", ["inf", "nan", "0", "-1"])
def test_a_cap_that_caps_nothing_is_refused(dollars: str) -> None:
    app = typer.Typer()

    @app.command()
    @options.plays
    def command(*, scale: options.Scale) -> None:
        scale.limits()

    assert CliRunner().invoke(app, ["--max-usd", dollars]).exit_code == 2
