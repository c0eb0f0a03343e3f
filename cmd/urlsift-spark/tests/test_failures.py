"""Tests of the classification of errors."""

from __future__ import annotations

import errno
from typing import Any

import pyarrow as pa
import pytest

from urlsift_spark import failures


def having(**attributes: Any) -> Exception:  # noqa: ANN401
    """An error class of some library, which is not an OSError."""
    e = RuntimeError("said by a library")
    vars(e).update(attributes)
    return e


class Response:
    def __init__(self, status: int) -> None:
        self.status_code = status


def caused(e: Exception, cause: Exception) -> Exception:
    e.__cause__ = cause
    return e


S3 = "When reading information for key '{}' in bucket 'b': AWS Error {} during HeadObject operation: No response body."


@pytest.mark.parametrize(
    ("e", "final"),
    [
        (FileNotFoundError("x"), True),
        (PermissionError("x"), True),
        (pa.ArrowInvalid("empty step"), True),
        (OSError(errno.ENAMETOOLONG, "x"), True),
        (OSError(errno.ECONNRESET, "x"), False),
        (ConnectionResetError(), False),
        (TimeoutError(), False),
        (OSError("reset while reading 404 of NoSuchKey"), False),
        (OSError(S3.format("404/ACCESS_DENIED", "UNKNOWN (HTTP status 503)")), False),
        (OSError(S3.format("': AWS Error ACCESS_DENIED during X operation", "SLOW_DOWN")), False),
        (OSError(S3.format("k", "ACCESS_DENIED")), True),
        (OSError(S3.format("k", "NO_SUCH_BUCKET")), True),
        (OSError(S3.format("k", "UNKNOWN (HTTP status 400)")), True),
        (OSError(S3.format("k", "UNKNOWN (HTTP status 429)")), False),
        (OSError(S3.format("k", "NETWORK_CONNECTION")), False),
        (having(status=403), True),
        (having(status=503), False),
        (having(status=429), False),
        (having(code=404), True),
        (having(code="AccessDenied"), False),
        (having(response={"ResponseMetadata": {"HTTPStatusCode": 403}}), True),
        (having(response={"ResponseMetadata": {"HTTPStatusCode": 500}}), False),
        (having(response=Response(404)), True),
        (having(response=Response(502)), False),
        (having(), False),
        (caused(FileNotFoundError("x"), having(status=503)), False),
        (caused(FileNotFoundError("x"), having(status=404)), True),
    ],
    ids=str,
)
def test_final(e: Exception, final: bool) -> None:
    assert failures.is_final(e) == final


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (FileNotFoundError("x"), "no such file or directory"),
        (PermissionError("x"), "permission denied"),
        (OSError("reset"), "reset"),
        (TimeoutError(), "TimeoutError"),
        (caused(FileNotFoundError("x"), having(status=404)), "no such file or directory"),
        (caused(FileNotFoundError("x"), having(status=503)), "said by a library"),
        (OSError("x" * 9999), "x" * 500),
    ],
    ids=["missing", "forbidden", "other", "empty", "cause-404", "cause-503", "long"],
)
def test_say(e: Exception, text: str) -> None:
    assert failures.say(e) == text


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("", "RuntimeError"),
        ("one line", "one line"),
        ("urlsift: unknown flag\nsee urlsift --help", "urlsift: unknown flag"),
        (
            "An error occurred while calling o1.parquet.\n: org.apache.spark.SparkException: Job aborted\n\tat x",
            "org.apache.spark.SparkException: Job aborted",
        ),
        (
            "An error occurred while calling o1.parquet.\n: org.apache.spark.SparkException: Job aborted\n\tat x\n"
            "Caused by: java.io.IOException: No space left on device\n\tat y",
            "java.io.IOException: No space left on device",
        ),
        (
            ": org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n"
            '  File "worker.py", line 1, in main\nOSError: [Errno 28] No space left on device\n\n\tat java.base',
            "OSError: [Errno 28] No space left on device",
        ),
        (
            'Traceback (most recent call last):\n  File "x"\n'
            "urlsift_spark.process.ProgramError: urlsift: ended by SIGKILL\nCaused by: other",
            "urlsift: ended by SIGKILL",
        ),
    ],
)
def test_reason(text: str, want: str) -> None:
    assert failures.reason(RuntimeError(text)) == want
