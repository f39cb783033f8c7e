#!/usr/bin/env bash
# run.sh - times ODE, LAMMPS, the bare loop of the paper and Mattock on the same settled bed, in
# alternating rounds.
#
#   usage: run.sh [--large] [--bare] [--rounds N]        make bench-peers ARGS="--large"
#
#   --large       50,000 grains as well (about ten minutes more)
#   --rounds N    default 5; every figure is the median of the rounds
#   --bare        only the bare loop and Mattock: nothing to install, a minute
#
# ODE and LAMMPS come from Debian and are installed by this call when they are missing (root or
# sudo; the set-up says what). They are yardsticks: nothing of them goes into Mattock.
#
# The bed is poured by Mattock once per size; each engine settles it further under its own law and
# is timed from there. ODE: quickstep, 10 iterations. LAMMPS: gran/hooke, 50 substeps. All: equal
# spheres, radius 0.05 m, 2600 kg/m3, friction 0.5, 15 layers in a box with rough walls, 60 Hz.
set -euo pipefail
cd "$(dirname "$0")/../../.."
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
here=tests/bench/peers
build=${BUILD:-build}
work=$build/peers
sizes="2000 10000"
rounds=5
engines="ode lammps"
settle=120 # frames
layers=15  # depth of the bed in diameters: as deep as wide, a bed of 50,000 drowns the paper's solver

usage() {
    echo "usage: run.sh [--large] [--bare] [--rounds N]; $1" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
        --large) sizes="$sizes 50000" ;;
        --bare) engines= ;;
        --rounds)
            [[ ${2:-} =~ ^[1-9][0-9]?$ ]] || usage "--rounds takes a number from 1 to 99"
            rounds=$2
            shift
            ;;
        *) usage "there is no option $1" ;;
    esac
    shift
done

say() { printf 'bench-peers: %s\n' "$*" >&2; }

# timed frames per round: enough for a median, few enough for the slowest engine
frames_for() { case $1 in 2000) echo 60 ;; 10000) echo 20 ;; *) echo 6 ;; esac; }

# to_data BED - a bed in LAMMPS's own format
to_data() {
    awk 'NR == 1 { side = $1; d = 2 * $2; next }
         { place[++n] = $1 " " $2 " " $3; speed[n] = $4 " " $5 " " $6 }
         END {
             print "settled bed\n\n" n " atoms\n1 atom types\n"
             print 0, side, "xlo xhi\n" (-d), 2 * side, "ylo yhi\n" 0, side, "zlo zhi\n\nAtoms # sphere\n"
             for (i = 1; i <= n; i++) print i, 1, d, 2600, place[i]
             print "\nVelocities\n"
             for (i = 1; i <= n; i++) print i, speed[i], 0, 0, 0
         }' "$1"
}

# lammps RANKS BED SETTLE FRAMES SAVED SIDE - "ms overlap" of the timed frames
lammps() {
    local launch=()
    [ "$1" = 1 ] || launch=(mpirun --oversubscribe -np "$1")
    "${launch[@]}" lmp -log none -in $here/lammps_bed.in -var bed "$2" -var settle "$3" \
        -var frames "$4" -var saved "$5" -var side "$6" >"$work/lammps.log" || {
        tail -n 20 "$work/lammps.log" >&2
        return 1
    }
    awk -v frames="$4" '/^Loop time/ { if ($9 == 50 * frames) ms = 1000 * $4 / frames }
                        /^bed / { print ms, $4 }' "$work/lammps.log"
}

prepare() { # GRAINS
    say "settling $1 grains under each engine"
    "$build/mattock" bench soil --grains "$1" --layers $layers --save-bed "$work/bed_$1.txt"
    [ -n "$engines" ] || return 0
    side=$(awk 'NR == 1 { print $1 }' "$work/bed_$1.txt")
    "$work/ode_bed" "$work/bed_$1.txt" 1 $settle "$work/ode_$1.txt" >/dev/null
    to_data "$work/bed_$1.txt" >"$work/bed_$1.data"
    lammps 1 "$work/bed_$1.data" $settle 1 "$work/lammps_$1.data" "$side" >/dev/null
}

# one_round ROUND GRAINS - appends "engine threads grains round ms overlap" lines to the figures
one_round() {
    local frames
    frames=$(frames_for "$2")
    [ -z "$engines" ] || other_engines "$1" "$2" "$frames"
    "$work/bare_p2" "$work/bed_$2.txt" 48 | awk -v n="$2" -v r="$1" '{ print "bare", 1, n, r, $1, $4 }'
    "$build/mattock" bench soil --grains "$2" --layers $layers --threads 1,2 --kernels p2,split --csv 2>/dev/null |
        awk -F, -v r="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            { print $1 "_" $6, $5, $4, r, $column["total_median_ms"], $column["overlap_mean_d"] }'
}

