#!/usr/bin/env bash
# setup.sh - bring this machine to the point where Mattock builds (and its tests run).
#
#   usage: setup.sh build|test|oracle|peers      (make calls it; nobody needs to)
#
# Looks first and touches nothing, not even the network, when nothing is missing. Otherwise it
# installs just the missing Debian packages with apt, as root or through sudo, and says why each
# one is wanted. Where neither is possible it prints the command to run and stops.
set -euo pipefail
here=$(dirname "$0")
group=${1:-build}

# group | package | how to tell that it is there | what for
packages='
build|libyaml-dev|header yaml.h|reads scenario, vehicle and material files
build|libxxhash-dev|header xxhash.h|hashes of the simulation state
build|libzstd-dev|header zstd.h|packs recordings
build|libstb-dev|header stb/stb_image_write.h|writes pictures
build|libsdl2-dev|header SDL2/SDL.h|window, input devices, sound
build|libglew-dev|header GL/glew.h|functions of OpenGL 3.3
build|libgl1-mesa-dri|file /usr/lib/*/dri/swrast_dri.so|draws without a graphics card
build|libegl1|file /usr/lib/*/libEGL.so.1|pictures without a screen
build|libegl-mesa0|file /usr/lib/*/libEGL_mesa.so.0|pictures without a screen
test|xvfb|tool Xvfb|a screen in memory, for the tests of the window
test|xdotool|tool xdotool|presses keys in the tests of the window
test|clang|tool clang|second compiler: the same bits from both
test|libclang-rt-14-dev|file /usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.asan-x86_64.a|sanitizers of the second compiler
test|clang-format|tool clang-format|the last word on spaces
test|valgrind|tool valgrind|counts instructions, which a busy machine cannot disturb
oracle|libmujoco-dev|header mujoco/mujoco.h|an oracle in the tests of the rig; nothing of it goes into Mattock
peers|libode-dev|header ode/ode.h|the engine ODE, to compare speed
peers|lammps|tool lmp|the engine LAMMPS, to compare speed
'
[ "${CC:-gcc}" != clang ] || packages=${packages/test|clang|/build|clang|}

say() { printf 'setup: %s\n' "$*" >&2; }

# One preprocessor run answers for all headers: prints those it cannot find.
absent_headers() {
    local compiler=${CC:-gcc}
    command -v "${compiler%% *}" >/dev/null || compiler=gcc
    while IFS='|' read -r _ _ probe _; do
        case $probe in header*) printf '#if !__has_include(<%s>)\n"%s"\n#endif\n' "${probe#* }" "${probe#* }" ;; esac
    done <<<"$packages" | $compiler -E -P -x c - | tr -d '"'
}

# there PROBE - true when the thing the package brings is on this machine
there() {
    local kind=${1%% *} what=${1#* }
    case $kind in
        header) [[ $'\n'$no_header$'\n' != *$'\n'$what$'\n'* ]] ;;
        tool) command -v "$what" >/dev/null ;;
        file) compgen -G "$what" >/dev/null ;;
    esac
}

find_missing() {
    missing=() reasons=()
    no_header=$(absent_headers)
    while IFS='|' read -r of package probe why; do
        [ "$of" = "$group" ] || continue
        there "$probe" || { missing+=("$package"); reasons+=("$package: $why"); }
    done <<<"$packages"
}

# as_root COMMAND... - runs it as root, or fails when there is no way to
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        sudo "$@"
    else
        return 127
    fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends "${missing[@]}" >&2
}

install_missing() {
    local by_hand="apt-get install --no-install-recommends ${missing[*]}"
    say "installing what is missing:"
    printf 'setup:   %s\n' "${reasons[@]}" >&2

    if ! command -v apt-get >/dev/null; then
        say "this system has no apt; install the equivalents of: ${missing[*]}"
        exit 1
    fi
    if ! as_root true; then
        say "neither root nor sudo is available; as root, run: $by_hand"
        exit 1
    fi

    # the package index may be absent or stale: refresh it only when the first try fails
    apt_install 2>/dev/null && return
    say "refreshing the package index"
    if ! as_root apt-get -qq update >&2 || ! apt_install; then
        say "apt could not install them (see above); mend that, or as root run: $by_hand"
        exit 1
    fi
}

find_missing
if [ ${#missing[@]} -gt 0 ]; then
    install_missing
    find_missing
    [ ${#missing[@]} -eq 0 ] || { say "still missing after the installation: ${missing[*]}"; exit 1; }
    say "done"
fi

[ "$group" != test ] || "$here/fetch_unity.sh" "${UNITY_DIR:-build/third_party/unity}"
