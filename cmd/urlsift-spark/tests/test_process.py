"""Tests of the pipes to one process, without Spark."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from urlsift_spark import process
from urlsift_spark.process import Lines, Messages, ProgramError, Stats


def nothing(to: IO[bytes]) -> None:
    """Feed nothing."""


def script(folder: Path, text: str) -> list[str]:
    """A program that runs Python."""
    path = folder / "program.py"
    path.write_text("import json, os, sys, time\n" + text)
    return [sys.executable, str(path)]


STATS = "sys.stderr.write('{\"interrupted\":false}\\n')\n"


def test_all_pipes_full(tmp_path: Path) -> None:
    """There is no deadlock, however much data goes through each of the three pipes."""
    argv = script(
        tmp_path,
        "for i in range(40):\n"
        '    sys.stderr.write(\'{"severity":"warning","text":"%s"}\\n\' % (\'w\' * 100000)); sys.stderr.flush()\n'
        "    sys.stdout.write('o' * 200000 + '\\n'); sys.stdout.flush()\n"
        "n = len(sys.stdin.buffer.read())\n"
        "sys.stdout.write('%d\\n' % n)\n" + STATS,
    )

    def feed(to: IO[bytes]) -> None:
        for _ in range(20):
            process.write(to, b"i" * (1 << 20))

    out = b""
    warnings = 0
    for part in process.run(argv, feed):
        match part:
            case Lines(text):
                assert text.endswith(b"\n")
                out += text
            case Messages(objects):
                warnings += len(objects)
    assert out.endswith(b"\n%d\n" % (20 << 20))
    assert (len(out.splitlines()), warnings) == (41, 40)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("os.kill(os.getpid(), 9)", "ended by SIGKILL"),
        ("sys.exit(3)", "exit status 3"),
        ("sys.stderr.write('panic: index out of range\\n'); sys.exit(2)", "panic: index out of range"),
        (STATS + "sys.exit(2)", "exit status 2"),
        ("sys.exit(0)", "exit status 0"),  # without statistics the run is incomplete
        (STATS + "sys.stdout.write('{}')", "no line end"),
        ("sys.stderr.write('{\"interrupted\":true}\\n')", "interrupted"),
    ],
)
def test_crash(tmp_path: Path, program: str, why: str) -> None:
    with pytest.raises(ProgramError, match=why):
        list(process.run(script(tmp_path, program), nothing))


def test_missing_program(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="No such file"):
        list(process.run([str(tmp_path / "none")], nothing))


def test_errors_are_messages(urlsift: str, tmp_path: Path) -> None:
    argv = [urlsift, "--format", "jsonl", "--messages", "json", "--stats=json", str(tmp_path / "none")]
    parts = list(process.run(argv, nothing))
    assert isinstance(parts[0], Messages)
    assert parts[0].objects[0]["stage"] == "open"
    assert isinstance(parts[-1], Stats)


def test_input_fails(tmp_path: Path) -> None:
    """An error of feed is raised, and the program ends."""

    def feed(to: IO[bytes]) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(process.run(script(tmp_path, "sys.stdin.read()\n" + STATS), feed))


def test_input_not_wanted(tmp_path: Path) -> None:
    """A program may end before it has read its input."""

    def feed(to: IO[bytes]) -> None:
        for _ in range(100):
            process.write(to, b"i" * (1 << 20))

    assert isinstance(next(iter(process.run(script(tmp_path, STATS), feed))), Stats)


def test_closed_early(tmp_path: Path) -> None:
    """If the caller stops, the process and the thread end."""
    argv = script(
        tmp_path,
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "sys.stdout.write('x' * (1 << 21) + '\\n'); sys.stdout.flush()\ntime.sleep(600)\n",
    )
    before = threading.active_count()
    parts = process.run(argv, nothing)
    assert isinstance(next(parts), Lines)
    parts.close()  # type: ignore[attr-defined]
    assert not os.path.exists(f"/proc/{(tmp_path / 'pid').read_text()}")
    assert threading.active_count() == before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_killed_with_parent(tmp_path: Path) -> None:
    """Spark ends a task's Python with SIGKILL; the program ends with it."""
    argv = script(tmp_path, f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)\n")
    parent = subprocess.Popen(
        [sys.executable, "-c", f"from urlsift_spark import process\nlist(process.run({argv!r}, lambda to: None))"]
    )
    until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    pid = int((tmp_path / "pid").read_text())
    assert running(pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until(lambda: not running(pid))


def running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def until(true: Callable[[], bool]) -> None:
    """Wait until a condition is true, a minute at most."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_other_lines_are_bounded() -> None:
    """Only a limited number of bytes is kept of lines that are not JSON objects."""
    end = process._End()
    for _ in range(3):
        assert end.take(b"no object\n" * process.TAIL) == []
    assert len(end.other) == process.TAIL
