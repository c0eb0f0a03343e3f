"""Tests of the command and its output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from conftest import FIXTURES, canonical, command, executors, rows
from pyspark.sql import DataFrame, SparkSession

import urlsift_spark
from urlsift_spark import cli, output, schema


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_write(spark: SparkSession, urlsift: str, tmp_path: Path, form: str) -> None:
    """Records, errors and counts are complete, in both formats; several steps and runs give the same."""
    paths = [str(FIXTURES / name) for name in ("mail", "compressed")]
    want = command(urlsift, paths)
    errors = subprocess.run(
        [urlsift, "--messages", "json", *paths], capture_output=True, check=False
    ).stderr.splitlines()
    errors = [e for e in errors if b'"error"' in e]
    hosts = subprocess.run(
        [urlsift, "count", "--by", "host", "--format", "jsonl", "--no-messages", *paths],
        capture_output=True,
        check=False,
    ).stdout.splitlines()
    out = tmp_path / "out"
    said: list[str] = []
    some = {"form": form, "count_by": ["host"], "urlsift": urlsift, "log": said.append}
    first = urlsift_spark.write(spark, paths[1:], [], str(out), step_tasks=1, **some)  # type: ignore[arg-type]
    with pytest.raises(FileExistsError):
        urlsift_spark.write(spark, paths, [], str(out), **some)  # type: ignore[arg-type]
    for flags, other in ((["--refused"], {}), ([], {"partition_by": ["year"]})):
        with pytest.raises(urlsift_spark.AppendError):
            urlsift_spark.write(spark, paths, flags, str(out), append=True, **{**some, **other})  # type: ignore[arg-type]
    second = urlsift_spark.write(spark, paths, [], str(out), append=True, **some)  # type: ignore[arg-type]
    assert sorted(os.listdir(out)) == ["_done", "counts", "errors", "records"]
    for name in ("records", "errors", "counts"):
        assert (out / name / "_SUCCESS").exists()
    assert first["printed"] + second["printed"] == want.total()
    assert first["errors"] + second["errors"] == len(errors) > 0
    assert f"{first['sources']} of {first['sources'] + second['sources']} files were read by an earlier run" in said
    if form == "parquet":
        assert rows(spark.read.parquet(f"{out}/records")) == want
        assert spark.read.parquet(f"{out}/errors").columns[:2] == ["severity", "source"]
        assert spark.read.parquet(f"{out}/errors").count() == len(errors)
        assert spark.read.parquet(f"{out}/counts").count() == len(hosts)
    else:
        assert lines(out / "records") == want
        assert lines(out / "errors") == Counter(canonical(json.loads(e)) for e in errors)
        assert lines(out / "counts").total() == len(hosts)
    third = urlsift_spark.write(spark, paths, [], str(out), append=True, **some)  # type: ignore[arg-type]
    assert third == dict.fromkeys(third, 0)


def lines(folder: Path) -> Counter[str]:
    """The lines of JSON in a folder."""
    texts = [p.read_text() for p in folder.rglob("*.json")]
    return Counter(canonical(json.loads(line)) for text in texts for line in text.split("\n") if line)


def test_ended_run(
    spark: SparkSession, urlsift: str, spool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that ends at any point goes on, and the result is that of the command."""
    want = command(urlsift, [spool])
    out = tmp_path / "out"
    calls = 0

    def ends(name: str, at: int) -> None:
        """Let a function raise an error when it is called for the at-th time."""
        works = getattr(output.Output, name)
        nonlocal calls
        calls = 0

        def call(*args: object) -> object:
            nonlocal calls
            calls += 1
            if calls == at:
                raise KeyboardInterrupt
            return works(*args)

        monkeypatch.setattr(output.Output, name, call)

    late = tmp_path / "late.txt"

    def run(step_tasks: int) -> dict[str, int]:
        paths = [str(spool), str(late)]
        more = {"step_tasks": step_tasks, "task_bytes": 100_000}
        return urlsift_spark.write(
            spark,
            paths,
            [],
            str(out),
            urlsift=urlsift,
            append=True,
            form="jsonl",
            **more,  # type: ignore[arg-type]
        )

    left = []
    # In the middle of the job, before the list of sources is there, and while files are moved.
    for name, at in (("_write", 2), ("_commit", 1), ("_rename", 3), ("_rename", 1), ("_publish", 1)):
        with monkeypatch.context():
            ends(name, at)
            with pytest.raises(KeyboardInterrupt):
                run(step_tasks=1)
            monkeypatch.undo()
        left.append(len(list((out / "_done").glob("*.gz"))))
        assert not (out / "records/_SUCCESS").exists()
    assert left == [1, 1, 2, 2, 2]
    assert 0 < run(step_tasks=2)["sources"] < 5000
    assert lines(out / "records") == want
    # A file that could not be opened is not one that was read.
    late.write_text("http://www.example.org/late\n")
    assert run(step_tasks=2) == {"printed": 1, "sources": 1, "stored_bytes": 28, "text_bytes": 28, "errors": 0}
    assert lines(out / "records") == want + command(urlsift, [late])
    assert [json.loads(e)["source"] for e in lines(out / "errors")] == [str(late)]


