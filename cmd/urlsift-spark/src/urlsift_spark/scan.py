"""What a task does: it runs urlsift over its files and yields rows.

Files of the machine are read by the program itself. Small objects are fetched into a
directory first, under their own names, so that one process reads all of them; large ones
are streamed into standard input, with --source-name. Either way the record has the name of
the object, and the offsets are those of the command.
"""

from __future__ import annotations

import collections
import errno
import os
import shutil
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO

import pyarrow as pa
from pyspark import SparkFiles

from . import process, rows
from .plan import File
from .storage import Options, Storage, Unreadable, scheme_of

SMALL = 4 << 20  # bytes of an object that is fetched, and not streamed
FETCHES = 8  # objects that are fetched at a time
FORMAT = ("--format", "jsonl", "--messages", "json", "--stats=json", "--progress", "never")


@dataclass(frozen=True)
class Scan:
    """How files are read: the same for all tasks. Spark sends it to the executors.

    program is the name of a file that Spark distributes, or an absolute path of each
    executor. flags are those of urlsift. warnings says whether warnings are rows too.
    """

    program: str
    flags: tuple[str, ...] = ()
    options: Options | None = None
    jobs: int = 1
    warnings: bool = False

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of tasks. A row of batches is a task: a list of paths and of sizes."""
        program = _executable(self.program)
        for batch in batches:
            for row in batch.to_pylist():
                some = [File(os.fsdecode(path), size) for path, size in zip(row["paths"], row["sizes"], strict=True)]
                yield from self.read(program, some)

    def read(self, program: str, some: Sequence[File]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of some files."""
        storage = Storage(self.options)
        local = [f for f in some if scheme_of(f.path) is None]
        if local:
            yield from self._run(program, ["--files0-from", "-"], lambda to: _write_paths(to, local))
        small = [f for f in some if scheme_of(f.path) is not None and 0 < f.size <= SMALL]
        large = [f for f in some if scheme_of(f.path) is not None and not 0 < f.size <= SMALL]
        if small:
            large += yield from self._fetched(program, small, storage)
        for file in large:
            yield from self._streamed(program, file, storage)

    def _run(
        self, program: str, more: Sequence[str], feed: process.Feed, cwd: str | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one process."""
        argv = [program, *self.flags, *FORMAT, "--jobs", str(self.jobs), *more]
        for output in process.run(argv, feed, cwd):
            match output:
                case process.Lines(text):
                    yield from rows.records(text)
                case process.Messages(objects):
                    wanted = [m for m in objects if self.warnings or m["severity"] == "error"]
                    if wanted:
                        yield rows.messages(wanted)
                case process.Stats(stats):
                    yield rows.totals(stats)

    def _streamed(self, program: str, file: File, storage: Storage) -> Iterator[pa.RecordBatch]:
        """Yield the rows of an object, which is never as a whole in memory or on disk."""
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

        yield from self._run(program, ["--source-name", file.path], feed)
        for failure in unread:
            yield _unread(file, failure)

    def _fetched(
        self, program: str, some: Sequence[File], storage: Storage
    ) -> Generator[pa.RecordBatch, None, list[File]]:
        """Yield the rows of small objects; return those whose names cannot be paths."""
        left: list[File] = []
        unread: list[tuple[File, Unreadable]] = []
        directory = tempfile.mkdtemp(prefix="urlsift-", dir=_scratch())

        def feed(to: IO[bytes]) -> None:
            with ThreadPoolExecutor(FETCHES) as pool:
                for file, fetched in _in_order(pool, some, directory, storage):
                    try:
                        if fetched.result():
                            process.write(to, os.fsencode(file.path) + b"\0")
                        else:
                            left.append(file)
                    except Unreadable as e:
                        unread.append((file, e))

        try:
            yield from self._run(program, ["--files0-from", "-"], feed, cwd=directory)
            for file, e in unread:
                yield _unread(file, e)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
        return left


def _executable(name: str) -> str:
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
    """Return a row for an object that cannot be read, as the program reports a file."""
    return rows.messages(
        [{"severity": "error", "source": file.path, "offset": e.offset, "stage": e.stage, "text": e.text}]
    )


def _in_order(
    pool: ThreadPoolExecutor, some: Sequence[File], directory: str, storage: Storage
) -> Iterator[tuple[File, Future[bool]]]:
    """Yield files in their order, each when it was fetched. A few are fetched ahead."""
    ahead: collections.deque[tuple[File, Future[bool]]] = collections.deque()
    for file in some:
        ahead.append((file, pool.submit(_fetch, file, directory, storage)))
        if len(ahead) == 4 * FETCHES:
            yield ahead.popleft()
    yield from ahead


def _fetch(file: File, directory: str, storage: Storage) -> bool:
    """Copy an object to the file below directory that has its name, scheme included.

    Return whether that worked: not every name is a path, and a name may be the directory of
    another.
    """
    if any(step in ("", ".", "..") for step in file.path.split("://", 1)[1].split("/")):
        return False
    pieces = storage.pieces(file.path)
    first = next(pieces, b"")  # an object that cannot be read is reported before a file is made
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
