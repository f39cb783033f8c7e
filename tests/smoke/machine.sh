#!/usr/bin/env bash
# machine.sh - machines on the command line: check, lab, mjcf and bench, with good and bad input.
#
# Prints "ok name" or "not ok name" per case.
. tests/tools/claims.sh
vehicle=vehicles/excavator_22t.yaml

for file in vehicles/*.yaml; do
    expect "check $file" 0 "$file: fine" check "$file"
done
sed 's/closed: 1780 mm/closed: 1200 mm/' "$vehicle" >"$folder/short.yaml"
expect "a cylinder that cannot close" 5 "short.yaml:[0-9]+:[0-9]+: cylinders.boom.stroke: .*cannot close" \
    check "$folder/short.yaml"
sed 's/mass: 10600 kg/mass: heavy/' "$vehicle" >"$folder/heavy.yaml"
expect "a mass that is no number" 5 "heavy.yaml:[0-9]+:[0-9]+: bodies.house.mass: .*kg" check "$folder/heavy.yaml"

expect "lab jack as JSON" 0 '"machine": "Crawler excavator' lab jack --json
python3 -m json.tool <"$folder/out" >/dev/null 2>&1 || ! command -v python3 >/dev/null
say "$([ $? = 0 ] && echo ok || echo "not ok")" "its JSON is JSON"
expect "lab hold draws" 0 "within targets" lab hold --png "$folder/hold.png"
say "$([ -s "$folder/hold.png" ] && echo ok || echo "not ok")" "its picture is there"
expect "lab with a file that is no vehicle" 5 "materials.yaml" lab jack --vehicle config/materials.yaml
printf 'title: Pipe\nclass: object\nbodies:\n  pipe: {mass: 9 kg, com: [0, 0, 0], inertia: [1, 1, 1]}\n' \
    >"$folder/pipe.yaml"
expect "lab without a boom" 5 "has no body boom" lab jack --vehicle "$folder/pipe.yaml"

expect "mjcf" 0 '<joint name="boom" type="hinge"' lab mjcf "$vehicle"
expect "mjcf without a file" 2 "needs one vehicle file" lab mjcf
expect "mjcf of nothing" 5 "nowhere" lab mjcf nowhere.yaml
expect "bench machine" 0 '"four_machines_frame_ms": [0-9.]+' bench machine --frames 20 --json
expect "bench with a word" 2 "--frames" bench machine --frames many
finish
