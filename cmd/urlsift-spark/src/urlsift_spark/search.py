"""Searches files in a Spark session, and returns DataFrames."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyspark import SparkContext, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from . import failures, plan, schema, send
from .flags import FlagsError, check
from .process import ProgramError
from .scan import Scan
from .storage import Options, Storage

# A program with this prefix is on every executor already, as with Spark's local: URIs.
INSTALLED = "local:"


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

    @property
    def records(self) -> DataFrame:
        """The URLs: the fields of the record, with dates as timestamps."""
        return self.rows.where(F.col("kind") == schema.RECORD).select(*schema.RECORD_SPARK.names)

    @property
    def errors(self) -> DataFrame:
        """Input that was lost or not read; also warnings, if the flags ask for them."""
        return self.rows.where(F.col("kind") == schema.MESSAGE).select("about.*")

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
        return Found(self.rows.sparkSession.read.schema(schema.ROW_SPARK).parquet(path))

    def close(self) -> None:
        """Remove the rows that are kept on the disks of the executors."""
        self.rows.unpersist()


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
            the executors, or "local:/path", if all of them have it. By default it is urlsift.
        storage_options: for the file system of pyarrow or fsspec, as endpoint_override.
        task_bytes: stored bytes that a task reads at most, unless one file has more.
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
    context = spark.sparkContext
    send.send_package(context)
    program, warnings = _program(context, urlsift or "urlsift", flags)
    some = plan.tasks(plan.files(paths, Storage(options), hidden), context.defaultParallelism, task_bytes)
    data = [
        ([bytearray(os.fsencode(f.path)) for f in task], [f.size for f in task], [f.problem for f in task])
        for task in some
    ]
    tasks = spark.createDataFrame(
        context.parallelize(data, max(1, len(data))),
        "paths array<binary>, sizes array<bigint>, problems array<string>",
        verifySchema=False,
    )
    scan = Scan(
        program=program,
        flags=tuple(flags),
        options=options,
        jobs=int(context.getConf().get("spark.task.cpus", "1") or 1),
        warnings=warnings,
    )
    return tasks.mapInArrow(scan.batches, schema.ROW_SPARK)


def _program(context: SparkContext, urlsift: str, flags: Sequence[str]) -> tuple[str, bool]:
    """Check that the program accepts the flags, and return its name on executors.

    The second result is whether the flags ask for warnings.
    """
    if urlsift.startswith(INSTALLED):
        program = urlsift.removeprefix(INSTALLED)
        return program, _check_there(context, program, flags)
    found = shutil.which(urlsift)
    if found is None and os.path.basename(urlsift) == urlsift:
        raise ProgramError(f"{urlsift} is not in PATH; say where it is")
    warnings = check(found or urlsift, flags)
    return send.send_program(context, found or urlsift), warnings


def _check_there(context: SparkContext, program: str, flags: Sequence[str]) -> bool:
    """Check flags with the program on an executor, because this machine may not have the program.

    Return whether the flags ask for warnings. If the program is missing or crashes, Spark repeats
    the task, as always.
    """

    def checked(_: int) -> bool | str:
        try:
            return check(program, flags)
        except FlagsError as e:
            return str(e)

    try:
        (answer,) = context.parallelize([0], 1).map(checked).collect()
    except Exception as e:
        raise ProgramError(failures.reason(e)) from e
    if isinstance(answer, str):
        raise FlagsError(answer)
    return answer
