#!/usr/bin/env bash
# fuzz.sh - hostile bytes for every reader, and wild levers for a small world: FUZZ_SECONDS each (20), two at a time.
#
# Prints "ok name" or "not ok name" per reader; BUILD names the folder that holds fuzz/. What is found on
# the way is kept in BUILD/fuzz/corpus for the next run; an input that breaks a reader is kept, too,
# and named. `make fuzz` runs longer.
set -uo pipefail
build=${BUILD:-build}/fuzz
seconds=${FUZZ_SECONDS:-20}
here=tests/fuzz

# seeds READER - folders whose files show the reader what is what
seeds() {
    case $1 in
        yaml) echo tests/unit/corpus/yaml ;;
        site) echo config/sites tests/unit/corpus/site ;;
        vehicle) echo vehicles tests/unit/corpus/vehicle ;;
        scenario) echo config/scenarios tests/unit/corpus/scenario ;;
        script) echo config/controls tests/scenes ;;
        *) echo "$here/corpus/$1" ;;
    esac
}

# run READER - one reader for its seconds; its verdict as one line
run() {
    local name=$1 program=$build/$here/fuzz_$1 folders=() folder log
    for folder in $(seeds "$name"); do
        [ ! -d "$folder" ] || folders+=("$folder")
    done
    # each new input would be run twice to look for leaks, which steps do not make (tests of allocation)
    local leaks=1
    [ "$name" != world ] || leaks=0
    mkdir -p "$build/corpus/$name"
    log=$build/$name.log
    if timeout $((seconds + 120)) "$program" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 \
        -max_len=16384 -detect_leaks=$leaks -verbosity=1 -print_final_stats=1 -artifact_prefix="$build/$name-" \
        "$build/corpus/$name" "${folders[@]}" >"$log" 2>&1; then
        echo "ok fuzz $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
    else
        echo "not ok fuzz $name"
        grep -E 'ERROR|Test unit written|runtime error|^ *#[0-9]+ .* in ' "$log" | head -n 15 | sed 's/^/    /'
    fi
}

readers=()
for source in "$here"/fuzz_*.c; do
    name=${source##*/fuzz_}
    name=${name%.c}
    if [ -x "$build/$here/fuzz_$name" ]; then
        readers+=("$name")
    else
        echo "not ok fuzz $name is not built; run make fuzz-programs"
    fi
done
export -f run seeds
export build seconds here
printf '%s\n' "${readers[@]}" | xargs -r -P 2 -I{} bash -c 'run {}'
