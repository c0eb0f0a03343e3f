"""Objects of a local server of S3 (moto), read by a cluster through pyarrow."""

from __future__ import annotations

import shutil
from pathlib import Path

from conftest import BUCKET, FIXTURES, Server, command, rows
from pyspark.sql import SparkSession

import urlsift_spark
from urlsift_spark import scan


def test_objects(spark: SparkSession, urlsift: str, s3: Server, spool: Path, tmp_path: Path) -> None:
    """A directory of objects gives the rows of the files; one that is missing is an error."""
    root = tmp_path / f"s3:/{BUCKET}/cluster"
    shutil.copytree(FIXTURES / "compressed", root / "compressed")
    shutil.copytree(spool / "alt/test0", root / "spool")
    big = root / "big.txt"
    line = b"see http://www%d.example.org/" + b" and more" * 35 + b"\n"
    big.write_bytes(b"".join(line % i for i in range(20_000)))
    assert big.stat().st_size > scan.SMALL  # larger than objects that are fetched
    files = [p for p in root.rglob("*") if p.is_file()]
    for path in files:
        s3.put(str(path.relative_to(root.parent)), path.read_bytes())
    patterns = [f"s3://{BUCKET}/cluster/**", f"s3://{BUCKET}/missing"]
    found = urlsift_spark.search(spark, patterns, urlsift=urlsift, storage_options=s3.options)
    names = [f"s3://{BUCKET}/{p.relative_to(root.parent)}" for p in files]
    want = command(urlsift, names, cwd=tmp_path)
    assert want.total() > 20_000
    assert rows(found.records) == want
    assert [(e.source, e.stage, e.text) for e in found.errors.collect()] == [
        (f"s3://{BUCKET}/missing", "open", "no such file or directory")
    ]
    found.close()
