"""find, and the types of what it returns."""

from __future__ import annotations

import gzip
import json
import subprocess
import typing
from pathlib import Path

import pytest

import urlsift


def test_text() -> None:
    (record,) = urlsift.find("see <http://example.org/a>, and more")
    assert record["url"] == record["text"] == "http://example.org/a"
    assert (record["offset"], record["length"], record["form"], record["source"]) == (5, 20, "angle", "-")
    assert record["host"] == "example.org"


def test_nothing() -> None:
    assert urlsift.find("no URL") == urlsift.find("") == urlsift.find(b"") == []


def test_offsets_are_bytes() -> None:
    text = "größer: http://a.example/é und \u2028 \U0001f600 http://b.example/"
    data = text.encode()
    records = urlsift.find(text)
    assert [r["text"] for r in records] == ["http://a.example/é", "http://b.example/"]
    for r in records:
        assert data[r["offset"] : r["offset"] + r["length"]].decode() == r["text"]
    assert records == urlsift.find(data)


def test_line_separators_in_fields() -> None:
    """A record is a line of JSON, whatever characters its fields have."""
    text = "From: a@b.example\nSubject: =?utf-8?q?a=E2=80=A8b=C2=85c=0Cd?=\nMIME-Version: 1.0\n\nhttp://a.example/\n"
    (record,) = urlsift.find(text, as_="message")
    assert record["subject"].startswith("a\u2028b\x85c")


def test_bytes() -> None:
    assert urlsift.find(b"\xff\x00 caf\xe9 http://a.example/x \xff")[0]["offset"] == 8
    data = gzip.compress(b"http://a.example/\n" * 3)
    assert [r["line"] for r in urlsift.find(data)] == [1, 2, 3]
    escaped = b"caf\xe9 http://a.example/".decode("utf-8", "surrogateescape")
    assert urlsift.find(escaped)[0]["offset"] == 5


def test_large() -> None:
    """Input and output are larger than any pipe."""
    records = urlsift.find("text and http://a.example/ again\n" * 60_000)
    assert len(records) == 60_000
    assert records[-1]["line"] == 60_000


def test_input_not_read_to_its_end() -> None:
    records = urlsift.find("http://a.example/ and words\n" * 200_000, max_count=2)
    assert len(records) == 2


def test_damage() -> None:
    data = gzip.compress(b"".join(b"http://%d.example/ text\n" % (i * i) for i in range(20_000)))[:-20_000]
    with pytest.raises(urlsift.ScanError, match=r"^-, line \d+: gzip: unexpected EOF$") as caught:
        urlsift.find(data)
    assert caught.value.count == len(caught.value.messages) == 1
    messages: list[urlsift.Message] = []
    assert len(urlsift.find(data, on_message=messages.append)) > 1000
    assert messages == caught.value.messages


def test_record_is_the_schema() -> None:
    """Record has the fields of the program, with their types."""
    schema = json.loads(subprocess.run([urlsift.program(), "schema"], capture_output=True, check=True).stdout)
    plain = {"string": str, "integer": int, "boolean": bool}
    nested = {"readings": list[urlsift.Reading], "inner": list[urlsift.Inner]}
    want = {
        name: nested.get(name) or (list[str] if p["type"] == "array" else plain[p["type"]])
        for name, p in schema["properties"].items()
    }
    assert typing.get_type_hints(urlsift.Record) == want
    assert set(schema["required"]) == urlsift.Record.__required_keys__
    for name, kind in (("readings", urlsift.Reading), ("inner", urlsift.Inner)):
        item = schema["properties"][name]["items"]
        assert set(item["properties"]) == set(item["required"]) == kind.__required_keys__


def test_typed() -> None:
    assert Path(str(urlsift.__file__)).with_name("py.typed").exists()
