#!/usr/bin/env bash
# Fuzzes the way from a request's bytes to a decided call (`request`), or what the audit log keeps of arguments (`redaction`, named
# second), for 600 seconds or as many as are given first, and keeps what reached something new in fuzz/corpus, as little of it as
# reaches as much. Needs a nightly compiler and cargo-fuzz (cargo install cargo-fuzz). An input that breaks something is left in
# fuzz/artifacts, and named.
set -euo pipefail

seconds="${1:-600}"
target="${2:-request}"
input_bytes_max=16384
cd "$(dirname "$0")/.."
kept="fuzz/corpus/$target"
found="$(mktemp -d)"
trap 'rm -rf "$found"' EXIT

# Nothing of the product is unsafe, so that the address sanitizer would only slow it down.
fuzz() {
    local command="$1"
    shift
    cargo +nightly fuzz "$command" --sanitizer none "$target" "$@"
}

fuzz run "$found" "$kept" -- -dict="fuzz/$target.dict" -max_len="$input_bytes_max" -max_total_time="$seconds"
# What only repeats a step more often is not kept.
fuzz run "$kept" "$found" -- -set_cover_merge=1 -use_counters=0 -max_len="$input_bytes_max"
