"""Stored runs as MLflow runs: one per configuration.

Parameters are the configuration, metrics our metrics with the ends of their intervals, tags where
it comes from, artifacts the files of the run's folder. A metric without a value is left out, for
MLflow knows no "not measured"; ``figures.json`` among the artifacts says why. What it does not
know: metrics' definitions.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from heron.contracts import EpisodeRecord, Record
from heron.errors import InputError, Unavailable
from heron.eval.exporting.extras import need
from heron.eval.exporting.stored import Stored
from heron.eval.runs import RUN
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.cautions import cautions
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.estimates import Estimate, intervals
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.features import Features
from heron.eval.scoring.summing import plain
from heron.eval.store import REPORT, SUMMARY, key_of

EXPERIMENT = "heron"
FIGURES = "figures.json"
ARTIFACTS = (RUN, SUMMARY, REPORT, "report.html")
SOURCE = "heron.episodes"
"""Tag with a digest of the keys of the episodes, by which a run is found again."""
QUIET = {
    # MLflow reports what it is used for unless it is told not to, and refuses a folder as store.
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_ALLOW_FILE_STORE": "true",
    "MLFLOW_ENABLE_ASYNC_LOGGING": "false",
}
PATIENCE = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2", "MLFLOW_HTTP_REQUEST_TIMEOUT": "30"}
"""Unless they are set: by itself MLflow asks a server that is not there for four minutes."""
BATCH = 100
"""Parameters that MLflow takes at once; metrics and tags may be more."""

Tell = Callable[[EpisodeRecord], None]


class RunLogged(Record):
    """A run in MLflow."""

    tracking: str
    experiment: str
    run_id: str
    name: str
    episodes: int
    metrics: int
    left_out: int
    """Metrics without a value."""
    artifacts: tuple[str, ...]
    there_already: bool = False
    """The same episodes had been logged before; nothing was written."""


def log_runs(
    found: Sequence[Stored], tracking: str, tell: Tell, experiment: str = EXPERIMENT
) -> Iterator[RunLogged]:
    """Log each configuration as a run; one whose episodes are there already is not logged again.

    Args:
        found: what is stored.
        tracking: MLflow's address, or a folder, which is made.
        tell: told of each episode.
        experiment: by name; made if it is not there.

    Raises:
        InputError: a row is damaged, or the address is none that MLflow knows.
        Unavailable: MLflow is not installed, or cannot write there.
    """
    need("mlflow", "mlflow")
    with _library() as client_of:
        from mlflow.exceptions import MlflowException
        from mlflow.tracking.registry import UnsupportedModelRegistryStoreURIException

        uri = _uri(tracking)
        try:
            client = client_of(uri)
            number = _experiment(client, experiment)
            for own in found:
                yield _log(client, number, own, tell, tracking=uri, experiment=experiment)
        except UnsupportedModelRegistryStoreURIException as error:
            raise InputError(
                f"this MLflow keeps no runs at {uri}: name a folder or http://HOST:PORT (a "
                f"database needs the whole of MLflow: pip install mlflow)"
            ) from error
        except MlflowException as error:
            raise Unavailable(f"MLflow at {uri}: {_line(error)}") from error
        except OSError as error:
            raise Unavailable(f"cannot write to {uri}: {error.strerror or error}") from error


@contextmanager
def _library() -> Iterator[Any]:
    """MLflow's client, with its telemetry off and without its warnings about itself."""
    wanted = {**PATIENCE, **{name: os.environ[name] for name in PATIENCE if name in os.environ}}
    old = {name: os.environ.get(name) for name in (*QUIET, *PATIENCE)}
    os.environ.update({**QUIET, **wanted})
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=FutureWarning, module=r"mlflow\.")
            warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"mlflow\.")
            from mlflow import MlflowClient

            yield lambda uri: MlflowClient(tracking_uri=uri)
    finally:
        for name, value in old.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _uri(tracking: str) -> str:
    """An address as it is; a folder as the address that MLflow wants."""
    if "://" in tracking or tracking.startswith(("databricks", "file:")):
        return tracking
    if not tracking.strip():
        raise InputError("--tracking is empty; name a folder or an address")
    folder = Path(tracking)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder or an address")
    return folder.resolve().as_uri()


def _experiment(client: Any, name: str) -> str:
    there = client.get_experiment_by_name(name)
    return str(there.experiment_id if there is not None else client.create_experiment(name))


# --- a run --------------------------------------------------------------------------------------


