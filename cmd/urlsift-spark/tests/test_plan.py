"""Which files are read, and in which tasks."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.fs as pafs
import pytest

from urlsift_spark import plan
from urlsift_spark.plan import File
from urlsift_spark.storage import Storage, file_path, scheme_of

TREE = ["a.gz", "b.txt", "d/c.gz", "d/e/f.gz", "d/.hidden", ".git/x", "d2/g[1].gz"]


class Below(Storage):
    """Objects that are files below a directory: s3://bucket/key is bucket/key there."""

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
        ("d/[a-c].gz", ["d/c.gz"]),
        ("d/.hidden", ["d/.hidden"]),
        ("d2/g[1].gz", ["d2/g[1].gz"]),
        ("none", ["none"]),
        ("*.none", ["*.none"]),
    ],
)
def test_patterns(tree: Path, pattern: str, want: list[str]) -> None:
    """Files and objects are matched alike; what matches nothing is kept for its error."""
    got = [f.path for f in plan.files([f"s3://bucket/{pattern}"], Below(tree))]
    assert sorted(got) == [f"s3://bucket/{name}" for name in want]
    got = [f.path for f in plan.files([f"{tree}/bucket/{pattern}"], Storage())]
    assert sorted(got) == [f"{tree}/bucket/{name}" for name in want]


def test_hidden(tree: Path) -> None:
    for root in ("s3://bucket", f"{tree}/bucket"):
        got = [os.path.relpath(f.path, root) for f in plan.files([root], Below(tree), hidden=True)]
        assert sorted(got) == sorted(TREE)


def test_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that several patterns name is read once; paths become absolute."""
    monkeypatch.chdir(tree)
    got = list(plan.files(["bucket/d", "bucket/*", f"file://{tree}/bucket/d/c.gz"], Storage()))
    assert len(got) == len({f.path for f in got}) == 5
    assert all(f.path.startswith(f"{tree}/") and f.size == len(os.path.relpath(f.path, tree)) - 7 for f in got)


def test_links(tree: Path) -> None:
    """A link is read if it is given, and not if it lies in a directory."""
    link = tree / "bucket/d/link"
    link.symlink_to(tree / "bucket/a.gz")
    assert str(link) not in [f.path for f in plan.files([f"{tree}/bucket/d"], Storage())]
    assert [f.path for f in plan.files([str(link)], Storage())] == [str(link)]


def test_tasks() -> None:
    """Large files are alone, small ones are bundled, and each is in one task."""
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
