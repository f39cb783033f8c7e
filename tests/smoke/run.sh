#!/usr/bin/env bash
# run.sh - `mattock run`: a bucket into a truck with a report of it; scripts, idle and random hands;
# what is bad costs one line and its exit code.
#
# Prints "ok name" or "not ok name" per case.
. tests/tools/claims.sh

field() { grep -qE "\"$1\": $2" "$folder/report.json"; }

# wrong use: one line with the list, code 2
usage() { # TEXT ARGS...
    local text=$1
    shift
    run 2 run "$@" && one_line && tells "$text"
}
check "without a site" usage "needs a site"
check "an unknown option" usage "--operator" loam --headless --oprator expert
check "an unknown operator" usage "expert, novice, random, idle" loam --headless --operator master
check "an unknown program" usage "pit, trench, truck, stockpile" loam --headless --program tunnel
check "threads out of range" usage "from 1 to" loam --headless --threads 0
check "a radius out of range" usage "from 30 to 60" loam --headless --radius 5
check "a depth that is no number" usage "from 0.1 to 6" loam --headless --depth deep
check "a place that is none" usage "X,Z,HEADING" loam --headless --at 1,2

# bad files: one line, code 5
refused() { run 5 run "$@" --headless && one_line; }
check "a missing site" refused "$folder/none.yaml"
check "a broken site" refused tests/unit/corpus/site/syntax.yaml
check "a missing vehicle" refused loam --vehicle "$folder/none.yaml"
check "a missing truck" refused loam --truck "$folder/none.yaml"
check "a truck without a bin" refused loam --truck dozer_20t
check "missing materials" refused loam --materials "$folder/none.yaml"
check "a missing script" refused loam --operator "$folder/none.levers"
check "a vehicle without an arm" refused loam --vehicle dozer_20t
check "a report that cannot be written" refused loam --operator idle --seconds 1 --quiet --report "$folder/no/r.json"

# one bucket into the truck
loaded() {
    run 0 run loam --headless --cycles 1 --seconds 60 --radius 50 --report "$folder/report.json" --quiet &&
        field ledger_imbalance_mg 0 && field ledger_audit true && field finished true && field cycle_count 1 &&
        field bad_grains 0 && field machine_resets 0 && field hash '"[0-9a-f]{16}"' && [ ! -s "$folder/err" ]
}
check "one bucket into the truck" loaded
mass() { awk -F'[:,]' '/"landed_kg"/ { if ($2 > 500) fine = 1 } END { exit !fine }' "$folder/report.json"; }
check "it landed there" mass
for key in realtime_factor deadline_misses phases median_ms p99_ms fill_percent spill_percent fuel_l \
    swing_loaded_s grains_max over_time faults; do
    check "the report has $key" grep -q "\"$key\"" "$folder/report.json"
done

# the same twice, whatever the number of threads
hash_of() { sed -nE 's/^ *"hash": "([0-9a-f]+)".*/\1/p' "$folder/report.json"; }
same() {
    local first
    run 0 run loam --headless --operator novice --program pit --seconds 6 --radius 60 --quiet --threads 1 \
        --report "$folder/report.json" && first=$(hash_of) &&
        run 0 run loam --headless --operator novice --program pit --seconds 6 --radius 60 --quiet --threads 3 \
            --report "$folder/report.json" && [ -n "$first" ] && [ "$first" = "$(hash_of)" ]
}
check "a novice does the same again with other threads" same

# other hands
hands() { run 0 run loam --headless --operator "$1" --program pit --seconds 4 --radius 60 --quiet --report "$folder/report.json" &&
    field ledger_imbalance_mg 0; }
check "idle hands" hands idle
check "random hands" hands random
check "hands by a script" hands tests/scenes/dig.levers

# a full small pool loses nothing
pool() { run 0 run loam --headless --program pit --seconds 7 --pool 200 --quiet --report "$folder/report.json" &&
    field ledger_imbalance_mg 0; }
check "a pool of 200 grains loses nothing" pool

# Ctrl-C ends with the report so far
stopped() {
    "$program" run loam --headless --speed real --seconds 600 --report "$folder/report.json" >"$folder/out" 2>"$folder/err" </dev/null &
    local pid=$!
    sleep 3
    kill -INT "$pid"
    wait "$pid" && field interrupted true && field ledger_imbalance_mg 0
}
set -m # a job of its own, so that the interrupt is not ignored
check "Ctrl-C keeps the report" stopped

finish
