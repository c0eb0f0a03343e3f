"""A standalone cluster of two workers, 20 files of 50 MB, and a worker that is killed.

All of it starts clusters of its own and takes minutes, so it runs only with URLSIFT_LONG. The large
files are made of ../shared/large beside the repository. With -s the processor times are printed.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyspark
import pytest
from conftest import JAVA_OPTIONS, REPOSITORY, canonical

from urlsift_spark import plan
from urlsift_spark.plan import File

LARGE = REPOSITORY.parent / "shared/large"
SPARK = Path(pyspark.__file__).parent
FILES, SIZE = 20, 50_000_000

pytestmark = pytest.mark.skipif(not os.environ.get("URLSIFT_LONG"), reason="takes minutes: URLSIFT_LONG is not set")
large = pytest.mark.skipif(not LARGE.is_dir(), reason="there is no ../shared/large")


@pytest.fixture(scope="module")
def archive(urlsift: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of gzip members, each file in another order."""
    folder = tmp_path_factory.mktemp("archive")
    members = []
    for source in sorted(LARGE.glob("*.zst")):
        text = subprocess.run(["zstd", "-dcq", source], capture_output=True, check=True).stdout
        if source.name.startswith(("mail", "pipermail")):
            # Mailboxes are divided, so that a whole file is not a mailbox.
            members += [gzip.compress(text[i : i + 5_000_000], 6, mtime=0) for i in range(0, len(text), 5_000_000)]
        else:
            members.append(gzip.compress(text, 6, mtime=0))
    for number in range(FILES):
        size, at = 0, number
        with open(folder / f"{number:02}.gz", "wb") as f:
            while size < SIZE:  # a member in each iteration
                size += f.write(members[at % len(members)])
                at += 1
    return folder


