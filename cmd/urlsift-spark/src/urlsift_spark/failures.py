"""Whether another attempt can help after an error, and a message of one line for it.

The type of an error, its errno or a status decides, not its text. There are two exceptions: errors
of S3 in pyarrow, and errors of tasks in Spark, have only a text.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

# Errors of the program or the machine, not of an object. They fail the task.
FATAL = (MemoryError, ImportError, TypeError, AttributeError, NameError, AssertionError)

_TYPES = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, pa.ArrowInvalid)
_ERRNOS = {errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG}

# HTTP statuses from 400 to 499 are final, except these: time-out, too early, too many.
_TEMPORARY = {408, 425, 429}

# How pyarrow prints an error code of S3, and the codes that are final.
_S3 = re.compile(r"': AWS Error (\w+)(?: \(HTTP status (\d+)\))? during \w+ operation")
_S3_FINAL = {
    "ACCESS_DENIED",
    "INVALID_ACCESS_KEY_ID",
    "INVALID_OBJECT_STATE",
    "NO_SUCH_BUCKET",
    "NO_SUCH_KEY",
    "OBJECT_NOT_IN_ACTIVE_TIER",
    "RESOURCE_NOT_FOUND",
    "SIGNATURE_DOES_NOT_MATCH",
}


def is_final(e: Exception) -> bool:
    """Report whether another attempt to read an object would fail in the same way."""
    if (code := _status(e)) is not None:
        return 400 <= code < 500 and code not in _TEMPORARY
    if isinstance(e, _TYPES) or (isinstance(e, OSError) and e.errno in _ERRNOS):
        return True
    # Use the last match, because the name of the object in front of it may contain any text.
    answers = _S3.findall(str(e))
    if not answers:
        return False
    name, code = answers[-1][0], int(answers[-1][1] or 0)
    return name in _S3_FINAL or (400 <= code < 500 and code not in _TEMPORARY)


def say(e: Exception) -> str:
    """Return the message for an error of an object: the words of urlsift, if it has a message for it."""
    code = _status(e)
    if code in (404, 410) or (code is None and isinstance(e, FileNotFoundError)):
        return "no such file or directory"
    if isinstance(e, PermissionError):
        return "permission denied"
    said: BaseException = e
    if isinstance(e, FileNotFoundError):  # it wraps another error
        said = next(c for c in _causes(e) if _own_status(c) is not None)
    return (str(said) or type(said).__name__)[:500]


def _causes(e: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, its cause, and so on; 10 at most."""
    for _ in range(10):
        if e is None:
            return
        yield e
        e = e.__cause__


def _status(e: Exception) -> int | None:
    """Return the HTTP status of an error, or of the error that caused it."""
    return next((code for c in _causes(e) if (code := _own_status(c)) is not None), None)


def _own_status(e: BaseException) -> int | None:
    """Return the HTTP status of an error, from the attributes that common libraries use."""
    response: Any = getattr(e, "response", None)
    if isinstance(response, dict):  # botocore
        response = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    else:  # requests, httpx
        response = getattr(response, "status_code", None)
    # errors of aiohttp, azure, gcsfs and urllib have the status as their own attribute.
    for code in (response, *(getattr(e, name, None) for name in ("status", "status_code", "code"))):
        if isinstance(code, int) and 100 <= code < 600:
            return code
    return None


def reason(e: BaseException) -> str:
    """Return one line that says why a search or a job failed.

    Spark joins the Java and Python traces of all processes that are involved into one text.
    """
    lines = [line.strip() for line in str(e).splitlines() if line.strip()]
    for line in lines:  # the message of the program, on whatever machine it ran
        if match := re.search(r"\burlsift_spark\.[\w.]*Error: (.+)", line):
            return match[1]
    if ends := _ends_of_traces(str(e)):
        return ends[-1]
    if causes := [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]:
        return causes[-1]
    for line in lines:
        if line.startswith(": "):  # the line after "An error occurred while calling"
            return line[2:]
    return lines[0] if lines else type(e).__name__


def _ends_of_traces(text: str) -> list[str]:
    """Return the last line of each trace of Python in a text."""
    found = []
    inside = False
    for line in text.splitlines():
        if "Traceback (most recent call last):" in line:
            inside = True
        elif inside and line and not line[0].isspace():
            found.append(line)
            inside = False
    return found
