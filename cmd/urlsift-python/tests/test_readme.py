"""The examples of README.md are true."""

from __future__ import annotations

import doctest

import pytest
from conftest import REPOSITORY

import urlsift


def test_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    readme = str(REPOSITORY / "cmd/urlsift-python/README.md")
    assert doctest.testfile(readme, module_relative=False, encoding="utf-8").failed == 0
    assert doctest.testmod(urlsift, extraglobs={"urlsift": urlsift}).failed == 0
