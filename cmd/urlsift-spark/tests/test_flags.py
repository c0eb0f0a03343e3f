"""Tests of the flags that a search accepts, and of sending the program to the executors."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from pyspark import SparkContext

from urlsift_spark import flags, scan, send
from urlsift_spark.plan import File
from urlsift_spark.process import ProgramError


@pytest.mark.parametrize(
    "some",
    [
        [],
        ["--grammar", "rfc3986", "--refused", "-nHm4", "--host=*.org", "-m", "3", "-bm", "3"],
        ["--host", "example.org", "--base-map", "/dev/null"],
        ["--domain", "-"],
    ],
)
def test_taken(urlsift: str, some: list[str]) -> None:
    assert not flags.check(urlsift, some)


@pytest.mark.parametrize(
    ("some", "want"),
    [
        (["--warnings"], True),
        (["--warnings=true"], True),
        (["-n", "--warnings=1", "--normalize"], True),
        (["--strict=T"], True),
        (["--warnings=false"], False),
        (["--warnings", "--warnings=0"], False),
        (["--host", "--warnings"], False),  # the value of another flag
    ],
)
def test_warnings_asked(urlsift: str, some: list[str], want: bool) -> None:
    """Each spelling of the flag for warnings is recognised."""
    assert flags.check(urlsift, some) == want


@pytest.mark.parametrize(
    ("some", "why"),
    [
        (["--bogus", "x"], "unknown flag --bogus"),
        (["--grammar", "bogus"], "bogus"),
        (["--scheme"], "--scheme"),
        (["--format", "csv"], "--format cannot be used here"),
        (["--stats=json"], "--stats cannot be used here"),
        (["--normalize", "--hidden"], "--hidden cannot be used here"),
        (["--include", "*.txt"], "unknown flag --include"),
        (["--normalize", "--shard", "1/2"], "--shard cannot be used here"),
        (["-o", "x"], "-o cannot be used here"),
        (["-nHu"], "-u cannot be used here"),
        (["-g*.txt"], "-g cannot be used here"),
        (["-"], "path among them: -"),
        (["--"], "path among them: --"),
        (["-m4", "4"], "path among them: 4"),
        (["count"], "path among them: count"),
    ],
)
def test_refused(urlsift: str, some: list[str], why: str) -> None:
    with pytest.raises(flags.FlagsError) as raised:
        flags.check(urlsift, some)
    assert why in str(raised.value)


def test_path_without_files(urlsift: str, tmp_path: Path) -> None:
    """A directory that is empty here may have files on an executor."""
    with pytest.raises(flags.FlagsError, match="path among them"):
        flags.check(urlsift, ["--normalize", str(tmp_path)])


def test_other_program(tmp_path: Path) -> None:
    with pytest.raises(flags.FlagsError, match="is it urlsift"):
        flags.check("/bin/true", [])
    with pytest.raises(ProgramError, match="cannot be run: No such file"):
        flags.check(str(tmp_path / "none"), [])


def test_all_refused_are_flags(urlsift: str) -> None:
    """No name in REFUSED is misspelled."""
    _, valued = flags._known(urlsift)
    assert set(valued) >= flags.REFUSED


@pytest.mark.parametrize("size", [25, 0])
def test_path_replaces_no_object(urlsift: str, tmp_path: Path, size: int) -> None:
    """If the flags contain a path, the task fails, and does not silently skip the object."""
    pytest.importorskip("fsspec")
    other = tmp_path / "other"
    other.write_text("http://www.example.org/other\n")
    (tmp_path / "object").write_text("http://www.example.org/\n")
    one = scan.Scan(program=urlsift, flags=(str(other),))
    with pytest.raises(ProgramError, match="inputs instead of"):
        list(one.read(urlsift, [File(f"local://{tmp_path}/object", size)]))


class Context:
    """A Spark context that fails to send its first file."""

    applicationId = "test"

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.failed = False

    def addFile(self, path: str) -> None:
        if not self.failed:
            self.failed = True
            raise OSError("no space")
        self.sent.append(path)

    addPyFile = addFile


@pytest.mark.parametrize("what", ["program", "package"])
def test_sent_again(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that could not be sent is sent the next time, and then not again."""
    monkeypatch.setattr(send, "_done", set())
    (tmp_path / "urlsift").write_text("program")
    context: Any = Context()
    some = cast(SparkContext, context)

    def once() -> None:
        if what == "program":
            send.send_program(some, str(tmp_path / "urlsift"))
        else:
            send.send_package(some)

    with pytest.raises(OSError, match="no space"):
        once()
    once()
    once()
    assert len(context.sent) == 1
