#!/bin/sh
# Checks the types of the Console's scripts (static/) with the compiler that tools/console-check/package-lock.json names.
set -eu

cd "$(dirname "$0")/.."
pins=tools/console-check
compiler=target/console-check
if ! cmp -s "$pins/package-lock.json" "$compiler/installed"; then
    mkdir -p "$compiler"
    cp "$pins/package.json" "$pins/package-lock.json" "$compiler"
    npm ci --prefix "$compiler" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
    cp "$pins/package-lock.json" "$compiler/installed"
fi
"$compiler/node_modules/.bin/tsc" -p "$pins/tsconfig.json"
