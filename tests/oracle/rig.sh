#!/usr/bin/env bash
# rig.sh - the rig against MuJoCo, for every vehicle in vehicles/.
#
# MuJoCo comes from Debian (libmujoco-dev) and is installed when it is missing and can be had; it is
# linked into the test alone. Where it cannot be had the test says so and counts as passed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
folder=$BUILD/oracle
program=$folder/oracle_rig
mkdir -p "$folder"

if ! why=$(tests/tools/setup.sh oracle 2>&1); then
    echo "ok the rig against MuJoCo was skipped: libmujoco-dev cannot be had here (${why##*setup: })"
    exit 0
fi
if ! ${CC:-gcc} -std=gnu17 -D_GNU_SOURCE= -O2 -ffp-contract=off -Isrc -o "$program" tests/oracle/oracle_rig.c \
    "$BUILD/libmattock.a" -lmujoco -lyaml -lxxhash -lzstd -lpthread -lm >"$folder/build.log" 2>&1; then
    cat "$folder/build.log"
    echo "not ok the oracle builds"
    exit 1
fi
failed=0
for vehicle in vehicles/*.yaml; do
    name=$(basename "$vehicle" .yaml)
    grep -q '^bodies:' "$vehicle" || continue
    if ! "$BUILD/mattock" lab mjcf "$vehicle" >"$folder/$name.xml"; then
        echo "not ok $name as MJCF"
        failed=1
        continue
    fi
    "$program" "$vehicle" "$folder/$name.xml" | sed -E "s/^(ok|not ok) /\1 $name: /" || failed=1
done
exit $failed
