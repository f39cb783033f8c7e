#!/usr/bin/env bash
# run_tests.sh - runs test programs and test scripts, and adds up their results.
#
#   usage: run_tests.sh PROGRAM|SCRIPT.sh ...       (make test composes the list)
#
# A program is a Unity program: its last words are "N Tests N Failures N Ignored".
# A script prints a line "ok what" or "not ok what" for each of its tests; it runs in the root of
# the repository and finds the artefacts in $BUILD. Either one that dies, or that exits with a
# failure it did not report, counts as one failed test.
#
# Scripts that count instructions or compare bits run beside the others, one after the other: what else the
# computer does is nothing to them. Their lines come last.
#
# The last line is "N passed, N failed"; the exit status is 0 only when something passed and
# nothing failed. Seconds are information, never a verdict.
set -uo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C # points, not commas, in seconds
export BUILD=${BUILD:-build}
passed=0 failed=0
output=$(mktemp)
beside=$(mktemp)
lane=
trap '[ -z "$lane" ] || kill "$lane" 2>/dev/null; rm -f "$output" "$output.beside" "$beside"' EXIT

# count_unity / count_script - set good and bad from $output
count_unity() {
    local line tests failures ignored
    line=$(grep -aE '^[0-9]+ Tests [0-9]+ Failures [0-9]+ Ignored' "$output" | tail -n 1)
    read -r tests _ failures _ ignored _ <<<"${line:-0 Tests 0 Failures 0 Ignored}"
    good=$((tests - failures - ignored)) bad=$failures
}
count_script() {
    good=$(grep -acE '^ok ' "$output")
    bad=$(grep -acE '^not ok ' "$output")
}

# run_one FILE - runs it, adds its counts, shows one line, and all it said when it failed
run_one() {
    local start=$EPOCHREALTIME status verdict
    case $1 in /*) "$1" ;; *) "./$1" ;; esac >"$output" 2>&1 </dev/null
    status=$?
    case $1 in *.sh) count_script ;; *) count_unity ;; esac

    # a death or an unreported failure is a failure; so is a test file without a test
    if [ "$bad" = 0 ] && { [ "$status" != 0 ] || [ "$good" = 0 ]; }; then
        bad=1
        echo "(ended with status $status and $good passed tests)" >>"$output"
    fi
    [ "$bad" = 0 ] && verdict=ok || verdict=FAILED
    printf '%-7s %-50s %4d passed %3d failed %7.1f s\n' "$verdict" "$1" "$good" "$bad" \
        "$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')"
    [ "$bad" = 0 ] || sed 's/^/        /' "$output"
    passed=$((passed + good)) failed=$((failed + bad))
}

indifferent() { case $1 in tests/bench/*.sh | tests/golden/*.sh) true ;; *) false ;; esac }

(
    trap - EXIT
    output=$output.beside
    for file in "$@"; do
        ! indifferent "$file" || run_one "$file"
    done
    echo "$passed $failed"
) >"$beside" &
lane=$!
for file in "$@"; do
    indifferent "$file" || run_one "$file"
done
wait "$lane"
lane=
read -r more worse < <(tail -n 1 "$beside")
head -n -1 "$beside"
passed=$((passed + ${more:-0})) failed=$((failed + ${worse:-1}))
echo "$passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" = 0 ]
