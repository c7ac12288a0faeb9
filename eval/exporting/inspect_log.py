"""Stored episodes as Inspect logs (``.eval``), written by Inspect's own library.

One log per configuration, one sample per episode. The library wants all samples of a log before it
writes the first, so that a log's samples are in memory at once, condensed. What it does not know:
how an episode becomes a chat (see ``inspect_messages``).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from heron.contracts import EpisodeRecord, Record
from heron.errors import InputError, Unavailable
from heron.eval.exporting.extras import need
from heron.eval.exporting.inspect_messages import Chat, Json, usage
from heron.eval.exporting.inspect_sample import (
    SCORER,
    VERDICT,
    error_of,
    metadata_of,
    output_of,
    scores_of,
)
from heron.eval.exporting.layout import layout_of
from heron.eval.exporting.matter import Matters
from heron.eval.exporting.stored import Stored
from heron.eval.exporting.tokens import Tokens, added, by_role
from heron.eval.exporting.wording import situation
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.columns import Columns
from heron.eval.scoring.estimates import Estimate, intervals
from heron.eval.scoring.extraction import features_of
from heron.eval.scoring.features import Features
from heron.eval.store import key_of

SUFFIX = ".eval"
Tell = Callable[[EpisodeRecord], None]


class LogWritten(Record):
    """A log."""

    file: str
    observer: str
    executor: str
    user: str
    samples: int
    errors: int
    """Samples of episodes in which a part broke."""


def write_logs(found: Sequence[Stored], out: Path, tell: Tell) -> Iterator[LogWritten]:
    """Write a log for each configuration.

    Args:
        found: what is stored.
        out: a file for one configuration; for several their names are added to it. A folder, or
            what ends otherwise than in ``.eval``: a folder for all of them.
        tell: told of each episode.

    Raises:
        InputError: a file is there already, or a row is damaged.
        Unavailable: Inspect is not installed, or a file cannot be written.
    """
    need("inspect_ai", "inspect")
    targets = _targets(found, out)
    for target in targets:
        if target.exists():
            raise InputError(f"{target} is there already; choose another --out")
        _make(target.parent)
    matters = Matters()
    for own, target in zip(found, targets, strict=True):
        yield _write(own, target, matters, tell)


def _targets(found: Sequence[Stored], out: Path) -> list[Path]:
    if out.is_dir() or out.suffix != SUFFIX:
        return [out / f"{own.name}{SUFFIX}" for own in found]
    if len(found) == 1:
        return [out]
    return [out.with_name(f"{out.stem}-{own.name}{SUFFIX}") for own in found]


def _make(folder: Path) -> None:
    """Before anything is read: what cannot be written to is told at once."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise InputError(f"{folder} is a file; name a folder, or a file in .eval") from error
    except OSError as error:
        raise Unavailable(f"cannot write to {folder}: {error.strerror}") from error


def _write(own: Stored, target: Path, matters: Matters, tell: Tell) -> LogWritten:
    """All of a log or nothing."""
    from inspect_ai.log import EvalLog, EvalSample, write_eval_log

    content = _Content(own, matters)
    samples = []
    for episode in own.episodes():
        samples.append(EvalSample.model_validate(content.sample(episode)))
        tell(episode)
    log = EvalLog.model_validate(content.header())
    log.samples = samples
    part = target.with_name(f".{target.stem}.part{SUFFIX}")
    try:
        write_eval_log(log, part, format="eval")
        part.replace(target)
    except OSError as error:
        raise Unavailable(f"cannot write to {target}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return LogWritten(
        file=str(target),
        observer=own.config.observer,
        executor=own.config.executor,
        user=own.config.user,
        samples=len(content.rows),
        errors=sum(row.fault for row in content.rows),
    )


