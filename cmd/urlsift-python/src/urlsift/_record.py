"""The JSON objects that the program prints.

A test compares Record with ``urlsift schema``, which also says what each field is.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class Reading(TypedDict):
    """Another reading of a text, with its reason."""

    text: str
    reason: str


class Inner(TypedDict):
    """A reference inside another one, with what made the one around it."""

    url: str
    by: str


class _Always(TypedDict):
    url: str
    text: str
    grammars: list[str]
    valid: bool
    form: str
    prefix: bool
    source: str
    offset: int
    length: int
    line: int
    column: int
    exact: bool


_From = TypedDict("_From", {"from": str}, total=False)  # "from" cannot be a name in a class


class Record(_Always, _From, total=False):
    """A URL, and where it is. offset, length and column are in bytes, not in characters.

    A field that does not apply is absent; those of _Always are always there.
    """

    scheme: str
    host: str
    domain: str
    host_unicode: str
    target: str
    base: str
    base_from: str
    error: str
    breaks: int
    tail: str
    by: list[str]
    readings: list[Reading]
    inner: list[Inner]
    suspicious: list[str]
    member: str
    message: int
    message_id: str
    subject: str
    to: list[str]
    date: str
    date_text: str
    newsgroups: str
    warc_target: str
    warc_type: str
    part: str
    field: str


class _Said(TypedDict):
    severity: Literal["error", "warning"]
    text: str


class Message(_Said, total=False):
    """An error or a warning: where it is, as in a Record, and what it is.

    ``stage`` is what failed, such as open, read or gzip. Without ``source``, it is about the run.
    """

    source: str
    member: str
    message: int
    part: str
    offset: int
    line: int
    stage: str
