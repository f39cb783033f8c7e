#!/usr/bin/env bash
# callgrind.sh - instructions per scene, which no busy machine can disturb, against stored counts.
#
#   usage: callgrind.sh [--update]        make golden-update calls it with GOLDEN_UPDATE=1
#
# Prints "ok name" or "not ok name (got, stored)"; off by more than 2 % either way fails: a gain
# should be stored as well. The counts hold for one compiler; with another, all is skipped.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
stored=tests/bench/callgrind.txt
compiler_of_counts="gcc 12"
root=${BUILD:-build}/callgrind
tolerance=0.02
update=${GOLDEN_UPDATE:-}
[ "${1:-}" != --update ] || update=1
failed=0
. tests/tools/count.sh

# kernel isa grains frames
scenes='
split avx2 500 10
split sse2 500 10
split avx2 2000 5
p2 avx2 500 10
p2 sse2 500 10
p2 avx2 2000 5
gs avx2 500 10
gs avx2 2000 5
'

program=$root/tests/bench/bench_scene

check_scene() { # KERNEL ISA GRAINS FRAMES
    local name="callgrind $1 $2 $3" got want
    if [ "$2" = avx2 ] && ! grep -qw avx2 /proc/cpuinfo; then
        echo "ok $name # skipped: no avx2 here"
        return
    fi
    got=$(count_run --instr-atstart=no "$program" "$@")
    want=$(awk -v name="$name" '"callgrind " $1 " " $2 " " $3 == name { print $5 }' "$stored" 2>/dev/null)
    if [ -n "$update" ]; then
        echo "$* ${got:?valgrind did not count}" >>"$stored.new"
    elif awk -v got="${got:-0}" -v want="${want:-0}" -v t=$tolerance \
        'BEGIN { exit !(want > 0 && got > (1 - t) * want && got < (1 + t) * want) }'; then
        echo "ok $name"
    else
        echo "not ok $name (got ${got:-nothing}, stored ${want:-nothing})"
        failed=1
    fi
}

if ! count_compiler; then
    echo "ok callgrind # skipped: the counts are those of $compiler_of_counts"
    exit 0
fi
count_build "$root" tests/bench/bench_scene "$(echo src/{base,jobs,soil}/*.c)" || { echo "not ok callgrind builds"; exit 1; }
[ -z "$update" ] || echo "# kernel isa grains frames instructions ($compiler_of_counts); make golden-update" >"$stored.new"
while read -r scene; do
    # shellcheck disable=SC2086
    [ -z "$scene" ] || check_scene $scene
done <<<"$scenes"
if [ -n "$update" ]; then
    mv "$stored.new" "$stored"
    echo "callgrind: stored $(grep -vc '^#' "$stored") counts in $stored"
fi
exit $failed
