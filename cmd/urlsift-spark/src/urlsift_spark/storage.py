"""Objects that are not files of this machine: listed and read through pyarrow or fsspec.

A path with a scheme, ``s3://bucket/key``, names an object. All others are files, also
``file:///path``. pyarrow knows s3, gs, hdfs and abfs; the other schemes are asked of fsspec.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.fs as pafs

PIECE = 1 << 20  # bytes that are handed on at a time
REQUEST = 4 << 20  # bytes that are asked of a server at a time
ATTEMPTS = 4  # to read an object
PAUSE = 1  # seconds before the second attempt, and twice as many before each other one

Options = Mapping[str, Any]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")

# What Hadoop calls these, and what pyarrow calls them.
_ALIASES = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfss": "abfs", "viewfs": "hdfs"}


def scheme_of(path: str) -> str | None:
    """Return the scheme of an object, in lower case, or None if path names a file."""
    match = _SCHEME.match(path)
    if match is None or match[1].lower() == "file":
        return None
    return match[1].lower()


def file_path(path: str) -> str:
    """Return the path of a file that may be given as file:///path."""
    return re.sub(r"^file:(//[^/]*)?(?=/)", "", path, flags=re.IGNORECASE)


@dataclass(frozen=True)
class Unreadable(Exception):
    """An object, or the rest of it, cannot be read.

    stage is "open" or "read"; offset is that of the first byte that is missing, in the stored
    object; text says why.
    """

    stage: str
    offset: int
    text: str


class Storage:
    """The objects of all schemes, with the options of their file systems."""

    def __init__(self, options: Options | None = None) -> None:
        self._options = dict(options or {})
        self._systems: dict[tuple[str, str], pafs.FileSystem] = {}

    def system(self, path: str) -> tuple[pafs.FileSystem, str]:
        """Return the file system of an object, and the name of the object there."""
        scheme = scheme_of(path)
        assert scheme is not None
        scheme = _ALIASES.get(scheme, scheme)
        rest = path.split("://", 1)[1]
        authority = rest.split("/", 1)[0]
        # A file system of pyarrow serves all buckets; one of HDFS has a host.
        key = (scheme, authority if scheme in ("hdfs", "abfs") else "")
        if key not in self._systems:
            self._systems[key] = _connect(scheme, authority, self._options)
        if scheme == "hdfs":
            rest = rest[len(authority) :]
        elif scheme == "abfs" and "@" in authority:  # container@account.dfs.core.windows.net
            rest = authority.split("@", 1)[0] + rest[len(authority) :]
        return self._systems[key], rest

    def pieces(self, path: str) -> Iterator[bytes]:
        """Yield the bytes of an object, PIECE at a time.

        A read that fails is tried again from its offset. Unreadable is raised where the object
        is missing or forbidden, and after ATTEMPTS.
        """
        offset = 0
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(PAUSE * 2 ** (attempt - 1))
            stage = "open"
            try:
                for piece in self._from(path, offset):
                    stage, attempt_offset = "read", offset + len(piece)
                    yield piece
                    offset = attempt_offset
                return
            except (OSError, pa.ArrowInvalid) as e:  # the latter: pyarrow takes no name with an empty step
                if attempt == ATTEMPTS - 1 or _final(e):
                    raise Unreadable(stage if offset == 0 else "read", offset, _say(e)) from e

    def _from(self, path: str, offset: int) -> Iterator[bytes]:
        """Yield the bytes of an object from an offset on."""
        system, name = self.system(path)
        if offset == 0:
            with system.open_input_stream(name, compression=None, buffer_size=REQUEST) as stream:
                yield from iter(functools.partial(stream.read, PIECE), b"")
            return
        with system.open_input_file(name) as stream:
            stream.seek(offset)
            yield from iter(functools.partial(stream.read, PIECE), b"")


def _connect(scheme: str, authority: str, options: dict[str, Any]) -> pafs.FileSystem:
    """Return the file system of a scheme."""
    makers: dict[str, Callable[[], pafs.FileSystem]] = {
        "s3": lambda: pafs.S3FileSystem(**options),
        "gs": lambda: pafs.GcsFileSystem(**options),
        "hdfs": lambda: _hdfs(authority, options),
        "abfs": lambda: pafs.AzureFileSystem(**_azure(authority, options)),
    }
    if scheme in makers:
        return makers[scheme]()
    try:
        import fsspec
    except ImportError as e:
        raise ValueError(f"{scheme}: pyarrow does not know this scheme, and fsspec is not installed") from e
    return pafs.PyFileSystem(pafs.FSSpecHandler(fsspec.filesystem(scheme, **options)))


def _hdfs(authority: str, options: dict[str, Any]) -> pafs.FileSystem:
    """Return HDFS of a name node; without one, of the configuration of Hadoop."""
    host, _, port = authority.partition(":")
    return pafs.HadoopFileSystem(host or "default", int(port or 0), **options)


def _azure(authority: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return options with the account that is part of the authority."""
    if "@" not in authority:
        return options
    return {"account_name": authority.split("@", 1)[1].split(".", 1)[0], **options}


# What servers say where it is of no use to ask again.
_FINAL = re.compile(
    r"ACCESS_DENIED|AccessDenied|NOT_FOUND|Forbidden|\b403\b|NO_SUCH_|NoSuch|\b404\b|InvalidObjectState", re.IGNORECASE
)


def _final(e: Exception) -> bool:
    """Report whether another attempt would fail in the same way."""
    final = isinstance(e, (pa.ArrowInvalid, FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError))
    return final or _FINAL.search(str(e)) is not None


def _say(e: Exception) -> str:
    """Return the message of an error. For a missing object it is that of the program."""
    if isinstance(e, FileNotFoundError):
        return "no such file or directory"
    if isinstance(e, PermissionError):
        return "permission denied"
    return (str(e) or type(e).__name__)[:500]
