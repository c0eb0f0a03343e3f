"""The flags of the program as keyword arguments.

A test compares the names with the flags that the program has.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, TypeAlias, TypedDict, get_args, get_type_hints

Words: TypeAlias = str | Sequence[str]
Path: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = Path | Sequence[Path]


class FindOptions(TypedDict, total=False):
    """What is found, and which of it is given."""

    as_: Words
    parts: Words
    source_name: str
    jobs: int
    grammar: Words
    base: str
    find: Words
    log_times: bool
    refused: bool | Literal["only"]
    scheme: Words
    host: Words
    domain: Words
    url: Words
    suspicious: bool | Words
    from_: Words
    message_id: Words
    newsgroup: Words
    since: str | date
    until: str | date
    max_count: int
    normalize: bool
    unwrap: bool
    unique: bool | Literal["run", "source", "message"]
    redact: bool
    strict: bool
    limit: Words | Mapping[str, int | str]


class ScanOptions(FindOptions, total=False):
    """Also which files are read."""

    hidden: bool
    follow_links: bool
    glob: Words
    ignore: bool
    files_from: Paths
    files0_from: Paths
    base_map: Paths
    shard: str
    range: str
    state: Path
    settle: str
    tail: bool


# Flags that are about how the program prints.
FORM = frozenset(
    (
        "byte_offset",
        "color",
        "column",
        "count",
        "csv_guard",
        "fields",
        "files_with_matches",
        "format",
        "help",
        "hyperlink",
        "line_number",
        "messages",
        "no_messages",
        "null",
        "output",
        "progress",
        "quiet",
        "readings",
        "stats",
        "version",
        "vimgrep",
        "warnings",
        "with_filename",
    )
)

# Of these flags only the last counts, so several words are joined. The others are repeated.
_JOINED = {"grammar": "+", "parts": ",", "suspicious": ","}


def flags(function: str, options: Mapping[str, object], known: type) -> list[str]:
    """Return the flags for options, which have the names of the TypedDict known, or raise TypeError."""
    hints = get_type_hints(known)
    words = []
    for name, value in options.items():
        if name in FORM:
            raise TypeError(f"{function}() has no option {name!r}: it is about how the program prints")
        if name not in hints:
            raise TypeError(f"{function}() has no option {name!r}; it has {', '.join(sorted(hints))}")
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            if bool not in (hints[name], *get_args(hints[name])):
                raise TypeError(f"{function}(): {name} needs a value, not True")
            words.append(flag)
        elif value is not None and value is not False:
            words += [f"{flag}={word}" for word in _words(name, value)]
    return words


def _words(name: str, value: object) -> list[str]:
    """Return the values of a flag, each of which the program gets as one."""
    if isinstance(value, str | os.PathLike):
        return [os.fspath(value)]
    if isinstance(value, date):  # or datetime
        return [value.isoformat()]
    if isinstance(value, Mapping):
        return [f"{key}={number}" for key, number in value.items()]
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        words = [os.fspath(word) for word in value]
        return [_JOINED[name].join(words)] if name in _JOINED and words else words
    if isinstance(value, int):
        return [str(value)]
    raise TypeError(f"{name}={value!r}: this type is not possible here")
