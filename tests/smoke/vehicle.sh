#!/usr/bin/env bash
# vehicle.sh - vehicles at the command line: what is shipped is fine and has a picture, what is bad
# costs one line and the right code.
#
# Prints "ok name" or "not ok name" per case.
. tests/tools/claims.sh

# all that is shipped, by its name alone
drawn() { # NAME ARGS...
    rm -f "$folder/v.png"
    run 0 vehicle "$@" --png "$folder/v.png" --width 320 --height 200 &&
        [ "$(head -c 8 "$folder/v.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] &&
        [ "$(stat -c %s "$folder/v.png")" -gt 20000 ] && [ ! -s "$folder/err" ]
}
for name in excavator_22t excavator_2t dozer_20t truck_24t; do
    check "check likes $name" run 0 check "vehicles/$name.yaml"
    check "vehicle draws $name" drawn "$name"
done
check "another pose, far mesh" drawn truck_24t --pose body=40,hitch=-20 --lod far --camera rear --lines
different() {
    drawn excavator_22t --pose boom=50 && cp "$folder/v.png" "$folder/a.png" &&
        drawn excavator_22t --pose boom=0 && ! cmp -s "$folder/v.png" "$folder/a.png"
}
check "a pose changes the picture" different

# one sentence for what is wrong
refused() { # CODE PATTERN ARGS...
    local code=$1 pattern=$2
    shift 2
    run "$code" "$@" && [ "$(wc -l <"$folder/err")" = 1 ] && grep -q -- "$pattern" "$folder/err"
}
check "no file" refused 2 "needs a file" vehicle
check "a file that is not there" refused 5 "nowhere.yaml" vehicle nowhere.yaml
check "a joint that is not there" refused 2 'did you mean "boom"' vehicle excavator_22t --png "$folder/v.png" --pose bom=3
check "a pose without a number" refused 2 "allowed is a number in deg" vehicle excavator_22t --png "$folder/v.png" --pose boom=up
check "a camera that is not there" refused 2 "did you mean" vehicle excavator_22t --camera sid
check "a bad look" refused 5 "did you mean frame" vehicle tests/unit/corpus/vehicle/look-unknown-body.yaml
check "a folder that is not there" refused 5 "nowhere" vehicle dozer_20t --png "$folder/nowhere/v.png"
printf 'title: Block\nclass: object\nbodies:\n  block: {mass: 10 kg, com: [0, 0, 0], inertia: [1, 1, 1]}\n' >"$folder/block.yaml"
check "nothing to draw" refused 5 "no look" vehicle "$folder/block.yaml" --png "$folder/v.png"

finish
