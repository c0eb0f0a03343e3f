"""Decides which files are read, and in which tasks.

Files are listed by the driver. A large file is a separate task, or each of its parts is (divide.py). Small files are
bundled, up to a number of bytes and of files. The driver keeps the path and the size of each file.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from . import listing, web
from .storage import Storage, canonical, file_path, path_like, scheme_of

TASK_BYTES = 128 << 20  # stored bytes of all files of a task, unless a single file has more
TASK_FILES = 4000
LEAST_BYTES = 4 << 20  # tasks are not made smaller than this to occupy more cores
LEAST_FILES = 100
RATE = 100e6  # stored bytes of a gzip file that a task reads in a second (SCALE.md), for the estimate of report
PER_CORE = 4  # tasks for each core, if there are enough files, so that all cores end at about the same time


@dataclass(frozen=True)
class File:
    """A file or an object, or a part of a file; size is in bytes, and 0 if it is not known.

    Where there is a problem, path is that of a directory that cannot be listed. part is the value of --range
    for a part. why says why a large file cannot be divided.
    """

    path: str
    size: int
    problem: str = ""
    part: str = ""
    why: str = ""


def files(patterns: Iterable[str], storage: Storage, hidden: bool = False) -> Iterator[File]:
    """Yield the files that patterns name, each once.

    A pattern is a path, a directory (all files below it), or a path with * ? [ ] and **. A path
    that does not exist, or a pattern that matches nothing, is yielded unchanged: the task that
    reads it reports the error. Paths of files are made absolute. Names that begin with a dot are
    left out below directories, unless hidden is set or a pattern has the dot; so are symbolic links
    below directories.
    """
    seen: set[str] = set()
    for pattern in patterns:
        for file in _found(pattern, storage, hidden):
            one = canonical(file.path)
            if one not in seen:
                seen.add(one)
                yield file


def most_of(some: Iterable[File], cores: int, task_bytes: int = TASK_BYTES) -> int:
    """Return how many bytes a task has at most, unless a single file has more."""
    return min(task_bytes, max(LEAST_BYTES, sum(f.size for f in some) // (PER_CORE * cores)))


def tasks(some: Iterable[File], cores: int, task_bytes: int = TASK_BYTES) -> list[list[File]]:
    """Divide files into tasks: first the parts of files, then the largest; the files of a task in their order."""
    every = list(some)
    parts = [[f] for f in every if f.part]
    every = [f for f in every if not f.part]
    remote = [scheme_of(f.path) is not None for f in every]
    most_bytes = most_of([*every, *(f for task in parts for f in task)], cores, task_bytes)
    most_files = min(TASK_FILES, max(LEAST_FILES, len(every) // (PER_CORE * cores)))
    done: list[list[File]] = []
    for kind in (False, True):
        bundle: list[File] = []
        size = 0
        for file, is_remote in zip(every, remote, strict=True):
            if is_remote != kind:
                continue
            if bundle and (size + file.size > most_bytes or len(bundle) == most_files):
                done.append(bundle)
                bundle, size = [], 0
            bundle.append(file)
            size += file.size
        if bundle:
            done.append(bundle)
    done.sort(key=lambda bundle: -sum(f.size for f in bundle))
    return parts + done


def steps(tasks: Sequence[list[File]], size: int) -> Iterator[list[list[File]]]:
    """Yield steps of about size tasks. The parts of a file are in one step: only whole files are done."""
    step: list[list[File]] = []
    for task in tasks:
        same = step and task[0].part and step[-1][0].path == task[0].path
        if len(step) >= size and not same:
            yield step
            step = []
        step.append(task)
    if step:
        yield step


def report(tasks: Sequence[Sequence[File]], task_bytes: int, step: int) -> Iterator[str]:
    """Yield lines that say what will be done, and what cannot be divided and may take longest."""
    every = [f for task in tasks for f in task]
    number = sum(1 for _ in steps([list(task) for task in tasks], step))
    size = sum(f.size for f in every)
    parts = [f.path for f in every if f.part]
    count = len(every) - len(parts) + len(set(parts))
    yield f"{_plural(count, 'file')} of {size} bytes, in {_plural(len(tasks), 'task')} and {_plural(number, 'step')}"
    if parts:
        yield f"{_plural(len(set(parts)), 'file')} of these: divided into {_plural(len(parts), 'part')}"
    whole = sorted((f for f in every if f.size > task_bytes and not f.part), key=lambda f: -f.size)
    if whole:
        most = _plural(math.ceil(whole[0].size / RATE / 60), "minute")
        yield (
            f"{_plural(len(whole), 'file')} of more than {task_bytes} bytes cannot be divided: each is read by one "
            f"process, the largest in about {most} ({whole[0].size} bytes, {whole[0].path}"
            + (f": {whole[0].why})" if whole[0].why else ")")
        )


def _plural(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _found(pattern: str, storage: Storage, hidden: bool) -> Iterator[File]:
    """Yield the files or objects that a pattern names."""
    scheme = scheme_of(pattern)
    if scheme is None:
        for entry in listing.files(listing.LocalTree(), os.path.abspath(file_path(pattern)), hidden):
            yield File(entry.path, entry.size, entry.problem)
    elif scheme in web.SCHEMES:  # web servers list nothing, and ? is part of a URL
        yield File(pattern, web.size(pattern))
    else:
        system, name = storage.system(pattern)
        for entry in listing.files(listing.ObjectTree(system), name, hidden):
            yield File(path_like(pattern, entry.path), entry.size, entry.problem)
