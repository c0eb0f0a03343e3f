"""Writes the result of a search, in steps, so that a run that ended goes on.

A step is some of the tasks. One job of Spark writes its rows, once and without a shuffle unless they are
partitioned, into a folder of the step:

    DIR/_step-000001/kind=record/...parquet    the URLs
    DIR/_step-000001/kind=message/, kind=run/  errors and statistics, as JSON in the field text

Then the file DIR/_done/000001.json.gz is made, with the sources of the step and its sums. That moment
decides: a step that has this file is part of the output, and one that has none is removed and read again by
the next run. After it, the files are moved, by renaming, into DIR/records and DIR/errors. A run that was
ended between the two moves the rest when it is started again.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from . import counts, divide, plan, schema
from .search import rows_of, scanner
from .storage import Options, Storage, canonical

FILE_BYTES = 128 << 20  # of a file of the output, about
STEP_TASKS = 64  # tasks of a step, for each core
PARTITIONS = (*counts.DATES, "source", "host", "domain", "scheme", "form")  # keys that a record has once

SUMS = ("printed", "sources", "stored_bytes", "text_bytes", "errors")
FORMS: dict[str, tuple[str, dict[str, str], int]] = {
    # The name in Spark, options, and a guess of the bytes of a record, which is used until records were written.
    "parquet": ("parquet", {}, 60),
    "jsonl": ("json", {"timeZone": "UTC", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss'Z'"}, 500),
}
RECORDS_PER_BYTE = 0.005  # records for each stored byte, a guess that is used until files were read

# Bytes of a shuffle for each byte of a file, in which rows are compressed less.
_SHUFFLED = 3

_STEP, _DONE = "_step-", "_done"
_VIEW = "urlsift_rows"

_TOTALS = T.StructType([T.StructField(name, T.LongType()) for name in schema.TOTALS])
_ABOUT = T.StructType(
    [
        T.StructField(name, T.LongType() if kind == "integer" else T.StringType())
        for name, kind in schema.MESSAGE_FIELDS.items()
    ]
)


class AppendError(Exception):
    """Nothing can be added to an output: it has another form, or other flags made it."""


def write(
    spark: SparkSession,
    paths: Iterable[str],
    flags: Sequence[str],
    directory: str,
    *,
    form: str = "parquet",
    count_by: Sequence[str] = (),
    partition_by: Sequence[str] = (),
    append: bool = False,
    file_bytes: int = FILE_BYTES,
    step_tasks: int = STEP_TASKS,
    urlsift: str | None = None,
    storage_options: Options | None = None,
    task_bytes: int = plan.TASK_BYTES,
    hidden: bool = False,
    log: Callable[[str], None] = lambda line: None,
) -> dict[str, int]:
    """Search files, and write records, errors and, if there are keys, counts below a directory; return sums.

    The sums are printed, sources, stored_bytes, text_bytes and errors, of this run.

    Args:
        spark: as in search.
        paths: as in search.
        flags: as in search.
        directory: a path or URL of Hadoop.
        form: "parquet" or "jsonl".
        count_by: keys of counts, which are made of all records that the directory then has.
        partition_by: some of PARTITIONS. Records that differ in these are in different folders. This costs
            a shuffle.
        append: add to an output of the same form and flags. What it has read already is not read again.
        file_bytes: the size of a file of records, about.
        step_tasks: how many tasks for each core a step has.
        urlsift: as in search.
        storage_options: as in search.
        task_bytes: as in search.
        hidden: as in search.
        log: called with lines about the plan.

    Raises:
        FileExistsError: there is an output, and append is false.
        AppendError: the output has another form, or was made with other flags.
        ProgramError, ConnectError: as in search.

    """
    context = spark.sparkContext
    out = Output(spark, directory, form, tuple(partition_by), file_bytes)
    out.vacant(append)
    scan = scanner(spark, flags, urlsift, storage_options)
    out.open(flags)
    cores = context.defaultParallelism
    found = list(plan.files(paths, Storage(storage_options), hidden))
    files = [f for f in found if canonical(f.path) not in out.done]
    if len(files) < len(found):
        log(f"{len(found) - len(files)} of {len(found)} files were read by an earlier run")
    files = divide.divided(spark, scan, files, cores, task_bytes, log)
    tasks = plan.tasks(files, cores, task_bytes)
    size = step_tasks * cores
    for line in plan.report(tasks, task_bytes, size):
        log(line)
    for some in plan.steps(tasks, size):
        out.step(rows_of(spark, scan, some, out.partitions(some, cores)), [f for task in some for f in task])
    out.finish(count_by)
    return out.sums


class Output:
    """A directory with the result of a search."""

    def __init__(
        self, spark: SparkSession, directory: str, form: str, by: tuple[str, ...] = (), file_bytes: int = FILE_BYTES
    ) -> None:
        self.done: set[str] = set()  # the sources that were read, in the form of canonical
        self.sums = dict.fromkeys(SUMS, 0)  # of the steps of this run
        self._spark, self._directory, self._by, self._file_bytes = spark, directory, by, file_bytes
        self._form = form
        self._format, self._options, self._record_bytes = FORMS[form]
        self._run: dict[str, Any] = {}  # what is the same in all runs
        self._last = 0  # the number of the last step
        self._written = 0  # bytes of the records of this run
        context: Any = spark.sparkContext
        self._path = context._jvm.org.apache.hadoop.fs.Path
        self._system = self._path(directory).getFileSystem(context._jsc.hadoopConfiguration())
        self._bytes = context._jvm.org.apache.commons.io.IOUtils.toByteArray

    def vacant(self, append: bool) -> None:
        """Raise FileExistsError if there is an output, unless it can be added to."""
        for name in () if append else (_DONE, "records", "errors", "counts"):
            if self._exists(name):
                raise FileExistsError(f"{self._directory}/{name} exists")
        if self._exists("records") and not self._exists(_DONE):
            raise AppendError(f"{self._directory}/records has no list of what was read, so nothing can be added to it")

    def open(self, flags: Sequence[str]) -> None:
        """Read the list of what was done, and finish or remove the step that an earlier run has left."""
        self._run = {"form": self._form, "partition_by": list(self._by), "flags": list(flags)}
        for name in self._names(_DONE, r"\d+\.json\.gz"):
            head, *sources = map(json.loads, gzip.decompress(self._read(f"{_DONE}/{name}")).splitlines())
            for key, value in self._run.items():
                if head["run"][key] != value:
                    was = f"{key} was {head['run'][key]!r}, and is {value!r}"
                    raise AppendError(f"nothing can be added to {self._directory}: {was}")
            self.done.update(sources)
            self._last = max(self._last, int(name.split(".")[0]))
        for name in self._names("", _STEP + r"\d+"):
            if int(name.removeprefix(_STEP)) <= self._last:
                self._publish(name)
            self._delete(name)
        for name in ("records", "errors"):
            self._delete(f"{name}/_SUCCESS")

    def partitions(self, tasks: Sequence[Sequence[plan.File]], cores: int) -> int:
        """Return how many partitions tasks are put into, each of which writes a file or several."""
        stored, printed = self.sums["stored_bytes"], self.sums["printed"]
        share = printed / stored if stored else RECORDS_PER_BYTE
        size = sum(f.size for task in tasks for f in task) * share * self._bytes_per_record()
        return min(len(tasks), max(cores, math.ceil(size / self._file_bytes)))

    def step(self, rows: DataFrame, files: Iterable[plan.File]) -> None:
        """Write rows, which are those of files, and make them a part of the output."""
        name = f"{_STEP}{self._last + 1:06}"
        try:
            self._write(rows, name)
        except Exception:
            with contextlib.suppress(Exception):  # Java may be gone
                self._delete(name)
            raise
        texts = self._load(
            T.StructType([T.StructField("text", T.StringType()), T.StructField("kind", T.StringType())]), name
        )
        totals = texts.where(F.col("kind") == schema.RUN).select(F.from_json("text", _TOTALS).alias("t")).select("t.*")
        row = totals.agg(*(F.coalesce(F.sum(s), F.lit(0)).alias(s) for s in SUMS if s in schema.TOTALS)).first()
        assert row is not None
        sums = {**row.asDict(), "errors": 0}
        unread: set[str] = set()
        if self._exists(f"{name}/kind={schema.MESSAGE}"):
            about = texts.where(F.col("kind") == schema.MESSAGE).select(F.from_json("text", _ABOUT).alias("a"))
            errors = about.select("a.*")
            self._save(errors.coalesce(1), f"{name}/errors")
            errors = errors.where("severity = 'error'")
            sums["errors"] = errors.count()
            # A source that could not be opened may be there the next time. One that was read in part has rows.
            lost = errors.where("stage IN ('open', 'walk') AND member IS NULL AND coalesce(offset, 0) = 0")
            unread = {canonical(r.source) for r in lost.select("source").distinct().toLocalIterator()}
        sources = [s for s in dict.fromkeys(canonical(f.path) for f in files) if s not in unread]
        self._commit(self._last + 1, sums, sources)
        self._last += 1
        self._written += self._publish(name)
        self._delete(name)
        for key in SUMS:
            self.sums[key] += sums[key]

    def finish(self, count_by: Sequence[str]) -> None:
        """Write the counts, and mark the folders as whole."""
        for name, of in (("records", schema.RECORD_SPARK), ("errors", _ABOUT)):
            if not self._exists(name):  # a file with the types, for programs that expect one
                self._save(self._spark.createDataFrame([], of).coalesce(1), name)
        if count_by:
            records = self._load(schema.RECORD_SPARK, "records")
            self._save(counts.count(records, count_by), "counts", "overwrite")
        for name in ("records", "errors"):
            self._create(f"{name}/_SUCCESS", b"")

    def _write(self, rows: DataFrame, name: str) -> None:
        """Write the rows of all kinds to the folder of a step, in one job."""
        text = F.when(F.col("kind") == schema.MESSAGE, F.to_json("about"))
        text = text.when(F.col("kind") == schema.RUN, F.to_json("totals")).otherwise(F.col("text"))
        columns = {name: F.col(name) for name in ("kind", *schema.RECORD_SPARK.names)}
        columns["text"] = text
        for key in self._by:
            columns.setdefault(key, counts.column_of(key))
        rows = rows.select(*(column.alias(name) for name, column in columns.items()))
        # The number of records after which Spark begins another file.
        most = max(1000, int(self._file_bytes / self._bytes_per_record()))
        # Without keys there are three folders, so each can have its writer, and the rows need not be sorted.
        settings = {"spark.sql.maxConcurrentOutputFileWriters": "0" if self._by else "8"}
        if self._by:
            settings["spark.sql.adaptive.enabled"] = "true"
            settings["spark.sql.adaptive.advisoryPartitionSizeInBytes"] = str(self._file_bytes * _SHUFFLED)
        with _settings(self._spark, settings):
            if self._by:
                rows.createOrReplaceTempView(_VIEW)
                by = ", ".join(f"`{key}`" for key in self._by)
                rows = self._spark.sql(f"SELECT /*+ REBALANCE({by}) */ * FROM {_VIEW}")
                self._spark.catalog.dropTempView(_VIEW)
            writer = rows.write.format(self._format).options(**self._options).option("maxRecordsPerFile", most)
            writer.partitionBy("kind", *self._by).save(f"{self._directory}/{name}")

    def _bytes_per_record(self) -> float:
        """Return how many bytes of a file a record takes: the average of this run, or a guess."""
        printed = self.sums["printed"]
        return max(1.0, self._written / printed) if printed else self._record_bytes

    def _load(self, of: T.StructType, name: str) -> DataFrame:
        """Return what a folder has."""
        return (
            self._spark.read.format(self._format).options(**self._options).schema(of).load(f"{self._directory}/{name}")
        )

    def _save(self, rows: DataFrame, name: str, mode: str = "errorifexists") -> None:
        """Write rows to a folder."""
        rows.write.format(self._format).options(**self._options).mode(mode).save(f"{self._directory}/{name}")

    def _commit(self, number: int, sums: dict[str, int], sources: Iterable[str]) -> None:
        """Make a step a part of the output, by the file that lists its sources."""
        lines = [json.dumps({"run": self._run, "sums": sums}), *map(json.dumps, sources)]
        self._create(f"{_DONE}/.{number:06}", gzip.compress("\n".join(lines).encode(), mtime=0))
        self._rename(f"{_DONE}/.{number:06}", f"{_DONE}/{number:06}.json.gz")

    def _publish(self, step: str) -> int:
        """Move the files of a step into the folders of the output, and return the bytes of the records."""
        size = 0
        for of, to in ((f"kind={schema.RECORD}", "records"), ("errors", "errors")):
            for name, length in self._files(f"{step}/{of}"):
                self._rename(f"{step}/{of}/{name}", f"{to}/{name}")
                size += length if to == "records" else 0
        return size

    def _at(self, name: str) -> Any:  # noqa: ANN401
        return self._path(f"{self._directory}/{name}" if name else self._directory)

    def _exists(self, name: str) -> bool:
        return bool(self._system.exists(self._at(name)))

    def _delete(self, name: str) -> None:
        self._system.delete(self._at(name), True)

    def _names(self, folder: str, pattern: str) -> list[str]:
        """Return the names in a folder that match a pattern, sorted."""
        if not self._exists(folder):
            return []
        names = [str(status.getPath().getName()) for status in self._system.listStatus(self._at(folder))]
        return sorted(name for name in names if re.fullmatch(pattern, name))

    def _files(self, folder: str) -> Iterator[tuple[str, int]]:
        """Yield the files of a folder and of those below it that have rows: the path in it, and the size."""
        if not self._exists(folder):
            return
        root = self._system.makeQualified(self._at(folder)).toString()
        found = self._system.listFiles(self._at(folder), True)
        while found.hasNext():
            status = found.next()
            if not status.getPath().getName().startswith(("_", ".")):
                yield status.getPath().toString()[len(root) + 1 :], int(status.getLen())

    def _rename(self, name: str, to: str) -> None:
        """Rename a file; Hadoop reports most failures by its answer alone."""
        target = self._at(to)
        self._system.mkdirs(target.getParent())
        if not self._system.rename(self._at(name), target):
            raise OSError(f"{self._directory}/{name} cannot be renamed to {to}")

    def _create(self, name: str, data: bytes) -> None:
        stream = self._system.create(self._at(name), True)
        stream.write(bytearray(data))
        stream.close()

    def _read(self, name: str) -> bytes:
        stream = self._system.open(self._at(name))
        data = bytes(self._bytes(stream))
        stream.close()
        return data


@contextlib.contextmanager
def _settings(spark: SparkSession, settings: dict[str, str]) -> Iterator[None]:
    """Have some settings of Spark while a block runs."""
    before = {name: spark.conf.get(name, None) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, was in before.items():
            if was is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, was)
