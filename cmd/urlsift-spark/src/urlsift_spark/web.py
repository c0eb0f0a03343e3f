"""Objects of web servers, read with the standard library: http and https.

There are no patterns and no directories: ? and * are characters of a URL.
"""

from __future__ import annotations

import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.client import HTTPResponse

SCHEMES = ("http", "https")
TIMEOUT = 60  # seconds without a byte


def size(url: str) -> int:
    """Return the length of an object in bytes, or 0 if the server does not send it."""
    try:
        with _open(url, "HEAD", 0) as response:
            return int(response.headers.get("Content-Length", 0))
    except Exception:  # the task that reads it reports the error
        return 0


def pieces(url: str, offset: int, length: int) -> Iterator[bytes]:
    """Yield the bytes of an object from an offset on, length at a time."""
    with _open(url, "GET", offset) as response:
        _skip(response, _missing(response, offset), length)
        while piece := response.read(length):
            yield piece
        if response.length:
            raise ConnectionError(f"the connection was closed {response.length} bytes before the end")


def _open(url: str, method: str, offset: int) -> HTTPResponse:
    """Ask for an object from an offset on; redirections are followed."""
    headers = {"User-Agent": "urlsift-spark", "Accept-Encoding": "identity"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
    quoted = urllib.parse.quote(url, safe="%/:=&?~#+!$,;'@()*[]")
    request = urllib.request.Request(quoted, headers=headers, method=method)
    response: HTTPResponse = urllib.request.urlopen(request, timeout=TIMEOUT)
    return response


def _missing(response: HTTPResponse, offset: int) -> int:
    """Return how many bytes of a response are in front of an offset: not all servers know ranges."""
    if response.status != 206:
        return offset
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if match is None or int(match[1]) > offset:
        raise ConnectionError("the server did not send the range that was asked for")
    return offset - int(match[1])


def _skip(response: HTTPResponse, count: int, length: int) -> None:
    """Read count bytes and discard them, at most length at a time."""
    while count:
        piece = response.read(min(count, length))
        if not piece:
            raise ConnectionError("the object is shorter than it was")
        count -= len(piece)
