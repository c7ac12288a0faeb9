"""``heron models``: list, pull, verify, find and tune model files; what is kept of prompts.

What it does not know: where the bytes come from and how they are checked (see ``heron.models``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heron.cli.columns import columns
from heron.cli.errors import SETTINGS
from heron.errors import InputError, ModelFileError

if TYPE_CHECKING:
    from pathlib import Path

    from heron.models.catalog import ModelEntry
    from heron.models.tune import Tuned
    from heron.models.verify import Finding

app = typer.Typer(help="List, pull and verify model files.", **SETTINGS)

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]


@app.command("list")
def list_models(as_json: Json = False) -> None:
    """List the models of the catalogue and which of them are here."""
    from heron.models import store
    from heron.models.catalog import CATALOG
    from heron.models.tune import tuned_files

    tuned = tuned_files()
    if as_json:
        rows_of_tuned = [_tuned_as_json(path, made) for path, made in tuned]
        _print_json([*(_as_json(entry) for entry in CATALOG), *rows_of_tuned])
        return
    rows = [("NAME", "ALIAS", "MB", "HERE", "LICENCE", "GOOD FOR")]
    for entry in CATALOG:
        size, state = f"{entry.bytes / 1e6:,.0f}", store.state_of(entry)
        rows.append((entry.name, entry.alias, size, state, entry.licence, entry.good_for))
    for path, made in tuned:
        size, state = f"{path.stat().st_size / 1e6:,.0f}", "verified" if made else "damaged"
        what = f"tuned for this processor from {made.base}" if made else "changed: tune again"
        rows.append((path.stem, "", size, state, "", what))
    typer.echo(columns(rows, right=[2]))
    typer.echo(f"store: {store.folder()}")


@app.command("pull")
def pull_models(
    names: Annotated[list[str] | None, typer.Argument(help="Names or aliases.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of the catalogue.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Fetch them even if here.")] = False,
    as_json: Json = False,
) -> None:
    """Fetch models, going on where an interrupted pull stopped."""
    from heron.cli.transfer import transfer
    from heron.models.catalog import CATALOG, find
    from heron.models.pull import pull

    entries = list(CATALOG) if everything else [find(name) for name in names or []]
    if not entries or (everything and names):
        known = ", ".join(entry.alias for entry in CATALOG)
        raise InputError(f"give the names of models, or --all; known: {known}")
    done = []
    with transfer() as watcher:
        for entry in entries:
            try:
                pulled = pull(entry, force=force, watcher=watcher)
            except KeyboardInterrupt:
                watcher.note(f"{entry.alias}: finished pieces are kept; pull again to go on")
                raise
            done.append(pulled.model_dump(mode="json"))
            here = "is here" if pulled.source == "present" else "has come"
            watcher.note(f"{entry.alias} {here}, sha256 verified: {pulled.path}")
    if as_json:
        _print_json(done)


@app.command("verify")
def verify_models(
    targets: Annotated[
        list[str] | None, typer.Argument(help="Names or paths; without, all that are here.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check files byte by byte against the catalogue, and that they are complete GGUF files."""
    from heron.cli.transfer import transfer
    from heron.models import store
    from heron.models.verify import verify

    targets = targets or [entry.name for entry in store.present()]
    if not targets:
        raise InputError(f"no models in {store.folder()}; fetch one: heron models pull NAME")
    findings = []
    with transfer() as watcher:
        for target in targets:
            size = store.size_of(target)
            if size:
                watcher.begin(f"hashing {target}", 0, size)
            findings.append(verify(target, watcher.at))
    bad = [finding for finding in findings if not finding.ok]
    if as_json:
        _print_json([finding.model_dump(mode="json") for finding in findings])
    else:
        for finding in findings:
            typer.echo(_told(finding))
    if bad:
        first = f"{bad[0].path}: {bad[0].problem}"
        more = f" (and {len(bad) - 1} more of {len(findings)})" if len(bad) > 1 else ""
        raise ModelFileError(first + more)


