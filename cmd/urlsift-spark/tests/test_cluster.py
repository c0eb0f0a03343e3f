"""The rows of a cluster are those of the command, whatever happens to its processes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import FIXTURES, command, executor_killed, executors, rows
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import urlsift_spark


def test_equal(spark: SparkSession, urlsift: str, spool: Path) -> None:
    """Compressed files, mailboxes and a spool give the records of the command."""
    paths = [FIXTURES / "compressed", FIXTURES / "mailbox", spool]
    found = urlsift_spark.search(spark, map(str, paths), urlsift=urlsift)
    want = command(urlsift, paths)
    assert want.total() > 15000
    assert rows(found.records) == want
    sums = found.totals.selectExpr("sum(printed) AS printed", "sum(sources) AS sources", "count(*) AS runs").first()
    assert sums is not None
    assert sums.printed == want.total()
    assert sums.sources == sum(len(files) for path in paths for _, _, files in os.walk(path))
    assert sums.runs > 2
    found.close()


def test_flags(spark: SparkSession, urlsift: str) -> None:
    flags = ["--grammar", "rfc3986", "--refused", "--find=addresses", "--parts", "plain,header"]
    path = FIXTURES / "mail"
    records = urlsift_spark.extract(spark, [str(path)], flags, urlsift=urlsift)
    assert rows(records) == command(urlsift, [path], *flags)


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--bogus"], "unknown flag"),
        (["--format", "csv"], "--format cannot be used here"),
        (["--stats=json"], "--stats cannot be used here"),
        (["-o", "x"], "-o cannot be used here"),
        (["-Hu"], "-u cannot be used here"),
        (["--normalize", "/etc"], "path among them"),
    ],
)
def test_flags_refused(spark: SparkSession, urlsift: str, flags: list[str], why: str) -> None:
    """Wrong flags are rejected before anything is read, even if only the executors have the program."""
    for program in (urlsift, f"local:{urlsift}"):
        with pytest.raises(urlsift_spark.ProgramError, match=why):
            urlsift_spark.extract(spark, [str(FIXTURES)], flags, urlsift=program)


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that all users may read; tmp_path is not."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def test_errors(spark: SparkSession, urlsift: str, public: Path) -> None:
    """Unreadable input is a row, and the rest is complete."""
    program = unprivileged(urlsift, public)
    inputs = public / "inputs"
    inputs.mkdir()
    for name in ("cut.gz", "checksum.gz"):
        shutil.copy(FIXTURES / "damaged" / name, inputs)
    (inputs / "whole.txt").write_text("see http://www.example.org/whole\n")
    (inputs / "closed.txt").write_text("see http://www.example.org/closed\n")
    (inputs / "closed.txt").chmod(0)
    paths = [*sorted(inputs.iterdir()), inputs / "missing.txt"]
    found = urlsift_spark.search(spark, map(str, paths), urlsift=program)
    errors = {(os.path.basename(e.source), e.stage, e.text) for e in found.errors.collect()}
    assert ("missing.txt", "open", "no such file or directory") in errors
    assert ("closed.txt", "open", "permission denied") in errors
    assert {name for name, stage, _ in errors if stage == "gzip"} == {"cut.gz", "checksum.gz"}
    assert len(errors) == 4
    want = command(program, paths)
    assert any("whole" in record for record in want)
    assert rows(found.records) == want
    found.close()


def unprivileged(urlsift: str, folder: Path) -> str:
    """The program, run by a user without permission for all files, because tests may run as root."""
    if os.getuid() != 0:
        return urlsift
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        pytest.skip("the tests run as root, who may read all, and there is no setpriv")
    shutil.copy(urlsift, folder / "urlsift")
    (folder / "urlsift").chmod(0o755)
    return wrapper(folder, f"exec {setpriv} --reuid=65534 --regid=65534 --clear-groups {folder}/urlsift")


def wrapper(folder: Path, command: str) -> str:
    """A shell script of one line that gets the arguments of urlsift."""
    path = folder / "wrapper"
    path.write_text(f'#!/bin/sh\n{command} "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return str(path)


def test_warnings(spark: SparkSession, urlsift: str) -> None:
    """Warnings are rows if the flags ask for them."""
    path = str(FIXTURES / "mail")
    few = urlsift_spark.search(spark, [path], urlsift=urlsift)
    many = urlsift_spark.search(spark, [path], ["--warnings=true"], urlsift=f"local:{urlsift}")
    assert few.errors.where("severity = 'warning'").count() == 0
    assert many.errors.where("severity = 'warning'").count() >= 5
    assert few.errors.count() == many.errors.where("severity = 'error'").count() > 0
    few.close()
    many.close()


def test_missing_program(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search fails if the program does not exist."""
    for name, why in (
        ("local:/no/such/program", "^/no/such/program cannot be run: No such file or directory$"),
        ("/no/such/program", "^/no/such/program cannot be run: No such file or directory$"),
        ("nosuchprogram", "^nosuchprogram is not in PATH"),
    ):
        with pytest.raises(urlsift_spark.ProgramError, match=why):
            urlsift_spark.extract(spark, [str(FIXTURES)], urlsift=name)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(urlsift_spark.ProgramError, match=r"^urlsift is not in PATH"):
        urlsift_spark.extract(spark, [str(FIXTURES)])