def _log(
    client: Any, experiment_id: str, own: Stored, tell: Tell, *, tracking: str, experiment: str
) -> RunLogged:
    digest, rows = hashlib.sha256(), []
    for episode in own.episodes():
        digest.update("\x00".join(map(str, key_of(episode))).encode() + b"\n")
        rows.append(features_of(episode))
        tell(episode)
    source, figures = digest.hexdigest(), intervals(Columns(rows), METRICS.values())
    query = f"tags.`{SOURCE}` = '{source}' and attributes.status = 'FINISHED'"
    same = client.search_runs([experiment_id], query, max_results=1)
    name, artifacts = (
        (same[0].info.run_id, ())
        if same
        else _new_run(client, experiment_id, own, rows, figures, source)
    )
    return RunLogged(
        tracking=tracking,
        experiment=experiment,
        run_id=name,
        name=own.name,
        episodes=len(rows),
        metrics=sum(one.value is not None for one in figures.values()),
        left_out=sum(one.value is None for one in figures.values()),
        artifacts=artifacts,
        there_already=bool(same),
    )


def _new_run(
    client: Any,
    experiment_id: str,
    own: Stored,
    rows: Sequence[Features],
    figures: Mapping[str, Estimate],
    source: str,
) -> tuple[str, tuple[str, ...]]:
    """Its id, and its artifacts."""
    start = int(own.started.timestamp() * 1000) if own.started is not None else 0
    tags = {**_tags(own, rows), SOURCE: source}
    run = client.create_run(experiment_id, start_time=start, tags=tags, run_name=own.name)
    name = run.info.run_id
    # Failed until all of it is there, so that half a run is never taken for one.
    client.set_terminated(name, status="FAILED", end_time=start)
    _log_values(client, name, _params(own), dict(_values(figures)), start)
    client.log_text(name, _figures_json(rows, figures), FIGURES)
    artifacts = [FIGURES]
    for file, place in _artifacts(own):
        client.log_artifact(name, str(file), place)
        artifacts.append(f"{place}/{file.name}" if place else file.name)
    client.set_terminated(name, status="FINISHED", end_time=start + _milliseconds(rows))
    return name, tuple(artifacts)


def _log_values(
    client: Any, run_id: str, params: Mapping[str, str], values: Mapping[str, float], at: int
) -> None:
    from mlflow.entities import Metric, Param

    every = [Param(name, value) for name, value in params.items()]
    for begin in range(0, len(every), BATCH):
        client.log_batch(run_id, params=every[begin : begin + BATCH])
    metrics = [Metric(name, value, at, 0) for name, value in values.items()]
    client.log_batch(run_id, metrics=metrics)


def _params(own: Stored) -> dict[str, str]:
    config = own.config.model_dump(mode="json")
    return {name: "none" if value is None else str(value) for name, value in config.items()}


def _values(figures: Mapping[str, Estimate]) -> Iterator[tuple[str, float]]:
    """Metric → value, and the ends of its interval as ``<metric>.low`` and ``.high``."""
    for name, own in figures.items():
        if own.value is None or not math.isfinite(own.value):
            continue
        yield name, float(own.value)
        if own.interval is not None:
            yield f"{name}.low", float(own.interval.low)
            yield f"{name}.high", float(own.interval.high)


def _tags(own: Stored, rows: Sequence[Features]) -> dict[str, str]:
    last = own.sessions[-1] if own.sessions else None
    tags = {
        "heron.config_hash": own.config_hash,
        "heron.scenarios": str(len({row.scenario for row in rows})),
        "heron.episode_count": str(len(rows)),
        "heron.faults": str(sum(row.fault for row in rows)),
        "heron.codes": ", ".join(sorted({row.code or "unknown" for row in rows})),
        **{f"heron.model.{role}.sha256": sha256 for role, sha256 in own.models.items()},
    }
    if last is None:
        return tags
    models = {f"heron.model.{role}.name": file.name for role, file in last.models.items()}
    commit = {"mlflow.source.git.commit": last.git.commit} if last.git.commit else {}
    return {
        **tags,
        **models,
        **commit,
        "mlflow.source.name": last.command,
        "heron.version": last.heron,
        "heron.git.dirty": str(last.git.dirty),
        "heron.python": last.python,
        "heron.libraries": json.dumps(last.libraries),
        "heron.device": json.dumps(last.device.model_dump(mode="json")),
    }


def _artifacts(own: Stored) -> Iterator[tuple[Path, str | None]]:
    """Files of the folders; of several folders each under its own name."""
    several = len(own.folders) > 1
    for at, folder in enumerate(own.folders):
        for name in ARTIFACTS:
            if (folder / name).is_file():
                yield folder / name, f"{at + 1}-{folder.name}" if several else None


def _figures_json(rows: Sequence[Features], figures: Mapping[str, Estimate]) -> str:
    content = {
        "metrics": {name: plain(own) for name, own in figures.items()},
        "cautions": cautions(Columns(rows)),
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _milliseconds(rows: Sequence[Features]) -> int:
    return round(1000 * sum(row.episode_wall_s for row in rows))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:400]
