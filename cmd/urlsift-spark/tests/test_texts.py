"""The rows for a column of texts are those of the command for each text."""

from __future__ import annotations

import gzip
import json
import subprocess
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import FIXTURES, canonical, rows
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as T

import urlsift_spark
from urlsift_spark import texts
from urlsift_spark.texts import Texts

FORMATS = ["plain", "html", "markdown", "auto"]


def samples() -> list[bytes]:
    """Texts that look like other things: messages, pages, archives, mailboxes, records of the stream itself."""
    folders = ("delimit", "text", "mailbox", "mail/mime4j", "mail/ruby-mail", "damaged", "compressed")
    paths = [p for folder in folders for p in sorted((FIXTURES / folder).rglob("*")) if p.is_file()]
    found = [p.read_bytes() for p in paths if p.suffix != ".br" and p.stat().st_size < 300_000]
    found += [
        b"http://www.example.org/first",
        b"see <http://www.example.org/\nbroken>\r\nand http://www.example.org/last",
        b"<http://www.example.org/open",
        b"closed> http://www.example.net/",
        b"WARC/1.0\r\nContent-Length: 5\r\n\r\nhttp://www.example.org/warc\r\n\r\n",
        b"From a@b.example Thu Jan  1 00:00:00 1998\n\nhttp://www.example.org/mbox\n",
        b"<html><base href=http://www.example.org/><a href=relative>",
        b"\n\n\nhttp://www.example.org/line4",
        "é 日本 http://www.example.org/é".encode(),
        b" ",
    ]
    return found * 2


def batches_of(some: list[bytes | None], size: int, kind: pa.DataType | None = None) -> Iterator[pa.RecordBatch]:
    for at in range(0, len(some), size):
        part = some[at : at + size]
        keys = pa.array(range(at, at + len(part)), pa.int32())
        yield pa.RecordBatch.from_arrays([keys, pa.array(part, kind or pa.binary())], ["id", "text"])


def by_text(batches: Iterator[pa.RecordBatch]) -> dict[int | None, list[dict[str, Any]]]:
    """The records for each key, in their order."""
    found = defaultdict(list)
    for row in (row for batch in batches for row in batch.to_pylist()):
        if row.pop("kind") == "record":
            key = row.pop("id")
            if row["date"] is not None:
                row["date"] = row["date"].strftime("%Y-%m-%dT%H:%M:%SZ")
            found[key].append({k: v for k, v in row.items() if v is not None and k != "source"})
    return found


