#!/usr/bin/env bash
# Proves that the kill-path test sees what it is there to see: each patch in tests/mutations/ takes one safeguard out of a copy
# of the project, and the test must then fail, by an assertion of its own. Without any of them it must pass.
# Arguments: the names of some of the patches; none means all of them.
set -euo pipefail

cd "$(dirname "$0")/.."
root=$PWD
copy=$root/target/mutations/tree
said=$root/target/mutations/said
export CARGO_TARGET_DIR=$root/target/mutations/target
export CARGO_TERM_COLOR=never
export CARGO_PROFILE_DEV_DEBUG=0
export RUST_BACKTRACE=0

# Files get the time of copying: a file put back must look changed to cargo.
copy_tree() {
    rm -rf "$copy"
    mkdir -p "$copy"
    cp -R Cargo.toml Cargo.lock .cargo actors src "$copy"
}

kill_path() {
    cargo test --locked --manifest-path "$copy/Cargo.toml" -p sextant-actors --test it -- kill_path >"$said" 2>&1
}

compiles() {
    cargo test --locked --manifest-path "$copy/Cargo.toml" -p sextant-actors --test it --no-run >"$said" 2>&1
}

# The failing seed and what it broke.
finding() {
    grep -m 1 -E '^seed [0-9]+: ' "$said" | cut -c 1-160
}

give_up() {
    echo "mutations: $1"
    tail -n 40 "$said"
    exit 1
}

copy_tree
compiles || give_up "the copy does not compile"
kill_path || give_up "the test fails without any mutation"
echo "unchanged: passes"

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    names=(tests/mutations/*.patch)
fi
survived=0
for name in "${names[@]}"; do
    name=$(basename "$name" .patch)
    patch=$root/tests/mutations/$name.patch
    patch -d "$copy" -p1 --silent <"$patch" || give_up "$name does not apply"
    compiles || give_up "$name does not compile"
    if kill_path; then
        echo "$name: SURVIVES"
        survived=1
    else
        found=$(finding) || give_up "$name fails, but not by an assertion of the test"
        echo "$name: $found"
    fi
    patch -d "$copy" -p1 --silent --reverse <"$patch"
done
exit "$survived"
