#!/bin/sh
# Installs what judges the stand-in of Google, at pinned versions, into target/peers: Google's official Python client, whose discovery
# documents are the contracts, and prism, which holds requests and answers to them. What is installed already is left as it is.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
peers="$here/../../../target/peers"
client=google-api-python-client==2.202.0
mkdir -p "$peers"
peers=$(cd "$peers" && pwd)

if [ "$(cat "$peers/google/installed" 2>/dev/null)" != "$client" ]; then
    python3 -m venv --clear "$peers/google"
    "$peers/google/bin/python" -m pip install --quiet --disable-pip-version-check "$client"
    echo "$client" >"$peers/google/installed"
fi

if ! command -v npm >/dev/null 2>&1; then
    echo "npm is missing, and with it the contracts of Google" >&2
    exit 0
fi
contracts="$peers/google-contracts"
if ! cat "$here/package-lock.json" "$here/contracts.js" | cmp -s - "$contracts/installed"; then
    mkdir -p "$contracts"
    cp "$here/package.json" "$here/package-lock.json" "$contracts"
    npm ci --prefix "$contracts" --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error
    documents=$("$peers/google/bin/python" -c \
        'import googleapiclient, os; print(os.path.join(os.path.dirname(googleapiclient.__file__), "discovery_cache/documents"))')
    NODE_PATH="$contracts/node_modules" node "$here/contracts.js" "$documents" "$contracts"
    cat "$here/package-lock.json" "$here/contracts.js" >"$contracts/installed"
fi
