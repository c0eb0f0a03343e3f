"""scan: records, messages, and the end of the process."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import FIXTURES, until

import urlsift
from urlsift import _run

INPUTS = [FIXTURES / "mail", FIXTURES / "mailbox", FIXTURES / "logs", FIXTURES / "compressed"]


def many(path: Path, lines: int) -> Path:
    """Write a file with a URL in each line."""
    path.write_text("".join(f"line {i} http://host{i % 100}.example.org/{i}\n" for i in range(lines)))
    return path


def test_equals_the_command() -> None:
    argv = [urlsift.program(), "--format", "jsonl", "--messages", "json", *map(str, INPUTS)]
    want = subprocess.run(argv, capture_output=True, check=False)
    messages: list[urlsift.Message] = []
    got = list(urlsift.scan(INPUTS, on_message=messages.append))
    assert got == [json.loads(line) for line in want.stdout.split(b"\n")[:-1]]
    assert messages == [json.loads(line) for line in want.stderr.splitlines()]
    assert len(got) > 1000
    assert {m["severity"] for m in messages} == {"error", "warning"}
    assert any("from" in r for r in got)


def test_one_path() -> None:
    path = FIXTURES / "compressed"
    assert list(urlsift.scan(path)) == list(urlsift.scan(str(path))) == list(urlsift.scan(iter([path])))


def test_no_path() -> None:
    """Without a path the command reads standard input; here nothing is read."""
    assert list(urlsift.scan([])) == []


def test_standard_input(tmp_path: Path) -> None:
    many(tmp_path / "a", 3)
    for program, text in (
        ("list(urlsift.scan('-'))", b"http://a.example/ http://b.example/ http://c.example/"),
        ("list(urlsift.scan([], files_from='-'))", str(tmp_path / "a").encode()),
    ):
        argv = [sys.executable, "-c", f"import urlsift\nprint(len({program}))"]
        assert subprocess.run(argv, input=text, capture_output=True, check=True).stdout.split() == [b"3"]


def test_paths_that_look_like_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["-x", "--format=text", "--", "count", "two\nlines", "$(id) *"]
    if os.name == "posix":
        names.append(os.fsdecode(b"\xff"))
    for name in names:
        Path(name).write_text("http://a.example/\n")
    assert [r["source"] for r in urlsift.scan(names)][:6] == names[:6]
    assert len(list(urlsift.scan(names))) == len(names)


def test_missing_file(tmp_path: Path) -> None:
    paths = [tmp_path / "none", many(tmp_path / "some", 2)]
    records: list[urlsift.Record] = []
    with pytest.raises(urlsift.ScanError, match=r"none: open: no such file or directory \(and 1 more\)$") as caught:
        records.extend(urlsift.scan([*paths, tmp_path / "neither"]))
    assert len(records) == 2
    assert caught.value.count == 2
    assert caught.value.messages[0]["source"] == str(paths[0])
    assert caught.value.messages[0]["severity"] == "error"
    messages: list[urlsift.Message] = []
    assert list(urlsift.scan(paths, on_message=messages.append)) == records
    assert messages == caught.value.messages[:1]


def test_damaged_file() -> None:
    messages: list[urlsift.Message] = []
    assert list(urlsift.scan(FIXTURES / "damaged/cut.gz", on_message=messages.append))
    (message,) = messages
    assert (message["severity"], message["stage"], message["text"]) == ("error", "gzip", "unexpected EOF")
    assert message["offset"] > 0


def test_many_errors(tmp_path: Path) -> None:
    with pytest.raises(urlsift.ScanError) as caught:
        list(urlsift.scan(tmp_path / str(i) for i in range(500)))
    assert (caught.value.count, len(caught.value.messages)) == (500, 100)


def test_warning(tmp_path: Path) -> None:
    for i in range(3):
        (tmp_path / f"{i}.pdf").write_bytes(b"%PDF-1.4\n%\xff\xff\n")
    with pytest.warns(urlsift.ScanWarning, match=r"PDF documents are skipped \(and 2 more\)$") as caught:
        assert list(urlsift.scan(tmp_path)) == []
    assert [w.filename for w in caught] == [__file__]
    with pytest.warns(urlsift.ScanWarning, match="no scheme of this name is registered"):
        assert urlsift.find("http://a.example/", scheme="htp") == []
    messages: list[urlsift.Message] = []
    urlsift.find("http://a.example/", scheme="htp", on_message=messages.append)
    assert [m["severity"] for m in messages] == ["warning"]
    with pytest.raises(urlsift.ScanError, match="no scheme of this name"):
        urlsift.find("http://a.example/", scheme="htp", strict=True)


def test_error_of_the_caller(started: list[subprocess.Popen[bytes]]) -> None:
    """What on_message raises comes to the caller, and the process ends."""
    with pytest.raises(ZeroDivisionError):
        list(urlsift.scan(FIXTURES / "damaged", on_message=lambda message: 1 / 0))
    assert started[0].returncode is not None


def test_closed_early(tmp_path: Path, started: list[subprocess.Popen[bytes]]) -> None:
    path = many(tmp_path / "many", 200_000)
    threads = threading.active_count()
    records = urlsift.scan(path)
    assert not started  # until the first record is asked for
    next(records)
    assert started[0].poll() is None
    records.close()
    assert started[0].returncode is not None
    for record in urlsift.scan(path):
        assert record["line"] == 1
        break
    gc.collect()
    assert started[1].returncode is not None
    until(lambda: threading.active_count() == threads)


def test_exit_of_python(tmp_path: Path) -> None:
    """An iterator that is still open neither keeps Python from ending nor outlives it."""
    for options, lines in (("", 200_000), (", tail=True", 1)):
        path = many(tmp_path / "many", lines)
        program = (
            "import subprocess, urlsift\n"
            "start = subprocess.Popen.__init__\n"
            "def watch(self, *a, **k):\n    start(self, *a, **k)\n    print(self.pid)\n"
            f"subprocess.Popen.__init__ = watch\nrecords = urlsift.scan({str(path)!r}{options})\nnext(records)\n"
        )
        begin = time.monotonic()
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=True)
        assert time.monotonic() - begin < 20
        assert ended.stderr == b""
        if sys.platform == "linux":
            gone(int(ended.stdout))


def gone(pid: int) -> None:
    """Wait until a process that was killed has ended."""
    until(lambda: not running(pid))


def running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_tail(tmp_path: Path) -> None:
    """Records come as the file grows, and not only when a block is full."""
    path = many(tmp_path / "log", 1)
    records = urlsift.scan(path, tail=True)
    assert next(records)["line"] == 1
    for line in (2, 3):
        with path.open("a") as to:
            to.write("http://new.example/\n")
        assert next(records)["line"] == line
    records.close()


def test_state(tmp_path: Path) -> None:
    path, state = many(tmp_path / "log", 3), tmp_path / "state"
    assert len(list(urlsift.scan(path, state=state, settle="0s"))) == 3
    with path.open("a") as to:
        to.write("http://new.example/\n")
    assert [r["url"] for r in urlsift.scan(path, state=state, settle="0s")] == ["http://new.example/"]


@pytest.mark.skipif(sys.platform == "win32", reason="it has no resource")
def test_memory_is_bounded(tmp_path: Path) -> None:
    """The program is faster than Python, and has to wait: 120 MB of JSON take 16 MB at most."""
    path = many(tmp_path / "many", 300_000)
    program = (
        "import resource, sys, time, urlsift\n"
        "def peak():\n    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "urlsift.find('http://a.example/')\nbefore = peak()\n"
        f"records = urlsift.scan({str(path)!r})\nnext(records)\ntime.sleep(2)\n"
        "print(1 + sum(1 for _ in records), peak() - before)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    count, grown = map(int, ended.stdout.split())
    assert count == 300_000
    assert grown < (16 << 10) * (1 if sys.platform == "linux" else 1024)


def test_all_pipes_full(tmp_path: Path) -> None:
    """There is no deadlock, however much goes through each of the three pipes, in any order."""
    program = (
        "import sys\n"
        "for i in range(40):\n"
        '    sys.stderr.write(\'{"severity":"warning","text":"%s"}\\n\' % (\'w\' * 100000)); sys.stderr.flush()\n'
        "    sys.stdout.write('{\"n\":\"%s\"}\\n' % ('o' * 200000)); sys.stdout.flush()\n"
        "print('{\"n\":%d}' % len(sys.stdin.buffer.read()))\n"
    )
    messages: list[urlsift.Message] = []
    records = list(_run.run([sys.executable, "-c", program], b"i" * (20 << 20), False, messages.append))
    assert (len(records), len(messages), dict(records[-1])) == (41, 40, {"n": 20 << 20})


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("import os, signal; os.kill(os.getpid(), 9)", "status -9"),
        ("raise SystemExit(3)", "status 3"),
        ("import sys; sys.stderr.write('panic: index out of range\\n'); sys.exit(2)", "panic: index out of range"),
        ("raise SystemExit(2)", "status 2"),
        ("print('{\"url\":', end='')", "status 0: {"),
        ("import sys; sys.stderr.write('[1]\\n1\\n\"severitytext\"\\n')", r"status 0: \[1\]"),
    ],
)
def test_crash(program: str, why: str) -> None:
    with pytest.raises(urlsift.ProgramError, match=why):
        list(_run.run([sys.executable, "-c", program], b"text", False, None))


def test_program_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.files", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FileNotFoundError, match="not installed with this package"):
        _run.program.__wrapped__()


def test_program_is_the_installed_one() -> None:
    """It is the command of this environment, and not one that PATH happens to have."""
    assert Path(urlsift.program()).resolve().parent == Path(sys.executable).absolute().parent.resolve()
