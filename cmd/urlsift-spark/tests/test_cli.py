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
from urlsift_spark import cli


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_write(spark: SparkSession, urlsift: str, tmp_path: Path, form: str) -> None:
    """Records, errors and counts are complete, in both formats."""
    paths = [FIXTURES / "mail", FIXTURES / "compressed"]
    found = urlsift_spark.search(spark, map(str, paths), urlsift=urlsift, keep=False)
    out = tmp_path / "out"
    sums = cli.write(found, str(out), form, ["host"])
    want = command(urlsift, paths)
    errors = subprocess.run(
        [urlsift, "--messages", "json", *map(str, paths)], capture_output=True, check=False
    ).stderr.splitlines()
    hosts = subprocess.run(
        [urlsift, "count", "--by", "host", "--format", "jsonl", "--no-messages", *map(str, paths)],
        capture_output=True,
        check=False,
    ).stdout.splitlines()
    assert sorted(os.listdir(out)) == ["counts", "errors", "records"]
    for name in os.listdir(out):
        assert (out / name / "_SUCCESS").exists()
    assert (sums.printed, sums.errors) == (want.total(), sum(b'"error"' in e for e in errors))
    if form == "parquet":
        assert rows(spark.read.parquet(f"{out}/records")) == want
        assert spark.read.parquet(f"{out}/errors").count() == sum(b'"error"' in e for e in errors) > 0
        assert spark.read.parquet(f"{out}/counts").count() == len(hosts)
    else:
        assert lines(out / "records") == want
        assert lines(out / "errors") == Counter(canonical(json.loads(e)) for e in errors if b'"error"' in e)
        assert lines(out / "counts").total() == len(hosts)


def lines(folder: Path) -> Counter[str]:
    """The lines of JSON in a folder."""
    texts = [p.read_text() for p in folder.glob("*.json")]
    return Counter(canonical(json.loads(line)) for text in texts for line in text.split("\n") if line)


def test_one_reading(spark: SparkSession, urlsift: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that appears between two parts of the output is in exactly one, even if executors die."""
    running = executors(spark.sparkContext.applicationId)
    if not running:
        pytest.skip("the master has no executors that are processes of their own")
    late = tmp_path / "late.txt"
    save = cli._save

    def saved(rows: DataFrame, path: str, form: str) -> None:
        save(rows, path, form)
        if path.endswith("/records"):
            late.write_text("http://www.example.org/late\n")
            for process in running:
                os.kill(process, signal.SIGKILL)

    monkeypatch.setattr(cli, "_save", saved)
    found = urlsift_spark.search(spark, [str(late), str(FIXTURES / "mailbox")], urlsift=urlsift)
    sums = cli.write(found, str(tmp_path / "out"), "jsonl", ["host"])
    found.close()
    assert not any("/late" in record for record in lines(tmp_path / "out/records"))
    errors = [json.loads(line) for line in lines(tmp_path / "out/errors")]
    assert [e["text"] for e in errors if e["source"] == str(late)] == ["no such file or directory"]
    assert sums.printed == lines(tmp_path / "out/records").total()
    assert sums.errors == len(errors)


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
    assert capfd.readouterr().err == f"urlsift-spark: {program}: exit status 3: panic: worst\n"
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


@pytest.mark.parametrize("name", ["rows", "records", "errors", "counts"])
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


def test_write_replaces_no_file(spark: SparkSession, urlsift: str, tmp_path: Path) -> None:
    (tmp_path / "errors").mkdir()
    found = urlsift_spark.search(spark, [str(FIXTURES / "mail")], urlsift=urlsift)
    with pytest.raises(FileExistsError):
        cli.write(found, str(tmp_path))
    assert os.listdir(tmp_path) == ["errors"]
    found.close()


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
        [*both, "--storage-option", "region"],
    ):
        with pytest.raises(SystemExit) as ended:
            cli.main(argv)
        assert ended.value.code == 2
    assert "the keys are url, host" in capsys.readouterr().err
    assert not os.path.exists("b")
