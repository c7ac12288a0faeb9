"""How much of the loss is the observer's and how much the executor's.

Four configurations on the same scenarios and seeds, the observer and the executor each as it is or
an oracle; s is the success rate::

    s(own, own)     s(own, oracle)      the observer alone
    s(oracle, own)  s(oracle, oracle)   the executor alone, the ceiling

The loss 1 - s(own, own) is what the two lose and the rest, 1 - s(oracle, oracle), which is nothing
where the scenarios are sound and the user is. What one part loses is what replacing it by its
oracle wins, averaged over whether the other has been replaced yet: its Shapley value in a game of
two (Shapley 1953; as a rule of decomposition Shorrocks 2013, J. Econ. Inequality 11, 99-126)::

    observer = ½ [s(oracle, own) - s(own, own)] + ½ [s(oracle, oracle) - s(own, oracle)]
    executor = ½ [s(own, oracle) - s(own, own)] + ½ [s(oracle, oracle) - s(oracle, own)]

so that the three add up to the loss. Intervals resample scenarios, one draw for all four. What it
does not know: how the runs were made (see ``eval.counterfactual``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from heron.contracts import EpisodeConfig, Record
from heron.errors import InputError
from heron.eval.counterfactual import ORACLE, PARTS, counterpart
from heron.eval.resampling import DRAWS, Interval, cluster_weights
from heron.eval.scoring.catalogue.all_metrics import METRICS
from heron.eval.scoring.cautions import cautions
from heron.eval.scoring.columns import Columns, Floats
from heron.eval.scoring.comparison import aligned
from heron.eval.scoring.features import Features
from heron.eval.scoring.metric import Summed
from heron.eval.scoring.pairs import difference_interval

SUCCESS = METRICS["success_rate"]

OWN = "own"
PART_NAMES = ("loss", "to_observer", "to_executor", "rest")


class Share(Record):
    """A figure of the decomposition."""

    value: float
    interval: Interval | None


class Decomposition(Record):
    """One configuration's loss, split."""

    observer: str
    executor: str
    scenarios: int
    episodes: int
    """Goal episodes of each of the four."""
    success: Share
    observer_alone: Share
    """Success with the oracle executor."""
    executor_alone: Share
    """Success with the oracle observer."""
    ceiling: Share
    """Success with both oracles."""
    loss: Share
    to_observer: Share
    to_executor: Share
    rest: Share
    """What both oracles lose: the user's, the scenarios', the noise's."""
    warnings: tuple[str, ...] = ()


def decompositions(
    sides: Mapping[EpisodeConfig, Iterable[Features]], seed: int = 0, draws: int = DRAWS
) -> list[Decomposition]:
    """The decomposition of every configuration that has all of its counterparts.

    Args:
        sides: configuration → its rows, the counterparts among them.
        seed: of the resampling.
        draws: how many resamples.

    Raises:
        InputError: no configuration has them all.
    """
    found, missing = [], []
    for config in sides:
        if config.observer == config.executor == ORACLE:
            continue
        wanted: dict[str, EpisodeConfig] = {part: counterpart(config, part) for part in PARTS}
        wanted[OWN] = config
        lacking = [other for other in wanted.values() if other not in sides]
        # A counterpart of another configuration stands for itself only if it was asked about.
        if ORACLE in (config.observer, config.executor) and _is_counterpart(config, sides):
            continue
        if lacking:
            missing.append((config, lacking[0]))
        else:
            own = {name: sides[other] for name, other in wanted.items()}
            found.append(decompose(config, own, seed, draws))
    if not found:
        raise InputError(_lacks(missing))
    return found


def decompose(
    config: EpisodeConfig,
    sides: Mapping[str, Iterable[Features]],
    seed: int = 0,
    draws: int = DRAWS,
) -> Decomposition:
    """Split one configuration's loss.

    Args:
        config: the configuration.
        sides: ``own`` and each of ``PARTS`` → rows.
        seed: of the resampling.
        draws: how many resamples.

    Raises:
        InputError: the four have no goal episode in common.
    """
    goals = {name: [row for row in rows if row.goal] for name, rows in sides.items()}
    if not all(goals.values()):
        raise InputError("there is no goal episode, so no success to decompose")
    kept, left_out = aligned(goals)
    whole = kept[OWN]
    drawn = cluster_weights(whole.scenarios, seed, draws)
    rates = {name: _rates(columns, drawn) for name, columns in kept.items()}
    split = dict(zip(PART_NAMES, _split(rates), strict=True))

    def share(values: Floats) -> Share:
        at = difference_interval(values[1:], len(whole.scenarios))
        return Share(value=float(values[0]), interval=at)

    return Decomposition(
        observer=config.observer,
        executor=config.executor,
        scenarios=len(whole.scenarios),
        episodes=len(whole),
        success=share(rates[OWN]),
        observer_alone=share(rates["observer"]),
        executor_alone=share(rates["executor"]),
        ceiling=share(rates["ceiling"]),
        **{name: share(values) for name, values in split.items()},
        warnings=tuple(_warnings(kept, left_out)),
    )


def _rates(columns: Columns, weights: Floats) -> Floats:
    """The success rate on the whole, then on every resample."""
    assert isinstance(SUCCESS, Summed)  # noqa: S101  (it is a ratio)
    sums = SUCCESS.sums(columns)
    every = np.vstack([np.ones(sums.shape[1]), weights])
    return SUCCESS.value(sums @ every.T)


def _split(rates: Mapping[str, Floats]) -> tuple[Floats, Floats, Floats, Floats]:
    own, ceiling = rates[OWN], rates["ceiling"]
    observer, executor = rates["observer"], rates["executor"]
    to_observer = (executor - own + ceiling - observer) / 2
    to_executor = (observer - own + ceiling - executor) / 2
    return 1 - own, to_observer, to_executor, 1 - ceiling


def _warnings(kept: Mapping[str, Columns], left_out: int) -> list[str]:
    found = []
    if left_out:
        found.append(f"{left_out} episodes are left out: the other runs lack their counterparts")
    if float(_rates(kept["ceiling"], np.zeros((0, len(kept["ceiling"].scenarios))))[0]) < 1:
        found.append(
            "with both oracles not every episode succeeds: the rest is neither part's loss "
            "(the user, the noise, or a scenario)"
        )
    return [*found, *cautions(kept[OWN])]


def _is_counterpart(config: EpisodeConfig, sides: Iterable[EpisodeConfig]) -> bool:
    """Whether it is the counterpart of another configuration that is there."""
    return any(
        other != config and config in [counterpart(other, part) for part in PARTS]
        for other in sides
    )


def _lacks(missing: Sequence[tuple[EpisodeConfig, EpisodeConfig]]) -> str:
    if not missing:
        return "both parts of every run are oracles: there is nothing to decompose"
    config, other = missing[0]
    return (
        f"observer {config.observer} with executor {config.executor} lacks its counterpart with "
        f"observer {other.observer} and executor {other.executor}; play it, or play all of them "
        f"with 'heron bench --decompose'"
    )
