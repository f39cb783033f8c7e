#!/usr/bin/env bash
# fetch_unity.sh - put the Unity test framework (2.4.3, MIT licence) into a folder.
#
#   usage: fetch_unity.sh [FOLDER]          default build/third_party/unity
#   env:   UNITY_TARBALL=file               take Unity from this source tarball
#          UNITY_OFFLINE=1                  use the cache or fail; never the network
#
# Unity is no Debian binary package, but Debian source packages of other programs carry it.
# We let apt fetch one of those, check its SHA-256, take the three files we compile, check them
# as well, and keep the tarball in the user's cache, so that a clean build needs no network.
#
# apt works on a private configuration in a temporary folder: the machine's own sources, turned
# from "deb" into "deb-src". Mirrors, proxies and keys thus keep working, nothing outside the
# temporary folder, the cache and FOLDER is written, and root is not needed.
set -euo pipefail
export LC_ALL=C
umask 022

folder=${1:-build/third_party/unity}
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/mattock/unity

# source package | upstream version | SHA-256 of its tarball | where Unity is inside
carriers='
duo-unix|1.11.3|0fe0f85a834f6522070cb77edb29e77d853eb13932744b98b7b7d9657513f124|tests/unity_tests/Unity-2.4.3/src
cjson|1.7.15|5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2|tests/unity/src
'
# the files we compile, as each carrier has them (cjson's copy adds casts and an include)
declare -A file_sums=(
    [duo-unix]='8bf0753a9ff2127e883ce55d8bc53660dc798bd79c7e4f7b6cb68600421c55ee  src/unity.c
2d356dcffe0f8d887ece0ad8d5cd0d388aeef5482800a7b8fea6d415be8bcf1f  src/unity.h
602a35989f410f4019dc64dc535bd23b33b562c1370653ea7d57fc65c593fe00  src/unity_internals.h'
    [cjson]='a89aaeeaebb8a9f8b9379493592c1a8a135ece211d48128752d2c4c49724690a  src/unity.c
2d356dcffe0f8d887ece0ad8d5cd0d388aeef5482800a7b8fea6d415be8bcf1f  src/unity.h
874c2af0bcebead08d0f609f77e2306a735ba55205b7776d937120cb616d4304  src/unity_internals.h'
)

say() { printf 'unity: %s\n' "$*" >&2; }

# complete FOLDER CARRIER - true when the folder holds that carrier's exact files
complete() {
    [ -f "$1/examples/unity_config.h" ] && [ -f "$1/src/unity.c" ] &&
        (cd "$1" && sha256sum --check --status --strict -) <<<"${file_sums[$2]}" 2>/dev/null
}

has_sum() { [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$2  -" ]; }

# --- apt with a private configuration ------------------------------------------------------

private_apt() {
    local tool=$1
    shift
    "$tool" -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt" \
        -o Dir::Cache::archives="$apt/archives" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User="$(id -un)" \
        -o Acquire::Languages=none -o Acquire::Retries=3 -o APT::Update::Error-Mode=any \
        -o Debug::NoLocking=1 "$@"
}

# Copies the machine's package sources as source-package sources and fetches their index, once.
open_apt() {
    [ ! -d "$apt" ] || return 0
    command -v apt-get >/dev/null || { say "there is no apt on this system"; return 1; }
    mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/archives/partial" "$apt/download"

    local list='' parts='' file
    eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
    for file in "$parts"/*.sources; do
        [ ! -f "$file" ] ||
            sed -E 's/^([Tt]ypes:).*/\1 deb-src/' "$file" >"$apt/sources/${file##*/}"
    done
    for file in "$list" "$parts"/*.list; do
        [ ! -f "$file" ] || sed -nE 's/^[[:space:]]*deb([[:space:]])/deb-src\1/p' "$file" \
            >"$apt/sources/$(basename "$file" .list)-src.list"
    done

    say "reading the index of Debian source packages"
    private_apt apt-get update >"$work/log" 2>&1 && return 0
    cat "$work/log" >&2
    return 1
}

# download PACKAGE VERSION TARBALL - leaves the tarball in $apt/download
download() {
    open_apt || return 1
    local full
    for full in $(private_apt apt-cache showsrc --only-source "$1" 2>/dev/null |
        sed -nE "s/^Version: (([0-9]+:)?$2-.*)/\1/p" | sort -rVu); do
        say "fetching the source of $1 $full"
        (cd "$apt/download" && private_apt apt-get --download-only --tar-only source "$1=$full") \
            >"$work/log" 2>&1 || cat "$work/log" >&2
        [ ! -f "$apt/download/$3" ] || return 0
    done
    return 1
}

# --- from a tarball to the folder ----------------------------------------------------------

# obtain PACKAGE VERSION SUM - prints the path of a tarball with the right sum
obtain() {
    local tarball=$1_$2.orig.tar.gz
    if [ -n "${UNITY_TARBALL:-}" ]; then
        has_sum "$UNITY_TARBALL" "$3" && echo "$UNITY_TARBALL"
        return
    fi
    if ! has_sum "$cache/$tarball" "$3"; then
        [ -z "${UNITY_OFFLINE:-}" ] && download "$1" "$2" "$tarball" || return 1
        has_sum "$apt/download/$tarball" "$3" || { say "wrong checksum: $tarball"; return 1; }
        keep "$apt/download/$tarball"
        has_sum "$cache/$tarball" "$3" || { echo "$apt/download/$tarball"; return; }
    fi
    echo "$cache/$tarball"
}

# keep FILE - copies it into the cache whole or not at all; a read-only home is no reason to fail
keep() {
    mkdir -p "$cache" 2>/dev/null && cp "$1" "$cache/.$$" 2>/dev/null &&
        mv -f "$cache/.$$" "$cache/${1##*/}" || say "could not keep a copy in the cache"
}

# unpack TARBALL CARRIER INSIDE - fills the folder, or leaves it as it was
unpack() {
    local new=$work/unity
    rm -rf "$work/tar" "$new"
    mkdir -p "$work/tar" "$new/src" "$new/examples"
    tar -xzf "$1" -C "$work/tar" --strip-components=1 --no-same-owner || return 1
    cp "$work/tar/$3"/unity{.c,.h,_internals.h} "$new/src/" || return 1
    printf '#pragma once\n#define UNITY_INCLUDE_DOUBLE\n#define UNITY_SUPPORT_64\n' \
        >"$new/examples/unity_config.h"
    complete "$new" "$2" || { say "wrong checksum of a file in ${1##*/}"; return 1; }
    rm -rf "$folder"
    mv "$new" "$folder"
}

for carrier in duo-unix cjson; do
    ! complete "$folder" "$carrier" || exit 0
done

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$(cd "$(dirname "$folder")" && pwd)/.unity.XXXXXX")
apt=$work/apt
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for row in $carriers; do
    IFS='|' read -r package version sum inside <<<"$row"
    if tarball=$(obtain "$package" "$version" "$sum") && unpack "$tarball" "$package" "$inside"; then
        say "Unity 2.4.3 is in $folder"
        exit 0
    fi
done
say "Unity could not be had; with a network this works by itself, without one set"
say "UNITY_TARBALL to $(sed -nE 's/^([^|]+)\|([^|]+)\|.*/\1_\2.orig.tar.gz/p' <<<"$carriers" | paste -sd, | sed 's/,/ or /')"
exit 1
