#!/usr/bin/env bash
# growth.sh - what twice the grains and a site four times as large cost, in instructions: a busy machine
# does not disturb them. `mattock bench growth` tells the same in milliseconds.
#
# Prints "ok name" or "not ok name (what came)". The ratios hold for every compiler: they are of one run.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=${BUILD:-build}/callgrind-world
program=$root/tests/bench/growth
failed=0
. tests/tools/count.sh

count() {
    count_run --instr-atstart=no "$program" "$@"
}

# ratio NAME AT-MOST ONE OTHER - of two counts
ratio() {
    if awk -v most="$2" -v a="${3:-0}" -v b="${4:-0}" 'BEGIN { exit !(a > 0 && b > 0.5 * a && b <= most * a) }'; then
        echo "ok growth $1"
    else
        echo "not ok growth $1 (${4:-nothing} is more than $2 times ${3:-nothing}, or not believable)"
        failed=1
    fi
    [ -z "${verbose:-}" ] || echo "    $3 $4 $(awk -v a="$3" -v b="$4" 'BEGIN { print b / a }')"
}

count_build "$root" tests/bench/growth "$count_world_sources" || { echo "not ok growth builds"; exit 1; }
ratio "a site four times as large" 1.01 "$(count dig)" "$(count wide)"
ratio "twice the grains" 2.2 "$(count pour 1000)" "$(count pour 2000)"
exit $failed
