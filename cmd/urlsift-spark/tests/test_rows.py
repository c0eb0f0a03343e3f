"""Types, and the lines that become rows."""

from __future__ import annotations

import json
import subprocess
from importlib import resources

import pyarrow as pa
import pytest
from conftest import FIXTURES
from pyspark.sql import types as T

from urlsift_spark import rows, schema


def test_schema_is_the_programs(urlsift: str) -> None:
    """record.schema.json equals the schema that the program prints, so that no field is missing."""
    now = subprocess.run([urlsift, "schema"], capture_output=True, check=True).stdout
    have = resources.files("urlsift_spark").joinpath("record.schema.json")
    assert have.read_bytes() == now, (
        f"{have} is not what urlsift schema prints: go test ./cmd/urlsift -run TestDocs -update"
    )


def test_types() -> None:
    kinds = {f.name: f.dataType for f in schema.RECORD_SPARK.fields}
    assert kinds["date"] == T.TimestampType()
    assert kinds["grammars"] == T.ArrayType(T.StringType())
    reading = T.StructType([T.StructField("text", T.StringType()), T.StructField("reason", T.StringType())])
    assert kinds["readings"] == T.ArrayType(reading)
    assert kinds["offset"] == T.LongType()
    assert kinds["exact"] == T.BooleanType()
    assert schema.RECORD_ARROW.names == schema.RECORD_SPARK.names


def test_records(urlsift: str) -> None:
    """Rows have all fields, types and characters of the lines."""
    paths = [FIXTURES / "mail", FIXTURES / "mailbox", FIXTURES / "delimit", FIXTURES / "text"]
    argv = [urlsift, "--format", "jsonl", "--no-messages", "--find=defanged", "--refused", *map(str, paths)]
    lines = subprocess.run(argv, capture_output=True, check=False).stdout
    got = [row for batch in rows.records(lines) for row in batch.to_pylist()]
    want = [json.loads(line) for line in lines.splitlines()]
    assert len(got) == len(want) > 500
    fields = set()
    for have, line in zip(got, want, strict=True):
        assert (have.pop("kind"), have.pop("about"), have.pop("totals")) == ("record", None, None)
        if have["date"] is not None:
            have["date"] = have["date"].strftime("%Y-%m-%dT%H:%M:%SZ")
        assert {k: v for k, v in have.items() if v is not None} == line
        fields |= line.keys()
    assert {"readings", "date", "by", "suspicious", "subject", "error"} <= fields


def test_escapes() -> None:
    """Escapes of JSON, among them NUL and characters of two units."""
    line = '{"url":"a\\u0000\\u200e\\ud83d\\ude00\\"\\\\","text":"\u00e9\u4e2d"}\n'
    batch = next(rows.records(line.encode()))
    assert batch.column("url").to_pylist() == ['a\0\u200e\U0001f600"\\']
    assert batch.column("text").to_pylist() == ["\u00e9\u4e2d"]


def test_new_field() -> None:
    """A field that the schema does not have is an error."""
    with pytest.raises(pa.ArrowInvalid, match="unexpected field"):
        list(rows.records(b'{"url":"a","new":1}\n'))


def test_messages_of_the_program(urlsift: str) -> None:
    """Messages and statistics have the same fields as the rows."""
    argv = [urlsift, "--format", "jsonl", "--messages", "json", "--stats=json"]
    paths = [*map(str, (FIXTURES / "mail", FIXTURES / "damaged")), "/no/such/file"]
    lines = subprocess.run([*argv, *paths], capture_output=True, check=False).stderr.splitlines()
    objects = [rows.parse(line) for line in lines]
    assert all(o is not None for o in objects)
    stats = objects.pop()
    assert stats is not None
    assert stats["sources"] > 60
    (row,) = rows.totals(stats).column("totals").to_pylist()
    assert row["sources"] == stats["sources"]
    assert row["damaged_bytes"] == stats["raw"]["damaged"]
    seen: set[str] = set().union(*[o.keys() for o in objects if o])
    assert seen == set(schema.MESSAGE_FIELDS)
    got = rows.messages([o for o in objects if o]).column("about").to_pylist()
    assert [{k: v for k, v in g.items() if v is not None} for g in got] == objects
