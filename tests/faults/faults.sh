#!/usr/bin/env bash
# faults.sh - what the whole program does when the computer fails it: full disks, kills, clocks that
# jump, threads that are refused, odd names, folders that cannot be written, signals, a second copy.
#
# Prints "ok name" or "not ok name" per fault; BUILD names the folder of the program, FAULT_KILLS how
# often it is killed (10). docs/reliability.md is the table.
set -uo pipefail
program=$(realpath "${BUILD:-build}")/mattock
kills=${FAULT_KILLS:-10}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

claim() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$folder/said" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name"
        tail -n 12 "$folder/said" "$folder/err" 2>/dev/null | sed 's/^/    /'
        failed=1
    fi
}
field() { sed -nE "s/^ *\"$2\": \"?([^\",]*)\"?,?\$/\1/p" "$1" | head -n 1; }
run() { "$program" run flat --headless --operator random --quiet --seed 3 "$@"; }
whole() { python3 -m json.tool "$1" >/dev/null 2>&1 || { head -c 1 "$1" | grep -q '{' && tail -n 1 "$1" | grep -q '^}'; }; }

# --- the disk is full: at every block of every file that is written, the old file stays ---------------

# full NAME KIB OLD COMMAND... - no file may grow beyond KIB; SIGXFSZ ignored, so that write() says no
full() {
    local kib=$1 file=$2
    shift 2
    printf 'old' >"$file"
    (
        trap '' XFSZ
        ulimit -f "$kib"
        "$@" 2>&1 >/dev/null
    ) | cat >"$folder/err" # which is a file, too: it has to be written from outside the limit
    status=${PIPESTATUS[0]}
    # refused: exit 5, one sentence that names the file, the old one whole, nothing left beside it
    [ $status = 0 ] && return 0
    [ $status = 5 ] && [ "$(cat "$file")" = old ] && grep -q "$(basename "$file")" "$folder/err" &&
        [ -z "$(find "$folder/disk" -name '*.part')" ]
}
every_write() { # NAME SUFFIX COMMAND... with @ for the file
    local name=$1 file=$folder/disk/file.$2 kib refused=0 good=1 args
    shift 2
    mkdir -p "$folder/disk"
    for kib in 0 1 2 3 4 6 8 12 16 24 32 48 64 96 128 192 256 512 1024 2048 4096 8192 16384 32768; do
        args=("${@//@/$file}")
        full $kib "$file" "${args[@]}" || { good=0; break; }
        [ $status = 0 ] && break
        refused=$((refused + 1))
    done
    claim "disk full: $name (refused at $refused sizes, then written)" \
        test $good = 1 -a $status = 0 -a $refused -gt 0
    rm -f "$file"
}
every_write "report of a run" json run --seconds 1 --report @
every_write "state of a site" state "$program" site flat --save @
every_write "picture of a site" png "$program" site flat --png @
every_write "table of an experiment" csv "$program" lab swing --csv @
every_write "picture of an experiment" png "$program" lab swing --png @
every_write "qualification page" html "$program" qualify --quick --only swing --out @
every_write "master" yaml "$program" qualify --quick --only swing --freeze @
"$program" lab spring --json >/dev/full 2>"$folder/err"
claim "disk full: result on stdout is told" test $? = 5
run --seconds 1 --report /dev/null 2>"$folder/err"
claim "a report into /dev/null leaves it a device" test -c /dev/null

# --- kill -9 in a save: the file is the old one or the new one, whole ------------------------------------

kill_loop() {
    local file=$folder/saved.state i
    "$program" site quarry --save "$file" >/dev/null || return 1
    for ((i = 0; i < kills; i++)); do
        "$program" site quarry --save "$file" >/dev/null 2>&1 &
        local child=$!
        sleep 0.0$((RANDOM % 9))$((RANDOM % 10))
        kill -9 $child 2>/dev/null
        wait $child 2>/dev/null
        "$program" site quarry --restore "$file" >/dev/null || { echo "kill $i broke it"; return 1; }
    done
}
claim "kill -9 in a save, $kills times" kill_loop

