"""Sends the program and this package to the executors, which may not have them."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import zipfile
from pathlib import Path

from pyspark import SparkContext

_done: set[tuple[str, str]] = set()  # applications, and the files that were sent to their executors
_folders: list[str] = []


def send_program(context: SparkContext, program: str) -> str:
    """Send a program to the executors, and return its name there, a hash of its bytes."""
    name = "urlsift-" + hashlib.sha256(Path(program).read_bytes()).hexdigest()[:16]
    key = (context.applicationId, name)
    if key not in _done:
        path = os.path.join(_folder(), name)
        shutil.copyfile(program, path)
        os.chmod(path, 0o755)
        context.addFile(path)
        _done.add(key)
    return name


def send_package(context: SparkContext) -> None:
    """Send this package to the executors."""
    here = Path(__file__).parent
    name = "urlsift_spark.zip"
    key = (context.applicationId, name)
    if key in _done:
        return
    path = os.path.join(_folder(), name)
    with zipfile.ZipFile(path, "w") as z:
        for file in sorted(here.iterdir()):
            if file.is_file():
                z.write(file, f"{here.name}/{file.name}")
    context.addPyFile(path)
    _done.add(key)


def _folder() -> str:
    """Return a directory for the files to send, which is removed when this process ends."""
    if not _folders:
        _folders.append(tempfile.mkdtemp(prefix="urlsift-spark-"))
        atexit.register(shutil.rmtree, _folders[0], ignore_errors=True)
    return _folders[0]
