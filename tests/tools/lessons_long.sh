#!/usr/bin/env bash
# lessons_long.sh - the built-in expert works shipped lessons to their ends: minutes each.
#
#   usage: BUILD=build tests/tools/lessons_long.sh [lesson...]      (make lessons-long LESSONS="trench" calls it)
#
# Prints "ok lesson: time, points" for each whose goals are all reached, "not ok" with what came instead
# for others. The yardstick of a lesson that was changed since it was made is told as well.
set -uo pipefail
build=${BUILD:-build}
failed=0
for lesson in "$@"; do
    said=$(timeout 3600 "$build/mattock" run "$lesson" --lesson --headless --threads 2 2>/dev/null | tail -n 1)
    hash=$("$build/mattock" run "$lesson" --lesson --headless --quiet --seconds 1 --yardstick /dev/stdout 2>/dev/null |
        sed -n 's/^scenario: //p')
    case $said in
    *"all goals are reached"*"passed ("*)
        case $said in *"not passed"*) echo "not ok $said"; failed=1 ;; *) echo "ok $said" ;; esac ;;
    *) echo "not ok ${said:-$lesson: nothing was said}"; failed=1 ;;
    esac
    grep -qs "^scenario: $hash" "config/scenarios/expert/$lesson.yaml" ||
        { echo "not ok $lesson: its yardstick is of another version: make yardsticks LESSONS=$lesson"; failed=1; }
done
exit $failed
