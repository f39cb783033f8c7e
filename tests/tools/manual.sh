#!/usr/bin/env bash
# manual.sh - the options of every command in the manual, as the program itself tells them.
#
#   usage: manual.sh            "ok" when docs/mattock.6 tells what --help tells; what differs when not
#          manual.sh --update   writes them into docs/mattock.6; `make manual` does that
#
# BUILD names the folder of the program.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
program=${BUILD:-build}/mattock
page=docs/mattock.6
begin='.\" options: make manual'
end='.\" end of options'

# what a table of options says, as it stands in a help, in the language of manuals
roff() {
    awk '
        function quote(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.\x27]/, "\\\\\\&&", s); return s }
        /^  --/ {
            match($0, /^  --[a-z-]+( [^ ]+)?/)
            option = substr($0, 3, RLENGTH - 2); text = substr($0, RLENGTH + 1)
            # a flag has no word behind it: what follows two blanks is its help
            if (match($0, /^  --[a-z-]+  /)) { option = substr($0, 3, RLENGTH - 4); text = substr($0, RLENGTH) }
            sub(/^ +/, "", text)
            if (option ~ /^--help/) next
            word = option; name = option; sub(/ .*/, "", name); sub(/^[^ ]+ ?/, "", word)
            printf ".TP\n.BR %s%s\n%s\n", quote(name), word == "" ? "" : " \" \\fI" quote(word) "\\fR\"", quote(text)
            next }
        /^              *[^ ]/ && name != "" { sub(/^ +/, ""); print quote($0); next }
        { name = "" }'
}
options() {
    "$program" --help | sed -nE 's/^  ([a-z]+) +.*/\1/p' | while read -r command; do
        text=$("$program" "$command" --help | roff)
        [ -z "$text" ] || printf '.SS %s\n%s\n' "$command" "$text"
    done
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
    sed "/^${begin//\\/\\\\}\$/q" $page
    options
    sed -n "/^${end//\\/\\\\}\$/,\$p" $page
} >"$new"
if [ "${1:-}" = --update ]; then
    cat "$new" >$page
elif diff $page "$new" >"$new.diff"; then
    echo "ok the manual tells every option as --help does"
    rm -f "$new.diff"
else
    echo "not ok the manual tells every option as --help does; make manual writes them"
    head -n 12 "$new.diff" | sed 's/^/    /'
    rm -f "$new.diff"
    exit 1
fi
