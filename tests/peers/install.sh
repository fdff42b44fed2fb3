#!/bin/sh
# Installs the independent implementations that tests compare with, at pinned versions, into target/peers:
#   python    python-dateutil, vobject, icalendar, recurring-ical-events, inscriptis, the Prometheus client, and the official
#             Python client of MCP in its second version
#   python-1  the same client's first version, and fastmcp, which builds on it
#   dav       Radicale and Xandikos, two servers of calendars and contacts, and clients to compare with
#   schemathesis  which generates requests from an OpenAPI document, and checks the answers against it
#   conformance  the protocol's own conformance suite, which has an installer of its own
#   node      Node, the official TypeScript clients of both versions, the Inspector, and mcp-remote (left out without npm)
# What is installed already is left as it is.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
peers="$root/target/peers"

# has_python VENV NAME==VERSION...
has_python() {
    interpreter="$peers/$1/bin/python"
    shift
    [ -x "$interpreter" ] && "$interpreter" - "$@" <<'PYTHON' 2>/dev/null
import sys
from importlib.metadata import version
sys.exit(any(version(name) != wanted for name, wanted in (pin.split("==") for pin in sys.argv[1:])))
PYTHON
}

# python VENV NAME==VERSION...
python() {
    has_python "$@" && return
    venv="$peers/$1"
    python3 -m venv --clear "$venv"
    name=$1
    shift
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
    has_python "$name" "$@"
}

# Everything that is installed is in the lock file; install scripts are not run, since none is needed.
node() {
    pins="$root/tests/peers/node"
    cmp -s "$pins/package-lock.json" "$peers/node/installed" && return
    if ! command -v npm >/dev/null 2>&1; then
        echo "npm is missing, and with it the clients that run on Node" >&2
        return
    fi
    mkdir -p "$peers/node"
    cp "$pins/package.json" "$pins/package-lock.json" "$peers/node"
    npm ci --prefix "$peers/node" --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error
    bundled=$(ls -d "$peers"/node/node_modules/node-*/bin/node 2>/dev/null || command -v node)
    ln -sf "$bundled" "$peers/node/node"
    cp "$pins/package-lock.json" "$peers/node/installed"
}

mkdir -p "$peers"
python python mcp==2.3.0 python-dateutil==2.9.0.post0 vobject==0.9.9 icalendar==7.3.0 recurring-ical-events==3.8.2 \
    prometheus-client==0.26.0 inscriptis==2.7.6
python python-1 mcp==1.30.0 fastmcp==3.0.2
python dav radicale==3.9.0 xandikos==0.4.10 cryptography==50.0.2 bcrypt==5.0.0 caldav==3.6.0 vobject==0.9.9 icalendar==7.3.0 \
    requests==2.34.2 lxml==6.1.3
python schemathesis schemathesis==4.32.5
node
if command -v npm >/dev/null 2>&1; then
    sh "$root/tests/peers/conformance/install.sh"
fi
