"""Fixtures of all tests: the program, inputs, and a cluster of two executors.

URLSIFT names the program; without it, it is built. URLSIFT_MASTER names another master.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.fs as pafs
import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

REPOSITORY = Path(__file__).resolve().parents[3]
FIXTURES = REPOSITORY / "fixtures"
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.fixture(scope="session")
def urlsift(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program."""
    if "URLSIFT" in os.environ:
        return os.environ["URLSIFT"]
    path = tmp_path_factory.mktemp("program") / "urlsift"
    subprocess.run(["go", "build", "-o", path, "./cmd/urlsift"], cwd=REPOSITORY, check=True)
    return str(path)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A cluster: a master and two executors in separate processes."""
    # Executors find the driver by the address of this machine, which may have no name.
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(os.environ.get("URLSIFT_MASTER", "local-cluster[2,1,1024]"))
        .appName("tests of urlsift-spark")
        .config("spark.ui.enabled", "false")
        # Jobs are short, so Java's optimizing compiler would take more time than it saves.
        .config("spark.driver.extraJavaOptions", JAVA_OPTIONS)
        .config("spark.executor.extraJavaOptions", JAVA_OPTIONS)
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def spool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spool of 5,000 articles in 50 groups, some of them compressed."""
    root = tmp_path_factory.mktemp("spool")
    for number in range(5000):
        group = root / f"alt/test{number % 50}"
        group.mkdir(parents=True, exist_ok=True)
        text = (
            f"Path: news.example!not-for-mail\nFrom: Author {number % 17} <a{number % 17}@mail.example>\n"
            f"Newsgroups: alt.test{number % 50}\nSubject: Article {number}\n"
            f"Date: {1 + number % 28} Mar {1994 + number % 9} 10:{number % 60:02}:00 GMT\n"
            f"Message-ID: <{number}@news.example>\n\n"
            f"See http://www{number % 311}.example.org/{number % 7}/ and <URL:ftp://ftp.example.com/{number}>,\n"
            f"or http://www.example.net/~user/page.html?n={number % 13}.\n"
        )
        if number % 10:
            (group / str(number)).write_text(text)
        else:
            (group / f"{number}.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    return root


def command(urlsift: str, paths: Sequence[Path | str], *flags: str, cwd: Path | None = None) -> Counter[str]:
    """The output of the command for paths, as a multiset."""
    argv = [urlsift, "--format", "jsonl", "--no-messages", *flags, *map(str, paths)]
    lines = subprocess.run(argv, cwd=cwd, capture_output=True, check=False).stdout.splitlines()
    return Counter(canonical(json.loads(line)) for line in lines)


def rows(records: DataFrame) -> Counter[str]:
    """The rows of a DataFrame, as a multiset, without null values, as in JSON."""
    for name in ("date", "first", "last"):
        if name in records.columns:
            records = records.withColumn(name, F.date_format(name, "yyyy-MM-dd'T'HH:mm:ss'Z'"))
    return Counter(canonical(row.asDict(recursive=True)) for row in records.toLocalIterator())


def canonical(record: dict[str, Any]) -> str:
    """A text that is the same for equal records."""
    return json.dumps({k: v for k, v in record.items() if v is not None}, sort_keys=True)


def executors(application: str) -> list[int]:
    """The processes of the executors of an application."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in words and application.encode() in words:
                found.append(int(entry.name))
    return sorted(found)


@contextlib.contextmanager
def executor_killed(context: SparkContext) -> Iterator[None]:
    """Kill an executor when two tasks of a stage have ended and another one is running."""
    killed: list[int] = []

    def kill() -> None:
        tracker = context.statusTracker()
        end = time.monotonic() + 120
        while not killed and time.monotonic() < end:
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                if info and info.numCompletedTasks >= 2 and info.numActiveTasks > 0:
                    killed.append(executors(context.applicationId)[0])
                    os.kill(killed[0], signal.SIGKILL)
                    return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    yield
    killer.join()
    assert killed
    assert not os.path.exists(f"/proc/{killed[0]}")


BUCKET = "archive"


class Server:
    """A server of S3 on loopback, with a bucket."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.system = pafs.S3FileSystem(**options)

    def put(self, key: str, data: bytes) -> None:
        with self.system.open_output_stream(f"{BUCKET}/{key}", compression=None) as to:
            to.write(data)


@pytest.fixture(scope="session")
def s3() -> Iterator[Server]:
    moto = pytest.importorskip("moto.server")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    options = {
        "endpoint_override": f"{host}:{port}",
        "scheme": "http",
        "region": "us-east-1",
        "access_key": "a",
        "secret_key": "b",
        "allow_bucket_creation": True,
    }
    found = Server(options)
    found.system.create_dir(BUCKET)
    yield found
    server.stop()
