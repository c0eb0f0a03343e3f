"""Lists directories and expands patterns, for files of this machine and for objects.

A Tree lists directories; its two classes are for files and for objects. Patterns are expanded by
functions of this module. Names are joined with a slash.

A directory that cannot be listed is an entry with the problem. It becomes an error of the search,
and the rest is read.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import has_magic
from typing import Protocol

import pyarrow.fs as pafs

from . import failures


@dataclass(frozen=True)
class Entry:
    """A file or a directory. size is in bytes, and 0 if it is not known.

    Where there is a problem, path is that of a directory that cannot be listed.
    """

    path: str
    size: int = 0
    is_directory: bool = False
    problem: str = ""


class Tree(Protocol):
    """Directories of some kind."""

    def entry(self, path: str) -> Entry | None:
        """Return the entry for a path, or None if it does not exist."""

    def listed(self, directory: str) -> Iterator[Entry]:
        """Yield the entries of a directory, sorted by name, with hidden names."""

    def below(self, directory: str, hidden: bool) -> Iterator[Entry]:
        """Yield the files of a directory and of all those below it, by name."""


class LocalTree:
    """The files of this machine.

    A symbolic link is followed if a path or a pattern names it. Below a directory, links are left
    out, as in urlsift, and so is everything that is neither a file nor a directory.
    """

    def entry(self, path: str) -> Entry | None:
        """Return the entry for a path; a broken link counts as a file."""
        try:
            found = os.stat(path)
        except OSError:
            return Entry(path) if os.path.lexists(path) else None
        return Entry(path, found.st_size, stat.S_ISDIR(found.st_mode))

    def listed(self, directory: str) -> Iterator[Entry]:
        """Yield what a directory has, by name."""
        try:
            names = sorted(os.listdir(directory or "/"))
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as e:
            yield Entry(directory, problem=_said(e))
            return
        for name in names:
            found = self.entry(f"{directory.rstrip('/')}/{name}")
            if found and (found.is_directory or _is_regular(found.path)):
                yield found

    def below(self, directory: str, hidden: bool) -> Iterator[Entry]:
        """Yield the files of a directory and of all those below it, by name."""
        failed: list[OSError] = []
        for at, directories, names in os.walk(directory or "/", onerror=failed.append):
            yield from (Entry(e.filename, problem=_said(e)) for e in failed)
            failed.clear()
            directories[:] = sorted(d for d in directories if hidden or not d.startswith("."))
            for name in sorted(names):
                path = os.path.join(at, name)
                if (hidden or not name.startswith(".")) and not os.path.islink(path) and os.path.isfile(path):
                    yield self.entry(path) or Entry(path)
        yield from (Entry(e.filename, problem=_said(e)) for e in failed)


def _is_regular(path: str) -> bool:
    """Report whether a path is a regular file, or does not exist, which the task reports as an error."""
    return os.path.isfile(path) or not os.path.exists(path)


def _said(e: OSError) -> str:
    """Return the text of an error as the program prints it: without a capital letter."""
    return (e.strerror or str(e)).lower()


class ObjectTree:
    """The objects of a file system of pyarrow."""

    def __init__(self, system: pafs.FileSystem) -> None:
        self._system = system

    def entry(self, path: str) -> Entry | None:
        """Return the entry for a path. An object without permission has an unknown size."""
        try:
            info = self._system.get_file_info(path.rstrip("/"))
        except failures.FATAL:
            raise
        except Exception:
            return Entry(path)  # the task that reads it reports the error
        return None if info.type == pafs.FileType.NotFound else _of(info)

    def listed(self, directory: str) -> Iterator[Entry]:
        """Yield what a directory has, by name."""
        yield from self._select(directory, recursive=False)

    def below(self, directory: str, hidden: bool) -> Iterator[Entry]:
        """Yield the files of a directory and of all those below it, by name."""
        for entry in self._select(directory, recursive=True):
            if entry.problem or (not entry.is_directory and (hidden or not is_hidden(entry.path[len(directory) :]))):
                yield entry

    def _select(self, directory: str, recursive: bool) -> list[Entry]:
        """Return the entries of a directory, sorted by name; none if the directory does not exist."""
        selector = pafs.FileSelector(directory, allow_not_found=True, recursive=recursive)
        try:
            infos = self._system.get_file_info(selector)
        except failures.FATAL:
            raise
        except Exception as e:
            return [Entry(directory, problem=failures.say(e))]
        return sorted(map(_of, infos), key=lambda entry: entry.path)


def _of(info: pafs.FileInfo) -> Entry:
    return Entry(info.path, info.size or 0, not info.is_file)


def files(tree: Tree, pattern: str, hidden: bool) -> Iterator[Entry]:
    """Yield the files that a path or a pattern names, and the directories that cannot be listed.

    A pattern that matches nothing is yielded itself: the task that reads it reports the error.
    """
    named = tree.entry(pattern)
    if named is not None and (named.is_directory or named.size or not has_magic(pattern)):
        matched = iter([named])  # this includes a name that looks like a pattern
    else:
        matched = _expand(tree, "", pattern.split("/"), hidden)
    nothing = True
    for entry in matched:
        nothing = False
        if entry.is_directory:
            yield from tree.below(entry.path, hidden)
        else:
            yield entry
    if nothing:
        yield Entry(pattern)


def _expand(tree: Tree, base: str, steps: Sequence[str], hidden: bool) -> Iterator[Entry]:
    """Yield the entries that steps match below base. Only directories that can match are listed."""
    fixed = next((i for i, step in enumerate(steps) if has_magic(step)), len(steps))
    base = "/".join([*([base] if base else []), *steps[:fixed]])
    if fixed == len(steps):
        if (found := tree.entry(base)) is not None:
            yield found
        return
    step, rest = steps[fixed], steps[fixed + 1 :]
    if step == "**":
        # Files below a matching directory are found too.
        match = re.compile(f"(?:.*/)?{_regex('/'.join(rest))}(?:/.*)?" if rest else ".*", re.DOTALL)
        for entry in tree.below(base, hidden):
            if entry.problem or match.fullmatch(entry.path[len(base) :].lstrip("/")):
                yield entry
        return
    match = re.compile(_regex(step), re.DOTALL)
    for entry in tree.listed(base):
        name = entry.path.rsplit("/", 1)[-1]
        if entry.problem:
            yield entry
        elif match.fullmatch(name) and (hidden or step.startswith(".") or not is_hidden(name)):
            if not rest:
                yield entry
            elif entry.is_directory:
                yield from _expand(tree, entry.path, rest, hidden)


def _regex(pattern: str) -> str:
    """Return a regular expression for a pattern; only ** matches a slash."""
    special = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[!?[^]/]+\])", pattern)
    made = []
    for at, part in enumerate(parts):
        if at % 2 == 0:
            made.append(re.escape(part))
        elif part in special:
            made.append(special[part])
        else:  # [abc], [a-c] or [!abc]
            negated = part[1] == "!" and len(part) > 3
            inner = re.sub(r"([\\^\[&~|])", r"\\\1", part[2 if negated else 1 : -1])
            made.append(f"[{'^/' if negated else ''}{inner}]")
    return "".join(made)


def is_hidden(path: str) -> bool:
    """Report whether a name in path begins with a dot."""
    return any(step.startswith(".") for step in path.split("/"))
