# count.sh - what the scripts that count instructions share; to be sourced from the repository's root.
#
# Counts hold for one compiler and one set of flags, so the counted programs are built apart from the
# tests around them, in folders of their own.

# The world, all above it that a run without a window needs, and the scenes of bench: one library for
# dig.sh and growth.sh.
count_world_sources=$(echo src/{base,jobs,input,soil,terrain,machine,material,site,coupling,world,operator,score,scenario,record,report,sim}/*.c \
    src/bench/bench_growth.c src/lab/lab_args.c)

# True with the compiler whose counts are stored.
count_compiler() {
    gcc --version | head -n 1 | grep -qE ' 12\.[0-9.]+$'
}

# count_build ROOT PROGRAM SOURCES - with the standard flags, whatever the tests were built with
count_build() {
    mkdir -p "$1"
    env -u MAKEFLAGS -u MAKELEVEL -u OPT make BUILD="$1" CC=gcc SOURCES="$3" "$1/$2" >"$1/make.log" 2>&1 && return
    tail -n 20 "$1/make.log" >&2
    return 1
}

# count_run VALGRIND-OPTIONS... PROGRAM ARGS... - instructions, or nothing; glibc is kept from choosing
# memset and friends by CPU
count_run() {
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load \
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | awk '/Collected *:/ { print $4 }'
}
