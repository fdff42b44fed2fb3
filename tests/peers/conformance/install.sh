#!/bin/sh
# Installs the protocol's own conformance suite, at a pinned version, into target/peers/conformance. Expects npm; it runs
# on the Node that ../install.sh installs.
set -eu

version=0.2.0-alpha.12
suite=@modelcontextprotocol/conformance
folder="$(cd "$(dirname "$0")/../../.." && pwd)/target/peers/conformance"

is_installed() {
    grep -qs "\"version\": \"$version\"" "$folder/node_modules/$suite/package.json"
}

if ! is_installed; then
    mkdir -p "$folder"
    npm install --silent --no-audit --no-fund --no-save --prefix "$folder" "$suite@$version"
    is_installed
fi
