#!/bin/sh
# Kills the service and its database with kill -9, in turns and under load, and compares what was acknowledged with what is
# stored (tests/it/process/rounds.rs). A failing round is run again with the seed that was printed.
#
#   scripts/kill_rounds.sh [rounds] [seed]    200 rounds and a random seed by default
set -eu

cd "$(dirname "$0")/.."
. scripts/toolchain.sh
export SEXTANT_KILL_ROUNDS="${1:-200}"
if [ -n "${2:-}" ]; then
    export SEXTANT_KILL_SEED="$2"
fi
exec cargo test --test it -- --nocapture process::rounds
