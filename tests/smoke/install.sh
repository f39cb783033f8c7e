#!/usr/bin/env bash
# install.sh - what make install lays down works from there, and make uninstall leaves nothing; what
# make dist packs builds in an empty folder.
#
# Prints "ok name" or "not ok name" per claim; BUILD names the folder of the program.
set -uo pipefail
build=${BUILD:-build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

claim() { # NAME COMMAND... - ok when the command succeeds, all it said when not
    local name=$1
    shift
    if "$@" >"$folder/said" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name"
        tail -n 15 "$folder/said" | sed 's/^/    /'
        failed=1
    fi
}

# a make of its own, not the child of the one that runs the tests
own_make() { env -u MAKEFLAGS -u MAKELEVEL make "$@"; }

root="$folder/a root"
claim "make install" own_make BUILD="$build" DESTDIR="$folder/root" PREFIX=/opt/mattock install
prefix=$folder/root/opt/mattock
for file in bin/mattock lib/libmattock.a include/mattock/soil/soil.h share/mattock/config/materials.yaml \
    share/doc/mattock/docs/img/trainer_truck.jpg share/man/man6/mattock.6 share/applications/mattock.desktop share/doc/mattock/README.md \
    share/icons/hicolor/scalable/apps/mattock.svg; do
    claim "installs $file" test -s "$prefix/$file"
done
# moved away from here, so that no file of the repository can stand in
mkdir -p "$root" && mv "$folder/root/opt" "$root/"
moved=$root/opt/mattock/bin/mattock
claim "the installed program finds its files, in a folder with a space" \
    env -C / "$moved" lab swell --quick
if command -v man >/dev/null; then
    claim "the manual has no fault of form" bash -c "! man --warnings -l docs/mattock.6 2>&1 >/dev/null | grep ."
fi
claim "the manual tells every option as --help does" env BUILD="$build" tests/tools/manual.sh
claim "the manual tells every command" bash -c "
    '$moved' --help | sed -nE 's/^  ([a-z]+) +.*/\1/p' | while read -r word; do
        grep -qw \"\$word\" docs/mattock.6 || { echo \"no \$word\"; exit 1; }; done"
mv "$root/opt" "$folder/root/"
claim "make uninstall" own_make DESTDIR="$folder/root" PREFIX=/opt/mattock uninstall
claim "nothing is left of it" bash -c "! find '$folder/root' -type f -o -type l | grep ."

if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    claim "make dist" own_make BUILD="$folder" dist
    mkdir "$folder/empty" && tar -C "$folder/empty" -xzf "$folder"/mattock-*.tar.gz
    # whether it builds is the question, not how fast the result is
    claim "builds from its tarball" own_make -C "$folder"/empty/mattock-* OPT=-O0 all
    claim "and what it built runs" "$folder"/empty/mattock-*/build/mattock lab spring
fi
exit $failed
