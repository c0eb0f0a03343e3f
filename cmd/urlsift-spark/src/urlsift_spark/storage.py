"""Lists and reads objects that are not files of this machine, through pyarrow or fsspec.

A path with a scheme, ``s3://bucket/key``, names an object. All other paths are files, also
``file:///path``. pyarrow reads s3, gs, hdfs and abfs, web.py reads http and https, and fsspec the
other schemes.
"""

from __future__ import annotations

import contextlib
import functools
import re
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow.fs as pafs

from . import failures, web

PIECE = 1 << 20  # bytes that are yielded at a time
REQUEST = 4 << 20  # bytes of a request to a server
ATTEMPTS = 4  # attempts to read an object from an offset on
PAUSE = 1  # seconds before the second attempt; the time doubles before each further one

Options = Mapping[str, Any]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")

# Names of schemes in Hadoop, with the names in pyarrow.
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


def canonical(path: str) -> str:
    """Return a path that is equal for all schemes of the same object, for example s3 and s3a."""
    scheme = scheme_of(path)
    if scheme is None:
        return path
    return _ALIASES.get(scheme, scheme) + path[len(scheme) :]


def path_like(pattern: str, name: str) -> str:
    """Return the path of an object that is called name in the file system of pattern."""
    scheme, _, rest = pattern.partition("://")
    authority = rest.split("/", 1)[0]
    kind = _ALIASES.get(scheme.lower(), scheme.lower())
    if kind == "hdfs":
        return f"{scheme}://{authority}{name}"
    if kind == "abfs" and "@" in authority:
        return f"{scheme}://{authority}{name[len(authority.split('@', 1)[0]) :]}"
    return f"{scheme}://{name}"


@dataclass(frozen=True)
class Unreadable(Exception):
    """An object, or the rest of it, cannot be read.

    stage is "open" or "read". offset is that of the first missing byte in the stored, perhaps
    compressed, object. text is the reason.
    """

    stage: str
    offset: int
    text: str


class ConnectError(Exception):
    """The file system of a scheme does not exist, or rejects the options."""


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
        # A file system of pyarrow serves all buckets, but one of HDFS serves one host.
        key = (scheme, authority if scheme in ("hdfs", "abfs") else "")
        if key not in self._systems:
            try:
                self._systems[key] = _connect(scheme, authority, self._options)
            except Exception as e:
                raise ConnectError(f"{scheme}: {e}") from e
        if scheme == "hdfs":
            rest = rest[len(authority) :]
        elif scheme == "abfs" and "@" in authority:  # container@account.dfs.core.windows.net
            rest = authority.split("@", 1)[0] + rest[len(authority) :]
        return self._systems[key], rest

    def pieces(self, path: str) -> Iterator[bytes]:
        """Yield the bytes of an object, PIECE at a time.

        A read that fails is tried again from its offset. Unreadable is raised where the object
        is missing or forbidden, and after ATTEMPTS at one offset.
        """
        offset = tries = 0
        while True:  # each iteration reads a piece, or is one of ATTEMPTS
            if tries:
                time.sleep(PAUSE * 2 ** (tries - 1))
            stage = "open"
            with contextlib.closing(self._from(path, offset)) as pieces:
                while True:  # a piece in each iteration
                    try:
                        piece = next(pieces, b"")
                    except (*failures.FATAL, ConnectError):
                        raise
                    except Exception as e:  # the libraries have no common type of errors
                        tries = 1 if stage == "read" else tries + 1
                        if tries == ATTEMPTS or failures.is_final(e):
                            raise Unreadable(stage if offset == 0 else "read", offset, failures.say(e)) from e
                        break
                    if not piece:
                        return
                    stage = "read"
                    yield piece
                    offset += len(piece)

    def _from(self, path: str, offset: int) -> Generator[bytes, None, None]:
        """Yield the bytes of an object from an offset on."""
        if scheme_of(path) in web.SCHEMES:
            yield from web.pieces(path, offset, PIECE)
            return
        system, name = self.system(path)
        if isinstance(system, pafs.PyFileSystem):
            # If pyarrow opens a file of fsspec itself, it reports every error as a missing file.
            with system.handler.fs.open(name, "rb") as stream:
                stream.seek(offset)
                yield from iter(functools.partial(stream.read, PIECE), b"")
            return
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
        raise ValueError("pyarrow does not know this scheme, and fsspec is not installed") from e
    return pafs.PyFileSystem(pafs.FSSpecHandler(fsspec.filesystem(scheme, **options)))


def _hdfs(authority: str, options: dict[str, Any]) -> pafs.FileSystem:
    """Return the HDFS of a name node; without a name node, that of Hadoop's configuration."""
    host, _, port = authority.partition(":")
    return pafs.HadoopFileSystem(host or "default", int(port or 0), **options)


def _azure(authority: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return options with the account that is part of the authority."""
    if "@" not in authority:
        return options
    return {"account_name": authority.split("@", 1)[1].split(".", 1)[0], **options}