def test_partitions(spark: SparkSession, urlsift: str, spool: Path, tmp_path: Path) -> None:
    """Records are in a folder for each year, in files of about a size; each can be read alone."""
    out = tmp_path / "out"
    sums = urlsift_spark.write(
        spark, [str(spool)], [], str(out), urlsift=urlsift, partition_by=["year"], count_by=["year"]
    )
    assert sums["errors"] == 0
    want = command(urlsift, [spool])
    records = spark.read.schema(schema.RECORD_SPARK).parquet(f"{out}/records")
    assert rows(records.select(*schema.RECORD_SPARK.names)) == want
    folders = sorted(p.name for p in (out / "records").iterdir() if p.is_dir())
    assert folders == [f"year={year}" for year in range(1994, 2003)]
    files = list((out / "records").rglob("*.parquet"))
    assert len(files) <= 2 * len(folders)
    one = command(urlsift, [spool], "--since", "1996", "--until", "1996")
    assert rows(spark.read.parquet(f"{out}/records/year=1996").select(*schema.RECORD_SPARK.names)) == one


def test_file_size(spark: SparkSession, urlsift: str, tmp_path: Path) -> None:
    """A single large input gives files of about the size that is asked for, and many small ones give few."""
    big = tmp_path / "big.txt"
    big.write_bytes(b"".join(b"see http://www%d.example.org/%d\n" % (i, i) for i in range(60_000)))
    small = tmp_path / "small"
    small.mkdir()
    for number in range(300):
        (small / str(number)).write_text(f"http://www.example.org/{number}\n")
    out = tmp_path / "out"
    common = {"urlsift": urlsift, "form": "jsonl", "file_bytes": 4_000_000}
    urlsift_spark.write(spark, [str(big)], [], str(out / "big"), **common)  # type: ignore[arg-type]
    sizes = [p.stat().st_size for p in (out / "big/records").glob("*.json")]
    assert len(sizes) > 3
    assert max(sizes) < 6_000_000
    urlsift_spark.write(spark, [str(small)], [], str(out / "small"), **common)  # type: ignore[arg-type]
    assert len(list((out / "small/records").glob("*.json"))) <= 2  # the cores
    assert lines(out / "small/records") == command(urlsift, [small])


