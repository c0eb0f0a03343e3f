"""Parts of large files give the records of the command."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import command, executor_killed, executors, rows
from pyspark.sql import SparkSession

import urlsift_spark
from urlsift_spark import divide, output, plan
from urlsift_spark.flags import dividing
from urlsift_spark.plan import File

SIZES = {"log": 400_000, "mbox": 2_500_000, "warc": 1_500_000}  # in gzip members, a message is looked for after 1 MiB


def pieces(kind: str) -> list[bytes]:
    """The lines of a log, the messages of a mailbox, or the records of a web archive."""
    pick = random.Random(39)
    some: list[str] = []
    size = 0
    while size < SIZES[kind]:
        n = pick.randrange(10**6)
        if kind == "log":
            one = f"2026-03-{1 + n % 28:02} 10:00:00 GET http://h{n % 99}.example/{n} <http://q.example/\n  {n}> x\n"
        else:
            lines = f"http://h{n % 99}.example/{n}\n" + "".join(f"line {n ^ i} of this text\n" for i in range(n % 60))
            one = f"From a@b.example Mon Mar  1 10:00:00 1999\nSubject: s{n}\nMessage-ID: <{n}@b.example>\n\n{lines}\n"
            if kind == "warc":
                head = f"WARC-Target-URI: http://t.example/{n}\r\nContent-Length: {len(lines)}"
                one = f"WARC/1.0\r\nWARC-Type: conversion\r\n{head}\r\n\r\n{lines}\r\n\r\n"
        some.append(one)
        size += len(one)
    return [one.encode() for one in some]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Large files: plain, mailboxes, web archives, in gzip members and zstd frames, and some that are not divided."""
    folder = tmp_path_factory.mktemp("large")
    for kind in SIZES:
        some = pieces(kind)
        whole = b"".join(some)
        (folder / kind).write_bytes(whole)
        if kind != "warc":
            some = [whole[at : at + 50_000] for at in range(0, len(whole), 50_000)]
            (folder / f"{kind}.one.gz").write_bytes(gzip.compress(whole, 1, mtime=0))
        (folder / f"{kind}.gz").write_bytes(b"".join(gzip.compress(one, mtime=0) for one in some))
    frames = (pa.compress(whole[at : at + 50_000], "zstd", asbytes=True) for at in range(0, len(whole), 50_000))
    (folder / "warc.zst").write_bytes(b"".join(frames))
    for i in range(20):
        (folder / f"small{i}").write_text(f"http://small.example/{i}\n")
    return folder


@pytest.mark.parametrize("flags", [[], ["--find", "all", "--limit=length=300", "--log-times"]])
def test_parts(spark: SparkSession, urlsift: str, large: Path, flags: list[str]) -> None:
    found = urlsift_spark.search(spark, [str(large)], flags, urlsift=urlsift, task_bytes=100_000)
    want = command(urlsift, [large], *flags)
    assert want.total() > 20_000
    assert rows(found.records) == want
    sums = found.totals.selectExpr("sum(printed)", "sum(sources)", "sum(stored_bytes)", "count(*)").first()
    assert sums is not None
    assert sums[:3] == (want.total(), 29, sum(f.stat().st_size for f in large.iterdir()))
    assert sums[3] > 20
    assert found.errors.count() == 0
    found.close()


def test_executor_killed(spark: SparkSession, urlsift: str, large: Path) -> None:
    """Parts that a lost executor had are read again."""
    if not executors(spark.sparkContext.applicationId):
        pytest.skip("the master has no executors that are processes of their own")
    paths = [large / name for name in ("log", "mbox", "warc", "warc.gz")]
    found = urlsift_spark.search(spark, map(str, paths), urlsift=urlsift, task_bytes=200_000)
    with executor_killed(spark.sparkContext):
        got = rows(found.records.repartition(2))
    assert got == command(urlsift, paths)
    found.close()


def test_written(spark: SparkSession, urlsift: str, large: Path, tmp_path: Path) -> None:
    """The parts of a file are in one step; what cannot be divided is said, and why."""
    said: list[str] = []
    for _ in range(2):
        sums = output.write(
            spark,
            [str(large)],
            [],
            str(tmp_path / "out"),
            urlsift=urlsift,
            task_bytes=100_000,
            step_tasks=4,
            append=True,
            log=said.append,
        )
        if _ == 0:
            assert sums["sources"] == 29
    assert sums["sources"] == 0
    assert rows(spark.read.parquet(str(tmp_path / "out/records"))) == command(urlsift, [large])
    assert any("6 files of these: divided into " in line for line in said)
    assert any("1 file of more than 100000 bytes cannot be divided" in line and "gzip members" in line for line in said)
    assert any("were counted in" in line for line in said)


def test_sums() -> None:
    """What is in front of a part is the sum of the parts in front, and empty ones are left out."""
    counted = [
        {"begin": 0, "end": 10, "lines": 1, "messages": 0},
        {"begin": 20, "end": 20, "lines": 0, "messages": 0},
        {"begin": 10, "end": 30, "lines": 4, "messages": 1},
        {"begin": 30, "end": 35, "lines": 1, "messages": 0},
    ]
    file = File("/f", 35)
    assert list(divide.parts_of(file, counted)) == [
        File("/f", 10, part="0-10,lines=0,messages=0"),
        File("/f", 20, part="10-30,lines=1,messages=0"),
        File("/f", 5, part="30-35,lines=5,messages=1"),
    ]
    members = [
        {"begin": 0, "end": 10, "lines": 1, "messages": 0, "text": 50},
        {"begin": 10, "end": 20, "lines": 0, "messages": 0, "text": 0},
    ]
    assert list(divide.parts_of(file, members)) == [File("/f", 35, part="0-35,lines=0,messages=0,text=0")]


def test_steps() -> None:
    parts = [[File("/a", 5, part=f"{i}-")] for i in range(5)]
    others = [[File(f"/{i}", 5)] for i in range(4)]
    assert [len(step) for step in plan.steps([*parts, *others], 2)] == [5, 2, 2]
    assert [len(step) for step in plan.steps([*others, *parts], 3)] == [3, 6]
    assert list(plan.steps([], 3)) == []


def test_flags_of_ranges(urlsift: str) -> None:
    flags = ["--host", "--find", "--find=all", "--as", "plain", "-n", "--limit", "length=5", "--redact"]
    assert dividing(urlsift, flags) == ["--find=all", "--as", "plain", "--limit", "length=5"]
    assert dividing(urlsift, ["-nm3"]) is None
