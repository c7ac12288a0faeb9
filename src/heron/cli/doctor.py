"""``heron doctor``: what this machine has for running models.

What it does not know: how any of it is found out (see ``heron.models.machine``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from heron.cli.columns import columns
from heron.cli.errors import SETTINGS
from heron.errors import Unavailable

if TYPE_CHECKING:
    from heron.models.machine import Machine

app = typer.Typer(**SETTINGS)


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")] = False,
) -> None:
    """Say what this machine has: processor, llama.cpp, memory, models, keys, energy counter."""
    from heron.models.machine import REBUILD, inspect_machine

    machine = inspect_machine()
    if as_json:
        typer.echo(machine.model_dump_json(indent=2))
    else:
        typer.echo(columns(_rows(machine)))
        for remark in machine.remarks:
            typer.echo(f"note: {remark}")
    if machine.llama.error is not None:
        raise Unavailable(f"llama_cpp does not work ({machine.llama.error}); remedy: {REBUILD}")


def _rows(machine: Machine) -> list[tuple[str, str]]:
    llama, limits, energy = machine.llama, machine.limits, machine.energy
    set_keys = [name for name, there in machine.keys.items() if there]
    unset = [name for name, there in machine.keys.items() if not there]
    free = "?" if machine.disk_free is None else _gb(machine.disk_free)
    return [
        ("heron", f"{machine.heron}, Python {machine.python}"),
        ("platform", machine.platform),
        ("processor", machine.processor.model or machine.processor.reason or "?"),
        ("features", " ".join(machine.processor.flags) or "?"),
        ("cores", f"{machine.cores_usable} usable of {machine.cores or '?'}"),
        ("load", "{:.2f} {:.2f} {:.2f} (1, 5, 15 min)".format(*machine.load)),
        ("memory", f"{_gb(machine.memory_available)} free of {_gb(machine.memory_total)}"),
        (
            "limits",
            f"memory {_limit(limits.memory)}, cores {limits.cpus or 'all'} ({limits.source})",
        ),
        ("llama.cpp", llama.error or f"llama-cpp-python {llama.version}"),
        ("  built with", llama.system_info.strip(" |") or "?"),
        ("  supports", _supports(machine)),
        ("energy", f"RAPL: {', '.join(energy.domains)}" if energy.readable else f"{energy.reason}"),
        ("keys set", ", ".join(set_keys) or "none"),
        ("keys not set", ", ".join(unset)),
        ("store", f"{machine.store} ({free} free)"),
        *((f"  {state}", name + _form(machine, name)) for name, state in machine.models.items()),
    ]


def _form(machine: Machine, name: str) -> str:
    form, _, reason = machine.forms.get(name, "").partition(": ")
    if not reason:
        return ""
    return f" ({'raw dialogue form' if form == 'raw' else 'chat template'}: {reason})"


def _supports(machine: Machine) -> str:
    llama = machine.llama
    known = (("mmap", llama.mmap), ("mlock", llama.mlock), ("GPU offload", llama.gpu_offload))
    words = {True: "yes", False: "no", None: "?"}
    return ", ".join(f"{name} {words[value]}" for name, value in known)


def _limit(size: int | None) -> str:
    return "none" if size is None else _gb(size)


def _gb(size: int) -> str:
    return f"{size / 1e9:,.1f} GB"
