"""Features of episodes as CSV and Parquet: one row per episode, one column per field.

Fields that hold several values are lists in Parquet and JSON in CSV; what is unknown is empty,
never 0. What it does not know: metrics.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from heron.errors import Unavailable
from heron.eval.reporting.writing import replacing
from heron.eval.scoring.features import Features

NAMES = tuple(field.name for field in fields(Features))
NO_PARQUET = (
    "Parquet needs pyarrow, which is not installed: pip install 'heron-observer[parquet]', or use "
    "--csv"
)
TYPES = {
    "str": "string",
    "int": "int64",
    "float": "float64",
    "tuple[str, ...]": "list",
    "tuple[float, ...]": "floats",
}


def write_csv(path: Path, rows: Iterable[Features]) -> None:
    """One line per episode.

    Raises:
        Unavailable: it cannot be written.
    """
    with (
        replacing(path) as part,
        part.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(NAMES)
        writer.writerows([_plain(getattr(row, name)) for name in NAMES] for row in rows)


def _plain(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else value


def write_parquet(path: Path, rows: Sequence[Features]) -> None:
    """The same, with types.

    Raises:
        Unavailable: it cannot be written, or pyarrow is not there.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise Unavailable(NO_PARQUET) from error
    kinds = {
        "string": pa.string(),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "list": pa.list_(pa.string()),
        "floats": pa.list_(pa.float64()),
    }
    schema = pa.schema(
        [(field.name, kinds[TYPES[_base(str(field.type))]]) for field in fields(Features)]
    )
    columns = [[getattr(row, name) for row in rows] for name in NAMES]
    table = pa.table(
        [pa.array(column, type=field.type) for column, field in zip(columns, schema, strict=True)],
        schema=schema,
    )
    with replacing(path) as part:
        pq.write_table(table, part, compression="zstd")


def _base(annotation: str) -> str:
    """Without ``| None``: every column can be empty."""
    return annotation.removesuffix(" | None")