@app.command("path")
def path_of_model(name: Annotated[str, typer.Argument(help="Name, alias or path.")]) -> None:
    """Print where the file of a model is, and nothing else."""
    from heron.models.store import resolve

    typer.echo(str(resolve(name)))


@app.command("tune-for-cpu")
def tune_for_cpu(
    target: Annotated[str, typer.Argument(metavar="NAME|FILE", help="Name, alias or path.")],
    kind: Annotated[
        str | None, typer.Option("--type", help="q4_0 or q8_0; without, chosen by rule.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what and why.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Threads of the work.")] = 1,
    as_json: Json = False,
) -> None:
    """Requantise a model to the type that this processor has a fast kernel for.

    The type follows from the processor's features and the file, never from a stopwatch. The file
    is used as gguf:NAME@TYPE; its scores are not those of the model it was made from.
    """
    from heron.models.tune import spec_of, tune

    done = tune(target, kind, dry_run=dry_run, threads=threads)
    spec = None if done.path is None else f"gguf:{spec_of(done.path)}"
    if as_json:
        _print_json({**done.model_dump(mode="json"), "spec": spec, "dry_run": dry_run})
        return
    if done.type is None:
        typer.echo(f"nothing to gain: {done.why}")
        return
    typer.echo(f"{done.type}: {done.why}")
    if dry_run:
        typer.echo(f"would make {done.path}, to be used as {spec}")
        return
    typer.echo(f"{'made' if done.made else 'is here'}: {done.path} ({spec})")
    typer.echo(f"sha256 {done.sha256}, from {done.base_sha256}")


@app.command("prefixes")
def saved_prefixes(
    clear: Annotated[bool, typer.Option("--clear", help="Remove them all.")] = False,
    as_json: Json = False,
) -> None:
    """List the evaluated prompts that are kept on disk, the one used last first."""
    from heron.models.prefixes import default_store

    store = default_store()
    if store is None:
        raise InputError("HERON_PREFIXES is 'off': no prompts are kept; name a folder, or unset it")
    gone = store.clear() if clear else 0
    saved = store.saved()
    if as_json:
        rows = [row.model_dump(mode="json") for row in saved]
        _print_json({"folder": str(store.folder), "cleared": gone, "prefixes": rows})
        return
    if clear:
        typer.echo(f"removed: {gone}")
    lines = [("MODEL", "TOKENS", "WINDOW", "ATTENTION", "MB", "PROMPT")]
    for row in saved:
        key, flash = row.key, f"flash {row.key.flash_attention}"
        size, prompt = f"{row.bytes / 1e6:,.1f}", key.prompt[:12]
        lines.append((row.file, str(key.length), str(key.window), flash, size, prompt))
    if saved:
        typer.echo(columns(lines, right=[1, 2, 4]))
    typer.echo(f"store: {store.folder}")


def _tuned_as_json(path: Path, tuned: Tuned | None) -> dict[str, Any]:
    known = {} if tuned is None else tuned.model_dump(mode="json")
    return {
        **known,
        "name": path.stem,
        "state": "damaged" if tuned is None else "verified",
        "present": tuned is not None,
        "verified": tuned is not None,
        "path": str(path),
    }


def _as_json(entry: ModelEntry) -> dict[str, Any]:
    from heron.models import store

    state = store.state_of(entry)
    return {
        **entry.model_dump(mode="json", exclude={"parts", "hub"}),
        "state": state,
        "present": state in ("unverified", "verified"),
        "verified": state == "verified",
        "path": str(store.path_of(entry)),
    }


def _told(finding: Finding) -> str:
    if not finding.ok or finding.gguf is None:
        return f"BAD  {finding.target}: {finding.problem}"
    info = finding.gguf
    known = finding.model or "not of the catalogue, so no sha256 to compare with"
    about = [info.architecture, info.file_type or "mixed", f"context {info.context_length}"]
    template = "chat template" if info.chat_template else "no chat template"
    return f"ok   {finding.target}: {known} ({', '.join([*about, template])})"


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2))