def test_one_reading(spark: SparkSession, urlsift: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that appears between two parts of the output is in exactly one, even if executors die."""
    running = executors(spark.sparkContext.applicationId)
    if not running:
        pytest.skip("the master has no executors that are processes of their own")
    late = tmp_path / "late.txt"
    write = output.Output._write

    def written(self: output.Output, rows: DataFrame, name: str) -> None:
        write(self, rows, name)
        late.write_text("http://www.example.org/late\n")
        for process in running:
            os.kill(process, signal.SIGKILL)

    monkeypatch.setattr(output.Output, "_write", written)
    paths = [str(late), str(FIXTURES / "mailbox")]
    sums = urlsift_spark.write(
        spark, paths, [], str(tmp_path / "out"), form="jsonl", count_by=["host"], urlsift=urlsift
    )
    assert not any("/late" in record for record in lines(tmp_path / "out/records"))
    errors = [json.loads(line) for line in lines(tmp_path / "out/errors")]
    assert [e["text"] for e in errors if e["source"] == str(late)] == ["no such file or directory"]
    assert sums["printed"] == lines(tmp_path / "out/records").total()
    assert sums["errors"] == len(errors)


class _Kept:
    """A session that continues when the command stops it."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session

    def __getattr__(self, name: str) -> object:
        return (lambda: None) if name == "stop" else getattr(self._session, name)


@pytest.fixture
def run(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> object:
    """The command, in the session of the tests."""

    class Builder:
        def appName(self, name: str) -> Builder:
            return self

        def master(self, name: str) -> Builder:
            return self

        def config(self, name: str, value: str) -> Builder:
            return self

        def getOrCreate(self) -> _Kept:
            return _Kept(spark)

    class Sessions:
        builder = Builder()

    monkeypatch.setattr(cli, "SparkSession", Sessions)
    return cli.main


def test_main(urlsift: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], run: object) -> None:
    """The exit status is that of urlsift, and the counts have the times of log lines."""
    assert callable(run)
    common = ["--urlsift", urlsift, "--format", "jsonl"]
    log = str(FIXTURES / "compressed/apache_combined_first300.log.bz2")
    out = tmp_path / "found"
    argv = [*common, "--input", log, "--output", str(out), "--count-by", "host", "--", "--scheme", "http"]
    assert run(argv) == 0
    assert "references in 1 files of 8250 bytes" in capsys.readouterr().err
    want = subprocess.run(
        [urlsift, "count", "--by", "host", "--format", "jsonl", "--scheme", "http", log],
        capture_output=True,
        check=True,
    ).stdout.splitlines()
    assert b'"first"' in want[0]
    assert lines(out / "counts") == Counter(canonical(json.loads(line)) for line in want)

    (tmp_path / "empty.txt").write_text("nothing\n")
    assert run([*common, "--input", str(tmp_path / "empty.txt"), "--output", str(tmp_path / "none")]) == 1
    assert run([*common, "--input", str(tmp_path / "missing"), "--output", str(tmp_path / "lost")]) == 2
    assert lines(tmp_path / "lost/errors").total() == 1
    capsys.readouterr()
    assert run([*common, "--input", log, "--output", str(tmp_path / "never"), "--", "--bogus"]) == 2
    assert capsys.readouterr().err.startswith("urlsift-spark: urlsift: unknown flag --bogus")
    assert not (tmp_path / "never").exists()


def test_failed_job(urlsift: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], run: object) -> None:
    """A job that fails ends with 2 and a line that says why; --verbose has the trace."""
    assert callable(run)
    program = tmp_path / "crashes"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *--jobs*) echo "panic: worst" >&2; exit 3;; esac\nexec {urlsift} "$@"\n'
    )
    program.chmod(0o755)
    argv = ["--urlsift", f"local:{program}", "--input", str(FIXTURES / "mail"), "--output", f"{tmp_path}/out"]
    assert run(argv) == 2
    plan, why = capfd.readouterr().err.splitlines()
    assert plan.startswith("urlsift-spark: ")
    assert plan.endswith(" and 1 step")
    assert why == f"urlsift-spark: {program}: exit status 3: panic: worst"
    assert os.listdir(tmp_path / "out") == []
    assert run([*argv[:-1], f"{tmp_path}/out2", "--verbose"]) == 2
    said = capfd.readouterr().err
    assert "Traceback (most recent call last):" in said
    assert said.endswith(f"\nurlsift-spark: {program}: exit status 3: panic: worst\n")
    # Failures that occur without a job.
    for more, why in (
        (["--input", "nosuchscheme://a/b"], "nosuchscheme: "),
        (["--storage-option", "bogus=1", "--input", "s3://a/b"], "s3: "),
        (["--output", "nosuchscheme://a/b"], "No FileSystem for scheme"),
    ):
        assert run([*argv[:-1], f"{tmp_path}/out3", "--urlsift", urlsift, *more]) == 2
        said = capfd.readouterr().err
        assert said.startswith("urlsift-spark: ")
        assert why in said
        assert said.count("\n") == 1


@pytest.mark.parametrize("name", ["_done", "records", "errors", "counts"])
def test_no_file_is_replaced(
    urlsift: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], run: object, name: str
) -> None:
    """Existing output is an error before anything is written."""
    assert callable(run)
    (tmp_path / name).mkdir()
    argv = ["--urlsift", urlsift, "--input", str(FIXTURES / "mail"), "--output", str(tmp_path)]
    assert run(argv) == 2
    assert capsys.readouterr().err == f"urlsift-spark: {tmp_path}/{name} exists\n"
    assert os.listdir(tmp_path) == [name]


def test_repeated_options() -> None:
    """An option with several values may be given several times, and no value is lost."""
    argv = ["--input", "a", "b", "--output", "c", "--count-by", "host", "--input", "d", "--count-by", "url,year"]
    o = cli._options(argv)
    assert o.input == ["a", "b", "d"]
    assert o.count_by == ["host", "url", "year"]


def test_options(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong command line ends with 2 before Spark is started."""
    both = ["--input", "a", "--output", "b"]
    for argv in (
        [],
        ["--input", "a"],
        [*both, "--count-by", "bogus"],
        [*both, "--count-by", "host,host"],
        [*both, "--count-by", "host", "--count-by", "url,host"],
        [*both, "--task-bytes", "0"],
        [*both, "--file-bytes", "x"],
        [*both, "--partition-by", "url"],
        [*both, "--partition-by", "year", "--partition-by", "source,year"],
        [*both, "--storage-option", "region"],
    ):
        with pytest.raises(SystemExit) as ended:
            cli.main(argv)
        assert ended.value.code == 2
    assert "the keys are url, host" in capsys.readouterr().err
    assert not os.path.exists("b")
