#!/usr/bin/env bash
# dig.sh - the standard dig, shortened to one bucket, ends in one state for every number of workers,
# instruction set, compiler and flag, and in the same as yesterday.
#
#   usage: dig.sh [--update]        make golden-update calls it with GOLDEN_UPDATE=1
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
stored=tests/golden/dig.txt
BUILD=${BUILD:-build}
update=${GOLDEN_UPDATE:-}
[ "${1:-}" != --update ] || update=1
failed=0

# compiler | flag | workers | instruction sets
builds='
built|here|1,2,3,8|avx2
built|here|5|sse2
gcc|-O0|2|avx2
clang|-O2|3|sse2
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
    local folder=$BUILD/golden/dig-$1$2
    program=$folder/tests/golden/dig
    mkdir -p "$folder/tests/golden"
    if [ "$1" = built ]; then
        ${CC:-gcc} -std=gnu17 -D_GNU_SOURCE= -O2 -Isrc -o "$program" tests/golden/dig.c "$BUILD/libmattock.a" \
            -lyaml -lxxhash -lzstd -lpthread -lm
    else
        local sources
        sources=$(echo src/{base,jobs,input,soil,terrain,machine,material,site,coupling,world,operator,score,scenario,record,report,sim}/*.c)
        env -u MAKEFLAGS -u MAKELEVEL make BUILD="$folder" CC="$1" OPT="$2" WERROR= SOURCES="$sources" "$program"
    fi >"$folder/make.log" 2>&1 && return
    tail -n 20 "$folder/make.log" >&2
    return 1
}

check_build() { # COMPILER FLAG WORKERS ISAS
    local lines want got
    if ! build "$1" "$2"; then
        verdict 1 "dig $1 $2 builds"
        return
    fi
    lines=$("$program" 690 "$3" "$4")
    verdict $? "dig $1 $2 loses nothing"
    want=$(awk '$1 == "dig" { print $2 }' "$stored" 2>/dev/null)
    got=$(awk '{ print $4 }' <<<"$lines" | sort -u | tr '\n' ' ')
    # an instruction set that this CPU lacks gives no line
    [ -z "$lines" ] || [ "$got" = "$want " ]
    verdict $? "dig $1 $2 workers $3 $4" "got $got, stored $want"
}

if [ -n "$update" ]; then
    build built here || exit 1
    {
        echo "# state hash of tests/golden/dig.c after one bucket; make golden-update"
        "$program" 690 1 sse2 | awk '{ print $1, $4 }'
    } >"$stored"
    echo "golden: stored the hash of the dig in $stored"
    exit 0
fi
while IFS='|' read -r compiler flag workers isas; do
    [ -z "$compiler" ] || check_build "$compiler" "$flag" "$workers" "$isas"
done <<<"$builds"
exit $failed
