#!/bin/sh
# Prints the licences of the crates that are built into the program here: for each its name, its licence according to its manifest,
# and the texts that came with it; then those of what the Console's page is made of. A text that several have is printed once. Reads what
# cargo has already fetched, so it needs no network.
set -eu

cd "$(dirname "$0")/.."
. scripts/toolchain.sh
fetched="${CARGO_HOME:-$HOME/.cargo}/registry/src"
printed=$(mktemp -d)
trap 'rm -rf "$printed"' EXIT

# print_text CRATE FILE
print_text() {
    seen="$printed/$(cksum <"$2" | tr ' ' '-')"
    if [ -e "$seen" ]; then
        printf -- '-- %s: the text of %s\n' "$(basename "$2")" "$(cat "$seen")"
        return
    fi
    echo "$1" >"$seen"
    printf -- '-- %s:\n\n' "$(basename "$2")"
    cat "$2"
    echo
}

echo "Sextant is built of these crates besides its own."
cargo tree --locked --offline --package sextant --edges normal --prefix none --format '{p}|{l}' |
    sed 's/ (\*)$//' | grep -v ' (/' | LC_ALL=C sort -u |
    while IFS='|' read -r crate licence; do
        name=${crate%% *}
        version=${crate#* v}
        version=${version%% *}
        printf '\n==== %s %s: %s\n' "$name" "$version" "$licence"
        folder=$(find "$fetched" -mindepth 2 -maxdepth 2 -name "$name-$version" | head -n 1)
        [ -n "$folder" ] || { echo "$name $version is not in $fetched" >&2; exit 1; }
        find "$folder" -maxdepth 1 -type f \( -iname 'licen[sc]e*' -o -iname 'copying*' -o -iname 'notice*' \) |
            LC_ALL=C sort | while IFS= read -r text; do print_text "$name $version" "$text"; done
    done

printf '\n\nIts page is made of these scripts, styles, icons and fonts besides its own.\n'
for text in static/vendor/licences/*; do
    printf '\n==== %s\n' "$(basename "$text")"
    print_text "$(basename "$text")" "$text"
done
