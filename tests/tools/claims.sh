# claims.sh - what every script that tests the program begins with; to be sourced from the repository's root.
#
# Gives $program, a $folder that is gone at the end, and `finish`, the script's last line. A case prints
# "ok name" or "not ok name"; BUILD names the folder of the program.
set -uo pipefail
program=${BUILD:-build}/mattock
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
touch "$folder/out" "$folder/err"
failed=0

say() { # VERDICT NAME - and after a "not ok", what the program last said
    echo "$1 $2"
    [ "$1" = ok ] && return
    failed=1
    head -q -c 2000 "$folder/out" "$folder/err" | sed 's/^/    /'
}

check() { # NAME COMMAND... - says whether the command succeeds
    local name=$1
    shift
    if "$@"; then say ok "$name"; else say "not ok" "$name"; fi
}

# run CODE ARGS... - true when the program ends with this code
run() {
    local code=$1
    shift
    timeout "${patience:-120}" "$program" "$@" >"$folder/out" 2>"$folder/err" </dev/null
    [ "$?" = "$code" ]
}

# expect NAME CODE TEXT ARGS... - the exit code, and TEXT (a regular expression) in stdout or stderr
expect() {
    local name=$1 code=$2 text=$3
    shift 3
    if ! run "$code" "$@"; then
        say "not ok" "$name (does not end with $code)"
    elif ! grep -qE -- "$text" "$folder/out" "$folder/err"; then
        say "not ok" "$name (no \"$text\")"
    else
        say ok "$name"
    fi
}

one_line() { [ "$(wc -l <"$folder/err")" = 1 ]; }          # one sentence on stderr
tells() { grep -qE -- "$1" "$folder/err"; }                # it holds this regular expression
told() { [ ! -s "$folder/out" ] && [ "$(cat "$folder/err")" = "$1" ]; } # exactly this, nothing else
finish() { exit $failed; }
