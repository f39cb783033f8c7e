#!/usr/bin/env bash
# replay.sh - lessons worked, recorded, verified, altered, taken over, cut off and reported at the command line.
#
# Prints "ok name" or "not ok name" per case; BUILD names the folder of the program.
set -uo pipefail
program=${BUILD:-build}/mattock
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

check() { # NAME COMMAND... - says whether the command succeeds
    local name=$1
    shift
    if "$@"; then
        echo "ok $name"
    else
        echo "not ok $name"
        sed 's/^/    /' "$folder/out" "$folder/err"
        failed=1
    fi
}

# run CODE ARGS... - true when the program ends with this code
run() {
    local code=$1
    shift
    "$program" "$@" >"$folder/out" 2>"$folder/err" </dev/null
    [ "$?" = "$code" ]
}
told() { grep -q "$1" "$folder/out"; }
said() { grep -q "$1" "$folder/err"; }

a=$folder/a.mrec
worked() {
    run 0 run pit --headless --quiet --seconds 5 --threads 1 --trainee heron --record "$a" --report "$folder/a.json" &&
        grep -q '"ledger_imbalance_mg": 0' "$folder/a.json" && [ ! -e "$a.part" ]
}
check "a lesson is worked and recorded" worked

verified() { run 0 replay "$a" --verify --quiet --threads 3 && told 'verified, 5 seconds of hashes equal with 3 threads'; }
check "it verifies with another number of threads" verified

# the same numbers whether it was driven, verified, or only simulated again
again() {
    run 0 replay "$a" --headless --quiet --threads 1 --report "$folder/again.json" &&
        run 0 replay "$a" --verify --quiet --threads 2 --report "$folder/proved.json" &&
        for one in again proved; do
            [ "$(sed -n '/"measures"/,/}/p' "$folder/$one.json")" = "$(sed -n '/"measures"/,/}/p' "$folder/a.json")" ] ||
                return 1
        done
}
check "a report of what is simulated again has the same measures" again

# a lesson whose file an instructor has changed since: the recording stays, other bands judge it
d=$folder/d.mrec
run 0 run controls --headless --quiet --seconds 3 --threads 1 --trainee wren --record "$d"
judged() {
    local before after
    sed 's/two_axes, at_least: 25/two_axes, at_least: 100/; s/margin: 20,/margin: 0, weight: 9,/' \
        config/scenarios/controls.yaml >"$folder/strict.yaml"
    run 0 replay "$d" --score controls --quiet && before=$(grep -o 'quality [0-9]*' "$folder/out") &&
        run 0 replay "$d" --score "$folder/strict.yaml" --quiet --report "$folder/d.json" &&
        after=$(grep -o 'quality [0-9]*' "$folder/out") && [ "${after#* }" -lt "${before#* }" ] &&
        grep -q '"weight": 9' "$folder/d.json"
}
check "it is judged anew by a lesson file that was changed" judged

taken_over() {
    run 0 replay "$a" --take-over 3 --operator novice --seconds 4 --record "$folder/b.mrec" --quiet &&
        told 'taken over at 0:03, state [0-9a-f]*, as recorded' && run 0 check "$folder/b.mrec" &&
        told 'taken over from a.mrec at 0:03' && run 0 replay "$folder/b.mrec" --verify --quiet
}
check "another operator goes on from 0:03, and that verifies too" taken_over

altered() {
    cp "$a" "$folder/c.mrec"
    printf '\x55' | dd of="$folder/c.mrec" bs=1 seek=$(($(stat -c %s "$a") / 2)) conv=notrunc 2>/dev/null
    run 1 replay "$folder/c.mrec" --verify --quiet && told 'what can be proved ends at 0:0[0-4]'
}
check "one altered byte fails" altered

listed() {
    run 0 records --folder "$folder" && told 'heron .*pit .*0:05' && run 1 records --folder "$folder" --erase nobody &&
        said 'no recording of the trainee nobody' && run 0 records --folder "$folder" --export "$folder/list.csv" &&
        grep -q '^date,.*,safety,quality,economy,' "$folder/list.csv" &&
        grep -Eq '"heron","pit",5,[0-9.]+,0,[0-9.]+,[0-9.]+,[0-9.]+,[0-9a-f]{16},' "$folder/list.csv"
}
check "records are listed, exported, and erased by name only" listed

# what an instructor gets wrong: one sentence, and nothing is touched
misused() {
    run 1 records --folder "$folder" --trainee hreon && said 'did you mean heron?' &&
        run 1 records --folder "$folder" --trainee heron --lesson pitt && said 'lesson pitt .*did you mean pit?' &&
        run 2 records --folder "$folder/none" && said 'is no folder' &&
        run 2 records --folder "$folder" --erase ../heron && said 'is no pseudonym' &&
        run 2 records --folder "$folder" --erase heron --export "$folder/x.csv" && said 'does not go together' &&
        run 5 records --folder "$folder" --export "$folder/none/list.csv" && said 'cannot be written: No such file' &&
        [ -s "$a" ] && [ ! -e "$folder/x.csv" ]
}
check "wrong use of records is told, and touches nothing" misused

# a trainee's recordings go with the reports beside them, broken ones too, and nobody else's
erased() {
    local own=$folder/kept/heron other=$folder/kept/wren
    mkdir -p "$own" "$other"
    cp "$a" "$own/1.mrec"
    cp "$a" "$own/2.mrec"
    head -c $(($(stat -c %s "$a") - 40)) "$a" >"$own/3.mrec.part"
    cp "$d" "$other/1.mrec"
    for kind in .html .json .csv -cycles.csv; do echo x | tee "$own/1$kind" >"$other/1$kind"; done
    run 0 records --folder "$folder/kept" --erase heron && told '^3 recordings and 4 files of reports erased' &&
        [ ! -e "$own" ] && [ "$(ls "$other" | wc -l)" = 5 ]
}
check "a trainee is erased with reports and what broke off" erased

reported() {
    run 0 report "$d" --out "$folder/out.d" && [ -s "$folder/out.d/d.html" ] && [ -s "$folder/out.d/d-cycles.csv" ] &&
        grep -q '"proof": "verified"' "$folder/out.d/d.json"
}
check "a report simulates it again" reported

# killed in the middle: all but the last second stays
killed() {
    "$program" run controls --headless --quiet --speed real --seconds 60 --operator random --record "$folder/k.mrec" &
    local id=$! n
    for n in $(seq 40); do
        sleep 0.2
        [ "$(stat -c %s "$folder/k.mrec.part" 2>/dev/null || echo 0)" -gt 900 ] && break
    done
    kill -9 $id
    wait $id 2>/dev/null
    run 0 check "$folder/k.mrec.part" && told 'not finished' && told '0:0[1-9] in'
}
check "kill -9 leaves the seconds before" killed

# a file that may not grow: told once, the lesson goes on
full() {
    (ulimit -f 1 && "$program" run controls --headless --seconds 6 --threads 1 --quiet --record "$folder/f.mrec") \
        >"$folder/out" 2>"$folder/err"
    [ "$?" = 5 ] && grep -q 'the lesson goes on' "$folder/err" && grep -q 'stays in' "$folder/err" && run 0 check "$a"
}
check "a full disk is told, and the lesson goes on" full

exit $failed
