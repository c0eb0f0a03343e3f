"""What is read, and in which tasks.

Files are listed by the driver. A large file is a task of its own; small ones are bundled, up
to a number of bytes and of files. The driver keeps the path and the size of each file.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from glob import glob, has_magic

import pyarrow.fs as pafs

from .storage import Storage, file_path, scheme_of

TASK_BYTES = 128 << 20  # of the stored files of a task, unless one of them has more
TASK_FILES = 4000
LEAST_BYTES = 4 << 20  # tasks are not made smaller than this to occupy more cores
LEAST_FILES = 100
PER_CORE = 4  # tasks for each core, where there is enough for them: the last ones end together


@dataclass(frozen=True)
class File:
    """A file or an object; size is in bytes, and 0 if it is not known."""

    path: str
    size: int


def files(patterns: Iterable[str], storage: Storage, hidden: bool = False) -> Iterator[File]:
    """Yield the files that patterns name, each once.

    A pattern is a path, a directory (all files below it), or a path with * ? [ ] and **. What
    does not exist, or matches nothing, is yielded as it is given: the task that reads it
    reports the error. Paths of files are made absolute. Names that begin with a dot are left
    out below directories, unless hidden is set; so are symbolic links of a file system.
    """
    seen: set[str] = set()
    for pattern in patterns:
        find = _local(pattern, hidden) if scheme_of(pattern) is None else _remote(pattern, storage, hidden)
        for file in find:
            if file.path not in seen:
                seen.add(file.path)
                yield file


def tasks(some: Iterable[File], cores: int, task_bytes: int = TASK_BYTES) -> list[list[File]]:
    """Divide files into tasks: the largest first, the files of a task in their order."""
    every = list(some)
    remote = [scheme_of(f.path) is not None for f in every]
    most_bytes = min(task_bytes, max(LEAST_BYTES, sum(f.size for f in every) // (PER_CORE * cores)))
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
    return done


def _local(pattern: str, hidden: bool) -> Iterator[File]:
    """Yield the files of this machine that a pattern names."""
    path = os.path.abspath(file_path(pattern))
    found = [path]
    if has_magic(path) and not os.path.lexists(path):
        found = sorted(glob(path, recursive=True)) or [path]
    for name in found:
        if not os.path.isdir(name):
            yield File(name, _size(name))
        elif len(found) == 1 or os.path.basename(path) != "**":  # ** has matched what is below, too
            yield from _below(name, hidden)


def _below(directory: str, hidden: bool) -> Iterator[File]:
    """Yield the regular files below a directory, in the order of their names."""
    for at, directories, names in os.walk(directory):
        directories[:] = sorted(d for d in directories if hidden or not d.startswith("."))
        for name in sorted(names):
            path = os.path.join(at, name)
            if (hidden or not name.startswith(".")) and not os.path.islink(path) and os.path.isfile(path):
                yield File(path, _size(path))


def _size(path: str) -> int:
    """Return the size of a file in bytes, or 0 if it cannot be asked."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _remote(pattern: str, storage: Storage, hidden: bool) -> Iterator[File]:
    """Yield the objects that a pattern names."""
    system, name = storage.system(pattern)
    prefix = pattern[: len(pattern) - len(name)]
    if scheme_of(pattern) == "abfs":
        prefix = pattern.split("://", 1)[0] + "://"
    found = False
    for info in _expand(system, name):
        below = [info] if info.is_file else _listed(system, info.path, recursive=True)
        for item in below:
            if item.is_file and (hidden or item is info or not _is_hidden(item.path[len(info.path) :])):
                found = True
                yield File(prefix + item.path, item.size or 0)
    if not found:
        yield File(pattern, 0)


def _expand(system: pafs.FileSystem, pattern: str) -> Iterator[pafs.FileInfo]:
    """Yield what a pattern matches: directories are listed only as far as it needs."""
    info = system.get_file_info(pattern.rstrip("/"))
    if info.type != pafs.FileType.NotFound:
        yield info
        return
    steps = pattern.split("/")
    fixed = next((i for i, step in enumerate(steps) if has_magic(step)), len(steps))
    base = "/".join(steps[:fixed])
    if fixed == len(steps):
        return
    step, rest = steps[fixed], steps[fixed + 1 :]
    if step == "**":
        match = re.compile("/".join(["(?:.*/)?" + _regex("/".join(rest))] if rest else [".*"]))
        for info in _listed(system, base, recursive=True):
            name = info.path[len(base) :].lstrip("/")
            if info.is_file and not _is_hidden(name) and match.fullmatch(name):
                yield info
        return
    for info in _listed(system, base, recursive=False):
        if not fnmatch.fnmatchcase(info.base_name, step) or (_is_hidden(info.base_name) and not step.startswith(".")):
            continue
        if not rest:
            yield info
        elif not info.is_file:
            yield from _expand(system, "/".join([_literal(info.path), *rest]))


def _listed(system: pafs.FileSystem, directory: str, recursive: bool) -> list[pafs.FileInfo]:
    """Return what a directory has, in the order of names; nothing if there is none."""
    selector = pafs.FileSelector(directory, allow_not_found=True, recursive=recursive)
    listed: list[pafs.FileInfo] = sorted(system.get_file_info(selector), key=lambda info: info.path)
    return listed


def _regex(pattern: str) -> str:
    """Return a regular expression for the end of a pattern; * does not match a slash."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[[^]/]+\])", pattern)
    special = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(
        special.get(p, "[" + p[1:-1].replace("!", "^", 1) + "]" if p[:1] == "[" else re.escape(p)) for p in parts
    )


def _literal(path: str) -> str:
    """Return a pattern that matches path alone."""
    return re.sub(r"([*?[])", r"[\1]", path)


def _is_hidden(path: str) -> bool:
    """Report whether a name in path begins with a dot."""
    return any(step.startswith(".") for step in path.split("/"))
