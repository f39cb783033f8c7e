#!/usr/bin/env bash
# golden.sh - one state hash per kernel, whatever the compiler, its flags, the instruction set and
# the number of workers; and the same hash as yesterday.
#
#   usage: golden.sh [--update]        make golden-update calls it with GOLDEN_UPDATE=1
#
# Prints "ok what" or "not ok what" per build and kernel. The stored hashes are in hashes.txt.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
stored=tests/golden/hashes.txt
root=${BUILD:-build}/golden
update=${GOLDEN_UPDATE:-}
[ "${1:-}" != --update ] || update=1
failed=0

# compiler | flag | workers; unoptimised code runs 20 times longer, so it gets fewer worker counts
builds='
gcc|-O2|1,2,3,5,8,16,64
gcc|-O0|1,3
gcc|-O3|1,2,64
clang|-O0|2
clang|-O2|1,5,64
clang|-O3|1,3
'

verdict() { # STATUS WHAT [WHY]
    if [ "$1" = 0 ]; then
        echo "ok $2"
    else
        echo "not ok $2${3:+ ($3)}"
        failed=1
    fi
}

# build COMPILER FLAG - the program's path in $program
build() {
    local folder=$root/$1$2
    program=$folder/tests/golden/golden
    mkdir -p "$folder"
    # a make of its own, not the child of the one that runs the tests: its flags would come along
    env -u MAKEFLAGS -u MAKELEVEL make BUILD="$folder" CC="$1" OPT="$2" "$program" >"$folder/make.log" 2>&1 && return
    cat "$folder/make.log" >&2
    return 1
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
    build gcc -O2 || exit 1
    {
        echo "# kernel, state hash of tests/golden/golden.c after 120 frames; make golden-update"
        "$program" --workers 1 --isa sse2 | awk '{ print $1, $4 }'
    } >"$stored"
    echo "golden: stored $(grep -vc '^#' "$stored") hashes in $stored"
}

kernels="split p2 gs"
[ -z "$update" ] || update_stored
while IFS='|' read -r compiler flag workers; do
    [ -z "$compiler" ] || check_build "$compiler" "$flag" "$workers"
done <<<"$builds"
exit $failed
