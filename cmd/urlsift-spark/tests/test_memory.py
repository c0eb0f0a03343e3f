"""The memory of a task does not grow with its input."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import resource, sys
import pandas, pyspark.worker  # what Spark itself loads
from urlsift_spark.plan import File
from urlsift_spark.scan import Scan
rows = sum(b.num_rows for b in Scan(program=sys.argv[1]).read(sys.argv[1], [File("local://" + sys.argv[2], 0)]))
print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss differs")
def test_memory(urlsift: str, tmp_path: Path) -> None:
    """The Python process stays below 300 MB on an object of 1 GB; without URLSIFT_LONG, of 100 MB.

    The object is streamed through fsspec. It is dense: a record for each 100 bytes of text.
    """
    pytest.importorskip("fsspec")
    text = b"".join(
        b"see http://www%d.example.org/%d and so on, as it is said there. %s\n" % (i, i, b"x" * 40)
        for i in range(10_000)
    )
    # Stored, not compressed, so that the object is as long as its text.
    member = gzip.compress(text, 0, mtime=0)
    size = 1_000_000_000 if os.environ.get("URLSIFT_LONG") else 100_000_000
    members = size // len(member) + 1
    path = tmp_path / "object.gz"
    with open(path, "wb") as f:
        for _ in range(members):
            f.write(member)
    argv = [sys.executable, "-c", PROGRAM, urlsift, str(path)]
    rows, kib = map(int, subprocess.run(argv, capture_output=True, check=True, text=True).stdout.split())
    print(f"\n{path.stat().st_size} bytes, {rows} rows: {kib / 1024:.0f} MiB")
    assert rows == 10_000 * members + 1  # and the statistics
    assert kib * 1024 < 300_000_000
