#!/bin/sh
# Installs the protocol's own conformance suite, at a pinned version, into target/peers/conformance, and the Node that
# it needs into target/peers/node. Expects npm.
set -eu

node_version=22.23.3
suite_version=0.2.0-alpha.12
peers="$(cd "$(dirname "$0")/../../.." && pwd)/target/peers"

# is_installed <folder> <package> <version>
is_installed() {
    grep -qs "\"version\": \"$3\"" "$peers/$1/node_modules/$2/package.json"
}

# install <folder> <package> <version>
install() {
    is_installed "$1" "$2" "$3" && return
    mkdir -p "$peers/$1"
    npm install --silent --no-audit --no-fund --no-save --prefix "$peers/$1" "$2@$3"
    is_installed "$1" "$2" "$3"
}

install node node "$node_version"
install conformance @modelcontextprotocol/conformance "$suite_version"
