"""Finds URLs in text, mail, logs and archives, with the program urlsift.

>>> [record["url"] for record in urlsift.find("see <http://example.org/>, page 3")]
['http://example.org/']
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING

from ._options import FindOptions, ScanOptions, flags
from ._record import Inner, Message, Reading, Record
from ._run import OnMessage, ProgramError, ScanError, ScanWarning, describe, program, run

if TYPE_CHECKING:  # type checkers have this without the package, and nothing needs it when it runs
    from typing_extensions import Unpack

__all__ = [
    "FindOptions",
    "Inner",
    "Message",
    "ProgramError",
    "Reading",
    "Record",
    "ScanError",
    "ScanOptions",
    "ScanWarning",
    "describe",
    "find",
    "program",
    "scan",
]

_JSON = ("--format", "jsonl", "--messages", "json")


def find(text: str | bytes, /, *, on_message: OnMessage | None = None, **options: Unpack[FindOptions]) -> list[Record]:
    """Return the URLs in a text.

    Offsets are in bytes: of a str, in its UTF-8. Bytes may be whatever a file may be, such as
    a message, a page or an archive. Errors and options are those of scan.
    """
    words = flags("find", options, FindOptions)
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    return list(run([program(), *_JSON, *words], data, False, on_message))


def scan(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    /,
    *,
    on_message: OnMessage | None = None,
    **options: Unpack[ScanOptions],
) -> Generator[Record, None, None]:
    """Yield the URLs in files and directories, while the program reads them.

    The path "-" is standard input. The process is started by the first next(), and ends at the latest when the
    generator is closed.

    on_message is called for each error and each warning, in the thread of the caller. Without it, all records
    are given first; then warnings.warn says how many warnings there were (ScanWarning), and ScanError is raised if
    there were errors.

    An option is a flag of the program: max_count=3 is --max-count=3, hidden=True is --hidden, from_ and as_ are
    --from and --as; a list gives a flag several times; None and False are as if it was not given. TypeError is
    raised for an option that is not possible, and by the first next() ValueError for a value that the program
    rejects, and ProgramError if the program crashes.
    """
    words = flags("scan", options, ScanOptions)
    names = [os.fspath(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    inherit = "-" in (*names, options.get("files_from"), options.get("files0_from"))
    return run([program(), *_JSON, *words, "--", *names], None, inherit, on_message)
