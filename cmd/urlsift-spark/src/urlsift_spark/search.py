"""From a session and paths to DataFrames."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark import SparkContext, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from . import plan, schema
from .process import ProgramError
from .scan import FORMAT, Scan
from .storage import Options, Storage

# A program with this in front is on every executor already, as Spark's local: URIs say.
INSTALLED = "local:"

# Flags that would change what the program prints, or where from it reads.
REFUSED = (
    "--format",
    "--messages",
    "--stats",
    "--progress",
    "--jobs",
    "--output",
    "--fields",
    "--state",
    "--tail",
    "--source-name",
    "--files-from",
    "--files0-from",
    "--null",
    "--unique",
    "--quiet",
    "--no-messages",
    "--help",
    "--version",
    "--count",
    "--files-with-matches",
    "--color",
    "--hyperlink",
)
REFUSED_SHORT = "o0uqshVcljF"  # the same, by one letter
WITH_VALUE = "gm"  # what follows these letters is their value


@dataclass(frozen=True)
class Found:
    """What a search found. The DataFrames are views of one, rows, which is kept on disk.

    So the program reads each file once, when the first of them is used; what an executor that
    is lost kept is read again.
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

    def close(self) -> None:
        """Remove what is kept on the disks of the executors."""
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
    """Return the URLs in files, a row each. What could not be read is not in it: see search.

    The arguments are those of search. Nothing is kept: each action on the DataFrame reads the
    files again, unless the caller persists it.
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
) -> Found:
    """Search files, and return the URLs, the errors and the statistics.

    Args:
        spark: the session; its executors need Python with pyarrow and pandas.
        paths: files, directories and patterns; s3://bucket/key and the like, or paths that
            every executor can open. Those of files become absolute.
        flags: flags of urlsift that say what is found, such as ["--grammar", "rfc3986"].
        urlsift: the program on this machine, which Spark sends to the executors, or
            "local:/path", if all of them have it. By default it is searched in PATH.
        storage_options: for the file system of pyarrow or fsspec, as endpoint_override.
        task_bytes: stored bytes that a task reads at most, unless one file has more.
        hidden: read files below directories also if a name begins with a dot.

    Raises:
        ProgramError: the program is missing, or does not take the flags.

    """
    rows = _rows(spark, paths, flags, urlsift, storage_options, task_bytes, hidden)
    return Found(rows.persist(StorageLevel.DISK_ONLY))


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
    name = urlsift or shutil.which("urlsift")
    if name is None:
        raise ProgramError("urlsift is not in PATH; say where it is")
    if name.startswith(INSTALLED):
        _refuse(flags)  # the rest is checked by the tasks: this machine need not have the program
        program = name.removeprefix(INSTALLED)
    else:
        check(name, flags)
        program = _send_program(context, name)
    _send_package(context)
    some = plan.tasks(plan.files(paths, Storage(options), hidden), context.defaultParallelism, task_bytes)
    data = [([bytearray(os.fsencode(f.path)) for f in task], [f.size for f in task]) for task in some]
    tasks = spark.createDataFrame(
        context.parallelize(data, max(1, len(data))), "paths array<binary>, sizes array<bigint>", verifySchema=False
    )
    scan = Scan(
        program=program,
        flags=tuple(flags),
        options=options,
        jobs=int(context.getConf().get("spark.task.cpus", "1") or 1),
        warnings="--warnings" in flags or "--strict" in flags,
    )
    return tasks.mapInArrow(scan.batches, schema.ROW_SPARK)


def check(program: str, flags: Sequence[str]) -> None:
    """Raise ProgramError if a program is missing, or does not take flags for a search.

    The program is run without input. It must report that it read nothing: otherwise one of the
    flags is a path.
    """
    _refuse(flags)
    argv = [program, *flags, *FORMAT, "--files0-from", "-"]
    try:
        ended = subprocess.run(argv, input=b"", capture_output=True, check=False)
    except OSError as e:
        raise ProgramError(f"{program} cannot be run: {e.strerror}") from e
    lines = ended.stderr.decode("utf-8", "replace").splitlines()
    try:
        sources = json.loads(lines[-1])["sources"]
    except (ValueError, IndexError, KeyError, TypeError):
        raise ProgramError("\n".join(lines) or f"{program}: exit status {ended.returncode}") from None
    if sources or ended.stdout:
        raise ProgramError("the flags have a path among them: " + " ".join(flags))


def _refuse(flags: Sequence[str]) -> None:
    """Raise ProgramError for flags that would change what the program prints."""
    for flag in flags:
        name = flag.split("=", 1)[0]
        if name in REFUSED or flag == "--":
            raise ProgramError(f"{name} cannot be used here")
        if flag.startswith("-") and not flag.startswith("--"):
            for letter in flag[1:]:
                if letter in REFUSED_SHORT:
                    raise ProgramError(f"-{letter} cannot be used here")
                if letter in WITH_VALUE:
                    break


def _send_program(context: SparkContext, program: str) -> str:
    """Send a program to the executors, and return its name there, which is that of its bytes."""
    name = "urlsift-" + hashlib.sha256(Path(program).read_bytes()).hexdigest()[:16]
    if _sent(context, name):
        path = os.path.join(_folder(), name)
        shutil.copyfile(program, path)
        os.chmod(path, 0o755)
        context.addFile(path)
    return name


def _send_package(context: SparkContext) -> None:
    """Send this package to the executors, which need not have it."""
    here = Path(__file__).parent
    name = "urlsift_spark.zip"
    if not _sent(context, name):
        return
    path = os.path.join(_folder(), name)
    with zipfile.ZipFile(path, "w") as z:
        for file in sorted(here.iterdir()):
            if file.is_file():
                z.write(file, f"{here.name}/{file.name}")
    context.addPyFile(path)


_done: set[tuple[str, str]] = set()
_folders: list[str] = []


def _sent(context: SparkContext, name: str) -> bool:
    """Report whether name has yet to be sent, and remember that it is."""
    key = (context.applicationId, name)
    new = key not in _done
    _done.add(key)
    return new


def _folder() -> str:
    """Return a directory for what is sent, which is removed when this process ends."""
    if not _folders:
        _folders.append(tempfile.mkdtemp(prefix="urlsift-spark-"))
        atexit.register(lambda: _remove(_folders[0]))
    return _folders[0]


def _remove(folder: str) -> None:
    with contextlib.suppress(OSError):
        shutil.rmtree(folder)
