#!/usr/bin/env bash
# test_long.sh - make targets one after the other, each with a log of its own; all are tried.
#
#   usage: test_long.sh 'TARGET [VAR=VALUE ...]' ...       make test-long calls it
#
# Prints "ok target, minutes" or "not ok target" with the end of its log; logs lie in BUILD/long.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
logs=${BUILD:-build}/long
mkdir -p "$logs" || exit 1
failed=0
for part in "$@"; do
    read -r -a words <<<"$part"
    log=$logs/${words[0]}.log
    SECONDS=0
    if ${MAKE:-make} "${words[@]}" >"$log" 2>&1; then
        echo "ok $part, $((SECONDS / 60)) min"
    else
        echo "not ok $part, $((SECONDS / 60)) min: $log"
        grep -aE '^(not ok|FAILED)|:FAIL' "$log" | tail -n 20 | sed 's/^/    /'
        failed=1
    fi
done
[ $failed = 0 ] && echo "all parts passed" || echo "some parts failed"
exit $failed
