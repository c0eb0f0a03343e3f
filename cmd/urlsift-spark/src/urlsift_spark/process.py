"""Runs one process of urlsift: feeds its input, and reads its output and messages.

Three pipes are used at the same time, and there must be no deadlock. A thread feeds standard input.
The caller's thread reads standard output or standard error, whichever has data, so that neither
pipe fills while the other is read.

Memory: a block of each stream (1 MiB), and the longest line.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from . import rows

BLOCK = 1 << 20  # bytes of a read, and of a pipe's buffer if the system allows it
MESSAGES = 256  # objects in a batch of messages
TAIL = 8 << 10  # how many bytes of the output of a crash are kept

Feed = Callable[[IO[bytes]], None]


class ProgramError(Exception):
    """The program is missing, crashed, was killed, or rejects a flag."""


@dataclass(frozen=True)
class Lines:
    """Whole lines of standard output."""

    text: bytes


@dataclass(frozen=True)
class Messages:
    """Objects of --messages json."""

    objects: list[dict[str, Any]]


@dataclass(frozen=True)
class Stats:
    """The object of --stats=json, which is the last line on standard error."""

    object: dict[str, Any]


def run(argv: Sequence[str], feed: Feed, cwd: str | None = None) -> Iterator[Lines | Messages | Stats]:
    """Run argv, which must have --messages json and --stats=json, and yield its output.

    feed writes standard input and returns at its end. An error of feed is raised here, and
    so is ProgramError. The process does not outlive the iterator, nor this process.
    """
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            preexec_fn=_die_with_parent,
        )
    except OSError as e:
        raise ProgramError(f"{argv[0]} cannot be run: {e.strerror}") from e
    assert process.stdin is not None
    _widen(process.stdin)
    feeder = _Feeder(feed, process.stdin)
    feeder.start()
    try:
        end = _End()
        yield from _read(process, end)
        status = process.wait()
        feeder.join()
        if feeder.error is not None:
            raise feeder.error
        yield end.stats(argv[0], status)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        feeder.join(timeout=5)  # do not wait: feed may wait for a server; its next write fails


class _Feeder(threading.Thread):
    """Writes standard input. It is no error if the program closes it early."""

    def __init__(self, feed: Feed, to: IO[bytes]) -> None:
        super().__init__(name="urlsift-input", daemon=True)
        self._feed, self._to = feed, to
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self._feed(self._to)
        except BrokenPipeError:
            pass
        except Exception as e:
            self.error = e
        finally:
            self._to.close()


@dataclass
class _End:
    """The content of standard error at the end of a run."""

    last: dict[str, Any] | None = None  # the statistics, from --stats=json
    other: bytearray = field(default_factory=bytearray)  # lines that are not JSON objects
    failed: bool = False  # whether there was an error message

    def take(self, lines: bytes) -> list[dict[str, Any]]:
        """Return the messages in whole lines of standard error."""
        found: list[dict[str, Any]] = []
        for line in lines.splitlines():
            value = rows.parse(line)
            if value is None:
                self.other += (line + b"\n")[: max(0, TAIL - len(self.other))]
            elif "severity" in value:
                found.append(value)
                self.failed = self.failed or value["severity"] == "error"
            else:
                self.last = value
        return found

    def stats(self, name: str, status: int) -> Stats:
        """Return the statistics of a complete run, or raise ProgramError."""
        said = bytes(self.other[:TAIL]).decode("utf-8", "replace").strip()
        if status < 0:
            why = f"ended by {signal.Signals(-status).name}"
        elif status > 2:
            why = f"exit status {status}"
        elif said or self.last is None or (status == 2 and not self.failed):
            why = f"exit status {status}, and not the messages of --messages json"
        elif self.last.get("interrupted"):
            why = "it was interrupted"
        else:
            return Stats(self.last)
        raise ProgramError(f"{name}: {why}" + (f": {said}" if said else ""))


def _read(process: subprocess.Popen[bytes], end: _End) -> Iterator[Lines | Messages]:
    """Yield the output of a process until it has closed both streams."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = bytearray(), bytearray()
    waiting: list[dict[str, Any]] = []
    with selectors.DefaultSelector() as selector:
        for pipe in (process.stdout, process.stderr):
            _widen(pipe)
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():  # each iteration reads something, or ends a stream
            for key, _ in selector.select():
                data = os.read(key.fd, BLOCK)
                if not data:
                    selector.unregister(key.fileobj)
                into = out if key.fileobj is process.stdout else err
                into += data
            waiting += end.take(_whole(err))
            if len(out) >= BLOCK and (text := _whole(out)):
                yield Lines(text)
            if len(waiting) >= MESSAGES:
                yield Messages(waiting)
                waiting = []
    waiting += end.take(bytes(err))
    if waiting:
        yield Messages(waiting)
    if text := _whole(out):
        yield Lines(text)
    if out and process.wait() in (0, 1, 2):  # otherwise the exit status shows the reason
        raise ProgramError("the last record has no line end")


def _whole(lines: bytearray) -> bytes:
    """Remove the whole lines from the beginning of lines, and return them."""
    end = lines.rfind(b"\n") + 1
    with memoryview(lines) as view:
        text = bytes(view[:end])
    del lines[:end]
    return text


def write(to: IO[bytes], data: bytes | memoryview) -> None:
    """Write all of data to an unbuffered pipe, where a write may be partial."""
    rest = memoryview(data)
    while rest:  # at least one byte in each iteration
        rest = rest[to.write(rest) :]


def _widen(pipe: IO[bytes]) -> None:
    """Make a pipe's buffer as large as a block, if the system allows it."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):  # beyond the user's limit for pipes the buffer stays small, which is slower
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, BLOCK)


_PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def _die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends.

    Spark ends the Python process of a task with SIGKILL, so that process cannot clean up.
    """
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
