#!/usr/bin/env bash
# lessons.sh - lessons and recordings at the command line: what is shipped is fine, what is bad costs one
# line and code 5.
#
# Prints "ok name" or "not ok name" per case.
. tests/tools/claims.sh
corpus=tests/unit/corpus/scenario
seeds=tests/fuzz/corpus/record

# refused FILE - code 5 and the sentence of its first line, nothing else
refused() {
    local want
    want=$(sed -n '1s/^# expect: //p' "$1")
    run 5 check "$1" && told "$1:$want"
}

for lesson in config/scenarios/*.yaml; do
    name=${lesson##*/}
    check "lesson ${name%.yaml} is fine" run 0 check "$lesson"
done
check "weather is fine" run 0 check config/weather.yaml
for name in measure-unknown machine-off-site operator-goal site-material band-turned pad-odd decimal-comma \
    event-object truck-from-needed quote-open; do
    check "check refuses $name" refused "$corpus/$name.yaml"
done

# many at once: every bad one is told, the good ones too
many() {
    run 5 check config/scenarios/pit.yaml "$corpus/nan.yaml" config/scenarios/trench.yaml "$corpus/hex.yaml" &&
        [ "$(wc -l <"$folder/out")" = 2 ] && [ "$(wc -l <"$folder/err")" = 2 ]
}
check "good and bad ones together" many

# recordings: whole, cut off, altered
whole() { run 0 check "$seeds/700.mrec" && grep -q '0:11 in 700 steps, 1 key frames' "$folder/out"; }
check "a recording is told" whole
cut_off() {
    head -c 3000 "$seeds/700.mrec" >"$folder/cut.mrec"
    run 5 check "$folder/cut.mrec" && grep -q 'cut.mrec: chunk .* is cut off' "$folder/err"
}
check "a cut recording is told with its place" cut_off
altered() {
    cp "$seeds/700.mrec" "$folder/bad.mrec"
    printf 'x' | dd of="$folder/bad.mrec" bs=1 seek=2000 conv=notrunc 2>/dev/null
    run 5 check "$folder/bad.mrec" && grep -q 'has a wrong checksum; what comes before is good' "$folder/err"
}
check "an altered recording is told with its place" altered

finish
