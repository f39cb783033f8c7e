#!/usr/bin/env bash
# soak.sh - a random operator for hours of simulated time on every shipped site: nothing is lost, nothing
# is put right, memory does not grow, and another worker count ends in the same bits.
#
#   usage: SOAK_SECONDS=7200 soak.sh       simulated seconds per site; make soak calls it
#
# Prints "ok what" or "not ok what" per site and claim, with what was measured; BUILD names the folder of
# the program. Memory is what the kernel says is resident, from the middle of the run to its end.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
program=${BUILD:-build}/mattock
seconds=${SOAK_SECONDS:-7200}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

verdict() { # TEXT COMMAND... - ok when the command succeeds
    local text=$1
    shift
    if "$@"; then
        echo "ok $text"
    else
        echo "not ok $text"
        failed=1
    fi
}
field() { sed -nE "s/^ *\"$2\": \"?([^\",]*)\"?,?\$/\1/p" "$1" | head -n 1; }

# run SITE THREADS OUT - the report, and resident kB every half second in OUT.kb
run() {
    "$program" run "$1" --headless --operator random --seconds "$seconds" --threads "$2" --seed 7 \
        --quiet --report "$3" &
    local child=$!
    : >"$3.kb"
    while kill -0 $child 2>/dev/null; do
        awk '/^VmRSS/ { print $2 }' /proc/$child/status >>"$3.kb" 2>/dev/null
        sleep 0.5
    done
    wait $child
}

# growth FILE - percent from the highest of the third quarter to the highest of the last
growth() {
    awk '{ kb[NR] = $1 } END {
        for (i = int(NR / 2) + 1; i <= NR; i++)
            if (i <= NR * 0.75) { if (kb[i] > a) a = kb[i] } else if (kb[i] > b) b = kb[i]
        printf "%.2f\n", (a > 0 ? 100 * (b - a) / a : 100) }' "$1"
}

for site in config/sites/*.yaml; do
    name=$(basename "$site" .yaml)
    run "$name" 1 "$folder/one" && run "$name" 3 "$folder/three"
    verdict "soak $name: both runs ended well" test $? = 0
    more=$(growth "$folder/one.kb")
    verdict "soak $name: $(field "$folder/one" steps) steps, $(field "$folder/one" ledger_imbalance_mg) mg missing" \
        test "$(field "$folder/one" ledger_imbalance_mg)$(field "$folder/one" ledger_audit)" = 0true
    verdict "soak $name: $(field "$folder/one" bad_grains) bad grains, $(field "$folder/one" machine_resets) undone steps, $(field "$folder/one" grains_max) grains at most" \
        test "$(field "$folder/one" bad_grains)$(field "$folder/one" machine_resets)" = 00
    verdict "soak $name: memory grew by $more % in the last quarter" awk -v g="$more" 'BEGIN { exit !(g != "" && g + 0 < 1) }'
    verdict "soak $name: $(field "$folder/one" hash) with 1 worker, $(field "$folder/three" hash) with 3" \
        test "$(field "$folder/one" hash)" = "$(field "$folder/three" hash)"
done
exit $failed
