"""The episode whose worker died twice: a fault of the harness, and not successful.

Nothing of it is known, so nothing is told but that.
"""

from __future__ import annotations

from heron.contracts import (
    Assessment,
    Check,
    EpisodeCosts,
    EpisodeRecord,
    FaultRecord,
    MemorySample,
    Verdict,
)
from heron.eval.engine.unit import Unit
from heron.eval.provenance import code_version, model_files, model_hashes

UNKNOWN = "its worker died"


def lost(unit: Unit, why: str) -> EpisodeRecord:
    """The record of an episode that no worker survived.

    Args:
        unit: what was to be played.
        why: how the last worker ended, in one line.
    """
    scenario = unit.scenario
    fault = FaultRecord(part="harness", turn=0, message=why)
    return EpisodeRecord(
        scenario=scenario.id,
        scenario_hash=scenario.hash,
        type=scenario.type,
        kind=scenario.kind,
        seed=unit.seed,
        run=unit.run,
        config=unit.config,
        code=code_version(),
        models=model_hashes(model_files(unit.config)),
        turns=(),
        log=(),
        state="",
        verdict=Verdict(
            outcome="failure" if scenario.type == "goal" else "disturbed",
            checks=(Check(name="no_fault", passed=False, detail=f"harness: {why}"),),
        ),
        fault=fault,
        costs=EpisodeCosts(
            memory=MemorySample(anonymous=None, file_backed=None, reason=UNKNOWN),
        ),
        assessment=Assessment(family=scenario.family, part=scenario.part),
    )
