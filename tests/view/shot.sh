#!/usr/bin/env bash
# shot.sh - pictures from the command line: without a screen, with nothing to draw on, and misused.
#
# Prints "ok name" or "not ok name" per case; BUILD names the folder of the program.
set -uo pipefail
program=${BUILD:-build}/mattock
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# run CODE TEXT ARGS... - the exit code, and TEXT (a regular expression) on stderr where not empty
run() {
    local code=$1 text=$2 status
    shift 2
    env -u DISPLAY -u WAYLAND_DISPLAY "$@" >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
    [ "$status" = "$code" ] && { [ -z "$text" ] || grep -qE -- "$text" "$folder/err"; }
}
check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then echo "ok $name"; else
        echo "not ok $name"
        sed 's/^/    /' "$folder/out" "$folder/err"
        failed=1
    fi
}
# one line on stderr, nothing on stdout, no picture
refused() { run "$@" && [ ! -s "$folder/out" ] && [ "$(wc -l <"$folder/err")" = 1 ] && [ ! -e "$folder/no.png" ]; }
# width and height out of a PNG's head
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; }

drawn() {
    run 0 "" "$program" shot flat --out "$folder/a.png" --size 321x203 && [ ! -s "$folder/err" ] &&
        [ "$(size_of "$folder/a.png")" = 321x203 ]
}
check "a picture without a screen" drawn
same() {
    run 0 "" "$program" shot flat --out "$folder/b.png" --size 321x203 && cmp -s "$folder/a.png" "$folder/b.png"
}
check "the same picture again" same
cameras() {
    for camera in chase cab bucket side plan; do
        run 0 "" "$program" shot flat --vehicle excavator_22t --camera $camera --out "$folder/c.png" --size 160x90 ||
            return 1
    done
}
check "all cameras" cameras
poured() {
    run 0 "" "$program" shot flat --pour 300 --at 0.5 --size 321x203 --out "$folder/p.png" &&
        ! cmp -s "$folder/a.png" "$folder/p.png"
}
check "grains show" poured
cut() {
    run 0 "" "$program" shot flat --cut 0,0,2,1 --size 321x203 --out "$folder/d.png" &&
        ! cmp -s "$folder/a.png" "$folder/d.png"
}
check "a hole shows" cut

# a lesson with the built-in operator at work: at another moment the machine stands otherwise
lesson() {
    run 0 "" "$program" shot controls --at 0 --camera side --out "$folder/e.png" --size 321x203 &&
        run 0 "" "$program" shot controls --at 3 --camera side --out "$folder/f.png" --size 321x203 &&
        [ "$(size_of "$folder/f.png")" = 321x203 ] && ! cmp -s "$folder/e.png" "$folder/f.png"
}
check "a lesson at two moments" lesson
check "a lesson that has a site's name" run 0 "" "$program" shot clay --lesson --out "$folder/g.png" --size 64x64

# nothing to draw with: code 3, one sentence, no picture
shot=("$program" shot flat --out "$folder/no.png")
check "no OpenGL" refused 3 "no picture can be drawn" \
    env __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent LIBGL_DRIVERS_PATH=/nonexistent "${shot[@]}"
check "an old OpenGL" refused 3 "OpenGL" env MESA_GL_VERSION_OVERRIDE=2.1 "${shot[@]}"
check "bench without OpenGL" refused 3 "no picture can be drawn" \
    env __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent "$program" bench render

# misuse
check "no picture named" refused 2 "needs a lesson or a site and --out" "$program" shot flat
check "no site" refused 2 "needs a lesson or a site and --out" "$program" shot --out "$folder/no.png"
check "unknown camera" refused 2 'allowed: chase, cab, bucket' "${shot[@]}" --camera mirror
check "wild size" refused 2 "16 to 8192" "${shot[@]}" --size 9x10
check "size without x" refused 2 "WIDTHxHEIGHT" "${shot[@]}" --size 1280
check "time before the beginning" refused 2 "0 to 3600" "${shot[@]}" --at -1
check "eye with two numbers" refused 2 "X,Y,Z" "${shot[@]}" --eye 1,2
check "sun below the horizon" refused 2 "elevation" "${shot[@]}" --sun 90,-5
check "a lesson with a machine of one's own" refused 2 "a lesson has its own machine" \
    "$program" shot pit --vehicle excavator_22t --out "$folder/no.png"
check "a lesson that is none" refused 5 "no lesson is called" "${shot[@]}" --lesson
check "unknown site" refused 5 "nowhere" "$program" shot nowhere --out "$folder/no.png"
check "unknown vehicle" refused 5 "nothing" "${shot[@]}" --vehicle nothing
check "no such folder" run 5 "cannot write" "$program" shot flat --size 64x64 --out "$folder/none/x.png"

# timings are one JSON object
json() {
    run 0 "" "$program" bench render --frames 5 --width 160 --height 90 --grains 500 --json &&
        grep -q '"draw_calls"' "$folder/out" && [ "$(head -c 1 "$folder/out")" = "{" ] && [ ! -s "$folder/err" ]
}
check "bench render as JSON" json

exit $failed
