#!/usr/bin/env bash
# examples.sh - the examples of the C interface do what they say: dig a bucket, weigh it, lose nothing.
#
# Prints "ok name" or "not ok name" per example; BUILD names the folder of the libraries.
set -uo pipefail
build=${BUILD:-build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$folder/out" 2>&1; then
        echo "ok $name: $(head -n 1 "$folder/out")"
    else
        echo "not ok $name"
        sed 's/^/    /' "$folder/out"
        failed=1
    fi
}

# against the shared library, with nothing but the one header
mkdir -p "$folder/sim" && cp src/sim/mattock.h "$folder/sim/"
compile() { ${CC:-gcc} -std=c99 -Wall -Wextra -Werror -I"$folder" -o "$folder/dig" tests/examples/dig.c "$build/libmattock.so"; }
check "dig.c compiles alone" compile
dig() { LD_LIBRARY_PATH=$build "$folder/dig"; }
check "dig.c" dig
refused() { ! LD_LIBRARY_PATH=$build "$folder/dig" nowhere 2>"$folder/why" && grep -q nowhere "$folder/why"; }
check "dig.c names a missing site" refused
only() { ! nm -D --defined-only "$build/libmattock.so" | awk '{ print $3 }' | grep -qv '^mattock_'; }
check "libmattock.so shows only mattock_" only
if command -v python3 >/dev/null; then
    check "dig.py" python3 tests/examples/dig.py "$build/libmattock.so"
else
    echo "ok dig.py # skipped: no python3 here"
fi
exit $failed
