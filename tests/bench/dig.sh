#!/usr/bin/env bash
# dig.sh - instructions and work of the first seconds of the standard dig, against stored counts. A
# busy machine does not disturb them.
#
#   usage: dig.sh [--update]        make golden-update calls it with GOLDEN_UPDATE=1
#
# Prints "ok name" or "not ok name (got, stored)"; off by more than 2 % either way fails: a gain
# should be stored as well. Instructions hold for one compiler; with another they are skipped.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
stored=tests/bench/dig.txt
compiler_of_counts="gcc 12"
steps=300
isa=sse2
root=${BUILD:-build}/callgrind-world # not that of callgrind.sh, whose library is smaller
tolerance=0.02
update=${GOLDEN_UPDATE:-}
[ "${1:-}" != --update ] || update=1
failed=0
. tests/tools/count.sh

program=$root/tests/golden/dig

# instructions inside world_step()
instructions() {
    count_run --collect-atstart=no --toggle-collect=world_step "$program" $steps 1 $isa
}

near() { # NAME GOT
    local want
    want=$(awk -v name="$1" '$1 == name { print $2 }' "$stored" 2>/dev/null)
    if awk -v got="${2:-0}" -v want="${want:-0}" -v t=$tolerance \
        'BEGIN { exit !(want > 0 && got >= (1 - t) * want && got <= (1 + t) * want) }'; then
        echo "ok dig $1"
    else
        echo "not ok dig $1 (got ${2:-nothing}, stored ${want:-nothing})"
        failed=1
    fi
}

count_build "$root" tests/golden/dig "$count_world_sources" || { echo "not ok dig builds"; exit 1; }
line=$("$program" $steps 1 $isa) || { echo "not ok dig runs"; exit 1; }
contacts=$(awk '{ print $5 }' <<<"$line") grains=$(awk '{ print $6 }' <<<"$line")
counted=
count_compiler && counted=$(instructions)
if [ -n "$update" ]; then
    {
        echo "# work and instructions ($compiler_of_counts) of the first $steps steps of the standard dig; make golden-update"
        echo "contacts $contacts"
        echo "grains $grains"
        echo "instructions ${counted:?valgrind did not count}"
    } >"$stored"
    echo "callgrind: stored the counts of the dig in $stored"
    exit 0
fi
near contacts "$contacts"
near grains "$grains"
if count_compiler; then
    near instructions "$counted"
else
    echo "ok dig instructions # skipped: the count is that of $compiler_of_counts"
fi
exit $failed
