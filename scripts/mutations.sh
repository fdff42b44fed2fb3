#!/usr/bin/env bash
# Checks that the tests detect what they are written for: each patch in tests/mutations/ removes one safeguard from a copy of the project,
# and the test that it names must then fail, by an assertion of its own. Without any patch the test must pass.
#
# A patch names its test in a line `# Noticed by: ` with arguments of `cargo test`; one without it is for the kill-path test.
# Arguments: the names of some of the patches, or `all`; none means those of the actors, which build quickly. The others
# need the whole program built for each, and the database: run them by hand after a change to what they break, or to their tests.
set -euo pipefail

cd "$(dirname "$0")/.."
root=$PWD
copy=$root/target/mutations/tree
output=$root/target/mutations/output
export CARGO_TARGET_DIR=$root/target/mutations/target
export CARGO_TERM_COLOR=never
export CARGO_PROFILE_DEV_DEBUG=0
export RUST_BACKTRACE=0

readonly kill_path='-p sextant-actors --test it -- kill_path'

# Copies get the present time: a restored file must look changed to cargo.
copy_tree() {
    rm -rf "$copy"
    mkdir -p "$copy"
    tar --exclude=./target --exclude=./.git -cf - . | tar -xmf - -C "$copy"
}

noticed_by() {
    local arguments
    arguments=$(sed -n 's/^# Noticed by: //p' "$1")
    echo "${arguments:-$kill_path}"
}

is_of_the_actors() {
    case $(noticed_by "$1") in "-p sextant-actors "*) true ;; *) false ;; esac
}

# Arguments: those of `cargo test`.
test_copy() {
    (cd "$copy" && cargo test --locked "$@") >"$output" 2>&1
}

# The same, without running the tests.
compiles() {
    local build=()
    for word in "$@"; do
        [ "$word" = -- ] && break
        build+=("$word")
    done
    test_copy "${build[@]}" --no-run
}

# The failure: the seed of the kill path and the rule that it broke, or the assertion of another test.
finding() {
    local words='^(assertion .* failed|thread .* panicked at (tests|actors|formats|src)/)'
    [ "$1" = "$kill_path" ] && words='^seed [0-9]+: '
    grep -m 1 -E "$words" "$output" | cut -c 1-160
}

give_up() {
    echo "mutations: $1"
    tail -n 40 "$output"
    exit 1
}

names=("$@")
if [ "${names[*]}" = all ] || [ ${#names[@]} -eq 0 ]; then
    names=()
    for patch in tests/mutations/*.patch; do
        [ "$*" = all ] || is_of_the_actors "$patch" || continue
        names+=("$patch")
    done
fi

copy_tree
declare -A unchanged
for name in "${names[@]}"; do
    arguments=$(noticed_by "tests/mutations/$(basename "$name" .patch).patch")
    [ -z "${unchanged[$arguments]:-}" ] || continue
    # Word splitting is intended.
    # shellcheck disable=SC2086
    compiles $arguments || give_up "the copy does not compile"
    # shellcheck disable=SC2086
    test_copy $arguments || give_up "cargo test $arguments fails without any mutation"
    grep -q -E '^test result: ok\. [1-9]' "$output" || give_up "cargo test $arguments runs no test"
    unchanged[$arguments]=passes
    echo "unchanged: cargo test $arguments passes"
done

survived=0
for name in "${names[@]}"; do
    name=$(basename "$name" .patch)
    patch=$root/tests/mutations/$name.patch
    arguments=$(noticed_by "$patch")
    patch -d "$copy" -p1 --silent <"$patch" || give_up "$name does not apply"
    # shellcheck disable=SC2086
    compiles $arguments || give_up "$name does not compile"
    # shellcheck disable=SC2086
    if test_copy $arguments; then
        echo "$name: SURVIVES"
        survived=1
    else
        found=$(finding "$arguments") || give_up "$name fails, but not by an assertion of the test"
        echo "$name: $found"
    fi
    patch -d "$copy" -p1 --silent --reverse <"$patch"
done
exit "$survived"
