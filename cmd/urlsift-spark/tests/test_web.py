"""Objects of a web server on loopback, without Spark."""

from __future__ import annotations

import gzip
import http.server
import re
import threading
from collections.abc import Iterator

import pytest
from test_storage import read

from urlsift_spark import plan, storage
from urlsift_spark.plan import File
from urlsift_spark.storage import Storage

TEXT = b"".join(b"see http://www.example.org/%d %s\n" % (i, b"x " * 800) for i in range(2000))
OBJECTS = {"/a.gz?v=1&n=*": gzip.compress(TEXT, 0, mtime=0), "/b%20c": b"http://www.example.net/\n", "/empty": b""}


class Server(http.server.ThreadingHTTPServer):
    """A server that has OBJECTS. It may know ranges, and may close connections early."""

    ranges = True
    closes = 0  # how many responses end after half of their body
    statuses: dict[str, int]
    requests: list[str]


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_HEAD(self) -> None:
        self._answer(None)

    def do_GET(self) -> None:
        found = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        self.server.requests.append(f"{self.path} {self.headers.get('Range', '')}".strip())
        self._answer(int(found[1]) if found and self.server.ranges else 0)

    def _answer(self, at: int | None) -> None:
        status = self.server.statuses.get(self.path, 206 if at else 200)
        data = OBJECTS.get(self.path)
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/b%20c")
            self.end_headers()
            return
        if data is None or status > 299:
            self.send_error(404 if data is None else status)
            return
        self.send_response(status)
        if at:
            self.send_header("Content-Range", f"bytes {at}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - (at or 0)))
        self.end_headers()
        if at is not None:
            end = len(data)
            if self.server.closes:
                self.server.closes -= 1
                end = (at + end) // 2
            self.wfile.write(data[at:end])

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(storage, "PAUSE", 0)
    found = Server(("127.0.0.1", 0), Handler)
    found.statuses, found.requests = {}, []
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def base(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def test_listed(server: Server) -> None:
    """A URL is an object, also with the characters of a pattern; its length is known."""
    names = [f"{base(server)}{path}" for path in [*OBJECTS, "/moved", "/missing"]]
    got = list(plan.files([*names, names[0]], Storage()))
    assert got == [File(name, len(data)) for name, data in zip(names, [*OBJECTS.values(), b" " * 24, b""], strict=True)]


@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize("closes", [0, 3])
def test_read(server: Server, urlsift: str, ranges: bool, closes: int) -> None:
    """Everything is read, with redirections, and after connections that end early."""
    server.ranges, server.closes = ranges, closes
    big = f"{base(server)}/a.gz?v=1&n=*"
    for size in (0, len(OBJECTS["/a.gz?v=1&n=*"])):
        got, errors = read(urlsift, None, [File(big, size)])
        assert errors == []
        assert got.total() == 2000
        assert all(f'"source": "{big}"' in record for record in got)
    got, errors = read(urlsift, None, [File(f"{base(server)}{path}", 24) for path in ("/b c", "/moved", "/empty")])
    assert errors == []
    assert got.total() == 2
    assert (f"/a.gz?v=1&n=* bytes={len(OBJECTS['/a.gz?v=1&n=*']) // 2}-" in server.requests) == bool(closes)


@pytest.mark.parametrize(("status", "attempts"), [(403, 1), (404, 1), (503, storage.ATTEMPTS), (429, storage.ATTEMPTS)])
@pytest.mark.parametrize("size", [0, 24])
def test_refused(server: Server, urlsift: str, status: int, attempts: int, size: int) -> None:
    """A request that a server denies is an error, and the rest is complete."""
    server.statuses["/b%20c"] = status
    name = f"{base(server)}/b%20c"
    assert list(plan.files([name], Storage())) == [File(name, 0)]
    got, errors = read(urlsift, None, [File(name, size), File(f"{base(server)}/a.gz?v=1&n=*", 0)])
    assert got.total() == 2000
    assert [(e["source"], e["stage"], e["offset"]) for e in errors] == [(name, "open", 0)]
    assert ("no such file" if status == 404 else str(status)) in errors[0]["text"]
    assert server.requests.count("/b%20c") == attempts


def test_no_server(server: Server, urlsift: str) -> None:
    name = f"{base(server)}/x"
    server.shutdown()
    server.server_close()
    assert list(plan.files([name], Storage())) == [File(name, 0)]
    _, errors = read(urlsift, None, [File(name, 0)])
    assert [e["stage"] for e in errors] == ["open"]
    assert "refused" in errors[0]["text"]
