"""Searches files in a Spark session, and returns DataFrames."""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from pyspark import SparkContext, StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from . import divide, failures, plan, schema, send, texts
from .flags import REFUSED, FlagsError, check
from .process import ProgramError
from .scan import Scan
from .storage import Options, Storage

# A program with this prefix is on every executor already, as with Spark's local: URIs.
INSTALLED = "local:"

_TEXT = "text of urlsift"  # name of a column that no key has


@dataclass(frozen=True)
class Found:
    """The result of a search. The DataFrames are views of one DataFrame, rows.

    search keeps the rows on the disks of the executors, so the program reads each file once,
    when the first of the DataFrames is used. If an executor is lost, the files of its rows are read
    again. If a file has changed in between, its records and errors may come from different
    readings: a file that was missing and exists now may be in neither. If that matters, use the
    result of save, whose DataFrames all come from one reading.
    """

    rows: DataFrame
    keys: tuple[str, ...] = ()  # of a column of texts: in records and errors, they are in front

    @property
    def records(self) -> DataFrame:
        """The URLs: the fields of the record, with dates as timestamps."""
        return self.rows.where(F.col("kind") == schema.RECORD).select(*self._keys(), *schema.RECORD_SPARK.names)

    @property
    def errors(self) -> DataFrame:
        """Input that was lost or not read; also warnings, if the flags ask for them."""
        return self.rows.where(F.col("kind") == schema.MESSAGE).select(*self._keys(), "about.*")

    @property
    def totals(self) -> DataFrame:
        """The statistics of each process: counts, and sizes in bytes.

        They are rows like all others, so an attempt that failed or was repeated is not in them.
        """
        return self.rows.where(F.col("kind") == schema.RUN).select("totals.*")

    def save(self, path: str) -> Found:
        """Write the rows as Parquet to a new directory, and return a Found that reads them from there.

        One job writes the rows of all kinds, and Spark commits one attempt of each task.
        """
        self.rows.write.parquet(path)
        return Found(self.rows.sparkSession.read.schema(self.rows.schema).parquet(path), self.keys)

    def close(self) -> None:
        """Remove the rows that are kept on the disks of the executors."""
        self.rows.unpersist()

    def _keys(self) -> list[Column]:
        return [self.rows[f"`{key}`"] for key in self.keys]


def extract(
    spark: SparkSession,
    paths: Iterable[str],
    flags: Sequence[str] = (),
    *,
    urlsift: str | None = None,
    storage_options: Options | None = None,
    task_bytes: int = plan.TASK_BYTES,
    hidden: bool = False,
) -> DataFrame:
    """Return the URLs in files, a row each. It does not include errors: see search.

    The arguments are those of search. Nothing is kept: each action on the DataFrame reads the
    files again, unless the caller persists it. So the errors of another search need not be
    those of the reading that gave these records; search and Found.save have both from one.
    """
    rows = _rows(spark, paths, flags, urlsift, storage_options, task_bytes, hidden)
    return Found(rows).records


def search(
    spark: SparkSession,
    paths: Iterable[str],
    flags: Sequence[str] = (),
    *,
    urlsift: str | None = None,
    storage_options: Options | None = None,
    task_bytes: int = plan.TASK_BYTES,
    hidden: bool = False,
    keep: bool = True,
) -> Found:
    """Search files, and return the URLs, the errors and the statistics.

    Args:
        spark: the session; its executors need Python with pyarrow and pandas.
        paths: files, directories and patterns; s3://bucket/key and the like, or paths that
            every executor can open. Those of files become absolute.
        flags: flags of urlsift that say what is found, such as ["--grammar", "rfc3986"].
        urlsift: the program on this machine, a path or a name in PATH, which Spark sends to
            the executors, or "local:/path", if all of them have it. By default it is urlsift,
            in PATH or of the package urlsift.
        storage_options: for the file system of pyarrow or fsspec, as endpoint_override.
        task_bytes: stored bytes that a task reads at most, unless one file has more and cannot be divided.
        hidden: read files below directories also if a name begins with a dot.
        keep: keep the rows on the disks of the executors. Otherwise each action reads the files
            again, which is right where the first one is Found.save.

    Raises:
        ProgramError: the program is missing, or does not take the flags.
        ConnectError: there is no file system for a scheme, or it does not take the options.

    """
    rows = _rows(spark, paths, flags, urlsift, storage_options, task_bytes, hidden)
    return Found(rows.persist(StorageLevel.DISK_ONLY) if keep else rows)


