#!/usr/bin/env bash
# cli.sh - the command line: help, results, and one clear sentence for every kind of bad input.
#
# Prints "ok name" or "not ok name" per case.
. tests/tools/claims.sh

# refuse NAME CODE TEXT ARGS... - as expect, and exactly one line on stderr, none on stdout
refuse() {
    expect "$@"
    local name=$1
    if [ -s "$folder/out" ] || [ "$(wc -l <"$folder/err")" != 1 ]; then
        say "not ok" "$name says one sentence on stderr and nothing on stdout"
    fi
}

expect "help" 0 "usage: mattock" --help
expect "version" 0 "^mattock [0-9]" --version
expect "lab list" 0 "hopper" lab list
expect "lab help" 0 "--kernel NAME" lab --help
expect "help after an experiment" 0 "usage: mattock lab" lab bed --help
expect "check help" 0 "usage: mattock check" check --help
expect "bench help" 0 "bench" bench --help
expect "shipped materials are fine" 0 "fine" check config/materials.yaml config/calibration.yaml

refuse "unknown command" 2 'unknown command "labb", did you mean "lab"\? Allowed: .*lab, bench' labb
refuse "unknown experiment" 2 'did you mean "hopper"' lab hoper
refuse "experiment missing" 2 "lab list" lab
refuse "unknown kernel" 2 "allowed: split, p2, gs" lab spring --kernel magic
refuse "kernel nearly right" 2 'did you mean "split"' lab spring --kernel splitt
refuse "unknown option" 2 'did you mean "--grains"' lab bed --grain 100
refuse "stray word" 2 'unknown option "extra"' lab spring extra
refuse "value missing" 2 "--grains needs a value" lab bed --grains
for number in -5 0 1e3 100x "" nan inf 99999999999 5000000 0x10 " 100"; do
    refuse "grains \"$number\"" 2 "whole number from 10 to" lab bed --grains "$number"
done
refuse "no threads" 2 "from 1 to 64" lab bed --threads 0
refuse "too many threads" 2 "from 1 to 64" lab bed --threads 65
refuse "negative seed" 2 "whole number" lab bed --seed -1
refuse "no iterations" 2 "whole number" lab bed --iterations 0
refuse "empty file name" 2 "needs a name" lab spring --csv ""
refuse "check without a file" 2 "at least one file" check
refuse "check with an option" 2 "unknown option" check --strict

refuse "missing material file" 5 "nowhere.yaml" check "$folder/nowhere.yaml"
printf 'materials:\n  sand:\n    densty_bank: 1800 kg/m3\n' >"$folder/typo.yaml"
refuse "misspelt key" 5 'typo.yaml:3:5: .*density_bank' check "$folder/typo.yaml"
sed 's/friction: 34 deg/friction: 340 deg/' config/materials.yaml >"$folder/large.yaml"
refuse "number out of range" 5 'large.yaml:[0-9]+:[0-9]+: .*friction' check "$folder/large.yaml"
printf '\0\1\2' >"$folder/binary.yaml"
refuse "binary file" 5 "binary.yaml" check "$folder/binary.yaml"
refuse "experiment with a bad file" 5 'large.yaml:[0-9]+' lab wall --materials "$folder/large.yaml"
expect "csv into no folder" 5 "cannot write" lab spring --csv "$folder/none/x.csv"
expect "picture into no folder" 5 "cannot write" lab spring --png "$folder/none/x.png"

# one JSON object on stdout and nothing else, also with a picture and a table
"$program" lab spring --json --csv "$folder/s.csv" --png "$folder/s.png" >"$folder/out" 2>"$folder/err"
status=$?
[ "$status" = 0 ] && [ "$(head -c 1 "$folder/out")" = "{" ] && [ "$(tail -n 1 "$folder/out")" = "}" ] &&
    grep -q '"pass": true' "$folder/out" && [ ! -s "$folder/err" ] &&
    say ok "json" || say "not ok" "json"
head -n 1 "$folder/s.csv" | grep -q '^case,time_s' && say ok "csv" || say "not ok" "csv"
head -c 4 "$folder/s.png" | grep -q PNG && say ok "png" || say "not ok" "png"

# two runs agree to the last bit, whatever the worker count
one=$("$program" lab chain --json --threads 1 | grep '"hash"')
two=$("$program" lab chain --json --threads 2 | grep '"hash"')
[ -n "$one" ] && [ "$one" = "$two" ] && say ok "same hash on 1 and 2 threads" ||
    say "not ok" "same hash on 1 and 2 threads"

finish
