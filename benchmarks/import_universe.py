"""ARE files of a universe's size, taken over and played, beside the background ``full``.

    python benchmarks/import_universe.py FILE… [--records 2000]

Each file's apps are filled up with copies of their own records under new ids, older than the file,
until each app has that many. Reported are CPU seconds and peak memory of taking such a file over
and of an episode on it, and of an episode on Heron's own phones with the background ``full``
(about 2,000 records). Each measurement runs in a process of its own. The last line is JSON.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

KEYED = ("apartments", "events", "contacts", "products", "conversations", "orders")
OLDER_S = 86_400.0


def enlarged(data: dict[str, Any], records: int) -> dict[str, Any]:
    """A file's data with ``records`` in each app that has any."""
    large = copy.deepcopy(data)
    large["completed_events"], large["final_state"] = [], None
    for app in large["apps"]:
        state = app.get("app_state")
        if isinstance(state, dict):
            _fill(state, records)
    return large


def _fill(state: dict[str, Any], records: int) -> None:
    for key in KEYED:
        if isinstance(state.get(key), dict) and state[key]:
            _fill_keyed(state[key], records)
    for folder in (state.get("folders") or {}).values():
        if isinstance(folder.get("emails"), list) and folder["emails"]:
            first = folder["emails"]
            for number in range(records - len(first)):
                first.append(_copy(first[number % 3 % len(first)], number, "email_id"))
        if isinstance(folder.get("notes"), dict) and folder["notes"]:
            _fill_keyed(folder["notes"], records)
    if isinstance(state.get("ride_history"), list) and state["ride_history"]:
        old = [ride for ride in state["ride_history"] if ride.get("delay") is None]
        new = [_copy(old[i % len(old)], i, "ride_id") for i in range(records)] if old else []
        state["ride_history"] = [*new, *state["ride_history"]]


def _fill_keyed(rows: dict[str, Any], records: int) -> None:
    originals = list(rows.items())
    for number in range(records - len(originals)):
        key, row = originals[number % len(originals)]
        name = f"{key}-copy-{number}"
        made = _copy(row, number, *(k for k, v in row.items() if v == key))
        rows[name] = {k: (name if v == key else v) for k, v in made.items()}


def _copy(row: dict[str, Any], number: int, *ids: str) -> dict[str, Any]:
    made = copy.deepcopy(row)
    for key in ids:
        made[key] = f"{row[key]}-copy-{number}"
    for key in (
        "timestamp",
        "created_at",
        "updated_at",
        "time_stamp",
        "start_datetime",
        "end_datetime",
    ):
        if isinstance(made.get(key), int | float):
            made[key] -= OLDER_S * (1 + number % 300)
    if "is_user" in made:
        made["is_user"] = False
    for index, one in enumerate(made.get("messages", ())):
        one["message_id"] = f"{one['message_id']}-copy-{number}-{index}"
        one["timestamp"] -= OLDER_S * (1 + number % 300)
    variants = made.get("variants")
    if isinstance(variants, dict):
        made["variants"] = {
            f"{key}-copy-{number}": {**item, "item_id": f"{key}-copy-{number}"}
            for key, item in variants.items()
        }
    return made


# --- measuring ----------------------------------------------------------------------------------


def imported(source: str, target: str) -> dict[str, Any]:
    """Take one file over."""
    from heron.eval.importing.importer import import_file

    found = import_file(Path(source), Path(target), force=True, taken=set())
    return {"status": found.status, "told": found.line[:200]}


def played(scenario: str, background: str) -> dict[str, Any]:
    """Play an episode by the book, through the command line; a scenario's id or file."""
    from heron.cli.app import build

    with tempfile.TemporaryDirectory() as folder:
        where = ["--scenarios", scenario, "--out", folder, "--background", background]
        oracles = ["--observer", "oracle", "--executor", "oracle"]
        began = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            build().main(["bench", *oracles, *where], "heron", standalone_mode=False)
        took = time.process_time() - began
        text = Path(folder, "episodes.jsonl").read_text(encoding="utf-8")
    return {"outcome": json.loads(text)["verdict"]["outcome"], "bench_cpu_s": round(took, 2)}


def measure(what: str, *arguments: str) -> dict[str, Any]:
    """One of these in a process of its own, with its CPU seconds and peak memory."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", what, *arguments],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def one(what: str, arguments: list[str]) -> None:
    """Run in a process of its own."""
    found = {"imported": imported, "played": played}[what](*arguments)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    figures = {"cpu_s": usage.ru_utime + usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024}
    print(json.dumps({**found, **{name: round(value, 2) for name, value in figures.items()}}))


def main() -> None:
    """Enlarge, take over, play."""
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], sys.argv[3:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--records", type=int, default=2000)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in given.files:
            large = folder / file.name
            data = enlarged(json.loads(file.read_text(encoding="utf-8")), given.records)
            large.write_text(json.dumps(data), encoding="utf-8")
            taken = measure("imported", str(large), str(folder))
            target = folder / f"{large.stem}.yaml"
            run = measure("played", str(target), "bare") if target.exists() else None
            size = round(large.stat().st_size / 1024**2, 1)
            rows.append({"file": file.name, "mib": size, "import": taken, "episode": run})
            print(json.dumps(rows[-1]))
        full = measure("played", "abroad_call_by_her_clock", "full")
    print(json.dumps({"records": given.records, "files": rows, "full_background": full}))


if __name__ == "__main__":
    main()
