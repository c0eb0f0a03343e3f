"""Tests which files are read, and in which tasks."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.fs as pafs
import pytest

from urlsift_spark import plan
from urlsift_spark.plan import File
from urlsift_spark.storage import Storage, file_path, path_like, scheme_of

TREE = ["a.gz", "b.txt", "d/c.gz", "d/e/f.gz", "d/.hidden", ".git/x", "d2/g[1].gz"]


class Below(Storage):
    """A file system whose objects are files below a directory: s3://bucket/key is the file bucket/key."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root

    def system(self, path: str) -> tuple[pafs.FileSystem, str]:
        return pafs.SubTreeFileSystem(str(self.root), pafs.LocalFileSystem()), path.split("://", 1)[1]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in TREE:
        path = tmp_path / "bucket" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "want"),
    [
        ("", ["a.gz", "b.txt", "d/c.gz", "d/e/f.gz", "d2/g[1].gz"]),
        ("*", ["a.gz", "b.txt", "d/c.gz", "d/e/f.gz", "d2/g[1].gz"]),
        ("*.gz", ["a.gz"]),
        ("*/*.gz", ["d/c.gz", "d2/g[1].gz"]),
        ("**/*.gz", ["a.gz", "d/c.gz", "d/e/f.gz", "d2/g[1].gz"]),
        ("d/**", ["d/c.gz", "d/e/f.gz"]),
        ("d", ["d/c.gz", "d/e/f.gz"]),
        ("d[2]**", ["d2/g[1].gz"]),
        ("d/", ["d/c.gz", "d/e/f.gz"]),
        ("?", ["d/c.gz", "d/e/f.gz"]),
        ("**", ["a.gz", "b.txt", "d/c.gz", "d/e/f.gz", "d2/g[1].gz"]),
        ("**/e", ["d/e/f.gz"]),
        ("**/[!c].gz", ["a.gz", "d/e/f.gz"]),
        ("*/**/*.gz", ["d/c.gz", "d/e/f.gz", "d2/g[1].gz"]),
        ("d2/g[[]*", ["d2/g[1].gz"]),
        (".git/*", [".git/x"]),
        ("d/.*", ["d/.hidden"]),
        ("d/[a-c].gz", ["d/c.gz"]),
        ("d/.hidden", ["d/.hidden"]),
        ("d2/g[1].gz", ["d2/g[1].gz"]),
        ("none", ["none"]),
        ("*.none", ["*.none"]),
    ],
)
def test_patterns(tree: Path, pattern: str, want: list[str]) -> None:
    """Patterns match files and objects in the same way; one that matches nothing is kept for its error."""
    got = [f.path for f in plan.files([f"s3://bucket/{pattern}"], Below(tree))]
    assert sorted(got) == [f"s3://bucket/{name}" for name in want]
    got = [f.path for f in plan.files([f"{tree}/bucket/{pattern}"], Storage())]
    assert sorted(got) == [f"{tree}/bucket/{name}" for name in want]


@pytest.mark.parametrize(
    ("pattern", "want"),
    [
        ("", TREE),
        ("*", TREE),
        ("**", TREE),
        ("**/*.gz", ["a.gz", "d/c.gz", "d/e/f.gz", "d2/g[1].gz"]),
        ("d/**", ["d/.hidden", "d/c.gz", "d/e/f.gz"]),
        ("d/*", ["d/.hidden", "d/c.gz", "d/e/f.gz"]),
    ],
)
def test_hidden(tree: Path, pattern: str, want: list[str]) -> None:
    for root in ("s3://bucket", f"{tree}/bucket"):
        got = [os.path.relpath(f.path, root) for f in plan.files([f"{root}/{pattern}"], Below(tree), hidden=True)]
        assert sorted(got) == sorted(want)


