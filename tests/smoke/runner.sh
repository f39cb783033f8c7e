#!/usr/bin/env bash
# The test runner counts rightly: nothing that fails, dies or stays silent can pass for a success.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# fake NAME SHELL-TEXT - a stand-in for a test program or script
fake() {
    printf '#!/bin/sh\n%s\n' "$2" >"$folder/$1"
    chmod +x "$folder/$1"
}
fake two.sh 'echo "ok a"; echo "remark"; echo "ok b"'
fake half.sh 'echo "ok a"; echo "not ok b"; exit 1'
fake liar.sh 'echo "ok a"; exit 3'
fake silent.sh 'true'
fake three 'echo "3 Tests 0 Failures 0 Ignored"; echo OK'
fake mixed 'echo "5 Tests 2 Failures 1 Ignored"; echo FAIL; exit 2'
fake crash 'echo "x.c:1:first:PASS"; kill -SEGV $$'
fake late 'echo "2 Tests 0 Failures 0 Ignored"; kill -ABRT $$'

# expect TOTALS STATUS NAME... - runs the stand-ins
expect() {
    local totals=$1 status=$2 files=() name said got
    shift 2
    for name in "$@"; do files+=("$folder/$name"); done
    said=$(tests/tools/run_tests.sh ${files[@]+"${files[@]}"} 2>&1)
    got=$?
    if [ "$(tail -n 1 <<<"$said")" = "$totals" ] && [ "$got" = "$status" ]; then
        echo "ok runner says \"$totals\" for: $*"
    else
        echo "not ok runner for: $* (wanted \"$totals\" and $status, got \"$(tail -n 1 <<<"$said")\" and $got)"
    fi
}

expect "0 passed, 0 failed" 1
expect "2 passed, 0 failed" 0 two.sh
expect "5 passed, 0 failed" 0 two.sh three
expect "1 passed, 1 failed" 1 half.sh
expect "1 passed, 1 failed" 1 liar.sh
expect "0 passed, 1 failed" 1 silent.sh
expect "2 passed, 2 failed" 1 mixed
expect "0 passed, 1 failed" 1 crash
expect "2 passed, 1 failed" 1 late
expect "0 passed, 1 failed" 1 missing
expect "6 passed, 2 failed" 1 two.sh half.sh three crash
