#!/bin/sh
# Stops the database for a minute under the real process while agents call and devices push, and compares what was answered with
# what the audit log holds (tests/it/process/minute.rs).
#
#   scripts/without_database.sh [seconds]    60 by default
set -eu

cd "$(dirname "$0")/.."
. scripts/toolchain.sh
export SEXTANT_STOPPED_S="${1:-60}"
exec cargo test --test it -- --nocapture process::minute
