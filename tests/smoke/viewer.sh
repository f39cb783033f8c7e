#!/usr/bin/env bash
# viewer.sh - recordings in the window: opened, scrubbed, taken over; reports at a lesson's end; kill -9 and go on.
#
# Prints "ok name" or "not ok name" per case. Real keys need Xvfb and xdotool; without them these cases are skipped
# with the reason. Waits are for files, not for times.
. tests/tools/claims.sh
export XDG_DATA_HOME=$folder/data XDG_CONFIG_HOME=$folder/config XDG_RUNTIME_DIR=$folder SDL_AUDIODRIVER=none
records=$folder/data/mattock/records
mkdir -p "$records"

# until SECONDS COMMAND... - true as soon as the command is
until_true() {
    local n=$((5 * $1))
    shift
    while ! "$@" 2>/dev/null; do
        [ $((n--)) -gt 0 ] || return 1
        sleep 0.2
    done
}
any() { [ -n "$(compgen -G "$1")" ]; }
# of a recording at a second, as the program simulates it again
state_at() {
    run 0 replay "$1" --take-over "$2" --operator idle --seconds 1 --quiet &&
        sed -n 's/.*state \([0-9a-f]*\), as recorded/\1/p' "$folder/out"
}

# --- a lesson that ends in the window ------------------------------------------------------------
sed 's/^time_limit:.*/time_limit: 0.03 min/' config/scenarios/pit.yaml >"$folder/short.yaml"
"$program" play "$folder/short.yaml" --offscreen --show --quality software --trainee wren \
    >"$folder/out" 2>"$folder/err" &
game=$!
until_true 60 any "$records/wren/*-short-cycles.csv"
papers() {
    any "$records/wren/*-short.html" && any "$records/wren/*-short.json" && any "$records/wren/*-short.csv" &&
        any "$records/wren/*-short.mrec" && grep -q '"ended": "the time is up"' "$records"/wren/*-short.json &&
        grep -q "<h1>" "$records"/wren/*-short.html && grep -q '"passed": false' "$records"/wren/*-short.json &&
        grep -q '"helped": 1.[78]' "$records"/wren/*-short.json && # shown by the operator: nobody's points
        grep -q 'built-in operator drove for 0:02' "$records"/wren/*-short.html
}
check "a lesson that ends in the window leaves record, HTML, JSON and CSV in its trainee's folder" papers
kill -INT $game
wait $game
expect "they belong to the record: its hash is in them" 0 "$(grep -o '"recording_hash": "[0-9a-f]*' \
    "$records"/wren/*-short.json | grep -o '[0-9a-f]*$')" check "$records"/wren/*-short.mrec

# --- a run at the command line of somebody who is known ------------------------------------------
run 0 run controls --headless --quiet --seconds 13 --threads 1 --trainee heron
kept() { any "$records/heron/*-controls.mrec" && any "$records/heron/*-controls.html"; }
check "run --trainee keeps record and report without being told where" kept
expect "a pseudonym that is no folder is refused" 2 "a-z" run controls --headless --seconds 1 --trainee "../x"
run 0 run loam --headless --quiet --seconds 2 --threads 1 --radius 60 --record "$folder/site.mrec"
expect "free digging verifies" 0 "verified, 2 seconds" replay "$folder/site.mrec" --verify --quiet --threads 2
expect "it has no score" 5 "free digging" replay "$folder/site.mrec" --score pit --quiet

# --- what is refused -----------------------------------------------------------------------------
parent=$(compgen -G "$records/heron/*-controls.mrec")
own=$(compgen -G "$records/wren/*-short.mrec")
sed -i 's/^title:.*/title: 4. Another pit/' "$folder/short.yaml"
expect "a lesson whose file was changed is refused, both named" 5 "of hash [0-9a-f]{16}, but here .* has [0-9a-f]{16}" \
    replay "$own" --offscreen
expect "no recording: one sentence" 5 "no recording" replay README.md --offscreen
expect "nothing there: one sentence" 5 "cannot be opened" replay "$folder/none.mrec" --offscreen
head -c 2000 "$parent" >"$folder/cut.mrec"
expect "a cut recording is looked at, and the bad chunk is named" 0 "chunk" replay "$folder/cut.mrec" --offscreen --quality software --seconds 3

# --- real keys -----------------------------------------------------------------------------------
if ! command -v xvfb-run >/dev/null || ! command -v xdotool >/dev/null; then
    echo "ok keys in a viewer (skipped: xvfb-run and xdotool are needed)"
    finish
fi

# Sourced under Xvfb: the window is there and has the keys.
cat >"$folder/window.sh" <<'END'
until_true() {
    local n=$((5 * $1))
    shift
    while ! "$@" 2>/dev/null; do
        [ $((n--)) -gt 0 ] || return 1
        sleep 0.2
    done
}
any() { [ -n "$(compgen -G "$1")" ]; }
press() { for k in "$@"; do xdotool key "$k"; sleep 0.4; done; }
records=$XDG_DATA_HOME/mattock/records
until_true 40 xdotool getdisplaygeometry >/dev/null # the server answers
"$@" &
game=$!
until_true 40 xdotool search --name '^Mattock$' >/dev/null
window=$(xdotool search --name '^Mattock$' | head -1)
sleep 3
xdotool windowfocus "$window" 2>/dev/null
END
# seat SCRIPT ARGS... - the program in a window, the script at its keys
seat() {
    local script=$1
    shift
    (cat "$folder/window.sh" && echo "$script" && echo 'kill -INT $game; wait $game') >"$folder/seat.sh"
    timeout 100 xvfb-run -a -s "-screen 0 800x450x24 -noreset" bash "$folder/seat.sh" "$program" "$@" \
        >"$folder/out" 2>"$folder/err"
}

# home, two times five seconds on, and in
seat 'press Home Right Right; sleep 1; press t; until_true 40 any "$records/finch/*.part"
      press Return; sleep 4; press Escape' \
    replay "$parent" --quality software --trainee finch
child=$(compgen -G "$records/finch/*-controls.mrec")
whole() { [ -n "$child" ] && run 0 check "$child" && grep -q "taken over from $(basename "$parent") at 0:10" "$folder/out"; }
check "by keys: scrubbed to 0:10 and taken over; the record names its parent" whole
same() {
    local a b
    a=$(state_at "$parent" 10) && b=$(state_at "$child" 10) && [ -n "$a" ] && [ "$a" = "$b" ]
}
check "at 0:10 both have the same hash" same
expect "and the new record verifies from its beginning" 0 "verified" replay "$child" --verify --quiet

# killed in the middle, started again: offered, and gone on from there
"$program" play controls --lesson --offscreen --show --quality software --trainee robin >/dev/null 2>&1 &
game=$!
long() { part=$(compgen -G "$records/robin/*.part") && [ "$(stat -c %s "$part")" -gt 1500 ]; }
until_true 60 long
kill -9 $game
wait $game 2>/dev/null
# whoever goes on is who began: both records lie in one folder
adopted=${part%.part}
seat 'press Return; until_true 40 any "$records/robin/*.mrec" && until_true 40 any "$records/robin/*-controls.mrec.part"
      sleep 1; press Return; sleep 2'
next=$(compgen -G "$records/robin/*-controls.mrec" | grep -vxF "$adopted" | head -1)
offered() {
    [ -s "$adopted" ] && run 0 check "$adopted" && [ -n "$next" ] && run 0 check "$next" &&
        grep -q "taken over from $(basename "$adopted")" "$folder/out"
}
check "kill -9 in a lesson: it is offered at the next start, kept, and gone on from" offered
finish