@pytest.mark.parametrize("kind", FORMATS)
def test_equal(urlsift: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each text gives the records of the command for it alone, however the texts are divided."""
    some = samples()
    if kind != "auto":  # without it, nothing is unpacked, and other bytes than UTF-8 are windows-1252
        some = [t for t in some if is_plain(t)]
    want = {}
    half = len(some) // 2  # the second half is the same
    for number, text in enumerate(some[:half]):
        argv = [urlsift, "--format", "jsonl", "-s", "--as", kind]
        lines = subprocess.run(argv, input=text, capture_output=True, check=False).stdout.splitlines()
        found = [{k: v for k, v in json.loads(line).items() if k != "source"} for line in lines]
        if found:
            want[number] = want[number + half] = found
    assert sum(map(len, want.values())) > 300
    work = Texts(urlsift, kind, "text")
    for size, piece, kept in ((10_000, texts.PIECE, texts.KEPT), (7, 1000, 500), (1, 1, 1 << 20)):
        monkeypatch.setattr(texts, "PIECE", piece)
        monkeypatch.setattr(texts, "KEPT", kept)
        assert by_text(work.read(urlsift, batches_of(list(some), size, pa.large_binary()))) == want


def is_plain(text: bytes) -> bool:
    """Whether a text is UTF-8 and not compressed."""
    try:
        return "\0" not in text.decode() and text[:2] not in (b"BZ", b"#!") and text[257:262] != b"ustar"
    except UnicodeDecodeError:
        return False


@pytest.mark.parametrize("kind", ["plain", "auto"])
def test_counts_and_errors(urlsift: str, kind: str) -> None:
    """NULL and empty texts have no rows, an error has the key of its text, and statistics count texts."""
    packed = gzip.compress(b"see http://www.example.org/packed\n" * 100, mtime=0)
    some = [None, b"", b"http://www.example.org/2", packed[:-9], None, packed, b""]
    found = [row for batch in Texts(urlsift, kind, "t").read(urlsift, batches_of(some, 3)) for row in batch.to_pylist()]
    records = Counter(row["id"] for row in found if row["kind"] == "record")
    errors = [(row["id"], row["about"]) for row in found if row["kind"] == "message"]
    (totals,) = [row["totals"] for row in found if row["kind"] == "run"]
    size = 24 + 2 * len(packed) - 9
    assert (totals["sources"], totals["stored_bytes"], totals["printed"]) == (3, size, records.total())
    assert (totals["members"], totals["messages"]) == (0, 0)
    if kind == "plain":
        assert (records, errors) == ({2: 1}, [])
        return
    assert records[2] == 1
    assert records[5] == 100
    assert [(key, e["stage"], e["member"], e["source"]) for key, e in errors] == [(3, "gzip", None, "t")]
    assert list(Texts(urlsift, kind, "t").read(urlsift, batches_of([None, b""], 1))) == []


@pytest.mark.parametrize("kind", ["plain", "auto"])
def test_early_stop(urlsift: str, kind: str) -> None:
    """A caller that stops ends the process and the thread; only what was needed is read."""
    taken = 0

    def endless() -> Iterator[pa.RecordBatch]:
        nonlocal taken
        line: list[bytes | None] = [b"see http://www.example.org/ and more"] * 1000
        while True:
            taken += 1
            yield from batches_of(line, 1000)

    before = threading.active_count()
    found = Texts(urlsift, kind, "text").read(urlsift, endless())
    assert next(found).num_rows > 100
    found.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert taken < 2000


def test_input_fails(urlsift: str, tmp_path: Path) -> None:
    """An error of the table is raised, and a program that ends early is an error."""

    def fails() -> Iterator[pa.RecordBatch]:
        yield from batches_of([b"http://www.example.org/"], 1)
        raise RuntimeError("no more rows")

    with pytest.raises(RuntimeError, match="no more rows"):
        list(Texts(urlsift, "plain", "text").read(urlsift, fails()))
    program = tmp_path / "ends"
    program.write_text("#!/bin/sh\necho '{\"interrupted\":false}' >&2\n")
    program.chmod(0o755)
    with pytest.raises(urlsift_spark.ProgramError, match="before the end of its input"):
        list(Texts(str(program), "plain", "text").read(str(program), batches_of([bytes(1 << 24)], 1)))


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> DataFrame:
    """Messages of mail and others, as bytes, in 6 partitions, with a key of two columns."""
    data: list[tuple[Any, ...]] = [(i, {"a": i % 7}, bytearray(t)) for i, t in enumerate(samples()[::2]) if is_plain(t)]
    data += [(-1, None, None), (-2, None, bytearray())]
    fields = "id bigint, about struct<a: int>, body binary"
    return spark.createDataFrame(data, fields).repartition(6).persist()


def test_cluster(spark: SparkSession, urlsift: str, table: DataFrame) -> None:
    """On two executors the rows are those of the command; bytes and strings give the same."""
    want: Counter[str] = Counter()
    for row in table.collect():
        argv = [urlsift, "--format", "jsonl", "-s", "--as", "plain", "--refused"]
        out = subprocess.run(argv, input=bytes(row.body or b""), capture_output=True, check=False).stdout
        for line in out.splitlines():
            record = {**json.loads(line), "source": "body", "id": row.id, "about": row.about.asDict()}
            want[canonical(record)] += 1
    assert want.total() > 300
    with pytest.raises(ValueError, match="the key about has the name"):
        urlsift_spark.extract_column(table, "body", ["id", "about"], urlsift=urlsift)
    named = table.withColumnRenamed("about", "my about")
    found = urlsift_spark.search_column(named, "body", ["id", "my about"], ["--refused"], urlsift=urlsift)
    assert found.records.columns[:3] == ["id", "my about", "url"]
    assert rows(found.records.withColumnRenamed("my about", "about")) == want
    assert found.errors.count() == 0
    assert found.totals.selectExpr("sum(sources)").first() == (table.where("length(body) > 0").count(),)
    found.close()
    strings = named.withColumn("body", named["body"].cast(T.StringType()))
    again = urlsift_spark.extract_column(strings, "body", "id", ["--refused"], urlsift=urlsift)
    assert again.count() == want.total()
    assert len(again.limit(3).collect()) == 3


def test_crash_is_retried(spark: SparkSession, urlsift: str, table: DataFrame, tmp_path: Path) -> None:
    """A process that is killed fails its task; the next attempt reads the texts again."""
    program = tmp_path / "program"
    mark = tmp_path / "mark"
    searches = 'case "$*" in *--jobs*) true;; *) false;; esac'
    program.write_text(f'#!/bin/sh\n{searches} && mkdir {mark} 2>/dev/null && kill -9 $$\nexec {urlsift} "$@"\n')
    program.chmod(0o755)
    records = urlsift_spark.extract_column(table, "body", "id", urlsift=f"local:{program}", read_as="auto")
    assert not mark.exists()
    assert records.count() == urlsift_spark.extract_column(table, "body", urlsift=urlsift, read_as="auto").count()
    assert mark.exists()


@pytest.mark.parametrize(
    ("column", "key", "flags", "read_as", "why"),
    [
        ("id", "id", [], "plain", "neither a string nor binary"),
        ("body", ["id", "id"], [], "plain", "same name"),
        ("body", "id", [], "pdf", "read_as"),
        ("body", "id", ["--as", "html"], "plain", "--as cannot be used here"),
        ("body", "id", ["-m3"], "auto", "-m cannot be used here"),
        ("body", "id", ["--log-times"], "html", "--log-times cannot be used here"),
    ],
)
def test_refused(
    urlsift: str, table: DataFrame, column: str, key: str, flags: list[str], read_as: str, why: str
) -> None:
    with pytest.raises((ValueError, urlsift_spark.ProgramError), match=why):
        urlsift_spark.extract_column(table, column, key, flags, urlsift=urlsift, read_as=read_as)