other_engines() { # ROUND GRAINS FRAMES
    local side ranks frames=$3
    side=$(awk 'NR == 1 { print $1 }' "$work/bed_$2.txt")
    "$work/ode_bed" "$work/ode_$2.txt" "$frames" | awk -v n="$2" -v r="$1" '{ print "ode", 1, n, r, $1, $4 }'
    for ranks in 1 2; do
        lammps $ranks "$work/lammps_$2.data" 0 "$frames" "$work/unused.data" "$side" |
            awk -v n="$2" -v r="$1" -v t=$ranks '{ print "lammps", t, n, r, $1, $2 }'
    done
}

report() {
    awk -v sizes="$sizes" -v rounds="$rounds" -v engines="$engines" '
        function median(n,    i, j, t) {
            for (i = 2; i <= n; i++)
                for (j = i; j > 1 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
            return v[int((n + 1) / 2)]
        }
        function ms_of(engine, threads, grains,    r) {
            for (r = 1; r <= rounds; r++) v[r] = ms[engine, threads, grains, r]
            return median(rounds)
        }
        function cell(engine, grains) {
            one = sprintf("%.2f", ms_of(engine, 1, grains))
            return one " / " (engine ~ /ode|bare/ ? "-" : sprintf("%.2f", ms_of(engine, 2, grains)))
        }
        function row(engine, text,    i, lo, hi) {
            printf "%-44s", text
            lo = 1; hi = 0
            for (i = 1; i <= count; i++) {
                printf " | %15s", cell(engine, size[i])
                if (lap[engine, size[i]] < lo) lo = lap[engine, size[i]]
                if (lap[engine, size[i]] > hi) hi = lap[engine, size[i]]
            }
            printf " | %.4f-%.4f\n", lo, hi
        }
        # the median over rounds of the ratio inside one round
        function ratio(a, b, threads, grains, goal,    r) {
            for (r = 1; r <= rounds; r++) v[r] = ms[a, threads, grains, r] / ms[b, threads, grains, r]
            value = median(rounds)
            printf "%6d grains, %d thread%s: %-7s takes %6.1f x the time of Mattock %s", grains, threads,
                (threads > 1 ? "s" : ""), a, value, b
            if (goal) printf "   goal %d x: %s", goal, (value >= goal ? "met" : "missed")
            printf "\n"
        }
        { ms[$1, $2, $3, $4] = $5; lap[$1, $3] = $6 }
        END {
            count = split(sizes, size, " ")
            printf "ms per frame with one / two threads, median of %d alternating rounds\n%-44s", rounds, ""
            for (i = 1; i <= count; i++) printf " | %15d", size[i]
            print " | mean overlap / d"
            if (engines) row("ode", "ODE quickstep, 10 iterations")
            if (engines) row("lammps", "LAMMPS hooke, 50 substeps")
            row("bare", "bare loop of the paper, 10 iterations")
            row("p2_rebuilt", "Mattock p2, 10 iterations")
            row("p2_rest", "Mattock p2, 10 iterations, list kept")
            row("split_rebuilt", "Mattock default (split)")
            row("split_rest", "Mattock default (split), list kept")
            print ""
            for (i = 1; i <= count; i++) {
                for (r = 1; r <= rounds; r++) v[r] = ms["p2_rebuilt", 1, size[i], r] / ms["bare", 1, size[i], r]
                value = median(rounds)
                printf "%6d grains, 1 thread: Mattock p2 takes %.2f x the time of the bare loop   goal at most 1.5: %s\n",
                    size[i], value, (value <= 1.5 ? "met" : "missed")
            }
            for (i = 1; i <= count && engines; i++) {
                goal = size[i] == 2000
                ratio("ode", "p2_rebuilt", 1, size[i], goal ? 10 : 0)
                ratio("lammps", "p2_rebuilt", 1, size[i], goal ? 12 : 0)
                ratio("lammps", "p2_rebuilt", 2, size[i], 0)
                ratio("ode", "split_rebuilt", 1, size[i], 0)
                ratio("lammps", "split_rebuilt", 1, size[i], 0)
            }
        }' "$work/figures.txt"
}

mkdir -p "$work"
${CC:-gcc} -std=gnu17 -O3 -mavx2 -mfma -Wall -Wextra -Werror -o "$work/bare_p2" $here/bare_p2.c -lm
[ -z "$engines" ] || tests/tools/setup.sh peers
[ -z "$engines" ] || ${CC:-gcc} -std=gnu17 -O2 -Wall -Wextra -Werror -o "$work/ode_bed" $here/ode_bed.c -lode -lm
for grains in $sizes; do
    prepare "$grains"
done
: >"$work/figures.txt"
for ((round = 1; round <= rounds; round++)); do
    say "round $round of $rounds"
    for grains in $sizes; do
        one_round "$round" "$grains" >>"$work/figures.txt"
    done
done
report