def _rows(
    spark: SparkSession,
    paths: Iterable[str],
    flags: Sequence[str],
    urlsift: str | None,
    options: Options | None,
    task_bytes: int,
    hidden: bool,
) -> DataFrame:
    """Return the rows of all kinds."""
    scan = scanner(spark, flags, urlsift, options)
    cores = spark.sparkContext.defaultParallelism
    files = divide.divided(spark, scan, list(plan.files(paths, Storage(options), hidden)), cores, task_bytes)
    some = plan.tasks(files, cores, task_bytes=task_bytes)
    return rows_of(spark, scan, some, len(some))


def scanner(
    spark: SparkSession, flags: Sequence[str] = (), urlsift: str | None = None, options: Options | None = None
) -> Scan:
    """Send the program and this package to the executors, check the flags, and return how files are read."""
    context = spark.sparkContext
    send.send_package(context)
    program, warnings = _program(context, urlsift or "urlsift", flags)
    return Scan(program=program, flags=tuple(flags), options=options, jobs=_jobs(context), warnings=warnings)


def rows_of(spark: SparkSession, scan: Scan, tasks: Sequence[Sequence[plan.File]], partitions: int) -> DataFrame:
    """Return the rows of tasks, the largest first. Where there are fewer partitions, each has several tasks.

    A partition gets one of the largest tasks, one of the next largest, and so on, so all have about the same.
    """
    # A row is a partition: Spark does not divide many rows equally.
    data = [
        (
            [[bytearray(os.fsencode(f.path)) for f in task] for task in some],
            [[f.size for f in task] for task in some],
            [[f.problem for f in task] for task in some],
            [[f.part for f in task] for task in some],
        )
        for some in (tasks[first::partitions] for first in range(partitions))
    ]
    table = spark.createDataFrame(
        spark.sparkContext.parallelize(data, max(1, partitions)),
        "paths array<array<binary>>, sizes array<array<bigint>>, "
        "problems array<array<string>>, parts array<array<string>>",
        verifySchema=False,
    )
    return table.mapInArrow(scan.batches, schema.ROW_SPARK)


def extract_column(
    df: DataFrame,
    column: str,
    key: str | Sequence[str] = (),
    flags: Sequence[str] = (),
    *,
    urlsift: str | None = None,
    read_as: str = "plain",
) -> DataFrame:
    """Return the URLs in the texts of a column, a row each, with the key of the text.

    It does not include errors: see search_column, which has the same arguments. Nothing is kept:
    each action on the DataFrame reads the texts again, unless the caller persists it.
    """
    return search_column(df, column, key, flags, urlsift=urlsift, read_as=read_as, keep=False).records


