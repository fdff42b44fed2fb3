#!/bin/sh
# Installs the independent implementations that tests compare with, at pinned versions, into target/peers: the
# official Python client of MCP, python-dateutil, and vobject. Tests look for them at target/peers/python/bin/python. The
# protocol's conformance suite has an installer of its own.
set -eu

mcp_version=2.3.0
dateutil_version=2.9.0.post0
vobject_version=0.9.9
root=$(cd "$(dirname "$0")/../.." && pwd)
peers="$root/target/peers"
python="$peers/python/bin/python"

is_complete() {
    [ -x "$python" ] && "$python" - "$mcp_version" "$dateutil_version" "$vobject_version" <<'PYTHON' 2>/dev/null
import sys
from importlib.metadata import version
sys.exit([version("mcp"), version("python-dateutil"), version("vobject")] != sys.argv[1:])
PYTHON
}

if ! is_complete; then
    mkdir -p "$peers"
    python3 -m venv --clear "$peers/python"
    "$python" -m pip install --quiet --disable-pip-version-check \
        "mcp==$mcp_version" "python-dateutil==$dateutil_version" \
        "vobject==$vobject_version"
    is_complete
fi

sh "$root/tests/peers/conformance/install.sh"
