#!/bin/sh
# Installs the official Python client of the protocol, at the version the tests were written against, where they look for it.
set -eu

version=2.3.0
root=$(cd "$(dirname "$0")/../.." && pwd)
venv="$root/target/peers/mcp-$version"

if "$venv/bin/python" -c "import mcp" 2>/dev/null; then
    exit 0
fi
mkdir -p "$(dirname "$venv")"
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "mcp==$version"
