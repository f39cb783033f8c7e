#!/usr/bin/env bash
# site.sh - sites at the command line: what is shipped is fine, what is bad costs one line and code 5.
#
# Prints "ok name" or "not ok name" per case.
. tests/tools/claims.sh
corpus=tests/unit/corpus/site

# bad files: the sentence in their first line, from both commands
refused() { # COMMAND FILE
    local want
    want=$(sed -n '1s/^# expect: //p' "$2")
    run 5 "$1" "$2" && told "$2:$want"
}
for name in size-no-multiple trench-below-bedrock material-unknown shape-two-keys bank-after-loose \
    berm-steeper-than-repose map-missing syntax; do
    check "site refuses $name" refused site "$corpus/$name.yaml"
    check "check refuses $name" refused check "$corpus/$name.yaml"
done

# a picture of heights that ends too early
printf 'size: [0.4 m, 0.5 m]\nground: [{material: clay}]\nheightmap: {file: map.pgm, low: 0 m, high: 1 m}\n' \
    >"$folder/map.yaml"
printf 'P5\n4 5\n255\n123456789' >"$folder/map.pgm"
cut_map() {
    run 5 "$1" "$folder/map.yaml" && told "$folder/map.pgm:byte 20: ends too early; its head promises \
4 x 5 values of 1 bytes, 31 bytes in all"
}
check "site refuses a short map" cut_map site
check "check refuses a short map" cut_map check
missing() { run 5 "$1" "$folder/none.yaml" && [ "$(wc -l <"$folder/err")" = 1 ]; }
check "site refuses a missing file" missing site
check "check refuses a missing file" missing check

# what is shipped: fine, balanced, drawn, saved and restored
for name in flat quarry trench; do
    check "$name is fine" run 0 check "config/sites/$name.yaml"
done
drawn() { run 0 site trench --png "$folder/t.png" && head -c 4 "$folder/t.png" | grep -q PNG; }
check "a plan" drawn
kept() {
    run 0 site trench --json --save "$folder/t.state" && cp "$folder/out" "$folder/first" &&
        run 0 site trench --json --restore "$folder/t.state" && cmp -s "$folder/first" "$folder/out" &&
        grep -q '"balanced": true' "$folder/out"
}
check "save and restore give one hash" kept
other() { run 5 site flat --restore "$folder/t.state" &&
    told "$folder/t.state: holds the ground of another site; load that site first"; }
check "the state of another site" other

# wrong use
usage() { run 2 "$@" && [ "$(wc -l <"$folder/err")" = 1 ]; }
check "site without a file" usage site
check "site with an unknown option" usage site flat --pgn x.png

finish