# --- a lesson that is recorded: killed, and on a full disk ------------------------------------------------------

# seconds FILE - that are good in a recording, whole or broken off
seconds() { "$program" check "$1" 2>/dev/null | sed -nE 's/^ *([0-9]+):([0-9]+) in .*/\1 \2/p' | awk '{ print 60 * $1 + $2 }'; }
lesson() { "$program" run controls --lesson --headless --threads 1 --record "$@"; }

killed() { # all but the last second of what was driven, and it verifies
    local file=$folder/killed.mrec reached
    "$program" run controls --lesson --headless --threads 1 --speed real --record "$file" 2>"$folder/told" &
    local child=$!
    sleep 6
    kill -9 $child
    wait $child 2>/dev/null
    reached=$(tr '\r' '\n' <"$folder/told" | sed -nE 's/^ *([0-9]+)\.[0-9]+ s,.*/\1/p' | tail -n 1)
    [ ! -e "$file" ] && [ "${reached:-0}" -ge 2 ] && [ "$(seconds "$file.part")" -ge $((reached - 1)) ] &&
        "$program" replay "$file.part" --verify >/dev/null 2>"$folder/err"
}
claim "kill -9 in a lesson: all but the last second remains and verifies" killed

no_room() { # told, driven to its end, the old recording whole, the good part beside it
    local file=$folder/full.mrec
    printf 'old' >"$file"
    (
        trap '' XFSZ
        ulimit -f 2
        lesson "$file" --report - 2>&1
    ) | cat >"$folder/err"
    [ "$(cat "$file")" = old ] && grep -q 'the lesson goes on' "$folder/err" && [ "$(seconds "$file.part")" -ge 1 ] &&
        grep -q '"ended": "all goals are reached"' "$folder/err"
}
claim "disk full in a lesson: told, it goes on to its end, the old recording stays" no_room

# --- signals: a run that is stopped tells what came of it ------------------------------------------------

stopped() { # SIGNAL
    local out=$folder/stopped.json
    rm -f "$out"
    timeout 30 "$program" run flat --headless --operator random --quiet --seconds 3000 --speed real --report "$out" &
    local child=$!
    sleep 1.5
    kill "-$1" $child # timeout hands it on
    wait $child
    local status=$?
    [ $status = 0 ] && whole "$out" && [ "$(field "$out" interrupted)" = true ] &&
        [ "$(field "$out" ledger_imbalance_mg)" = 0 ]
}
claim "SIGTERM: report so far, ledger 0" stopped TERM
# background children of a script ignore SIGINT, which the program must undo by handling it
claim "Ctrl-C: report so far, ledger 0" stopped INT

# --- clocks and threads --------------------------------------------------------------------------------------

