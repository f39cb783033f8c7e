#!/usr/bin/env bash
# selftest.sh - `mattock selftest` says what is there and what is not, and keeps what it said.
#
# Prints "ok name" or "not ok name" per claim; BUILD names the folder of the program. The speed of this
# computer is told, never judged here.
set -uo pipefail
program=$(realpath "${BUILD:-build}")/mattock
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
failed=0

claim() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >/dev/null 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name"
        sed 's/^/    /' "$folder/err"
        failed=1
    fi
}
said() { grep -qE -- "$1" "$folder/err"; }

# of its own work: other programs may be busy on this computer, too
TIMEFORMAT='%U %S'
start=$SECONDS
{ time env -u DISPLAY -u WAYLAND_DISPLAY XDG_DATA_HOME="$folder/data" "$program" selftest --json \
    >"$folder/out" 2>"$folder/err"; } 2>"$folder/spent"
status=$?
spent=$(awk '{ print int($1 + $2) }' "$folder/spent")
echo "selftest took $((SECONDS - start)) s, $spent s of work"
claim "takes less than a minute of work" test "$spent" -gt 0 -a "$spent" -lt 60
claim "exit code is a verdict" test "$status" -le 1
claim "results are the expected bits" said '^results +fine'
claim "the ledger balances" said '^ledger +fine .* 0 mg'
claim "workers agree" said '^workers +fine'
claim "records can be written" said '^disk +fine'
claim "without a display it says so" said '^display +remark +none'
claim "OpenGL is named, or why there is none" said '^opengl +(fine|remark) +.'
claim "speed has a plain verdict" said '^speed .* holds about [0-9]+ grains in motion at 60 Hz'
claim "what it said is kept with the records" bash -c "cmp '$folder'/data/mattock/selftest/*.json '$folder/out' ||
    diff <(tr -d ' \n' <'$folder/out') <(cat '$folder'/data/mattock/selftest/*.json | tr -d ' \n')"

# a folder where nothing can be written: told, and a fault
XDG_DATA_HOME=/proc/none "$program" selftest --no-display 2>"$folder/err"
status=$?
claim "no folder for records is a fault" test $status = 1
claim "and it is said" said '^disk +FAULT .*no record would be kept'

# data files that were altered: results are not trusted
mkdir -p "$folder/copy"
cp -R config vehicles assets shaders "$folder/copy/" && cp "$program" "$folder/copy/mattock"
sed -i 's/bore: 120 mm/bore: 121 mm/' "$folder/copy/vehicles/excavator_22t.yaml"
if ! cmp -s vehicles/excavator_22t.yaml "$folder/copy/vehicles/excavator_22t.yaml"; then
    XDG_DATA_HOME="$folder/data2" "$folder/copy/mattock" selftest --no-display 2>"$folder/err"
    status=$?
    claim "an altered vehicle is found" said '^results +FAULT .*digforce'
    claim "and it is a fault" test $status = 1
else
    echo "not ok an altered vehicle is found (nothing was altered)"
fi
exit $failed
