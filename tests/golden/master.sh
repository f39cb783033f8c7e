#!/usr/bin/env bash
# master.sh - the frozen master of `mattock qualify` is of this code: the experiments that take less than
# a second end in the bits that it holds. The self-test compares with the same file.
#
#   usage: master.sh [--update]        make golden-update calls it with GOLDEN_UPDATE=1
#
# Prints "ok what" or "not ok what" per experiment; BUILD names the folder of the program.
set -uo pipefail
program=${BUILD:-build}/mattock
master=config/qualify/quick.yaml
failed=0
if [ -n "${GOLDEN_UPDATE:-}" ] || [ "${1:-}" = --update ]; then
    "$program" qualify --quick --freeze "$master" || [ $? = 1 ]
    exit
fi

for name in controls chain incline slope fee strata swell hold jack travel reach strokes swing digforce pump; do
    said=$("$program" qualify --quick --only "$name" --json 2>/dev/null)
    if grep -A 4 "\"$name\": {" <<<"$said" | grep -q '"as_master": true'; then
        echo "ok master $name"
    else
        echo "not ok master $name (other bits than frozen; good physics may do that: make golden-update)"
        failed=1
    fi
done
exit $failed
