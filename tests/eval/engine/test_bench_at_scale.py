"""``heron bench`` with workers, in shards, and under a cap, on a server of this machine."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from heron.cli.app import main
from heron.contracts import EpisodeRecord
from heron.eval.digest import digest_of, episode_digest
from heron.eval.store import key_of, read_episodes
from heron.models.allowance import FILE
from heron.models.scripted import ScriptedChatModel
from heron.models.serve import ChatServer
from heron.protocols import ChatReply

IDS = "two_times_one_taken,club_session_earlier,repair_number_wanted"
PLAY = ("--scenarios", IDS, "--observer", "rules", "--executor", "oracle", "--runs", "2")
DONE = "There was nothing to do."
REPLY = ChatReply(
    text=DONE, tokens_in=1000, tokens_out=50, raw={"role": "assistant", "content": DONE}
)
USD = 1000 * 0.25e-6 + 50 * 2e-6
"""Of one such answer, by the price of gpt-5-mini."""


def bench(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as end:
        main(["bench", *map(str, arguments)])
    assert isinstance(end.value.code, int)
    return end.value.code


def rows(folder: Path) -> dict[tuple[object, ...], str]:
    found: list[EpisodeRecord] = list(read_episodes(folder))
    return {key_of(episode)[:4]: episode_digest(episode) for episode in found}


def test_workers_and_shards_leave_the_rows_of_one_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(*PLAY, "--out", tmp_path / "one") == 0
    assert bench(*PLAY, "--out", tmp_path / "two", "--workers", "2") == 0
    for shard in ("2/2", "1/2"):
        assert bench(*PLAY, "--out", tmp_path / "parts", "--shard", shard) == 0
    assert rows(tmp_path / "one") == rows(tmp_path / "two") == rows(tmp_path / "parts")
    summary = json.loads((tmp_path / "parts" / "summary.json").read_text())
    assert summary["episodes"] == summary["planned_episodes"] == 6
    assert len(json.loads((tmp_path / "parts" / "run.json").read_text())["sessions"]) == 2
    capsys.readouterr()
    assert bench(*PLAY, "--seed", "5", "--out", tmp_path / "parts", "--shard", "1/3") == 2
    assert "give every shard the same options" in capsys.readouterr().err
    assert bench(*PLAY, "--shard", "1/2") == 2
    assert "--shard needs --out" in capsys.readouterr().err
    assert bench(*PLAY, "--out", tmp_path / "tiny", "--shard", "1/9999999") == 0
    assert "no episode of the run falls into this shard" in capsys.readouterr().err
    assert bench(*PLAY, "--shard", "1/2", "--out", tmp_path / "x", "--decompose") == 2
    assert "when all shards are played" in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_stops_at_its_cap_and_goes_on_under_a_higher_one(tmp_path: Path) -> None:
    """A call is made by a process of a process of this one."""
    play = [
        *("bench", "--scenarios", f"{IDS},clinic_line_hours", "--runs", "2"),
        *("--observer", "oracle", "--executor", "litellm:openai/gpt-5-mini"),
    ]
    with ChatServer(ScriptedChatModel([REPLY] * 100), name="gpt-5-mini") as server:
        environment = {**os.environ, "OPENAI_API_BASE": server.url, "OPENAI_API_KEY": "none"}

        def heron(*arguments: str | Path) -> tuple[int, str]:
            done = subprocess.run(
                [sys.executable, "-m", "heron", *map(str, arguments)],
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            return done.returncode, done.stderr.strip().splitlines()[-1]

        capped = tmp_path / "capped"
        code, told = heron(*play, "--out", capped, "--workers", "2", "--max-usd", f"{2.5 * USD}")
        assert code == 3
        assert told.startswith("heron: error: the run's $")
        assert "--resume and a higher --max-usd" in told
        assert server.requests == 3
        spent = sqlite3.connect(capped / FILE)
        assert spent.execute("SELECT sum(usd) FROM call").fetchone()[0] == pytest.approx(3 * USD)
        spent.close()
        kept = list(read_episodes(capped))
        assert 3 <= len(kept) < 8
        assert all(episode.fault is None for episode in kept)
        assert heron("bench", "--resume", capped)[0] == 3
        assert server.requests == 3
        assert heron("bench", "--resume", capped, "--max-usd", "1")[0] == 0
        assert heron(*play, "--out", tmp_path / "free")[0] == 0
    assert digest_of(read_episodes(capped)) == digest_of(read_episodes(tmp_path / "free"))
