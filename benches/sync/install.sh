#!/bin/sh
# Installs what `cargo bench --profile dist --bench sync` compares with, at a pinned version, into target/tools/vdirsyncer. Needs
# python3 with venv. `mbsync` is Debian's package isync, and Dovecot dovecot-imapd; Radicale comes with tests/peers/install.sh.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
venv="$root/target/tools/vdirsyncer"
[ -x "$venv/bin/vdirsyncer" ] || python3 -m venv --clear "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check vdirsyncer==0.21.0
command -v mbsync >/dev/null 2>&1 || echo "mbsync is missing: sudo apt-get install isync" >&2