class _Content:
    """A log's content as JSON; the header is known once all samples are."""

    def __init__(self, own: Stored, matters: Matters) -> None:
        self._own, self._matters = own, matters
        self._start = self._now = own.started or datetime.fromtimestamp(0, UTC)
        self._epochs: Counter[str] = Counter()
        self._tokens: dict[str, Tokens] = {}
        self.rows: list[Features] = []

    # --- samples ---

    def sample(self, episode: EpisodeRecord) -> Json:
        """The sample of an episode."""
        layout, begin = layout_of(episode), self._now
        self._epochs[episode.scenario] += 1
        self._now = begin + timedelta(seconds=layout.seconds)
        chat = Chat(episode, layout, begin)
        self.rows.append(features_of(episode))
        scores = scores_of(episode)
        chat.scored(scores[VERDICT], SCORER)
        tokens = dict(by_role(episode))
        for role, own in tokens.items():
            self._tokens[role] = added(
                [own, *([self._tokens[role]] if role in self._tokens else [])]
            )
        return {
            # The runs of a scenario are epochs of one sample, in the order of their seeds.
            "id": episode.scenario,
            "epoch": self._epochs[episode.scenario],
            "input": situation(episode, self._matters(episode)),
            "target": "success" if episode.type == "goal" else "silent",
            "messages": chat.messages,
            "events": chat.events,
            "output": output_of(chat),
            "scores": scores,
            "metadata": metadata_of(episode),
            "model_usage": self._by_model(tokens),
            "role_usage": {role: usage(own) for role, own in tokens.items()},
            "started_at": begin.isoformat(),
            "completed_at": self._now.isoformat(),
            "total_time": layout.seconds,
            "working_time": layout.seconds,
            "uuid": _digest(*map(str, key_of(episode)))[:22],
            "error": error_of(episode),
        }

    def _by_model(self, tokens: dict[str, Tokens]) -> Json:
        return {f"{role}/{getattr(self._own.config, role)}": usage(t) for role, t in tokens.items()}

    # --- header ---

    def header(self) -> Json:
        """Everything but the samples."""
        return {
            "status": "success",
            "eval": self._spec(),
            "plan": {"name": "heron", "steps": [{"solver": self._own.config.executor}]},
            "results": self._results(),
            "stats": {
                "started_at": self._start.isoformat(),
                "completed_at": self._now.isoformat(),
                "model_usage": self._by_model(self._tokens),
                "role_usage": {role: usage(own) for role, own in self._tokens.items()},
            },
        }

    def _spec(self) -> Json:
        own, config = self._own, self._own.config
        last = own.sessions[-1] if own.sessions else None
        choice = own.runs[0].plan.choice if own.runs and own.runs[0].plan else None
        split = (choice.split or "chosen") if choice is not None else "episodes"
        name = _digest(own.config_hash, *(f"{r.scenario}#{r.seed}#{r.code}" for r in self.rows))
        git = last.git if last is not None else None
        return {
            "created": self._start.isoformat(),
            "eval_id": name[:22],
            "run_id": name[22:44],
            "task_id": own.config_hash[:22],
            "task": f"heron_{split.replace(',', '_')}",
            "task_version": last.heron if last is not None else 0,
            "task_args": config.model_dump(mode="json"),
            "solver": config.executor,
            "dataset": {
                "name": f"heron: {split}",
                "samples": len(self._epochs),
                "sample_ids": sorted(self._epochs),
            },
            "model": f"observer/{config.observer}",
            "model_roles": {
                role: {"model": getattr(config, role)} for role in ("observer", "executor", "user")
            },
            "config": {"epochs": max(self._epochs.values())},
            "revision": {"type": "git", "origin": "", "commit": git.commit, "dirty": git.dirty}
            if git is not None and git.commit is not None
            else None,
            "packages": {"heron-observer": last.heron, **last.libraries}
            if last is not None
            else {},
            "metadata": {
                "config_hash": own.config_hash,
                "codes": sorted({row.code or "unknown" for row in self.rows}),
                "models": own.models,
                "sessions": [session.model_dump(mode="json") for session in own.sessions],
            },
            "scorers": [{"name": SCORER}],
        }

    def _results(self) -> Json:
        found = intervals(Columns(self.rows), METRICS.values())
        sections: dict[str, list[str]] = {}
        for name, own in found.items():
            if own.value is not None:
                sections.setdefault(METRICS[name].section, []).append(name)
        scores = [
            {
                # Inspect shows the first one by itself, beside the scores of the samples.
                "name": VERDICT if at == 0 else section,
                "scorer": SCORER,
                "scored_samples": len(self.rows),
                "metrics": {name: _metric(found[name]) for name in names},
            }
            for at, (section, names) in enumerate(sections.items())
        ]
        reasons = {name: own.reason for name, own in found.items() if own.value is None}
        return {
            "total_samples": len(self.rows),
            "completed_samples": sum(not row.fault for row in self.rows),
            "scores": scores,
            "metadata": {"without_a_value": reasons},
        }


def _metric(own: Estimate) -> Json:
    metric, at = METRICS[own.metric], own.interval
    return {
        "name": own.metric,
        "value": own.value,
        "metadata": {
            "title": metric.title,
            "unit": metric.unit,
            "better": metric.better,
            "low": None if at is None else at.low,
            "high": None if at is None else at.high,
            "level": None if at is None else at.level,
        },
    }


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()
