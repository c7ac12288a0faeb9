"""MLflow runs in a folder, read again with MLflow's own library."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heron.errors import InputError, Unavailable
from heron.eval.exporting import mlflow_run
from heron.eval.exporting.mlflow_run import QUIET, log_runs
from heron.eval.exporting.stored import stored
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.estimates import intervals
from heron.eval.scoring.extraction import features_of
from heron.eval.store import read_episodes

pytest.importorskip("mlflow")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    with mlflow_run._library() as made:
        yield made((tmp_path / "mlruns").as_uri())


def log(run: Path, folder: Path) -> Any:
    (done,) = log_runs(stored([run], lambda _: None), str(folder / "mlruns"), lambda _: None)
    return done


def test_a_configuration_is_a_run(runs: dict[str, Path], tmp_path: Path, client: Any) -> None:
    done = log(runs["oracle"], tmp_path)
    run = client.get_run(done.run_id)
    assert run.info.status == "FINISHED"
    assert run.info.run_name == "oracle-oracle-scripted"
    assert run.data.params["observer"] == "oracle"
    assert run.data.params["background"] == "none"
    rows = [features_of(episode) for episode in read_episodes(runs["oracle"])]
    found = intervals(rows, METRICS.values())
    assert done.metrics + done.left_out == len(METRICS)
    for name, own in found.items():
        if own.value is None:
            assert name not in run.data.metrics
        else:
            assert run.data.metrics[name] == own.value
        if own.interval is not None:
            assert run.data.metrics[f"{name}.low"] == own.interval.low
            assert run.data.metrics[f"{name}.high"] == own.interval.high


def test_a_run_says_where_it_comes_from(runs: dict[str, Path], tmp_path: Path, client: Any) -> None:
    (own,) = stored([runs["rules"]], lambda _: None)
    run = client.get_run(log(runs["rules"], tmp_path).run_id)
    tags, last = run.data.tags, own.sessions[-1]
    assert tags["heron.version"] == last.heron
    assert tags["heron.codes"] == last.code
    assert json.loads(tags["heron.libraries"]) == last.libraries
    assert json.loads(tags["heron.device"])["memory"] == last.device.memory
    assert tags["mlflow.source.name"] == last.command
    assert own.started is not None
    assert run.info.start_time == own.started.timestamp() * 1000


def test_model_files_are_tags(full_run: Path, tmp_path: Path, client: Any) -> None:
    run = client.get_run(log(full_run, tmp_path).run_id)
    assert run.data.tags["heron.model.observer.sha256"] == "ab" * 32
    assert run.data.tags["heron.faults"] == "1"


def test_artifacts_are_the_runs_files_and_the_reasons(
    runs: dict[str, Path], tmp_path: Path, client: Any
) -> None:
    done = log(runs["oracle"], tmp_path)
    assert done.artifacts == ("figures.json", "run.json", "summary.json", "report.md")
    assert {file.path for file in client.list_artifacts(done.run_id)} == set(done.artifacts)
    figures = json.loads(Path(client.download_artifacts(done.run_id, "figures.json")).read_text())
    assert set(figures["metrics"]) == set(METRICS)
    assert all(one["value"] is not None or one["reason"] for one in figures["metrics"].values())


def test_shards_are_one_run_with_the_files_of_both(
    runs: dict[str, Path], tmp_path: Path, client: Any
) -> None:
    for half in (0, 1):
        folder = tmp_path / f"part{half}"
        shutil.copytree(runs["rules"], folder)
        file = folder / "episodes.jsonl"
        file.write_text("".join(file.read_text().splitlines(keepends=True)[half::2]))
    found = stored([tmp_path / "part0", tmp_path / "part1"], lambda _: None)
    (done,) = log_runs(found, str(tmp_path / "mlruns"), lambda _: None)
    assert done.episodes == 4
    assert "1-part0/summary.json" in done.artifacts
    assert "2-part1/summary.json" in done.artifacts


def test_the_same_episodes_are_logged_once(
    runs: dict[str, Path], tmp_path: Path, client: Any
) -> None:
    first, again = log(runs["rules"], tmp_path), log(runs["rules"], tmp_path)
    assert not first.there_already
    assert again.there_already
    assert again.run_id == first.run_id
    number = client.get_experiment_by_name("heron").experiment_id
    assert len(client.search_runs([number])) == 1


def test_half_a_run_is_marked_as_failed_and_logged_anew(
    runs: dict[str, Path], tmp_path: Path, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(mlflow_run, "_artifacts", stop)
        with pytest.raises(KeyboardInterrupt):
            log(runs["rules"], tmp_path)
    number = client.get_experiment_by_name("heron").experiment_id
    assert [run.info.status for run in client.search_runs([number])] == ["FAILED"]
    assert not log(runs["rules"], tmp_path).there_already


def test_telemetry_is_off_while_mlflow_is_used_and_the_environment_is_as_before() -> None:
    before = dict(os.environ)
    with mlflow_run._library():
        assert {name: os.environ[name] for name in QUIET} == QUIET
        from mlflow.telemetry.utils import is_telemetry_disabled

        assert is_telemetry_disabled()
    assert dict(os.environ) == before


def test_wrong_places_are_told_in_one_line(
    full_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    found = stored([full_run], lambda _: None)
    file = tmp_path / "file"
    file.touch()
    for wrong, told in ((str(file), "is a file"), (" ", "is empty"), ("foo://bar", "keeps no")):
        with pytest.raises(InputError, match=told):
            list(log_runs(found, wrong, lambda _: None))
    with pytest.raises(Unavailable) as caught:
        list(log_runs(found, "http://127.0.0.1:1", lambda _: None))
    assert "\n" not in str(caught.value)
