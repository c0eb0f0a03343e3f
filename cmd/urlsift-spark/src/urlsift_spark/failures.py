"""What an error means: whether another attempt helps, and a line that says it.

Nothing here reads the text of an error where its type, its errno or a status says the same.
There are two exceptions: pyarrow has only a text for errors of S3, and Spark has only a text
for errors of its tasks.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

# Errors of the code, or of the machine, and not of an object: they fail the task.
FATAL = (MemoryError, ImportError, TypeError, AttributeError, NameError, AssertionError)

_TYPES = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, pa.ArrowInvalid)
_ERRNOS = {errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG}

# Statuses of HTTP from 400 to 499 are final, but for these: time-out, too early, too many.
_TEMPORARY = {408, 425, 429}

# How pyarrow says what S3 answered, and the answers that are final.
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
    # The last match: in front of it is the name of the object, which may have any text.
    answers = _S3.findall(str(e))
    if not answers:
        return False
    name, code = answers[-1][0], int(answers[-1][1] or 0)
    return name in _S3_FINAL or (400 <= code < 500 and code not in _TEMPORARY)


def say(e: Exception) -> str:
    """Return the message of an error of an object. Where the program has one, it is that one."""
    code = _status(e)
    if code in (404, 410) or (code is None and isinstance(e, FileNotFoundError)):
        return "no such file or directory"
    if isinstance(e, PermissionError):
        return "permission denied"
    said: BaseException = e
    if isinstance(e, FileNotFoundError):  # it stands for another error
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
    """Return the status of HTTP that an error has, or the error that caused it."""
    return next((code for c in _causes(e) if (code := _own_status(c)) is not None), None)


def _own_status(e: BaseException) -> int | None:
    """Return the status of HTTP that an error has, by the attributes of the common libraries."""
    response: Any = getattr(e, "response", None)
    if isinstance(response, dict):  # botocore
        response = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    else:  # requests, httpx
        response = getattr(response, "status_code", None)
    # aiohttp, azure, gcsfs and urllib have it themselves.
    for code in (response, *(getattr(e, name, None) for name in ("status", "status_code", "code"))):
        if isinstance(code, int) and 100 <= code < 600:
            return code
    return None


def reason(e: BaseException) -> str:
    """Return one line that says why a search or a job failed.

    Spark puts the traces of Java and of Python, of all processes in question, into one text.
    """
    lines = [line.strip() for line in str(e).splitlines() if line.strip()]
    for line in lines:  # what the program said, wherever it ran
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
