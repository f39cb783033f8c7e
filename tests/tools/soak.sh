#!/usr/bin/env bash
# soak.sh - every shipped lesson in turn, worked by chance, in one process, and then again with another
# worker count: nothing is lost, nothing has to be put right, memory does not grow, the bits are the same.
#
#   usage: SOAK_SECONDS=28800 SOAK_LOG=folder soak.sh       simulated seconds, shared by all lessons
#
# Prints "ok lesson: what was measured" per lesson and run; BUILD names the folder of the program. make
# soak calls it. The log folder holds what is done: a soak that was stopped goes on there, lesson by lesson.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
program=${BUILD:-build}/mattock
seconds=${SOAK_SECONDS:-28800}
logs=${SOAK_LOG:-${BUILD:-build}/soak}
mkdir -p "$logs" || exit 1
failed=0

for threads in 1 3; do
    "$program" soak --seconds "$seconds" --threads $threads --record "$logs/last.mrec" \
        --log "$logs/$seconds-$threads.log" >/dev/null || failed=1
    sed "s/^\(not ok\|ok\) /\1 soak /" "$logs/$seconds-$threads.log"
done
rm -f "$logs/last.mrec"

# lesson and hash of each line
hashes() { sed -nE 's/^(not )?ok ([a-z0-9_]+): hash ([0-9a-f]+),.*/\2 \3/p' "$1" | sort; }
for file in config/scenarios/*.yaml; do
    name=$(basename "$file" .yaml)
    one=$(hashes "$logs/$seconds-1.log" | grep "^$name ") three=$(hashes "$logs/$seconds-3.log" | grep "^$name ")
    if [ -n "$one" ] && [ "$one" = "$three" ]; then
        echo "ok soak $one with 1 worker and with 3"
    else
        echo "not ok soak $name: ${one:-no result} with 1 worker, ${three:-no result} with 3"
        failed=1
    fi
done
exit $failed