if ${CC:-gcc} -shared -fPIC -O1 -o "$folder/shim.so" tests/faults/shim.c -ldl 2>"$folder/err"; then
    run --seconds 6 --threads 2 --report "$folder/sane.json" 2>"$folder/err"
    for way in forward back; do
        SECONDS=0
        SHIM_CLOCK=$way LD_PRELOAD=$folder/shim.so timeout 60 "$program" run flat --headless --operator random \
            --quiet --seed 3 --seconds 6 --threads 2 --speed real --report "$folder/$way.json" 2>"$folder/err"
        claim "clock jumps $way by 1000 s: the run ends, with the same bits" \
            test $? = 0 -a "$(field "$folder/sane.json" hash)" = "$(field "$folder/$way.json" hash)" -a $SECONDS -lt 50
    done
    for threads in 0 1 5; do
        SHIM_THREADS=$threads LD_PRELOAD=$folder/shim.so run --seconds 6 --threads 8 --report "$folder/few.json" 2>"$folder/err"
        claim "only $threads threads to be had: fewer workers, the same bits" \
            test $? = 0 -a "$(field "$folder/sane.json" hash)" = "$(field "$folder/few.json" hash)"
    done
    # a disk that takes the bytes and then says no: the old file stays, nothing is left beside it
    for disk in fsync rename; do
        printf 'old' >"$folder/eio.json"
        SHIM_DISK=$disk LD_PRELOAD=$folder/shim.so run --seconds 1 --report "$folder/eio.json" 2>"$folder/err"
        claim "$disk says no to a report: exit 5, named, the old one stays" test $? = 5 -a "$(cat "$folder/eio.json")" = old -a \
            "$(grep -c eio.json "$folder/err")" = 1 -a -z "$(find "$folder" -name 'eio.json.*')"
        SHIM_DISK=$disk LD_PRELOAD=$folder/shim.so lesson "$folder/$disk.mrec" --quiet --seconds 4 2>"$folder/err"
        claim "$disk says no to a recording: told, and all of it stays as .part" test $? = 5 -a ! -e "$folder/$disk.mrec" -a \
            "$(seconds "$folder/$disk.mrec.part")" -ge 3 -a -s "$folder/err"
    done
else
    claim "the shim compiles" cat "$folder/err"
    failed=1
fi
for threads in 1 3 5 16 64; do
    run --seconds 3 --threads $threads --report "$folder/t$threads.json" 2>"$folder/err"
    claim "$threads threads" test $? = 0 -a "$(field "$folder/t1.json" hash)" = "$(field "$folder/t$threads.json" hash)"
done

# --- extremes ------------------------------------------------------------------------------------------------

run --seconds 20 --pool 10 --report "$folder/pool.json" 2>"$folder/err"
claim "a pool of 10 grains: digging goes on, nothing lost" test $? = 0 -a \
    "$(field "$folder/pool.json" ledger_imbalance_mg)$(field "$folder/pool.json" ledger_audit)" = 0true -a \
    "$(field "$folder/pool.json" pool_full)" -gt 0

# site NAME TEXT - a legal site at the end of its ranges, worked for two seconds
site() {
    printf 'title: %s\n%s\n' "$1" "$2" >"$folder/$1.yaml"
    "$program" run "$folder/$1.yaml" --headless --operator random --seconds 2 --quiet --at 0,0,0 \
        --report "$folder/$1.json" 2>"$folder/err"
    claim "extreme site: $1" test $? = 0 -a "$(field "$folder/$1.json" ledger_imbalance_mg)$(field "$folder/$1.json" ledger_audit)" = 0true
}
ground='ground: [{material: clay}]'
site smallest "size: [0.4 m, 0.4 m]
origin: [-0.2 m, 0 m, -0.2 m]
bedrock: 0.01 m
$ground"
site deep "size: [30 m, 30 m]
origin: [-15 m, 0 m, -15 m]
bedrock: 100 m
ground: [{material: gravel, thickness: 99 m}, {material: clay}]"
site fine "size: [12 m, 12 m]
origin: [-6 m, 0 m, -6 m]
cell: 0.05 m
$ground"
site steep "size: [40 m, 40 m]
origin: [-20 m, 0 m, -20 m]
bedrock: 60 m
$ground
shapes: [{slope: {direction: 0 deg, angle: 80 deg, length: 10 m}}]"
site wild "size: [40 m, 40 m]
origin: [-20 m, 0 m, -20 m]
bedrock: 40 m
$ground
shapes: [{noise: {seed: 1, amplitude: 30 m, wavelength: 3 m, octaves: 8}}]"
site hanging "size: [40 m, 40 m]
origin: [-20 m, 0 m, -20 m]
bedrock: 20 m
ground: [{material: dry_sand}]
shapes: [{trench: {from: [10 m, 20 m], to: [30 m, 20 m], width: 4 m, depth: 18 m, sides: 90 deg}}]"
"$program" run flat --headless --operator random --seconds 3 --quiet --at 19.8,19.8,45 --report "$folder/edge.json" 2>"$folder/err"
claim "a machine at the site's corner digs over the edge" test $? = 0 -a "$(field "$folder/edge.json" ledger_imbalance_mg)" = 0

