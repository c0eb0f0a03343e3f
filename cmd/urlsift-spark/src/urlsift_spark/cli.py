"""The command urlsift-spark."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from . import counts, failures, plan
from .search import Found, search

ROWS = "rows"  # temporary folder with the rows of all kinds, from which the output is made


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status, with the same meaning as that of urlsift."""
    o = _options(sys.argv[1:] if argv is None else argv)
    if (o.master or "").startswith("local"):  # on other masters the executors have their own Python
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if o.count_by and "--log-times" not in o.flags:
        o.flags.append("--log-times")  # so that count has the times of log lines
    try:
        return _run(o)
    except KeyboardInterrupt:
        return 130
    except Exception as e:
        if o.verbose:
            traceback.print_exc()
        line = "\n" if sys.stderr.isatty() else ""  # Spark's progress bar may be on this line
        print(f"{line}urlsift-spark: {failures.reason(e)}", file=sys.stderr)
        return 2


def _run(o: argparse.Namespace) -> int:
    """Search, write and report in a session, and return the exit status."""
    builder = SparkSession.builder.appName("urlsift")
    if o.master:
        builder = builder.master(o.master)
    if not sys.stderr.isatty():
        builder = builder.config("spark.ui.showConsoleProgress", "false")
    spark = builder.getOrCreate()
    try:
        _vacant(spark, o.output)  # check this before files are listed, which may take long
        found = search(
            spark,
            o.input,
            o.flags,
            urlsift=o.urlsift,
            storage_options=dict(o.storage_option),
            task_bytes=o.task_bytes,
            hidden=o.hidden,
            keep=False,
        )
        return _report(write(found, o.output, o.format, o.count_by))
    finally:
        with contextlib.suppress(Exception):  # Java may have ended, and that error would hide the reason
            spark.stop()


def write(found: Found, directory: str, form: str = "parquet", count_by: Sequence[str] = ()) -> Row:
    """Write records, errors and, if there are keys, counts below a directory; return sums.

    form is "parquet" or "jsonl". One job first writes the rows of all kinds to a temporary folder.
    The three outputs are made from it, so they come from the same reading of each file. Then it is
    removed. Spark's commit protocol writes each output: it is complete if it has a file _SUCCESS.
    FileExistsError is raised, and nothing is written, if one of the folders exists.

    The sums are the columns printed, sources, stored_bytes, text_bytes and errors.
    """
    spark = found.rows.sparkSession
    _vacant(spark, directory)
    try:
        saved = found.save(f"{directory}/{ROWS}")
        _save(saved.records, f"{directory}/records", form)
        _save(saved.errors, f"{directory}/errors", form)
        if count_by:
            _save(counts.count(saved.records, count_by), f"{directory}/counts", form)
        return _sums(saved)
    finally:
        with contextlib.suppress(Exception):  # Java may be gone
            system, path = _hadoop(spark, f"{directory}/{ROWS}")
            system.delete(path, True)


def _sums(found: Found) -> Row:
    """Return the sums of the statistics, and the number of errors."""
    names = ["printed", "sources", "stored_bytes", "text_bytes"]
    sums = [F.coalesce(F.sum(f"totals.{name}"), F.lit(0)).alias(name) for name in names]
    row = found.rows.agg(*sums, F.count_if(F.col("about.severity") == "error").alias("errors")).first()
    assert row is not None
    return row


def _vacant(spark: SparkSession, directory: str) -> None:
    """Raise FileExistsError if a directory has one of the folders that are written."""
    for name in (ROWS, "records", "errors", "counts"):
        system, path = _hadoop(spark, f"{directory}/{name}")
        if system.exists(path):
            raise FileExistsError(f"{directory}/{name} exists")


def _hadoop(spark: SparkSession, name: str) -> tuple[Any, Any]:
    """Return Hadoop's file system, which writes the output, and the path of a name in it."""
    context: Any = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(name)
    return path.getFileSystem(context._jsc.hadoopConfiguration()), path


def _save(rows: DataFrame, path: str, form: str) -> None:
    """Write rows in a format."""
    if form == "parquet":
        rows.write.parquet(path)
    else:
        rows.write.option("timeZone", "UTC").json(path, timestampFormat="yyyy-MM-dd'T'HH:mm:ss'Z'")


def _report(total: Row) -> int:
    """Print how much was found, and return the exit status."""
    print(
        f"urlsift-spark: {total.printed} references in {total.sources} files of {total.stored_bytes} bytes, "
        f"{total.text_bytes} of text; {total.errors} errors",
        file=sys.stderr,
    )
    if total.errors:
        return 2
    return 0 if total.printed else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; the arguments after -- are flags of urlsift."""
    ours, flags = list(argv), []
    if "--" in ours:
        at = ours.index("--")
        ours, flags = ours[:at], ours[at + 1 :]
    p = argparse.ArgumentParser(
        prog="urlsift-spark",
        description="Find the URLs in files of a cluster.",
        epilog="What follows -- are flags of urlsift.",
        allow_abbrev=False,
    )
    p.add_argument("--master", help="the master of Spark, such as local[*] or spark://host:7077")
    p.add_argument(
        "--urlsift",
        metavar="BIN",
        help="the program urlsift, which Spark sends to the executors, "
        "or local:PATH if all of them have it (default: that in PATH)",
    )
    p.add_argument(
        "--input",
        action="extend",
        nargs="+",
        required=True,
        metavar="PATTERN",
        help="files, directories and patterns; may be repeated",
    )
    p.add_argument("--output", required=True, metavar="DIR", help="a new directory for records, errors and counts")
    p.add_argument("--format", choices=("parquet", "jsonl"), default="parquet", help="of the output")
    p.add_argument(
        "--count-by",
        action="extend",
        type=lambda s: s.split(","),
        default=[],
        metavar="KEY,...",
        help="also write counts by " + ", ".join(counts.KEYS),
    )
    p.add_argument(
        "--storage-option",
        action="append",
        type=_storage_option,
        default=[],
        metavar="NAME=VALUE",
        help="an argument for the file system of pyarrow or fsspec",
    )
    p.add_argument(
        "--task-bytes",
        type=_positive,
        default=plan.TASK_BYTES,
        metavar="N",
        help="stored bytes of a task, unless one file has more (default %(default)s)",
    )
    p.add_argument("--hidden", action="store_true", help="read hidden files in directories too")
    p.add_argument("--verbose", action="store_true", help="if the search fails, print the trace of Python too")
    o = p.parse_args(ours)
    o.flags = flags
    if set(o.count_by) - set(counts.KEYS):
        p.error("--count-by: the keys are " + ", ".join(counts.KEYS))
    if len(set(o.count_by)) < len(o.count_by):
        p.error("--count-by: a key is given twice")
    return o


def _positive(text: str) -> int:
    """Return a number of bytes that is 1 or more."""
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


def _storage_option(text: str) -> tuple[str, str | bool]:
    """Return the name and the value of an option; true and false become booleans."""
    name, equal, value = text.partition("=")
    if not name or not equal:
        raise ValueError(text)
    return name, {"true": True, "false": False}.get(value, value)


if __name__ == "__main__":
    sys.exit(main())
