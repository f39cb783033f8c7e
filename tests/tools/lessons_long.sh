#!/usr/bin/env bash
# lessons_long.sh - the built-in expert works shipped lessons to their ends, a novice the same ones: minutes each.
#
#   usage: BUILD=build NOVICE="pit clay" tests/tools/lessons_long.sh [lesson...]    (make lessons-long LESSONS="trench" calls it)
#
# Prints "ok lesson: time, points" for each whose goals are all reached, "not ok" with what came instead
# for others. Of those in NOVICE it also tells whether bad hands have at least 10 points less after the same time.
# The yardstick of a lesson that was changed since it was made is told as well.
set -uo pipefail
build=${BUILD:-build}
failed=0

# work LESSON HANDS [OPTION...] - the last line that is said
work() {
    local lesson=$1 hands=$2
    shift 2
    timeout 3600 "$build/mattock" run "$lesson" --lesson --headless --threads 2 --operator "$hands" "$@" 2>/dev/null | tail -n 1
}

seconds() { # of such a line, which says "at 9:07"
    sed -nE 's/.* at ([0-9]+):([0-9]+),.*/\1 \2/p' <<<"$1" | awk '{ print 60 * $1 + $2 + 1 }'
}

points() { # of such a line
    sed -nE 's/.*, ([0-9.]+) points.*/\1/p' <<<"$1"
}

for lesson in "$@"; do
    said=$(work "$lesson" expert)
    hash=$("$build/mattock" run "$lesson" --lesson --headless --quiet --seconds 1 --yardstick /dev/stdout 2>/dev/null |
        sed -n 's/^scenario: //p')
    case $said in
    *"all goals are reached"*"passed ("*)
        case $said in *"not passed"*) echo "not ok $said"; failed=1 ;; *) echo "ok $said" ;; esac ;;
    *) echo "not ok ${said:-$lesson: nothing was said}"; failed=1 ;;
    esac
    grep -qs "^scenario: $hash" "config/scenarios/expert/$lesson.yaml" ||
        { echo "not ok $lesson: its yardstick is of another version: make yardsticks LESSONS=$lesson"; failed=1; }
    case " ${NOVICE:-} " in *" $lesson "*) ;; *) continue ;; esac
    bad=$(work "$lesson" novice --seconds "$(seconds "$said")")
    if awk -v good="$(points "$said")" -v bad="$(points "$bad")" 'BEGIN { exit !(bad != "" && bad + 10 <= good + 0) }'; then
        echo "ok a novice: $bad"
    else
        echo "not ok a novice: ${bad:-$lesson: nothing was said}"
        failed=1
    fi
done
exit $failed
