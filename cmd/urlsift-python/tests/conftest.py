"""What the tests share: inputs of the repository, and the processes that were started."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
FIXTURES = REPOSITORY / "fixtures"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that are started in the test."""
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*args: Any, **kwargs: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401
        processes.append(popen(*args, **kwargs))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    return processes


def until(true: Callable[[], bool]) -> None:
    """Wait until a condition is true, a minute at most."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
