"""Runs the program, and gives its records while it runs.

There are up to three pipes, and no deadlock: a thread for each writes or reads it. The readers put
blocks of lines on one short queue, so that a slow caller stops the program, and memory is bounded.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.metadata
import json
import os
import queue
import shutil
import subprocess
import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import IO, Any

from ._record import Message, Record

BLOCK = 1 << 16  # bytes of a read
KEPT = 100  # messages that a ScanError has
TAIL = 8 << 10  # bytes that are kept of what is no message, such as the output of a crash

OnMessage = Callable[[Message], object]
Blocks = queue.Queue[tuple[bool, bytes | None]]  # whether it is of standard output, and whole lines; None is the end


class ScanError(Exception):
    """Input was lost or not read, and nobody was told: there was no on_message.

    ``messages`` has the first 100 errors, ``count`` is the number of all. What was found was given before.
    """

    def __init__(self, messages: Sequence[Message], count: int) -> None:
        super().__init__(_several(messages[0], count))
        self.messages, self.count = list(messages), count


class ProgramError(Exception):
    """The program crashed, was killed, or is not urlsift."""


class ScanWarning(UserWarning):
    """The warnings of a run, if there is no on_message."""


def describe(message: Message) -> str:
    """Return a message as one line for people."""
    where = [str(message[k]) for k in ("source", "member") if k in message]
    where += [f"{k} {message[k]}" for k in ("message", "part", "line") if k in message]
    return ": ".join(filter(None, (", ".join(where), message.get("stage"), message["text"])))


def _several(message: Message, count: int) -> str:
    return describe(message) + (f" (and {count - 1} more)" if count > 1 else "")


@functools.cache
def program() -> str:
    """Return the path of the program: the one that was installed with this package, or one in PATH."""
    name = "urlsift.exe" if os.name == "nt" else "urlsift"
    paths = [Path(__file__).parents[1] / "bin" / name]  # where pip install --target puts it
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        files = importlib.metadata.files("urlsift") or []
        paths[:0] = [Path(str(f.locate())).resolve() for f in files if f.name == name]
    found = next((str(p) for p in paths if p.is_file()), None) or shutil.which(name)
    if found is None:
        raise FileNotFoundError("the program urlsift was not installed with this package, and is not in PATH")
    return found


def run(
    argv: Sequence[str], text: bytes | None, inherit: bool, on_message: OnMessage | None
) -> Generator[Record, None, None]:
    """Run the program, and yield its records. The process does not outlive the generator.

    text is standard input; without it, that is the one of this process if inherit is set, and else empty.
    """
    stdin = subprocess.PIPE if text is not None else None if inherit else subprocess.DEVNULL
    process = subprocess.Popen(argv, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    atexit.register(process.kill)  # Python does not close generators when it exits
    blocks: Blocks = queue.Queue(maxsize=4)
    closed = threading.Event()
    end = _End(on_message)
    try:
        for pipe, is_output in ((process.stdout, True), (process.stderr, False)):
            threading.Thread(target=_read, args=(pipe, is_output, blocks, closed), daemon=True).start()
        if text is not None:
            threading.Thread(target=_write, args=(process.stdin, text), daemon=True).start()
        running = 2
        while running:
            is_output, block = blocks.get()
            if block is None:
                running -= 1
            elif is_output:
                yield from map(json.loads, block.decode().split("\n"))
            else:
                end.take(block)
        end.check(process.wait())
    finally:
        closed.set()
        process.kill()  # does nothing if it has ended
        process.wait()
        atexit.unregister(process.kill)
        with contextlib.suppress(queue.Empty):
            while True:  # a reader that waits for room in the queue has it now, and then sees that it is closed
                blocks.get_nowait()


def _write(to: IO[bytes], text: bytes) -> None:
    """Write standard input. It is no error if the program closes it early."""
    with contextlib.suppress(OSError), to:
        to.write(text)


def _read(pipe: Any, is_output: bool, to: Blocks, closed: threading.Event) -> None:  # noqa: ANN401
    """Put the lines of a pipe on a queue, in blocks, and None at the end."""
    rest = b""
    with pipe:
        while not closed.is_set() and (data := pipe.read1(BLOCK)):
            lines, _, rest = (rest + data).rpartition(b"\n")
            if lines:
                to.put((is_output, lines))
    if rest and not closed.is_set():
        to.put((False, rest))  # a record without its end is no record
    to.put((is_output, None))


class _End:
    """What standard error has said, and what follows from it at the end."""

    def __init__(self, on_message: OnMessage | None) -> None:
        self.on_message = on_message
        self.kept: dict[str, list[Message]] = {"error": [], "warning": []}
        self.count = {"error": 0, "warning": 0}
        self.other = bytearray()

    def take(self, block: bytes) -> None:
        """Hand on the messages in whole lines."""
        for line in block.splitlines():
            message = _parse(line)
            if message is None:
                self.other += (line + b"\n")[: max(0, TAIL - len(self.other))]
                continue
            severity = message["severity"]
            self.count[severity] += 1
            if self.count[severity] <= KEPT:
                self.kept[severity].append(message)
            if self.on_message is not None:
                self.on_message(message)

    def check(self, status: int) -> None:
        """Raise what the end of the program means."""
        said = self.other.decode("utf-8", "replace").strip()
        errors, others = self.count["error"], self.count["warning"]
        if status == 2 and said.startswith("urlsift: "):  # the command line is wrong
            raise ValueError(said.removeprefix("urlsift: "))
        if status not in (0, 1, 2) or said or (status == 2 and not errors):
            raise ProgramError(f"urlsift ended with status {status}" + (f": {said}" if said else ""))
        if self.on_message is not None:
            return
        if others:
            warnings.warn(_several(self.kept["warning"][0], others), ScanWarning, stacklevel=3)
        if errors:
            raise ScanError(self.kept["error"], errors)


def _parse(line: bytes) -> Message | None:
    """Return the message in a line of standard error, if it is one."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    if isinstance(value, dict) and value.get("severity") in ("error", "warning") and "text" in value:
        return value  # type: ignore[return-value]
    return None
