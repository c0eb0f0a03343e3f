#!/usr/bin/env python3
"""Builds the wheels: for each system the program, cross-compiled by Go, and the Python package.

    python build.py [--system OS/ARCH]... [--out DIR] [--version V] [--programs DIR]

Python 3.11 and Go are needed, and nothing else. The metadata are those of pyproject.toml. The program is a script
of the wheel, so that the installed command is the program itself. Two builds of the same files by the
same Go and the same Python are equal byte by byte. SOURCE_DATE_EPOCH is the time of the files in the wheel.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import re
import subprocess
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
LICENSES = {  # in the wheel, and in the repository
    "LICENSE": REPOSITORY / "LICENSE",
    "NOTICES": REPOSITORY / "cmd/urlsift/internal/licenses/notices.txt",  # of what the program contains
}

# The platforms of a wheel. Without cgo the program is static on Linux, so it needs no C library. Go 1.25
# and later need macOS 12, and write that into the program.
PLATFORMS = {
    "linux/amd64": ("manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"),
    "linux/arm64": ("manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"),
    "darwin/amd64": ("macosx_12_0_x86_64",),
    "darwin/arm64": ("macosx_12_0_arm64",),
    "windows/amd64": ("win_amd64",),
    "windows/arm64": ("win_arm64",),
}

# urfave/cli without what urlsift does not use of it: 250 KB.
TAGS = "-tags=urfave_cli_no_docs,urfave_cli_no_suggest"

# What pyproject.toml may say. A name that is not here would be missing in the wheel.
KNOWN = {"name", "version", "description", "readme", "requires-python", "license", "keywords", "classifiers", "urls"}
KNOWN |= {"optional-dependencies"}


def main() -> None:
    """Build the wheels that the command line asks for."""
    parser = argparse.ArgumentParser(description="Builds wheels that have the program in them.")
    parser.add_argument("--system", nargs="+", action="extend", choices=PLATFORMS, metavar="OS/ARCH",
                        help=f"default: all of {', '.join(PLATFORMS)}")  # fmt: skip
    parser.add_argument("--out", type=Path, default=HERE / "dist", metavar="DIR", help="default: dist")
    parser.add_argument("--version", help="default: that of pyproject.toml")
    parser.add_argument("--programs", type=Path, metavar="DIR",
                        help="has the programs, as OS/ARCH/urlsift; default: they are compiled")  # fmt: skip
    args = parser.parse_args()
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    if unknown := project.keys() - KNOWN:
        parser.error(f"pyproject.toml: build.py does not know {', '.join(sorted(unknown))}")
    project["version"] = args.version or project["version"]
    if not re.fullmatch(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?", project["version"]):
        parser.error(f"{project['version']!r} is not a version as PEP 440 writes it")
    args.out.mkdir(parents=True, exist_ok=True)
    for system in args.system or PLATFORMS:
        program = (args.programs / system / "urlsift").read_bytes() if args.programs else compile_program(system)
        path = wheel(project, system, program, args.out)
        print(f"{path}: {path.stat().st_size:,} bytes")


def compile_program(system: str) -> bytes:
    """Return the program for a system."""
    goos, _, goarch = system.partition("/")
    target = {"CGO_ENABLED": "0", "GOOS": goos, "GOARCH": goarch, "GOAMD64": "v1", "GOARM64": "v8.0"}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "urlsift")
        subprocess.run(
            ["go", "build", "-trimpath", TAGS, "-ldflags=-s -w", "-o", program, "./cmd/urlsift"],
            cwd=REPOSITORY,
            env=os.environ | target,
            check=True,
        )
        return program.read_bytes()


def wheel(project: dict[str, Any], system: str, program: bytes, out: Path) -> Path:
    """Write the wheel for a system, and return its path."""
    name = f"{project['name']}-{project['version']}"
    info = f"{name}.dist-info"
    tags = [f"py3-none-{platform}" for platform in PLATFORMS[system]]
    source = HERE / "src"
    paths = [*sorted(source.glob("urlsift/*.py")), source / "urlsift/py.typed"]
    files = {path.relative_to(source).as_posix(): path.read_bytes() for path in paths}
    script = f"{name}.data/scripts/urlsift" + (".exe" if system.startswith("windows/") else "")
    files[script] = program
    files |= {f"{info}/licenses/{to}": path.read_bytes() for to, path in LICENSES.items()}
    files[f"{info}/METADATA"] = metadata(project).encode()
    header = "Wheel-Version: 1.0\nGenerator: urlsift build.py\nRoot-Is-Purelib: false\n"
    files[f"{info}/WHEEL"] = (header + "".join(f"Tag: {tag}\n" for tag in tags)).encode()
    record = [f"{path},sha256={digest(data)},{len(data)}\n" for path, data in files.items()]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()

    to = out / f"{name}-py3-none-{'.'.join(PLATFORMS[system])}.whl"
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", 0))
    date = time.gmtime(max(epoch, 315532800))[:6]  # a zip file has no time before 1980
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, on all systems
            entry.external_attr = (0o100755 if path == script else 0o100644) << 16
            archive.writestr(entry, data)
    return to


def metadata(project: dict[str, Any]) -> str:
    """Return the file METADATA."""
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", project["name"]),
        ("Version", project["version"]),
        ("Summary", project["description"]),
        ("Keywords", ",".join(project["keywords"])),
        ("License-Expression", project["license"]["text"]),
        *(("License-File", name) for name in LICENSES),
        *(("Classifier", classifier) for classifier in project["classifiers"]),
        ("Requires-Python", project["requires-python"]),
        *(("Project-URL", f"{label}, {url}") for label, url in project["urls"].items()),
    ]
    for extra, requirements in project["optional-dependencies"].items():
        fields.append(("Provides-Extra", extra))
        fields += [("Requires-Dist", f'{requirement}; extra == "{extra}"') for requirement in requirements]
    fields.append(("Description-Content-Type", "text/markdown"))
    header = "".join(f"{key}: {value}\n" for key, value in fields)
    return f"{header}\n{(HERE / project['readme']).read_text('utf-8')}"


def digest(data: bytes) -> str:
    """Return a hash as RECORD has it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
