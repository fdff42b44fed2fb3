#!/usr/bin/env bash
# Fuzzes the path from a request's bytes to a checked call (`request`), or what the audit log stores of arguments (`redaction`, the
# second argument), for 600 seconds or as many as the first argument says. Inputs that reach new code are kept in fuzz/corpus, as few
# as cover the same. Needs a nightly compiler and cargo-fuzz (cargo install cargo-fuzz). An input that breaks something is left in
# fuzz/artifacts, and its path is printed.
set -euo pipefail

seconds="${1:-600}"
target="${2:-request}"
input_bytes_max=16384
cd "$(dirname "$0")/.."
kept="fuzz/corpus/$target"
found="$(mktemp -d)"
trap 'rm -rf "$found"' EXIT

# The product has no unsafe code, so the address sanitizer would only slow it down.
fuzz() {
    local command="$1"
    shift
    cargo +nightly fuzz "$command" --sanitizer none "$target" "$@"
}

fuzz run "$found" "$kept" -- -dict="fuzz/$target.dict" -max_len="$input_bytes_max" -max_total_time="$seconds"
# An input that only repeats a step more often is not kept.
fuzz run "$kept" "$found" -- -set_cover_merge=1 -use_counters=0 -max_len="$input_bytes_max"