def search_column(
    df: DataFrame,
    column: str,
    key: str | Sequence[str] = (),
    flags: Sequence[str] = (),
    *,
    urlsift: str | None = None,
    read_as: str = "plain",
    keep: bool = True,
) -> Found:
    """Search the texts of a column, and return the URLs, the errors and the statistics.

    Each partition of the DataFrame is a task with one process of urlsift. The rows of a task have the
    order of its texts, and those of a text have the order in it. source is the name of the column; offset,
    line and column are those in the text. A text that is null or empty has no row. A text in bytes that
    is not UTF-8 is read as windows-1252 where it is not, like a part of a message.

    Args:
        df: the table.
        column: the column of texts, a string or binary.
        key: the columns that each row gets from its text, of any type. None may have the name of a field
            of the record or of an error.
        flags: flags of urlsift that say what is found, such as ["--grammar", "rfc3986"].
        urlsift: the program, as in search.
        read_as: "plain", "html" or "markdown": all texts are read in this way, whatever they begin with. "auto":
            the first bytes of each text decide, as for files without a name, and a compressed text or an
            archive is unpacked. --log-times needs "auto".
        keep: keep the rows on the disks of the executors. Otherwise each action reads the texts again.

    Raises:
        ProgramError: the program is missing, or does not take the flags.
        ValueError: there is no such column, or it cannot be used.

    """
    keys = (key,) if isinstance(key, str) else tuple(key)
    chosen = df.select(*keys, F.col(column).alias(_TEXT))
    fields = chosen.schema.fields[:-1]
    names = [f.name for f in fields]
    taken = {*schema.ROW_SPARK.names, *schema.MESSAGE_FIELDS}
    if clash := [name for name in names if name in taken]:
        raise ValueError(f"the key {clash[0]} has the name of a field of the result: rename it")
    if len(set(names)) < len(names):
        raise ValueError("two keys have the same name")
    if not isinstance(chosen.schema[-1].dataType, (T.StringType, T.BinaryType)):
        raise ValueError(f"the column {column} is neither a string nor binary")
    if read_as not in (*texts.TYPES, texts.AUTO):
        raise ValueError(f"read_as is {read_as!r}, and not one of {', '.join((*texts.TYPES, texts.AUTO))}")
    context = df.sparkSession.sparkContext
    send.send_package(context)
    refused = REFUSED | {"as", "base-map", "max-count"}  # these are about files, or the whole input of a process
    if read_as != texts.AUTO:
        refused |= {"log-times"}  # records of a web archive have no times of lines
    program, warnings = _program(context, urlsift or "urlsift", flags, refused)
    work = texts.Texts(program, read_as, column, tuple(flags), _jobs(context), warnings)
    kind, *others = schema.ROW_SPARK.fields
    result = T.StructType([kind, *[T.StructField(f.name, f.dataType) for f in fields], *others])
    rows = chosen.mapInArrow(work.batches, result)
    return Found(rows.persist(StorageLevel.DISK_ONLY) if keep else rows, tuple(names))


def _jobs(context: SparkContext) -> int:
    """Return how many workers a process has: the cores of a task."""
    return int(context.getConf().get("spark.task.cpus", "1") or 1)


def _program(
    context: SparkContext, urlsift: str, flags: Sequence[str], refused: Collection[str] = REFUSED
) -> tuple[str, bool]:
    """Check that the program accepts the flags, and return its name on executors.

    The second result is whether the flags ask for warnings.
    """
    if urlsift.startswith(INSTALLED):
        program = urlsift.removeprefix(INSTALLED)
        return program, _check_there(context, program, flags, refused)
    found = shutil.which(urlsift) or (_installed() if urlsift == "urlsift" else None)
    if found is None and os.path.basename(urlsift) == urlsift:
        raise ProgramError(f"{urlsift} is not in PATH; say where it is")
    warnings = check(found or urlsift, flags, refused)
    return send.send_program(context, found or urlsift), warnings


def _installed() -> str | None:
    """Return the program that the package urlsift has brought, if that is installed."""
    try:
        package = importlib.import_module("urlsift")
    except ImportError:
        return None
    return cast("str", package.program())


def _check_there(context: SparkContext, program: str, flags: Sequence[str], refused: Collection[str]) -> bool:
    """Check flags with the program on an executor, because this machine may not have the program.

    Return whether the flags ask for warnings. If the program is missing or crashes, Spark repeats
    the task, as always.
    """

    def checked(_: int) -> bool | str:
        try:
            return check(program, flags, refused)
        except FlagsError as e:
            return str(e)

    try:
        (answer,) = context.parallelize([0], 1).map(checked).collect()
    except Exception as e:
        raise ProgramError(failures.reason(e)) from e
    if isinstance(answer, str):
        raise FlagsError(answer)
    return answer
