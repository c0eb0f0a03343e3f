#!/usr/bin/env bash
# Builds the wheel for this machine twice, installs it into new environments, and runs the tests, mypy, ruff,
# and what checks wheels. It needs Go, Python 3.11 (for build.py) and the package index, and writes to a
# folder that it removes.
#
#   ./try.sh [PYTHON...]    also tests with these, such as python3.10; build.py runs with python3
set -euo pipefail
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1

system=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
python3 build.py --system "$system" --out "$tmp/dist"
python3 build.py --system "$system" --out "$tmp/again" >"$tmp/log"
cmp "$tmp"/dist/*.whl "$tmp"/again/*.whl

python3 -m venv "$tmp/venv"
bin=$tmp/venv/bin
"$bin/pip" -q install "$tmp"/dist/*.whl pytest ruff mypy twine check-wheel-contents wheel
"$bin/pip" check
"$bin/twine" check --strict "$tmp"/dist/*.whl
"$bin/check-wheel-contents" "$tmp/dist"
"$bin/wheel" unpack -d "$tmp/unpacked" "$tmp"/dist/*.whl
"$bin/ruff" check .
"$bin/ruff" format --check .
"$bin/mypy" --cache-dir "$tmp/mypy"
"$bin/mypy" --cache-dir "$tmp/mypy" --strict --python-version 3.11 build.py
"$bin/urlsift" version
"$bin/pytest" -p no:cacheprovider

# There pip does not put the command where RECORD says.
"$bin/pip" -q install --no-deps --target "$tmp/target" "$tmp"/dist/*.whl
PYTHONPATH=$tmp/target python3 -S -c 'import sys, urlsift; assert urlsift.program().startswith(sys.argv[1])' "$tmp/target"
for python in "$@"; do
	"$python" -m venv "$tmp/$python"
	"$tmp/$python/bin/pip" -q install "$tmp"/dist/*.whl pytest
	"$tmp/$python/bin/pytest" -q -p no:cacheprovider
done
