#!/bin/sh
# Makes target/package/sextant-<version>-<target>.tar.gz: the program, optimised and stripped, with its unit file, settings, licences
# and README. The same source and compiler give the same bytes: names in order, one owner, the time of the last commit.
#
#   scripts/dist.sh           builds and packs
#   scripts/dist.sh PROGRAM   packs a program that is already built
set -eu

cd "$(dirname "$0")/.."
. scripts/toolchain.sh

# Files of the repository that are packed as they are; the program and the crates' licences are generated.
files="README.md config.example.toml packaging/sextant.service LICENSE-MIT LICENSE-APACHE"

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
target=$(rustc -vV | sed -n 's/^host: //p')
name="sextant-$version-$target"
built="${CARGO_TARGET_DIR:-target}"
program=${1:-$built/dist/sextant}
tar=tar
command -v gtar >/dev/null 2>&1 && tar=gtar
"$tar" --version 2>/dev/null | grep -q 'GNU tar' || { echo "GNU tar is needed" >&2; exit 1; }

if [ $# -eq 0 ]; then
    # Keeps the paths of this machine out of the program.
    separator=$(printf '\037')
    CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=$PWD=/sextant${separator}--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo" \
        cargo build --profile dist --locked --bin sextant
fi

mkdir -p "$built/package"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/$name"
install -m 755 "$program" "$work/$name/sextant"
for file in $files; do
    install -m 644 "$file" "$work/$name/"
done
sh scripts/notices.sh >"$work/$name/LICENSES-OF-CRATES.txt"
chmod 644 "$work/$name/LICENSES-OF-CRATES.txt"
time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
"$tar" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" --format=ustar -C "$work" -cf - "$name" |
    gzip -n -9 >"$built/package/$name.tar.gz"
echo "$built/package/$name.tar.gz"
