"""Divides large files into parts, each of which is a task.

A part has to begin where nothing in front of it matters, and its records have the numbers of lines and messages
in front. The subcommand ranges of the program knows both. It reads a part for that, without searching it, so a stage
of Spark does it: a task for each part. What is in front of a part is then the sum of the parts in front.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pyspark.sql import SparkSession

from . import plan
from .flags import dividing
from .plan import File
from .process import ProgramError
from .scan import Scan, executable
from .storage import scheme_of

_OBJECT = "objects are read as streams"
_COUNTED = ("lines", "messages", "text")  # in the order in which --range has them

Row = dict[str, Any]  # what ranges prints, or nothing where a file cannot be read


def divided(
    spark: SparkSession,
    scan: Scan,
    files: Sequence[File],
    cores: int,
    task_bytes: int = plan.TASK_BYTES,
    log: Callable[[str], None] = lambda line: None,
) -> list[File]:
    """Return files, with the parts of the large ones that can be divided in their places.

    Parts have task_bytes, or less where there are fewer bytes than the cores can use. A file that cannot be
    read stays whole: the task that reads it reports the error.
    """
    most = plan.most_of(files, cores, task_bytes)
    large = [f.path for f in files if f.size > most and not f.problem and scheme_of(f.path) is None]
    begin = time.monotonic()
    rows = dict(zip(large, _measured(spark, scan, [(path, "0-1") for path in large]), strict=True))
    sizes = {f.path: f.size for f in files}
    able = [path for path in large if rows[path] and "why" not in rows[path]]
    ranges = [(path, f"{at}-{min(at + most, sizes[path])}") for path in able for at in range(0, sizes[path], most)]
    parts: dict[str, list[Row]] = {path: [] for path in able}
    for (path, _), row in zip(ranges, _measured(spark, scan, ranges), strict=True):
        parts[path].append(row)
    if ranges:
        size = sum(sizes[path] for path in able)
        log(f"{size} bytes of large files were counted in {time.monotonic() - begin:.1f} s")
    return list(_with_parts(files, rows, parts))


def _with_parts(files: Iterable[File], rows: dict[str, Row], parts: dict[str, list[Row]]) -> Iterator[File]:
    """Yield files, or their parts."""
    for file in files:
        if file.path in parts and all(parts[file.path]):
            yield from parts_of(file, parts[file.path])
        elif scheme_of(file.path) is not None:
            yield replace(file, why=_OBJECT)
        else:
            yield replace(file, why=rows.get(file.path, {}).get("why", ""))


def parts_of(file: File, rows: Iterable[Row]) -> Iterator[File]:
    """Yield the parts of a file that are not empty. rows are what ranges has printed of them, in order."""
    sums = dict.fromkeys(_COUNTED, 0)
    begins: list[tuple[int, str]] = []  # and the numbers of what is in front
    end = 0  # of the last part that is not empty
    for row in rows:
        if row.get("text", row["end"] - row["begin"]):
            begins.append((end, ",".join(f"{name}={sums[name]}" for name in _COUNTED if name in row)))
            end = row["end"]
        for name in _COUNTED:
            sums[name] += row.get(name, 0)
    # What is between two parts, and after the last one, is empty.
    ends = [begin for begin, _ in begins[1:]] + [file.size]
    for (begin, counted), end in zip(begins, ends, strict=True):
        yield File(file.path, end - begin, part=f"{begin}-{end},{counted}")


def _measured(spark: SparkSession, scan: Scan, ranges: Sequence[tuple[str, str]]) -> list[Row]:
    """Return what ranges prints of parts of files, each of which is a task of Spark."""
    if not ranges:
        return []
    items = [(os.fsencode(path), part) for path, part in ranges]
    measure = functools.partial(_measure, scan.program, scan.flags)
    return spark.sparkContext.parallelize(items, len(items)).map(measure).collect()


def _measure(name: str, flags: Sequence[str], item: tuple[bytes, str]) -> Row:
    """Return what ranges prints of a part of a file."""
    program = executable(name)
    some = dividing(program, flags)
    if some is None:
        return {"why": "--max-count ends the reading of a file"}
    path, part = item
    ended = subprocess.run(
        [program, "ranges", "--jobs", "1", "--range", part, *some, path], capture_output=True, check=False
    )
    if ended.returncode == 0 or (ended.returncode == 2 and ended.stdout):  # 2: damaged, which the task reports
        return dict(json.loads(ended.stdout))
    if ended.returncode == 2:
        return {}
    raise ProgramError(f"{name} ranges: exit status {ended.returncode}: {ended.stderr.decode('utf-8', 'replace')}")
