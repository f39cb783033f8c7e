#!/usr/bin/env bash
# The layer and prefix rules hold in src/, and their checkers do catch offenders.
set -uo pipefail
check_layers=$PWD/tests/tools/check_layers.sh
check_prefix=$PWD/tests/tools/check_prefix.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

verdict() { # STATUS TEXT
    if [ "$1" = 0 ]; then echo "ok $2"; else echo "not ok $2"; fi
}

# accepts|refuses MODULE LINE - does the checker take this line in a file of this module?
verify() {
    local wanted=$1 module=$2 line=$3 found=accepts
    rm -rf "$tree/src"
    mkdir -p "$tree/src/$module"
    printf '#include <stdio.h>\n%s\n' "$line" >"$tree/src/$module/${module}_x.c"
    "$check_layers" "$tree" >"$tree/said" || found=refuses
    [ "$wanted" = "$found" ]
    verdict $? "$module $wanted $line"
}

"$check_layers"
verdict $? "every include in src/ follows layers.txt"

verify accepts soil '#include "base/base_math.h"'
verify accepts soil '#include "soil/soil.h"'
verify accepts coupling '#include "terrain/terrain.h"'
verify accepts jobs '#include <pthread.h>'
verify accepts platform '#include <SDL2/SDL.h>'
verify refuses soil '#include "terrain/terrain.h"'
verify refuses machine '#include "soil/soil.h"'
verify refuses base '#include "jobs/jobs.h"'
verify refuses render '#include "world/world.h"'
verify refuses soil '  #  include "app/app.h"'
verify refuses soil '#include <pthread.h>'
verify refuses view '#include <SDL2/SDL.h>'
verify refuses platform '#include <GL/glew.h>'
verify refuses soil '#include "soil.h"'
verify refuses soil '#include "soil/../terrain/terrain.h"'
verify refuses unheard '#include "base/base_math.h"'

# the complaint names the place
verify refuses soil '#include "terrain/terrain.h"' >/dev/null
grep -q '^src/soil/soil_x.c:2: soil may not include terrain; it may include: input jobs base$' "$tree/said"
verdict $? "a refusal names file, line and what is allowed"

# prefixes: a static function is free, an exported one is not
mkdir -p "$tree/src/soil"
printf 'int soil_a(void);\nint soil_a(void) { return 1; }\nstatic int b;\nint* soil_c(void);\nint* soil_c(void) { return &b; }\n' |
    "${CC:-gcc}" -x c -c -o "$tree/src/soil/soil_x.o" - && "$check_prefix" "$tree/src/soil/soil_x.o"
verdict $? "exports with the prefix pass"
printf 'int grid(void);\nint grid(void) { return 1; }\n' |
    "${CC:-gcc}" -x c -c -o "$tree/src/soil/soil_y.o" - && ! "$check_prefix" "$tree/src/soil/soil_y.o" >/dev/null
verdict $? "an export without the prefix is refused"
