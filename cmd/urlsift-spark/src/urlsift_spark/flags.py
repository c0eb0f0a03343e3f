"""Checks which flags of urlsift can be used in a search of a cluster.

The program itself says which flags it has, and which of them take a value.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Collection, Mapping, Sequence

from .process import ProgramError

# Flags that each process gets. The tasks read the output that they select.
FORMAT = ("--format", "jsonl", "--messages", "json", "--stats=json", "--progress", "never")

# Flags that would change what the program prints, or what it reads.
REFUSED = frozenset(
    (
        "color",
        "count",
        "fields",
        "files-from",
        "files-with-matches",
        "files0-from",
        "follow-links",
        "format",
        "glob",
        "help",
        "hidden",
        "hyperlink",
        "ignore",
        "jobs",
        "messages",
        "no-messages",
        "null",
        "output",
        "progress",
        "quiet",
        "settle",
        "shard",
        "source-name",
        "state",
        "stats",
        "tail",
        "unique",
        "version",
    )
)

# A line of the fish completion: the letter, the name, and -x or -r if the flag takes a value.
_FLAG = re.compile(r"complete -c urlsift -n 'not [^']*'(?: -s (\S))? -l (\S+)( -[xr]\b)?")


class FlagsError(ProgramError):
    """The flags cannot be used. Another machine would reject them too."""


# The words that the program accepts as true, for a flag that needs no value.
_TRUE = frozenset(("1", "t", "T", "true", "TRUE", "True"))


def check(program: str, flags: Sequence[str], refused: Collection[str] = REFUSED) -> bool:
    """Raise ProgramError if a program is missing, or rejects the flags, or one of them is refused.

    Return whether the flags ask for warnings. The program is run without input. It must report that
    it has read nothing.
    """
    warnings = _walk(program, flags, refused)
    status, out, err = _run([program, *FORMAT, "--files0-from", "-", *flags])
    try:
        sources = json.loads(err[-1])["sources"]
    except (ValueError, IndexError, KeyError, TypeError):
        raise FlagsError("\n".join(err) or f"{program}: exit status {status}") from None
    if sources or out:
        raise FlagsError("the flags have a path among them: " + " ".join(flags))
    return warnings


# Flags that decide where a file may be divided, and those with which it is not.
_DIVIDING, _WHOLE = ("as", "find", "limit"), "max-count"


def dividing(program: str, flags: Sequence[str]) -> list[str] | None:
    """Return those of flags, which check has accepted, that urlsift ranges gets; None if no file may be divided."""
    letters, valued = _known(program)
    some: list[str] = []
    words = iter(flags)
    for word in words:
        name, has_value, _ = word[2:].partition("=")
        if not word.startswith("--"):
            name, has_value = _cluster(word, letters, valued, ())
        more = [next(words, "")] if valued[name] and not has_value else []
        if name == _WHOLE:
            return None
        if name in _DIVIDING:
            some += [word, *more]
    return some


def _walk(program: str, flags: Sequence[str], refused: Collection[str]) -> bool:
    """Raise FlagsError for a flag that cannot be used, and for a word that is not a flag.

    Return whether the flags ask for warnings: the last value of a flag counts. Old spellings, which
    the program takes and does not show, are unknown here.
    """
    letters, valued = _known(program)
    asks = {"warnings": False, "strict": False}
    words = iter(flags)
    for word in words:
        if not word.startswith("-") or word in ("-", "--"):
            raise FlagsError(f"the flags have a path among them: {word}")
        name, has_value, value = word[2:].partition("=")
        if not word.startswith("--"):
            name, has_value = _cluster(word, letters, valued, refused)
        if name in refused:
            raise FlagsError(f"--{name} cannot be used here")
        if name not in valued:
            raise FlagsError(f"urlsift: unknown flag {word if not word.startswith('--') else '--' + name}")
        if name in asks:
            asks[name] = not has_value or value in _TRUE
        if valued[name] and not has_value:
            next(words, None)
    return any(asks.values())


def _cluster(
    word: str, letters: Mapping[str, str], valued: Mapping[str, bool], refused: Collection[str]
) -> tuple[str, str]:
    """Return the name and the value of the flag that matters in joined letters, as in -nHm4.

    That is the first one that is unknown, forbidden, or takes a value; otherwise the last.
    """
    name = ""
    for at, letter in enumerate(word[1:], 2):
        name = letters.get(letter, "")
        if name in refused:
            raise FlagsError(f"-{letter} cannot be used here")
        if valued.get(name, True):
            return name, word[at:]
    return name, ""


def _known(program: str) -> tuple[dict[str, str], dict[str, bool]]:
    """Return the names of the flags that have letters, and whether a name takes a value."""
    _, out, err = _run([program, "completion", "fish"])
    letters: dict[str, str] = {}
    valued: dict[str, bool] = {}
    for line in out:
        if match := _FLAG.match(line):
            letter, name, value = match.groups()
            valued[name] = value is not None
            if letter:
                letters[letter] = name
    if not valued:
        raise FlagsError("\n".join(err) or f"{program} does not say which flags it has; is it urlsift?")
    return letters, valued


def _run(argv: Sequence[str]) -> tuple[int, list[str], list[str]]:
    """Run argv without input; return its status, and the lines of both outputs."""
    try:
        ended = subprocess.run(argv, input=b"", capture_output=True, check=False)
    except OSError as e:
        raise ProgramError(f"{argv[0]} cannot be run: {e.strerror}") from e
    if ended.returncode < 0:
        raise ProgramError(f"{argv[0]}: ended by {signal.Signals(-ended.returncode).name}")
    out, err = (text.decode("utf-8", "replace").splitlines() for text in (ended.stdout, ended.stderr))
    return ended.returncode, out, err
