"""The work of a task: it runs urlsift on its files and yields rows.

The program itself reads files of the machine. Small objects are fetched into a directory first,
under their own names, so that one process reads all of them; large ones are streamed into standard
input, with --source-name. In both ways the record has the name of the object, and offsets are the
same as those of the command. If an object cannot be read, or not to its end, the offset in the
error is that of the first missing stored byte.
"""

from __future__ import annotations

import collections
import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa
from pyspark import SparkFiles

from . import process, rows
from .flags import FORMAT
from .plan import File
from .storage import Options, Storage, Unreadable, scheme_of

SMALL = 4 << 20  # largest object, in bytes, that is fetched and not streamed
FETCHES = 8  # objects that are fetched at the same time


@dataclass(frozen=True)
class Scan:
    """How files are read. It is the same for all tasks, and Spark sends it to the executors.

    program is the name of a file that Spark distributes, or an absolute path of each
    executor. flags are those of urlsift. warnings says whether warnings are rows too.
    """

    program: str
    flags: tuple[str, ...] = ()
    options: Options | None = None
    jobs: int = 1
    warnings: bool = False

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of tasks. A row of batches has lists of tasks, each a list of paths, sizes and problems."""
        program = executable(self.program)
        for batch in batches:
            for row in batch.to_pylist():
                for task in zip(row["paths"], row["sizes"], row["problems"], row["parts"], strict=True):
                    some = zip(*task, strict=True)
                    yield from self.read(program, [File(os.fsdecode(path), *more) for path, *more in some])

    def read(self, program: str, some: Sequence[File]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of some files."""
        storage = Storage(self.options)
        problems = [f for f in some if f.problem]
        if problems:
            yield rows.messages([_message(f, 0, "walk", f.problem) for f in problems])
        for file in (f for f in some if f.part):  # the path is absolute, so it is no flag
            yield from self._run(program, ["--range", file.part, file.path], lambda to: None)
        local = [f for f in some if not f.problem and not f.part and scheme_of(f.path) is None]
        if local:
            yield from self._run(program, ["--files0-from", "-"], lambda to: _write_paths(to, local))
        objects = [f for f in some if not f.problem and scheme_of(f.path) is not None]
        small = [f for f in objects if 0 < f.size <= SMALL]
        large = [f for f in objects if not 0 < f.size <= SMALL]
        if small:
            large += yield from self._fetched(program, small, storage)
        for file in large:
            yield from self._streamed(program, file, storage)

    def _run(
        self,
        program: str,
        more: Sequence[str],
        feed: process.Feed,
        cwd: str | None = None,
        inputs: Callable[[], int] | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one process. inputs returns, at the end, how many it had to read."""
        # The flags of the user come last. If the last one lacks its value, it must not use the next
        # flag as its value.
        argv = [program, *FORMAT, "--jobs", str(self.jobs), *more, *self.flags]
        for output in process.run(argv, feed, cwd):
            match output:
                case process.Lines(text):
                    yield from rows.records(text)
                case process.Messages(objects):
                    wanted = [m for m in objects if self.warnings or m["severity"] == "error"]
                    if wanted:
                        yield rows.messages(wanted)
                case process.Stats(stats):
                    if inputs is not None and stats["sources"] != inputs():
                        why = f"read {stats['sources']} inputs instead of {inputs()}: is a path among the flags?"
                        raise process.ProgramError(f"{program}: {why}")
                    yield rows.totals(stats)

    def _streamed(self, program: str, file: File, storage: Storage) -> Iterator[pa.RecordBatch]:
        """Yield the rows of an object, without storing the whole object in memory or on disk."""
        unread: list[Unreadable] = []
        pieces = storage.pieces(file.path)
        try:
            first = next(pieces, b"")
        except Unreadable as e:
            yield _unread(file, e)
            return

        def feed(to: IO[bytes]) -> None:
            try:
                process.write(to, first)
                for piece in pieces:
                    process.write(to, piece)
            except Unreadable as e:
                unread.append(e)

        yield from self._run(program, ["--source-name", file.path, "-"], feed, inputs=lambda: 1)
        for failure in unread:
            yield _unread(file, failure)

    def _fetched(
        self, program: str, some: Sequence[File], storage: Storage
    ) -> Generator[pa.RecordBatch, None, list[File]]:
        """Yield the rows of small objects; return those whose names cannot be paths."""
        left: list[File] = []
        unread: list[tuple[File, Unreadable]] = []
        fetched = 0
        directory = tempfile.mkdtemp(prefix="urlsift-", dir=_scratch())

        def feed(to: IO[bytes]) -> None:
            nonlocal fetched
            with ThreadPoolExecutor(FETCHES) as pool:
                for file, done in _in_order(pool, some, directory, storage):
                    try:
                        there = done.result()
                    except Unreadable as e:
                        unread.append((file, e))
                        if not e.offset:
                            continue
                        there = True  # the bytes in front of the offset were fetched
                    if there:
                        process.write(to, os.fsencode(file.path) + b"\0")
                        fetched += 1
                    else:
                        left.append(file)

        try:
            yield from self._run(program, ["--files0-from", "-"], feed, cwd=directory, inputs=lambda: fetched)
            for file, e in unread:
                yield _unread(file, e)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
        return left


def executable(name: str) -> str:
    """Return the path of the program on this executor."""
    if os.path.isabs(name):
        return name
    path = SparkFiles.get(name)
    if os.path.isfile(path) and not os.access(path, os.X_OK):
        os.chmod(path, 0o755)
    return path


def _write_paths(to: IO[bytes], some: Iterable[File]) -> None:
    """Write a list for --files0-from."""
    for file in some:
        process.write(to, os.fsencode(file.path) + b"\0")


def _unread(file: File, e: Unreadable) -> pa.RecordBatch:
    """Return a row for an object that cannot be read, like the program's message for a file.

    Its offset is in bytes of the object as it is stored, unlike that of the program.
    """
    return rows.messages([_message(file, e.offset, e.stage, e.text)])


def _message(file: File, offset: int, stage: str, text: str) -> dict[str, Any]:
    """Return an object in the form of --messages json."""
    return {"severity": "error", "source": file.path, "offset": offset, "stage": stage, "text": text}


def _in_order(
    pool: ThreadPoolExecutor, some: Sequence[File], directory: str, storage: Storage
) -> Iterator[tuple[File, Future[bool]]]:
    """Yield files in order, each after it was fetched. A few are fetched ahead."""
    ahead: collections.deque[tuple[File, Future[bool]]] = collections.deque()
    for file in some:
        ahead.append((file, pool.submit(_fetch, file, directory, storage)))
        if len(ahead) == 4 * FETCHES:
            yield ahead.popleft()
    yield from ahead


def _fetch(file: File, directory: str, storage: Storage) -> bool:
    """Copy an object to the file below directory that has its name, scheme included.

    Return whether that worked: not every name is a path, and a name may be the directory of
    another. If the object cannot be read to its end, the file has the part that was read.
    """
    if any(step in ("", ".", "..") for step in file.path.split("://", 1)[1].split("/")):
        return False
    pieces = storage.pieces(file.path)
    first = next(pieces, b"")  # report an unreadable object before a file is made for it
    path = os.path.join(directory, file.path)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as f:
            f.write(first)
            for piece in pieces:
                f.write(piece)
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        return False
    except OSError as e:
        if e.errno in (errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ):
            return False
        raise
    return True


def _scratch() -> str | None:
    """Return a directory of this executor for temporary files, or None for that of the system."""
    for name in ("LOCAL_DIRS", "SPARK_LOCAL_DIRS"):
        for path in os.environ.get(name, "").split(","):
            if path and os.access(path, os.W_OK):
                return path
    return None
