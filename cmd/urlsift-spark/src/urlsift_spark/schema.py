"""The types of the rows, for Spark and for Arrow.

The fields of a record come from record.schema.json, which is what ``urlsift schema`` prints.
A test of the Go command compares the two (TestDocs in cmd/urlsift; -update writes the file).

A row of the scan has one of three kinds, and the columns of the others are null:

- ``record``: a URL; the columns are the fields of the record
- ``message``: an error or a warning; the column ``about`` has it
- ``run``: the end of a process of urlsift; the column ``totals`` has its statistics
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pyarrow as pa
from pyspark.sql import types as T

RECORD, MESSAGE, RUN = "record", "message", "run"

# The fields of an object of --messages json. Only severity and text are always there. The
# message is the number of a mail message in its file, the offset is in bytes of the
# decompressed input.
MESSAGE_FIELDS: dict[str, str] = {
    "severity": "string",
    "source": "string",
    "member": "string",
    "message": "integer",
    "part": "string",
    "offset": "integer",
    "line": "integer",
    "stage": "string",
    "text": "string",
}

# The fields of --stats=json that a row of statistics has: counts, and sizes in bytes if the name
# ends with _bytes.
TOTALS: dict[str, tuple[str, ...]] = {
    "sources": ("sources",),
    "members": ("members",),
    "messages": ("messages",),
    "parts": ("parts",),
    "stored_bytes": ("stored", "read"),
    "raw_bytes": ("raw", "all"),
    "text_bytes": ("text",),
    "damaged_bytes": ("raw", "damaged"),
    "skipped_bytes": ("skipped", "bytes"),
    "candidates": ("candidates",),
    "found": ("found",),
    "refused": ("refused",),
    "printed": ("printed",),
    "errors": ("errors", "all"),
    "warnings": ("warnings",),
}


def _load() -> dict[str, Any]:
    """Return the properties of the record, by name, in the order of the record."""
    text = resources.files(__package__).joinpath("record.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)["properties"]
    return schema


def _arrow_type(property: dict[str, Any]) -> pa.DataType:
    """Return the Arrow type for a property of a JSON Schema."""
    kind = property["type"]
    if kind == "array":
        return pa.list_(_arrow_type(property["items"]))
    if kind == "object":
        return pa.struct([(name, _arrow_type(p)) for name, p in property["properties"].items()])
    if kind == "string" and property.get("format") == "date-time":
        return pa.timestamp("us", tz="UTC")
    return {"string": pa.string(), "integer": pa.int64(), "boolean": pa.bool_()}[kind]


def _spark_type(arrow: pa.DataType) -> T.DataType:
    """Return the type of Spark for one of the types that _arrow_type returns."""
    if pa.types.is_list(arrow):
        return T.ArrayType(_spark_type(arrow.value_type))
    if pa.types.is_struct(arrow):
        return T.StructType([T.StructField(f.name, _spark_type(f.type)) for f in arrow])
    if pa.types.is_timestamp(arrow):
        return T.TimestampType()
    simple: dict[pa.DataType, T.DataType] = {
        pa.string(): T.StringType(),
        pa.int64(): T.LongType(),
        pa.bool_(): T.BooleanType(),
    }
    return simple[arrow]


# The types of a record, for Arrow, which reads lines of JSON, and for Spark.
RECORD_ARROW: pa.Schema = pa.schema([(name, _arrow_type(p)) for name, p in _load().items()])
RECORD_SPARK = T.StructType(
    [
        T.StructField(f.name, _spark_type(f.type), metadata={"comment": _load()[f.name]["description"]})
        for f in RECORD_ARROW
    ]
)

ABOUT_ARROW: pa.DataType = pa.struct([(name, _arrow_type({"type": kind})) for name, kind in MESSAGE_FIELDS.items()])
TOTALS_ARROW: pa.DataType = pa.struct([(name, pa.int64()) for name in TOTALS])

# The rows of the scan, of all three kinds.
ROW_ARROW: pa.Schema = pa.schema(
    [("kind", pa.string()), *RECORD_ARROW, ("about", ABOUT_ARROW), ("totals", TOTALS_ARROW)]
)
ROW_SPARK = T.StructType(
    [
        T.StructField("kind", T.StringType()),
        *RECORD_SPARK.fields,
        T.StructField("about", _spark_type(ABOUT_ARROW)),
        T.StructField("totals", _spark_type(TOTALS_ARROW)),
    ]
)
