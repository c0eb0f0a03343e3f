"""Options are the flags of the program."""

from __future__ import annotations

import re
import subprocess
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import urlsift
from urlsift._options import FORM, FindOptions, ScanOptions, flags

TEXT = "http://a.example/ ftp://b.example/ http://a.example/ x@c.example http://d.example:81/ http://u:p@e.example/"


def urls(**options: Any) -> list[str]:  # noqa: ANN401
    return [record["url"] for record in urlsift.find(TEXT, **options)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_count": 3, "log_times": True}, ["--max-count=3", "--log-times"]),
        ({"hidden": False, "base": None}, []),
        ({"from_": "*@a.example", "as_": ["mbox", "csv:*.txt"]}, ["--from=*@a.example", "--as=mbox", "--as=csv:*.txt"]),
        ({"url": ("a,b*", "c*")}, ["--url=a,b*", "--url=c*"]),
        ({"grammar": ["uri-2002", "rfc3986"]}, ["--grammar=uri-2002+rfc3986"]),
        ({"parts": ["html", "header"]}, ["--parts=html,header"]),
        ({"suspicious": True}, ["--suspicious"]),
        ({"suspicious": ["port", "host"]}, ["--suspicious=port,host"]),
        ({"scheme": [], "parts": []}, []),
        ({"limit": {"length": "8K", "depth": 3}}, ["--limit=length=8K", "--limit=depth=3"]),
        ({"since": date(2026, 11, 26)}, ["--since=2026-11-26"]),
        ({"until": datetime(2026, 11, 26, tzinfo=timezone.utc)}, ["--until=2026-11-26T00:00:00+00:00"]),
        ({"state": Path("a"), "files_from": [Path("b"), "-c"]}, ["--state=a", "--files-from=b", "--files-from=-c"]),
        ({"base": "--format=text"}, ["--base=--format=text"]),
    ],
)  # fmt: skip
def test_mapping(options: dict[str, object], words: list[str]) -> None:
    assert flags("scan", options, ScanOptions) == words


def test_effect() -> None:
    assert urls(scheme="ftp") == ["ftp://b.example/"]
    assert urls(unique=True, max_count=2) == ["http://a.example/", "ftp://b.example/"]
    assert urls(find=["addresses"], scheme=["mailto", "ftp"]) == ["ftp://b.example/", "mailto:x@c.example"]
    assert urls(suspicious=["port", "password"]) == ["http://d.example:81/", "http://u:p@e.example/"]
    assert urls(suspicious=["port", "password"], redact=True)[1] == "http://u:***@e.example/"
    assert urlsift.find("http://a.example/", source_name="letter")[0]["source"] == "letter"


@pytest.mark.parametrize("name", ["format", "fields", "output", "no_messages", "count", "vimgrep", "warnings", "help"])
def test_form_refused(name: str) -> None:
    options: dict[str, Any] = {name: "x"}
    with pytest.raises(TypeError, match=rf"^scan\(\) has no option '{name}': it is about how the program prints$"):
        urlsift.scan([], **options)


def test_unknown() -> None:
    with pytest.raises(TypeError, match=r"^find\(\) has no option 'hostt'; it has as_, .*, host, "):
        urls(hostt="a")
    with pytest.raises(TypeError, match=r"^find\(\) has no option 'hidden'"):  # it is about directories
        urls(hidden=True)
    with pytest.raises(TypeError, match="host needs a value, not True"):
        urls(host=True)
    with pytest.raises(TypeError, match="this type is not possible"):
        urls(host=b"a")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"grammar": "rfc1"}, "--grammar rfc1"),
        ({"max_count": -1}, "--max-count"),
        ({"limit": {"speed": 1}}, 'there is no limit "speed"'),
        ({"since": "soon"}, "--since soon"),
        ({"redact": "x"}, "neither true nor false"),
    ],
)
def test_rejected(options: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        urls(**options)
    assert not str(caught.value).startswith("urlsift")


def test_every_flag() -> None:
    """Each flag of the program is an option, or is refused."""
    fish = subprocess.run([urlsift.program(), "completion", "fish"], capture_output=True, check=True).stdout.decode()
    found = re.findall(r"^complete -c urlsift(?: -n 'not [^']*')?(?: -s \S)? -l (\S+)", fish, re.MULTILINE)
    options = {name.rstrip("_") for name in ScanOptions.__annotations__}
    assert {name.replace("-", "_") for name in found} == options | FORM
    assert not options & FORM
    assert FindOptions.__annotations__.items() <= ScanOptions.__annotations__.items()
