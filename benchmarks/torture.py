"""Kills a run at random moments, goes on with it each time, and compares it with one left alone.

    python benchmarks/torture.py --kills 50

Half of the kills come some time after the start, the other half when the file of episodes has
grown by some bytes, so that start, play, writing and summing up are all hit. Whenever a run comes
to its end it is compared, and the next one begins, until all kills are spent. Exits with 1 if a
row is lost, is there twice, or differs in anything but measured costs. Linux and macOS.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from heron.eval.digest import digest_of
from heron.eval.store import EPISODES, key_of, read_episodes
from heron.eval.store.files import TORN, lines_of

WHO = ("--observer", "rules", "--executor", "oracle", "--user", "scripted")
WORDS = Path(tempfile.gettempdir()) / f"heron-torture-{os.getpid()}"
"""What the last command said on stderr."""
ROW = 15_000
"""Bytes of a row, about."""


@dataclass
class Tally:
    """What happened."""

    kills: int = 0
    before_a_row: int = 0
    """Of these, while the run had no row yet."""
    sessions: list[int] = field(default_factory=list)
    """Sessions of each run that came to its end."""
    torn: int = 0


def main() -> int:
    """Run and compare; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--split", default="full,quiet")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--rows", type=int, default=60, help="that a session may write, at most")
    asked = parser.parse_args()
    draw, tally = random.Random(asked.seed), Tally()
    play = [*WHO, "--split", asked.split, "--runs", str(asked.runs)]
    with tempfile.TemporaryDirectory() as place:
        alone = Path(place) / "alone"
        began = time.monotonic()
        if command(["bench", *play, "--out", str(alone)]).wait():
            print("the run that is left alone fails")
            return 1
        longest = time.monotonic() - began
        number = 0
        while tally.kills < asked.kills:
            number += 1
            folder = Path(place) / str(number)
            disturb(folder, play, asked, draw, tally, min(longest, 4.0))
            if wrong := compared(alone, folder):
                print(f"run {number}: {wrong}")
                return 1
            tally.torn += sum(1 for _ in folder.glob(f"*{TORN}"))
        rows = sum(1 for _ in read_episodes(alone))
    print(
        f"{tally.kills} kills over {number} runs of {rows} episodes (sessions "
        f"{', '.join(map(str, tally.sessions))}; {tally.before_a_row} kills before a row, "
        f"{tally.torn} torn rows mended): all rows there once and the same but for costs"
    )
    return 0


def disturb(
    folder: Path,
    play: list[str],
    asked: argparse.Namespace,
    draw: random.Random,
    tally: Tally,
    longest: float,
) -> None:
    """Play a run to its end, killed while kills are left."""
    sessions = 0
    while True:
        sessions += 1
        begun = (folder / "run.json").exists()
        process = command(
            ["bench", "--resume", str(folder)] if begun else ["bench", *play, "--out", str(folder)]
        )
        if tally.kills < asked.kills and strike(process, folder / EPISODES, asked, draw, longest):
            tally.kills += 1
            file = folder / EPISODES
            tally.before_a_row += not (file.exists() and file.stat().st_size)
            continue
        if code := process.wait():
            raise SystemExit(f"session {sessions} ends with exit code {code}: {last_words()}")
        tally.sessions.append(sessions)
        return


def strike(
    process: subprocess.Popen[bytes],
    file: Path,
    asked: argparse.Namespace,
    draw: random.Random,
    longest: float,
) -> bool:
    """Kill at a random moment; ``False`` if the process was through before it."""
    size = file.stat().st_size if file.exists() else 0
    if draw.random() < 0.5:
        until, grown = time.monotonic() + draw.uniform(0.02, longest), None
    else:
        until, grown = time.monotonic() + 60, size + draw.randrange(asked.rows * ROW)
    while process.poll() is None and time.monotonic() < until:
        if grown is not None and file.exists() and file.stat().st_size > grown:
            break
        time.sleep(0.0005)
    if process.poll() is not None:
        if process.returncode:
            raise SystemExit(f"a session ends with {process.returncode}: {last_words()}")
        return False
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return True


def command(words: list[str]) -> subprocess.Popen[bytes]:
    """``heron`` in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "heron", *words, "--json"],
        stdout=subprocess.DEVNULL,
        stderr=WORDS.open("wb"),
        start_new_session=True,
    )


def last_words() -> str:
    """The last line that a command said."""
    return WORDS.read_text(encoding="utf-8").strip().rpartition("\n")[2]


def compared(alone: Path, folder: Path) -> str:
    """What is wrong with a run that was killed; empty if nothing is."""
    whole, killed = list(read_episodes(alone)), list(read_episodes(folder))
    lines = sum(1 for _ in lines_of(folder / EPISODES))
    if lines != len(whole):
        return f"{lines} rows instead of {len(whole)}"
    if [key_of(one) for one in whole] != [key_of(one) for one in killed]:
        return "other keys"
    if digest_of(whole) != digest_of(killed):
        return "other content"
    if not (folder / "summary.json").exists():
        return "no summary"
    return ""


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        WORDS.unlink(missing_ok=True)