def test_found_in_path(spark: SparkSession, urlsift: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a program is searched in PATH of this machine."""
    shutil.copy(urlsift, tmp_path / "sift")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    path = FIXTURES / "mailbox"
    assert rows(urlsift_spark.extract(spark, [str(path)], urlsift="sift")) == command(urlsift, [path])


def test_of_the_package(spark: SparkSession, urlsift: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a program in PATH, that of the Python package urlsift is used."""
    package = types.ModuleType("urlsift")
    package.program = lambda: urlsift  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "urlsift", package)
    monkeypatch.setenv("PATH", "")
    path = FIXTURES / "mailbox"
    assert rows(urlsift_spark.extract(spark, [str(path)])) == command(urlsift, [path])


SEARCHES = 'case "$*" in *--jobs*) true;; *) false;; esac'  # a run of a task, not the check of the flags


def test_crash_is_retried(spark: SparkSession, urlsift: str, tmp_path: Path) -> None:
    """A process that is killed fails its task; the next attempt gives the same rows and sums."""
    mark = tmp_path / "mark"
    program = wrapper(tmp_path, f"{SEARCHES} && mkdir {mark} 2>/dev/null && kill -9 $$\nexec {urlsift}")
    path = FIXTURES / "compressed"
    found = urlsift_spark.search(spark, [str(path)], urlsift=f"local:{program}")
    want = command(urlsift, [path])
    assert not mark.exists()
    assert rows(found.records) == want
    assert mark.exists()
    sums = found.totals.selectExpr("sum(printed) AS printed", "sum(sources) AS sources").first()
    assert sums is not None
    assert (sums.printed, sums.sources) == (want.total(), len(list(path.iterdir())))
    found.close()


def test_executor_killed(spark: SparkSession, urlsift: str, spool: Path, tmp_path: Path) -> None:
    """The rows are the same if an executor is killed during the run."""
    context = spark.sparkContext
    if not executors(context.applicationId):
        pytest.skip("the master has no executors that are processes of their own")
    program = wrapper(tmp_path, f"sleep 0.5\nexec {urlsift}")
    found = urlsift_spark.search(spark, [str(spool)], urlsift=f"local:{program}")
    assert found.rows.rdd.getNumPartitions() >= 6
    with executor_killed(context):
        got = rows(found.records.repartition(2))
    want = command(urlsift, [spool])
    assert got == want
    sums = found.totals.selectExpr("sum(printed) AS printed", "sum(sources) AS sources").first()
    assert sums is not None
    assert (sums.printed, sums.sources) == (want.total(), 5000)
    found.close()


@pytest.mark.parametrize(
    ("by", "flags"),
    [
        ("url", []),
        ("host,year", []),
        ("source,month", []),
        ("grammar,form,domain,scheme,day", ["--refused", "--find=addresses", "--normalize"]),
    ],
)
def test_counts(spark: SparkSession, urlsift: str, counted: DataFrame, by: str, flags: list[str]) -> None:
    """Sums and their order are those of urlsift count."""
    paths = [str(FIXTURES / name) for name in COUNTED]
    records = counted
    if flags:
        records = urlsift_spark.extract(spark, paths, ["--log-times", *flags], urlsift=urlsift)
    argv = [urlsift, "count", "--by", by, "--format", "jsonl", "--no-messages", *flags, *paths]
    want = [json.loads(line) for line in subprocess.run(argv, capture_output=True, check=False).stdout.splitlines()]
    assert len(want) > 3
    assert any("first" in row for row in want)
    got = urlsift_spark.count(records, by.split(","))
    for name in ("first", "last"):
        got = got.withColumn(name, F.date_format(name, "yyyy-MM-dd'T'HH:mm:ss'Z'"))
    assert [{k: v for k, v in row.asDict().items() if v is not None} for row in got.collect()] == want


COUNTED = ("mail", "spool", "compressed", "mailbox", "delimit")


@pytest.fixture(scope="module")
def counted(spark: SparkSession, urlsift: str) -> Iterator[DataFrame]:
    """Records of COUNTED, with the times of log lines."""
    paths = [str(FIXTURES / name) for name in COUNTED]
    found = urlsift_spark.search(spark, paths, ["--log-times"], urlsift=urlsift)
    yield found.records
    found.close()
