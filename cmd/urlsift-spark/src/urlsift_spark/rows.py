"""Makes rows for Spark from the output of urlsift."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.json

from . import schema


def records(lines: bytes) -> Iterator[pa.RecordBatch]:
    """Yield rows for lines of JSON, each of which is a whole record.

    A field that the schema does not have is an error: then the program is newer than this
    package, and its field would be lost.
    """
    table = pyarrow.json.read_json(
        pa.BufferReader(lines),
        # One block: the reader keeps a thread and a queue for several.
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(lines) + 1),
        parse_options=pyarrow.json.ParseOptions(explicit_schema=schema.RECORD_ARROW, unexpected_field_behavior="error"),
    )
    for batch in table.to_batches():
        yield _fill(schema.RECORD, batch.num_rows, {f.name: batch.column(f.name) for f in schema.RECORD_ARROW})


def messages(objects: Sequence[dict[str, Any]]) -> pa.RecordBatch:
    """Return rows for objects of --messages json."""
    return _fill(schema.MESSAGE, len(objects), {"about": pa.array(objects, schema.ABOUT_ARROW)})


def totals(stats: dict[str, Any]) -> pa.RecordBatch:
    """Return a row for the object of --stats=json."""
    row: dict[str, int] = {}
    for name, path in schema.TOTALS.items():
        value: Any = stats
        for step in path:
            value = value[step]
        row[name] = value
    return _fill(schema.RUN, 1, {"totals": pa.array([row], schema.TOTALS_ARROW)})


def parse(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object on a line of standard error, or None if it is not one."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _fill(kind: str, rows: int, columns: dict[str, pa.Array]) -> pa.RecordBatch:
    """Return rows of a kind, with null in all other columns."""
    arrays = [pa.repeat(pa.scalar(kind), rows)]
    arrays += [columns[f.name] if f.name in columns else pa.nulls(rows, f.type) for f in list(schema.ROW_ARROW)[1:]]
    return pa.RecordBatch.from_arrays(arrays, schema=schema.ROW_ARROW)
