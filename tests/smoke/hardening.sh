#!/usr/bin/env bash
# hardening.sh - the program was built so that an overflow ends it instead of obeying the file that
# caused it: position independent, read-only relocations bound at start, no executable stack, stack
# protector, FORTIFY.
#
# Prints "ok name" or "not ok name" per property. The last case
# shows that these questions can be answered with no.
. tests/tools/claims.sh

# has WHAT FILE - one property of an ELF file
has() {
    case $1 in
        pie) readelf -hW "$2" | grep -E 'Type: +DYN' && readelf -dW "$2" | grep -E 'FLAGS_1.*PIE' ;;
        relro) readelf -lW "$2" | grep GNU_RELRO ;;
        now) readelf -dW "$2" | grep -E 'BIND_NOW|FLAGS_1.*NOW' ;;
        nx) readelf -lW "$2" | grep -E GNU_STACK | grep -vE 'RWE' ;;
        protector) readelf --dyn-syms -W "$2" | grep __stack_chk_fail ;;
        fortify) readelf --dyn-syms -W "$2" | grep -E '__(v?snprintf|memcpy|fprintf|read|printf)_chk' ;;
    esac >/dev/null # not grep -q: it leaves early, and readelf would die of the pipe
}

for property in pie relro now nx protector fortify; do
    has $property "$program" && say ok "hardened: $property" || say "not ok" "hardened: $property"
done

# a program without all that is recognised as such
printf 'int main(void) { return 0; }\n' >"$folder/soft.c"
${CC:-gcc} -no-pie -fno-stack-protector -Wl,-z,norelro,-z,lazy,-z,execstack -o "$folder/soft" "$folder/soft.c" 2>/dev/null
for property in pie relro now nx protector fortify; do
    has $property "$folder/soft" && say "not ok" "a soft program has no $property" || say ok "a soft program has no $property"
done
finish
