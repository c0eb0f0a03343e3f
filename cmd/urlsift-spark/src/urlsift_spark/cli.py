"""The command urlsift-spark."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import traceback
from collections.abc import Sequence

from pyspark.sql import SparkSession

from . import counts, failures, output, plan


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
        sums = output.write(
            spark,
            o.input,
            o.flags,
            o.output,
            form=o.format,
            count_by=o.count_by,
            partition_by=o.partition_by,
            append=o.append,
            file_bytes=o.file_bytes,
            step_tasks=o.step_tasks,
            urlsift=o.urlsift,
            storage_options=dict(o.storage_option),
            task_bytes=o.task_bytes,
            hidden=o.hidden,
            log=_log,
        )
        return _report(sums)
    finally:
        with contextlib.suppress(Exception):  # Java may have ended, and that error would hide the reason
            spark.stop()


def _log(line: str) -> None:
    """Print a line about the plan."""
    print(f"urlsift-spark: {line}", file=sys.stderr)


def _report(sums: dict[str, int]) -> int:
    """Print how much was found, and return the exit status."""
    _log(
        f"{sums['printed']} references in {sums['sources']} files of {sums['stored_bytes']} bytes, "
        f"{sums['text_bytes']} of text; {sums['errors']} errors"
    )
    if sums["errors"]:
        return 2
    return 0 if sums["printed"] else 1


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
    p.add_argument(
        "--output",
        required=True,
        metavar="DIR",
        help="a directory for records, errors and counts, which is new, or is added to with --append",
    )
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
        "--partition-by",
        action="extend",
        type=lambda s: s.split(","),
        default=[],
        metavar="KEY,...",
        help="make a folder of records for each value of " + ", ".join(output.PARTITIONS) + "; this costs a shuffle",
    )
    p.add_argument(
        "--append",
        action="store_true",
        help="add to an output, or continue a run that has ended: what it has read is not read again",
    )
    p.add_argument(
        "--file-bytes",
        type=_positive,
        default=output.FILE_BYTES,
        metavar="N",
        help="of a file of records, about (default %(default)s)",
    )
    p.add_argument(
        "--step-tasks",
        type=_positive,
        default=output.STEP_TASKS,
        metavar="N",
        help="tasks for each core of a step, after which the output is kept if the run ends (default %(default)s)",
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
    if set(o.partition_by) - set(output.PARTITIONS):
        p.error("--partition-by: the keys are " + ", ".join(output.PARTITIONS))
    if len(set(o.partition_by)) < len(o.partition_by):
        p.error("--partition-by: a key is given twice")
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
