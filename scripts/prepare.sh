#!/bin/sh
# Looks for what Sextant is built with and runs on: Rust, a C compiler and PostgreSQL's binaries. For what is missing
# it prints the command that installs it; as root with apt-get, or with brew, it runs the command.
#
#   scripts/prepare.sh [--dry-run]    --dry-run: only print. SEXTANT_INSTALL=no does the same for every install.
#
# Exit codes: 0 all is there, 1 something is missing.
set -eu

rust_minimum=1.95
postgresql_minimum=15
root=$(cd "$(dirname "$0")/.." && pwd)
dry_run=no
[ "${1:-}" = "--dry-run" ] && dry_run=yes
[ "${SEXTANT_INSTALL:-yes}" = "no" ] && dry_run=yes
missing=no
apt_is_fresh=no

. "$root/scripts/toolchain.sh"

have() {
    command -v "$1" >/dev/null 2>&1
}

say() {
    printf '%s\n' "$*" >&2
}

# at_least HAVE WANTED: compares "major.minor" numbers.
at_least() {
    have_major=${1%%.*}
    have_rest=${1#*.}
    [ "$have_rest" = "$1" ] && have_rest=0
    want_major=${2%%.*}
    want_rest=${2#*.}
    [ "$want_rest" = "$2" ] && want_rest=0
    [ "$have_major" -gt "$want_major" ] && return 0
    [ "$have_major" -eq "$want_major" ] && [ "${have_rest%%.*}" -ge "${want_rest%%.*}" ]
}

# The command that installs a part here; empty where none is known. apt: packages for Debian; brew: for Homebrew.
install_command() {
    part=$1
    if have apt-get; then
        case $part in
        postgresql) echo "apt-get install -y --no-install-recommends postgresql" ;;
        compiler) echo "apt-get install -y --no-install-recommends gcc libc6-dev make" ;;
        esac
    elif have brew; then
        case $part in
        postgresql) echo "brew install postgresql@17" ;;
        compiler) echo "xcode-select --install" ;;
        esac
    elif have dnf; then
        case $part in
        postgresql) echo "dnf install -y postgresql-server" ;;
        compiler) echo "dnf install -y gcc make" ;;
        esac
    elif have pacman; then
        case $part in
        postgresql) echo "pacman -S --noconfirm postgresql" ;;
        compiler) echo "pacman -S --noconfirm base-devel" ;;
        esac
    elif have apk; then
        case $part in
        postgresql) echo "apk add postgresql17" ;;
        compiler) echo "apk add build-base" ;;
        esac
    fi
}

# Whether this user may run the command without a prompt.
may_run() {
    [ "$dry_run" = no ] || return 1
    case $1 in
    apt-get*) [ "$(id -u)" -eq 0 ] ;;
    brew*) true ;;
    *) false ;;
    esac
}

run_install() {
    case $1 in
    apt-get*)
        if [ "$apt_is_fresh" = no ]; then
            apt-get update -q >&2
            apt_is_fresh=yes
        fi
        # Debian's package would start a cluster of its own at installation; Sextant keeps its own.
        set_up_quiet_cluster
        DEBIAN_FRONTEND=noninteractive sh -c "$1" >&2
        ;;
    *) sh -c "$1" >&2 ;;
    esac
}

set_up_quiet_cluster() {
    if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
        mkdir -p /etc/postgresql-common
        echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
    fi
}

# need PART NAME CHECK: prints what is missing, installs it where that is allowed, and checks again.
need() {
    part=$1
    name=$2
    check=$3
    "$check" && return 0
    command_line=$(install_command "$part")
    if [ -z "$command_line" ]; then
        say "missing: $name. Install it with your system's package manager."
    elif may_run "$command_line"; then
        say "missing: $name. Installing it: $command_line"
        run_install "$command_line" && "$check" && return 0
        say "still missing: $name, after: $command_line"
    else
        as_root=""
        case $command_line in brew* | xcode-select*) ;; *) [ "$(id -u)" -eq 0 ] || as_root="sudo " ;; esac
        say "missing: $name. Install it with: $as_root$command_line"
    fi
    missing=yes
}

has_compiler() {
    have cc || have gcc || have clang
}

# Where Sextant itself looks, in its order; DATABASE_URL needs no binaries here to run, but the tests do.
postgresql_folders() {
    [ -z "${PG_BIN_DIR:-}" ] || echo "$PG_BIN_DIR"
    have pg_config && pg_config --bindir
    if have initdb; then dirname "$(command -v initdb)"; fi
    for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/libexec/postgresql*/ \
        /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin \
        /home/linuxbrew/.linuxbrew/opt/postgresql@*/bin \
        /Applications/Postgres.app/Contents/Versions/*/bin; do
        echo "$folder"
    done
}

has_postgresql() {
    folders=$(postgresql_folders)
    while IFS= read -r folder; do
        [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] || continue
        version=$("$folder/postgres" --version 2>/dev/null | sed 's/[^0-9]*\([0-9][0-9]*\).*/\1/')
        [ -n "$version" ] && [ "$version" -ge "$postgresql_minimum" ] && return 0
    done <<LIST
$folders
LIST
    return 1
}

check_rust() {
    how="install it from https://rustup.rs, or with: rustup toolchain install stable"
    if ! have cargo || ! have rustc; then
        say "missing: Rust $rust_minimum or newer. $how"
        missing=yes
        return
    fi
    version=$(rustc --version | sed 's/rustc \([0-9]*\.[0-9]*\).*/\1/')
    if ! at_least "$version" "$rust_minimum"; then
        say "missing: Rust $rust_minimum or newer; here is $version. Update it with: rustup update stable"
        missing=yes
    fi
}

check_rust
need compiler "a C compiler" has_compiler
need postgresql "PostgreSQL $postgresql_minimum or newer (its binaries; no server needs to run)" has_postgresql
[ "$missing" = no ]
