"""Objects of a local server of S3 (moto), read by one process, without Spark."""

from __future__ import annotations

import gzip
import http.server
import io
import json
import os
import random
import shutil
import threading
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import fsspec
import pytest
from conftest import BUCKET, FIXTURES, Server, canonical, command

from urlsift_spark import plan, scan, storage
from urlsift_spark.plan import File
from urlsift_spark.storage import Storage, Unreadable


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "PAUSE", 0)


def read(urlsift: str, server: Server | None, some: list[File]) -> tuple[Counter[str], list[dict[str, Any]]]:
    """The records and the messages of a task."""
    records: Counter[str] = Counter()
    errors: list[dict[str, Any]] = []
    for batch in scan.Scan(program=urlsift, options=server.options if server else None).read(urlsift, some):
        for row in batch.to_pylist():
            about, kind, _ = row.pop("about"), row.pop("kind"), row.pop("totals")
            if kind == "record":
                row["date"] = row["date"] and row["date"].strftime("%Y-%m-%dT%H:%M:%SZ")
                records[canonical(row)] += 1
            elif kind == "message":
                errors.append({k: v for k, v in about.items() if v is not None})
    return records, errors


def test_same_as_files(s3: Server, urlsift: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small objects that are fetched, and large ones that are streamed, give the records of files."""
    root = tmp_path / f"s3:/{BUCKET}"
    shutil.copytree(FIXTURES / "compressed", root / "c")
    shutil.copytree(FIXTURES / "mailbox/made", root / "m/box")
    files = sorted(p for p in root.rglob("*") if p.is_file())
    names = [f"s3://{BUCKET}/{p.relative_to(root)}" for p in files]
    for path in files:
        s3.put(str(path.relative_to(root)), path.read_bytes())
    listed = sorted(plan.files([f"s3://{BUCKET}/c", f"s3a://{BUCKET}/m/"], Storage(s3.options)), key=lambda f: f.path)
    assert [f.path.replace("s3a:", "s3:") for f in listed] == sorted(names)
    assert {f.path.replace("s3a:", "s3:"): f.size for f in listed} == {
        name: p.stat().st_size for name, p in zip(names, files, strict=True)
    }
    want = command(urlsift, names, cwd=tmp_path)
    assert want.total() > 1000
    some = [File(f.path.replace("s3a:", "s3:"), f.size) for f in listed]
    assert read(urlsift, s3, some)[0] == want
    monkeypatch.setattr(scan, "SMALL", 0)
    monkeypatch.setattr(storage, "PIECE", 5000)
    assert read(urlsift, s3, some)[0] == want


def test_names_that_are_no_paths(s3: Server, urlsift: str) -> None:
    """An object whose name is also a directory, or too long for a file, is still read."""
    keys = ["n/a", "n/a/b", "n/" + "x" * 300, "n/ü b.txt"]
    names = []
    for i, key in enumerate(keys):
        s3.put(key, f"http://www.example.org/{i}\n".encode())
        names.append(f"s3://{BUCKET}/{key}")
    got, errors = read(urlsift, s3, [File(name, 25) for name in names])
    assert errors == []
    assert {(json.loads(r)["source"], json.loads(r)["url"]) for r in got} == {
        (name, f"http://www.example.org/{i}") for i, name in enumerate(names)
    }


def test_empty_step(s3: Server, urlsift: str) -> None:
    """pyarrow cannot read a name with an empty step; that is an error like any other."""
    for size in (25, 0):
        _, errors = read(urlsift, s3, [File(f"s3://{BUCKET}/n//b", size)])
        assert [(e["stage"], e["source"]) for e in errors] == [("open", f"s3://{BUCKET}/n//b")]


@pytest.mark.parametrize("size", [25, 0])
def test_missing(s3: Server, urlsift: str, size: int) -> None:
    """A missing object is an error like a missing file, and the others are complete."""
    s3.put("there", b"http://www.example.org/\n")
    some = [File(f"s3://{BUCKET}/{name}", size) for name in ("missing", "there")]
    got, errors = read(urlsift, s3, some)
    assert got.total() == 1
    assert errors == [
        {
            "severity": "error",
            "source": f"s3://{BUCKET}/missing",
            "offset": 0,
            "stage": "open",
            "text": "no such file or directory",
        }
    ]


def test_damaged(s3: Server, urlsift: str, tmp_path: Path) -> None:
    data = (FIXTURES / "damaged/cut.gz").read_bytes()
    s3.put("cut.gz", data)
    for size in (len(data), 0):
        got, errors = read(urlsift, s3, [File(f"s3://{BUCKET}/cut.gz", size)])
        assert got.total() == 125
        assert [(e["source"], e["stage"]) for e in errors] == [(f"s3://{BUCKET}/cut.gz", "gzip")]


class Flaky(Storage):
    """A server that fails at some offsets of its objects."""

    def __init__(self, data: bytes, failures: Mapping[int, list[Any]]) -> None:
        super().__init__()
        self.data, self.failures = data, failures

    def _from(self, path: str, offset: int) -> Generator[bytes, None, None]:
        stream = io.BytesIO(self.data)
        stream.seek(offset)
        while True:
            if self.failures.get(stream.tell()):
                raise self.failures[stream.tell()].pop()
            piece = stream.read(1000)
            if not piece:
                return
            yield piece


@pytest.mark.usefixtures("no_pauses")
def test_read_again() -> None:
    """A read that fails is continued where it failed."""
    data = random.Random(1).randbytes(5500)
    for failures in ({0: 3}, {2000: 2, 5000: 1}, {1000: 3, 2000: 3, 5500: 3}):
        flaky = Flaky(data, {at: [OSError("reset")] * n for at, n in failures.items()})
        assert b"".join(flaky.pieces("s3://a/b")) == data


@pytest.mark.parametrize(
    ("at", "error", "attempts", "stage", "text"),
    [
        (0, OSError("key 'k' in bucket 'b': AWS Error ACCESS_DENIED during HeadObject operation"), 1, "open", "ACCESS"),
        (2000, RuntimeError("no OSError"), storage.ATTEMPTS, "read", "no OSError"),
        (0, FileNotFoundError("x"), 1, "open", "no such file or directory"),
        (0, OSError("reset"), storage.ATTEMPTS, "open", "reset"),
        (3000, OSError("reset"), storage.ATTEMPTS, "read", "reset"),
        (3000, PermissionError("x"), 1, "read", "permission denied"),
    ],
)
@pytest.mark.usefixtures("no_pauses")
def test_unreadable(at: int, error: Exception, attempts: int, stage: str, text: str) -> None:
    flaky = Flaky(b"x" * 5000, {at: [error] * 9})
    got = bytearray()
    with pytest.raises(Unreadable) as raised:
        into(got, flaky.pieces("s3://a/b"))
    assert (raised.value.stage, raised.value.offset) == (stage, at)
    assert text in raised.value.text
    assert len(got) == at
    assert 9 - len(flaky.failures[at]) == attempts


def into(got: bytearray, pieces: Iterator[bytes]) -> None:
    """Append pieces to got as they come."""
    for piece in pieces:
        got += piece


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.usefixtures("no_pauses")
def test_fails_in_mid_read(urlsift: str, monkeypatch: pytest.MonkeyPatch, streamed: bool) -> None:
    """URLs in front of the failure are found; the failure is a row."""
    text = b"".join(b"http://www.example.org/%d\n" % i for i in range(1000))
    data = gzip.compress(text, mtime=0)
    flaky = Flaky(data, {2000: [OSError("reset")] * 9})
    monkeypatch.setattr(scan, "Storage", lambda options: flaky)
    got, errors = read(urlsift, None, [File("s3://a/b.gz", 0 if streamed else len(data))])
    assert 0 < got.total() < 1000
    assert ("read", 2000, "reset") in [(e["stage"], e["offset"], e["text"]) for e in errors]


def test_options_of_a_file_system() -> None:
    """An unknown scheme and unknown options are not errors of an object."""
    for path in ("nosuchscheme://a/b", "s3://a/b"):
        with pytest.raises(storage.ConnectError, match=path.split(":")[0]):
            list(Storage({"bogus": "x"}).pieces(path))


class Failing(fsspec.AbstractFileSystem):  # type: ignore[misc]
    """A file system whose errors are no OSErrors."""

    protocol = "failing"

    def info(self, path: str, **_: object) -> dict[str, Any]:
        raise RuntimeError("no answer")

    _open = info


@pytest.mark.parametrize("size", [25, 0])
@pytest.mark.usefixtures("no_pauses")
def test_errors_of_fsspec(urlsift: str, tmp_path: Path, size: int) -> None:
    """Errors of a library, of any class, are rows, and the rest is complete."""
    fsspec.register_implementation("failing", Failing, clobber=True)
    (tmp_path / "there").write_text("http://www.example.org/\n")
    assert list(plan.files(["failing://a/b"], Storage())) == [File("failing://a/b", 0)]
    got, errors = read(urlsift, None, [File("failing://a/b", size), File(str(tmp_path / "there"), 24)])
    assert got.total() == 1
    assert [(e["source"], e["stage"], e["text"]) for e in errors] == [("failing://a/b", "open", "no answer")]


class Closed(http.server.BaseHTTPRequestHandler):
    """An S3 server that denies every request."""

    def do_HEAD(self) -> None:
        self.send_response(403)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def test_forbidden(urlsift: str, tmp_path: Path) -> None:
    """An object that may not be read, and a directory that may not be listed, are rows."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Closed) as closed:
        threading.Thread(target=closed.serve_forever, daemon=True).start()
        where = f"127.0.0.1:{closed.server_port}"
        server = Server({"endpoint_override": where, "scheme": "http", "access_key": "a", "secret_key": "b"})
        (tmp_path / "there").write_text("http://www.example.org/\n")
        patterns = ["s3://b/404/k", "s3://b/d/*.gz", str(tmp_path)]
        listed = list(plan.files(patterns, Storage(server.options)))
        assert [(f.path, f.size) for f in listed] == [("s3://b/404/k", 0), ("s3://b/d", 0), (f"{tmp_path}/there", 24)]
        got, errors = read(urlsift, server, listed)
        closed.shutdown()
    assert got.total() == 1
    assert {(e["source"], e["stage"]) for e in errors} == {("s3://b/404/k", "open"), ("s3://b/d", "walk")}
    assert all("ACCESS_DENIED" in e["text"] for e in errors)


def test_nothing_stays(s3: Server, urlsift: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fetched objects are removed, even if the caller stops early."""
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    for i in range(50):
        s3.put(f"stay/{i}", b"http://www.example.org/%d\n" % i)
    some = [File(f"s3://{BUCKET}/stay/{i}", 25) for i in range(50)]
    rows = scan.Scan(program=urlsift, options=s3.options).read(urlsift, some)
    next(rows)
    rows.close()  # type: ignore[attr-defined]
    assert os.listdir(tmp_path) == []
    assert read(urlsift, s3, some)[0].total() == 50
    assert os.listdir(tmp_path) == []
