#!/usr/bin/env bash
# check_layers.sh - fails when a source file includes what its layer must not know.
#
#   usage: check_layers.sh [ROOT]       ROOT holds src/; default: this repository
#
# The allowed edges are in layers.txt beside this script. A wrong include is reported as
# file:line: what is wrong; what is allowed
set -euo pipefail
layers=$(cd "$(dirname "$0")" && pwd)/layers.txt
cd "${1:-$(dirname "$0")/../..}"

# every include of every source file as "file:line:text"; then one awk holds them against the table
{ grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include' src || true; } | awk '
    function complain(text) { print file ":" line ": " text; wrong = 1 }

    # the table: allowed["soil base"], owner["<SDL"] = "platform"
    NR == FNR {
        sub(/#.*/, "")
        if (!NF) next
        name = $1
        sub(/:$/, "", name)
        if (name ~ /^</) { owner[name] = $2; next }
        for (i = 2; i <= NF; i++) {
            if (!($i in known)) { print "layers.txt: " name " names " $i " before it is defined"; wrong = 1 }
            allowed[name " " $i] = 1
            list[name] = list[name] " " $i
        }
        known[name] = 1
        next
    }

    {
        split($0, part, ":")
        file = part[1]; line = part[2]
        module = file
        sub(/^src\//, "", module)
        if (module !~ /\//) { complain("a source file belongs into src/<module>/"); next }
        sub(/\/.*/, "", module)
        if (!(module in known)) { complain("module " module " is not in layers.txt"); next }
        header = $0
        sub(/^[^"<]*/, "", header)
    }
    header ~ /^</ {
        for (start in owner)
            if (index(header, start) == 1 && owner[start] != module)
                complain(start "...> is for " owner[start] " alone, not for " module)
        next
    }
    {
        gsub(/"/, "", header)
        if (header !~ /\//) { complain("write #include \"module/" header "\""); next }
        if (header ~ /\.\./) { complain("no .. in an include"); next }
        target = header
        sub(/\/.*/, "", target)
        if (target != module && !((module " " target) in allowed))
            complain(module " may not include " target "; it may include:" list[module])
    }
    END { exit wrong }
' "$layers" -