def test_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that several patterns name is read once; paths become absolute."""
    monkeypatch.chdir(tree)
    got = list(plan.files(["bucket/d", "bucket/*", f"file://{tree}/bucket/d/c.gz"], Storage()))
    assert len(got) == len({f.path for f in got}) == 5
    assert all(f.path.startswith(f"{tree}/") and f.size == len(os.path.relpath(f.path, tree)) - 7 for f in got)


def test_links(tree: Path) -> None:
    """A link is followed if a path or a pattern names it, and not below a directory or by **."""
    bucket = tree / "bucket"
    (bucket / "d/link").symlink_to(bucket / "a.gz")
    (bucket / "d/up").symlink_to(bucket)
    (bucket / "d/lost").symlink_to(tree / "none")
    os.mkfifo(bucket / "d/pipe")

    def names(pattern: str) -> list[str]:
        return sorted(os.path.relpath(f.path, bucket) for f in plan.files([f"{bucket}/{pattern}"], Storage()))

    below = ["d/c.gz", "d/e/f.gz"]
    assert names("d") == names("d/**") == names("d/**/*") == below
    assert names("**") == ["a.gz", "b.txt", *below, "d2/g[1].gz"]
    assert names("d/link") == names("d/l*k") == ["d/link"]
    assert names("d/lost") == names("d/lo*") == ["d/lost"]
    assert names("d/*/*.gz") == ["d/e/f.gz", "d/up/a.gz"]
    assert names("d/up/d") == ["d/up/d/c.gz", "d/up/d/e/f.gz"]


def test_closed_directory(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory that cannot be listed is yielded with the problem, and the rest is complete."""

    def closed(function: Callable[[str], Any]) -> Callable[[str], Any]:
        def call(path: str) -> Any:  # noqa: ANN401
            if str(path).endswith("/d"):
                raise PermissionError(errno.EACCES, "Permission denied", path)
            return function(path)

        return call

    # Tests may run as root, who may list every directory.
    monkeypatch.setattr(os, "scandir", closed(os.scandir))
    monkeypatch.setattr(os, "listdir", closed(os.listdir))
    problem = File(f"{tree}/bucket/d", 0, "permission denied")
    for pattern, others in (("", 3), ("d", 0), ("d/*", 0), ("*/*.gz", 1), ("**/*.gz", 2), ("d/**", 0)):
        got = list(plan.files([f"{tree}/bucket/{pattern}"], Storage()))
        assert problem in got
        assert len(got) == 1 + others


def test_one_object_of_two_schemes(tree: Path) -> None:
    """s3 and s3a name the same object, which is read once."""
    patterns = ["s3a://bucket/a.gz", "s3://bucket/*.gz", "s3://bucket/b.txt", "S3N://bucket/b.txt"]
    assert [f.path for f in plan.files(patterns, Below(tree))] == ["s3a://bucket/a.gz", "s3://bucket/b.txt"]


@pytest.mark.parametrize(
    ("pattern", "name", "want"),
    [
        ("s3a://b/d/*", "b/d/k", "s3a://b/d/k"),
        ("hdfs://host:1/d/*", "/d/k", "hdfs://host:1/d/k"),
        ("hdfs:///d/*", "/d/k", "hdfs:///d/k"),
        ("abfs://c/d/*", "c/d/k", "abfs://c/d/k"),
        ("abfss://c@a.dfs.core.windows.net/d/*", "c/d/k", "abfss://c@a.dfs.core.windows.net/d/k"),
    ],
)
def test_path_like(pattern: str, name: str, want: str) -> None:
    """A path that was found leads to the same account and host as the pattern."""
    assert path_like(pattern, name) == want


def test_tasks() -> None:
    """Large files have separate tasks, small ones are bundled, and each file is in one task."""
    mib = 1 << 20
    some = [File(f"/big{i}", 200 * mib) for i in range(3)]
    some += [File(f"/small{i:05}", 10_000) for i in range(20_000)]
    some += [File(f"s3://a/{i}", 40 * mib) for i in range(5)]
    some += [File("/missing", 0)]
    done = plan.tasks(some, cores=2)
    assert sorted(f.path for task in done for f in task) == sorted(f.path for f in some)
    sizes = [sum(f.size for f in task) for task in done]
    assert sizes == sorted(sizes, reverse=True)
    for task in done:
        assert len(task) <= plan.TASK_FILES
        assert len(task) == 1 or sum(f.size for f in task) <= plan.TASK_BYTES
        assert len({scheme_of(f.path) for f in task}) == 1
    assert len(done) < 25
    assert plan.tasks([], cores=2) == []


def test_report() -> None:
    """What cannot be divided is named before the search begins, with an estimate."""
    some = [File(f"/{i}", 1000) for i in range(300)]
    assert list(plan.report([some[:200], some[200:]], plan.TASK_BYTES, 1)) == [
        "300 files of 300000 bytes, in 2 tasks and 2 steps"
    ]
    big = [File("s3://a/big.zst", 300_000_000_000), File("/less", 200 << 20)]
    tasks = plan.tasks([*some, *big], cores=2)
    plain, whole = plan.report(tasks, plan.TASK_BYTES, 100)
    assert plain.endswith("tasks and 1 step")
    assert whole == (
        "2 files of more than 134217728 bytes cannot be divided: each is read by one process, "
        "the largest in about 50 minutes (300000000000 bytes, s3://a/big.zst)"
    )
    assert list(plan.report([], plan.TASK_BYTES, 100)) == ["0 files of 0 bytes, in 0 tasks and 0 steps"]


def test_small_input_occupies_all_cores() -> None:
    some = [File(f"/{i}", 4 << 20) for i in range(64)]
    assert len(plan.tasks(some, cores=8)) >= 16


@pytest.mark.parametrize(
    ("path", "scheme"),
    [("/a/b", None), ("a", None), ("file:///a", None), ("S3A://b/k", "s3a"), ("c:x", None), ("a://", "a")],
)
def test_schemes(path: str, scheme: str | None) -> None:
    assert scheme_of(path) == scheme
    assert file_path("file:///a/b") == file_path("file:/a/b") == "/a/b"
