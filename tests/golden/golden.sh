#!/usr/bin/env bash
# golden.sh - I9: one state hash per kernel, whatever the compiler, its flags, the instruction set and
# the number of workers; and the same hash as yesterday.
#
#   usage: golden.sh [--update]        make golden-update calls it with GOLDEN_UPDATE=1
#
# Prints "ok what" or "not ok what" per build and kernel. The stored hashes are in hashes.txt.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
stored=tests/golden/hashes.txt
BUILD=${BUILD:-build}
root=$BUILD/golden
update=${GOLDEN_UPDATE:-}
[ "${1:-}" != --update ] || update=1
failed=0

# compiler | flag | workers. The library as it was built for the product gets every worker count;
# unoptimised code runs ten times longer.
builds='
built|here|1,2,3,5,8,16,64
gcc|-O0|3
gcc|-O2|1,8
gcc|-O3|2
clang|-O0|2
clang|-O2|5,16
clang|-O3|1
'

verdict() { # STATUS WHAT [WHY]
    if [ "$1" = 0 ]; then
        echo "ok $2"
    else
        echo "not ok $2${3:+ ($3)}"
        failed=1
    fi
}

# build COMPILER FLAG - the program's path in $program, or a failure
build() {
    local folder=$root/$1$2
    program=$folder/tests/golden/golden
    mkdir -p "$folder/tests/golden"
    if [ "$1" = built ]; then
        link_with_built
    else
        make_variant "$@" "$folder"
    fi >"$folder/make.log" 2>&1 && return
    cat "$folder/make.log" >&2
    return 1
}

link_with_built() {
    ${CC:-gcc} -std=gnu17 -O2 -Isrc -Itests -o "$program" tests/golden/golden.c "$BUILD/libmattock.a" -lyaml -lxxhash -lpthread -lm
}

# A make of its own, not the child of the one that runs the tests: its flags would come along. Only
# what a step needs is compiled; warnings are the business of the ordinary build.
make_variant() { # COMPILER FLAG FOLDER
    env -u MAKEFLAGS -u MAKELEVEL make BUILD="$3" CC="$1" OPT="$2" WERROR= \
        SOURCES="$(echo src/base/*.c src/jobs/*.c src/soil/*.c src/terrain/*.c src/coupling/*.c src/input/*.c src/machine/*.c)" "$program"
}

# one_hash KERNEL LINES - the hash that all lines of the kernel agree on, or nothing
one_hash() { awk -v k="$1" '$1 == k { seen[$4] = 1 } END { for (h in seen) n++; if (n == 1) print h }' <<<"$2"; }

check_build() { # COMPILER FLAG WORKERS
    local lines kernel hash want
    if ! build "$1" "$2"; then
        verdict 1 "golden $1 $2 builds"
        return
    fi
    lines=$("$program" --workers "$3")
    verdict $? "golden $1 $2 runs with finite numbers" "$(grep -c bad <<<"$lines") bad runs"
    for kernel in $kernels; do
        hash=$(one_hash "$kernel" "$lines")
        want=$(awk -v k="$kernel" '$1 == k { print $2 }' "$stored")
        if [ -z "$hash" ]; then
            verdict 1 "golden $1 $2 $kernel gives one hash" "over instruction sets and workers $3"
            awk -v k="$kernel" '$1 == k { print "    " $0 }' <<<"$lines"
        else
            [ "$hash" = "$want" ]
            verdict $? "golden $1 $2 $kernel" "got $hash, stored $want"
        fi
    done
}

update_stored() {
    build built here || exit 1
    {
        echo "# kernel, state hash of tests/golden/golden.c after 120 frames; make golden-update"
        "$program" --workers 1 --isa sse2 | awk '{ print $1, $4 }'
    } >"$stored"
    echo "golden: stored $(grep -vc '^#' "$stored") hashes in $stored"
}

kernels="split p2 gs ground works machine levers"
[ -z "$update" ] || update_stored
while IFS='|' read -r compiler flag workers; do
    [ -z "$compiler" ] || check_build "$compiler" "$flag" "$workers"
done <<<"$builds"
exit $failed
