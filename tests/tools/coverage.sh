#!/usr/bin/env bash
# coverage.sh - runs the instrumented unit and fault tests and adds up gcov's lines and branches.
#
#   usage: coverage.sh       make coverage builds the programs and calls it
#
# The last lines are the parsers and the save path; "not ok" and exit 1 when one is below 95 % of lines.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=${BUILD:-build}/coverage
floor=95
find "$root" -name '*.gcda' -delete
for program in "$root"/tests/unit/test_* "$root"/tests/faults/test_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    timeout 300 "$program" >"$root/$(basename "$program").log" 2>&1 </dev/null ||
        echo "note: $(basename "$program") did not pass in this build"
done

# file, lines, percent, branches, percent of branches taken at least once; kernels count once
find "$root/obj/src" -name '*.gcda' ! -name '*.sse2.gcda' -print0 | sort -z |
    xargs -0 -n 1 gcov -n -b 2>/dev/null |
    awk -F"[':% ]+" '
        /^File / { file = $2; keep = file ~ /^src\/.*\.c$/ }
        keep && /^Lines executed/ { percent = $3; lines = $NF }
        keep && /^Taken at least once/ { taken = $5; branches = $NF; }
        keep && /^(Taken at least once|No branches)/ {
            if (/^No/) { taken = 100; branches = 0 }
            printf "%s %d %.1f %d %.1f\n", file, lines, percent, branches, taken; keep = 0 }' |
    sort -u >"$root/lines.txt"

awk '{ split($1, part, "/"); m = part[2]
       lines[m] += $2; hit[m] += $2 * $3 / 100; b[m] += $4; t[m] += $4 * $5 / 100
       all += $2; allhit += $2 * $3 / 100; ab += $4; at += $4 * $5 / 100 }
     END { for (m in lines) printf "%-12s %6d lines %6.1f %%   %6d branches %6.1f %%\n",
               m, lines[m], 100 * hit[m] / lines[m], b[m], b[m] ? 100 * t[m] / b[m] : 100 | "sort"
           close("sort")
           printf "%-12s %6d lines %6.1f %%   %6d branches %6.1f %%\n\n", "all", all, 100 * allhit / all, ab, 100 * at / ab }' \
    "$root/lines.txt"

# what reads files of strangers, and what keeps records
awk -v floor=$floor '
    $1 ~ /base_(yaml|text|file|json|path)|input_(script|controls)|site_(def|pgm|save)|material\.c|machine_(def|check|drive_def|look)|scenario_(def|check|weather|yardstick)|record_|_save\.c|qualify_master|sim_(record|replay|lesson_record|lesson_mend)|report\/report_|plot_canvas|app_(settings|shelf|papers|folder|records)\./ {
        bad = $3 < floor; failed += bad
        printf "%s %-34s %5d lines %6.1f %%   %5d branches %6.1f %%\n", bad ? "not ok" : "ok", $1, $2, $3, $4, $5 }
    END { exit failed > 0 }' "$root/lines.txt"
