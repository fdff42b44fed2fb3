#!/bin/sh
# Installs what `cargo bench --profile dist --bench calls` compares with, at a pinned version, into target/peers/toolbox: MCP Toolbox for
# Databases. Needs npm.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$root/target/peers/toolbox"
npm install --silent --no-audit --no-fund --prefix "$root/target/peers/toolbox" @toolbox-sdk/server@1.12.0