class Cluster:
    """A master and its workers, each a Java process."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.url = f"spark://127.0.0.1:{s.getsockname()[1]}"
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.start("master.Master", "--host", "127.0.0.1", "--port", self.url.rsplit(":", 1)[1], "--webui-port", "0")

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a master or a worker in its own process group."""
        environment = {
            **os.environ,
            "SPARK_HOME": str(SPARK),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS,
        }
        log = open(self.folder / f"{len(self.processes)}.log", "wb")  # noqa: SIM115
        argv = [str(SPARK / "bin/spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
        process = subprocess.Popen(argv, env=environment, stdout=log, stderr=log, start_new_session=True)
        log.close()
        self.processes.append(process)
        return process

    def worker(self, host: str = "127.0.0.1") -> subprocess.Popen[bytes]:
        """Start a worker with one core."""
        work = self.folder / f"work{len(self.processes)}"
        more = ["-c", "1", "-m", "2g", "--webui-port", "0", "-d", str(work), "--host", host]
        return self.start("worker.Worker", *more, self.url)

    def search(self, program: Path, path: Path, out: Path, *confs: str) -> subprocess.Popen[bytes]:
        """Start the command."""
        argv = [sys.executable, "-m", "urlsift_spark", "--master", self.url, "--urlsift", f"local:{program}"]
        argv += ["--input", str(path), "--output", str(out), "--format", "jsonl"]
        environment = {
            **os.environ,
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_SUBMIT_ARGS": " ".join([*(f"--conf '{c}'" for c in confs), "pyspark-shell"]),
        }
        driver = subprocess.Popen(argv, env=environment, stderr=subprocess.PIPE, start_new_session=True)
        self.processes.append(driver)
        return driver

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.stop()


def wait(true: Callable[[], bool], seconds: float = 600) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


@large
@pytest.mark.parametrize("kill", [False, True])
def test_standalone(urlsift: str, archive: Path, cluster: Cluster, tmp_path: Path, kill: bool) -> None:
    """The rows are those of the command, even if a worker is killed and another replaces it."""
    ended = tmp_path / "ended"
    ended.mkdir()
    program = tmp_path / "urlsift"
    program.write_text(f'#!/bin/bash\n{urlsift} "$@"\nstatus=$?\ntouch {ended}/$$.$RANDOM\nexit $status\n')
    program.chmod(0o755)
    first = cluster.worker()
    cluster.worker()
    out = tmp_path / "out"
    start = time.monotonic()
    driver = cluster.search(program, archive, out)
    meter = Meter(cluster.processes)
    meter.start()
    if kill:
        wait(lambda: len(list(ended.iterdir())) >= 5)  # two are the check of the flags
        # The executor ends by itself after its worker has ended.
        os.killpg(first.pid, signal.SIGKILL)
        assert driver.poll() is None
        cluster.worker()
    _, said = driver.communicate(timeout=3000)
    seconds = time.monotonic() - start
    meter.done.set()
    meter.join()
    assert driver.returncode == 0, said.decode()
    assert re.search(rf"references in {FILES} files of ", said.decode())
    assert (out / "records/_SUCCESS").exists()
    got = digest((out / "records").glob("*.json"))
    want_file = tmp_path / "want"
    with open(want_file, "wb") as f:
        subprocess.run([urlsift, "--format", "jsonl", archive], stdout=f, check=True)
    assert got == digest([want_file])
    assert got[0] > 1_000_000
    print(f"\nkilled: {kill}; {got[0]} records in {seconds:.0f} s; processor time: {meter}")
    shutil.rmtree(out)


def test_speculation(urlsift: str, spool: Path, cluster: Cluster, tmp_path: Path) -> None:
    """A slow task is started a second time on another worker, and its rows occur only once."""
    started = tmp_path / "started"
    started.mkdir()
    program = tmp_path / "urlsift"
    # One process does nothing for ten minutes. The others have a few articles each.
    program.write_text(
        f"#!/bin/bash\n[[ $* == *--jobs* ]] && touch {started}/$$.$RANDOM && "
        f"mkdir {tmp_path}/slow 2>/dev/null && exec sleep 600\n"
        f'exec {urlsift} "$@"\n'
    )
    program.chmod(0o755)
    cluster.worker("127.0.0.1")
    cluster.worker("127.0.0.2")  # an attempt is not repeated on the same host
    out = tmp_path / "out"
    speculation = "spark.speculation"
    confs = [f"{speculation}=true", f"{speculation}.quantile=0.2", f"{speculation}.minTaskRuntime=100ms"]
    # Most of the time is the start of Java.
    confs += [f"spark.{name}.extraJavaOptions={JAVA_OPTIONS}" for name in ("driver", "executor")]
    confs += ["spark.ui.enabled=false", "spark.sql.adaptive.enabled=false"]
    some = spool / "alt/test1*"
    driver = cluster.search(program, some, out, *confs)
    _, said = driver.communicate(timeout=500)
    assert driver.returncode == 0, said.decode()
    assert "references in 1100 files of " in said.decode()
    want = tmp_path / "want"
    with open(want, "wb") as f:
        subprocess.run([urlsift, "--format", "jsonl", *spool.glob("alt/test1*")], stdout=f, check=True)
    assert digest((out / "records").glob("*.json")) == digest([want])
    files = [File(str(p), p.stat().st_size) for p in spool.glob("alt/test1*/*")]
    assert len(list(started.iterdir())) > len(plan.tasks(files, 2))


def digest(files: Iterable[Path]) -> tuple[int, int]:
    """The number of lines, and a sum of their hashes, which no order changes."""
    count = total = 0
    for path in files:
        with open(path, "rb") as f:
            for line in f:
                record = canonical(json.loads(line)).encode()
                total += int.from_bytes(hashlib.blake2b(record, digest_size=16).digest(), "little")
                count += 1
    return count, total % (1 << 128)


class Meter(threading.Thread):
    """The processor time of all processes of some sessions, by the name of the program.

    It samples them twice a second, so it misses the work of a process after the last sample.
    """

    def __init__(self, processes: list[subprocess.Popen[bytes]]) -> None:
        super().__init__(daemon=True)
        self.processes, self.done = processes, threading.Event()
        self.ticks: dict[int, tuple[str, int]] = {}

    def run(self) -> None:
        while not self.done.wait(0.5):
            sessions = {p.pid for p in self.processes}
            for entry in Path("/proc").iterdir():
                if entry.name.isdigit():
                    with contextlib.suppress(OSError):
                        name, rest = (entry / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
                        words = rest.split()
                        if int(words[3]) in sessions:
                            self.ticks[int(entry.name)] = name, int(words[11]) + int(words[12])

    def __str__(self) -> str:
        sums: Counter[str] = Counter()
        for name, ticks in self.ticks.values():
            sums[name] += ticks
        return ", ".join(f"{name} {n / os.sysconf('SC_CLK_TCK'):.1f} s" for name, n in sums.most_common())
