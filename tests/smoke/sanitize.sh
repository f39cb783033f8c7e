#!/usr/bin/env bash
# sanitize.sh - the whole trainer under sanitizers: window thread, picture, simulation, record, and a
# lesson that the built-in operator works.
#
# Prints "ok name" or "not ok name" per case. DRIVE_SECONDS (6) is how long it drives; SANITIZERS names the
# builds: address below BUILD/asan, thread below BUILD/tsan (`make drive` has both).
set -uo pipefail
build=${BUILD:-build}
seconds=${DRIVE_SECONDS:-6}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
export XDG_DATA_HOME=$folder/data XDG_CONFIG_HOME=$folder/config XDG_RUNTIME_DIR=$folder SDL_AUDIODRIVER=none
# OpenGL and SDL keep some memory to the end, and the renderer in software is not built for these tools:
# what is looked for is in our own code
export ASAN_OPTIONS=detect_leaks=0
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1"

drive() { # NAME PROGRAM
    timeout $((seconds * 10 + 120)) "$2" play load_truck --offscreen --show --quality software --width 320 \
        --height 200 --seconds "$seconds" >"$folder/out" 2>"$folder/err"
    if [ $? = 0 ] && grep -q "steps/s" "$folder/err" && ! grep -qE "ERROR|WARNING|runtime error" "$folder/err"; then
        echo "ok $1"
        sed -n 's/^/  /;/steps.s/p' "$folder/err"
    else
        echo "not ok $1"
        sed 's/^/  /' "$folder/err" | head -60
        failed=1
    fi
}

for sanitizer in ${SANITIZERS:-address}; do
    case $sanitizer in
        address) drive "a lesson under the address and undefined-behaviour sanitizers" "$build/asan/mattock" ;;
        thread) drive "a lesson under the thread sanitizer" "$build/tsan/mattock" ;;
    esac
done
exit $failed
