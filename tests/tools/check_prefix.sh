#!/usr/bin/env bash
# check_prefix.sh - fails when an object exports a name without its folder's prefix.
#
#   usage: check_prefix.sh OBJECT...    paths that end in src/<module>/<file>.o
#
# src/soil/soil_grid.c exports soil_... and nothing else. Excepted are the program's
# main and src/sim/mattock.c, the C API, whose names begin with mattock_.
set -euo pipefail

nm --defined-only --extern-only --print-file-name "$@" | awk '
    {
        file = $1
        sub(/:[^:]*$/, "", file)
        module = file
        sub(/.*src\//, "", module)
        sub(/\/.*/, "", module)
        name = $NF
        if (file ~ /src\/sim\/mattock\.o$/) module = "mattock"
    }
    module == "app" && name == "main" { next }
    index(name, module "_") != 1 && name !~ /^__(asan|odr_asan|ubsan|tsan)/ {
        print file ": exports " name "; names of " module " begin with " module "_"
        wrong = 1
    }
    END { exit wrong }
'