# --- folders and names -----------------------------------------------------------------------------------------

HOME=/proc/none XDG_DATA_HOME= run --seconds 1 --report "$folder/home.json" 2>"$folder/err"
claim "HOME cannot be written: a run needs none" test $? = 0
env -u HOME -u XDG_DATA_HOME "$program" selftest --no-display >/dev/null 2>"$folder/err"
claim "no HOME at all: told, a fault, no crash" test $? = 1
run --seconds 1 --report "$folder/no such folder/x.json" 2>"$folder/err"
claim "a report into no folder is told with its name" test $? = 5 -a "$(grep -c 'no such folder/x.json' "$folder/err")" = 1
odd=$folder/$'a "b" \'c\' \xc3\xa4\xe2\x9b\x8f%s%n $(x) \n -x'
mkdir -p "$odd" && cp config/sites/flat.yaml "$odd/-flat %s.yaml"
"$program" run "$odd/-flat %s.yaml" --headless --operator idle --seconds 1 --quiet --report "$odd/r.json" 2>"$folder/err"
claim "odd names: quotes, newline, percent, umlaut" whole "$odd/r.json"
long=$(printf 'x%.0s' {1..5000})
"$program" check "$long" "$folder/$long" /dev/null / . 2>"$folder/err" >/dev/null
claim "names too long, folders and devices instead of files: exit 5" test $? = 5
"$program" run "$long" --headless --quiet 2>"$folder/err"
claim "a site's name of 5000 letters: exit 5" test $? = 5

# --- two copies on one folder -----------------------------------------------------------------------------------

for i in 1 2 3 4; do
    run --seconds 2 --report "$folder/shared.json" 2>/dev/null &
    XDG_DATA_HOME=$folder/shared "$program" site quarry --save "$folder/shared.state" >/dev/null 2>&1 &
done
wait
claim "copies that write the same report leave a whole one" whole "$folder/shared.json"
claim "copies that save the same state leave a whole one" "$program" site quarry --restore "$folder/shared.state"
claim "and nothing beside them" bash -c "! find '$folder' -name 'shared.*' ! -name shared.json ! -name shared.state | grep ."

# a class that begins in the same second, with one records folder: each has a recording and a report of its own
class() {
    local shelf=$folder/class/mattock/records/heron i jobs=()
    for i in 1 2 3 4 5 6; do
        XDG_DATA_HOME=$folder/class "$program" run controls --lesson --headless --quiet --threads 1 --operator idle \
            --seconds 3 --trainee heron >/dev/null 2>"$folder/err.$i" &
        jobs+=($!)
    done
    for i in "${jobs[@]}"; do
        wait "$i" || { cat "$folder"/err.?; return 1; }
    done
    [ "$(find "$shelf" -name '*.mrec' | wc -l)" = 6 ] && [ "$(find "$shelf" -name '*.html' | wc -l)" = 6 ] &&
        [ -z "$(find "$shelf" -name '*.part')" ] || { ls "$shelf"; return 1; }
    for i in "$shelf"/*.mrec; do
        "$program" replay "$i" --verify --quiet || return 1
    done
}
claim "six copies begin lessons of one trainee at once: six recordings, six reports" class
# a lesson that cannot begin leaves no name behind
printf 'title: Bad\nnonsense: 1\n' >"$folder/bad.yaml"
XDG_DATA_HOME=$folder/none "$program" run "$folder/bad.yaml" --headless --quiet --trainee wren 2>"$folder/err"
claim "a lesson that cannot begin leaves nothing on the shelf" test $? = 5 -a -z "$(find "$folder/none" -type f)"
exit $failed
