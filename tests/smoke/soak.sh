#!/usr/bin/env bash
# soak.sh - the soak in short: two seconds of every lesson, twice; a stopped one goes on; wrong usage.
set -uo pipefail
build=${BUILD:-build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then echo "ok $name"; else echo "not ok $name"; failed=1; fi
}

SOAK_SECONDS=28 SOAK_LOG=$folder/log BUILD=$build tests/tools/soak.sh >"$folder/said" 2>&1
check "every lesson, two worker counts: nothing lost, no growth, the same bits" test $? = 0
lessons=$(find config/scenarios -maxdepth 1 -name '*.yaml' | wc -l)
check "a line per lesson, run and comparison" test "$(grep -c '^ok soak ' "$folder/said")" = $((3 * lessons))
[ $failed = 0 ] || grep -v '^ok' "$folder/said"

# the log of a run that was stopped behind its third lesson
head -n 3 "$folder/log/28-1.log" >"$folder/part.log"
"$build/mattock" soak --seconds 28 --threads 2 --log "$folder/part.log" >"$folder/rest"
check "a stopped soak goes on where it was" test $? = 0 -a "$(wc -l <"$folder/rest")" = $((lessons - 3))
check "and ends in the same bits" test "$(grep -o 'hash [0-9a-f]*' "$folder/part.log")" = "$(grep -o 'hash [0-9a-f]*' "$folder/log/28-1.log")"
"$build/mattock" soak --seconds 0 2>"$folder/err"
check "no time at all is wrong usage" test $? = 2
exit $failed
