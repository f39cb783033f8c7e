// Two recordings side by side, and a re-simulation beside a recording.
#include "record/record_internal.h"

#include <stdio.h>

#define CLOCK       "%u:%02u"
#define CLOCK_OF(s) (s) / 60, (s) % 60

static const char* module_name(const RecordHead* head, uint32_t m)
{
    return m < head->module_count ? head->module[m] : "total";
}

RecordDifference record_verify_second(const RecordReader* reader, uint32_t second,
                                      const uint64_t* hashes)
{
    RecordDifference d = {.kind = RECORD_SAME, .second = second};
    const RecordHead* head = &record_info(reader)->head;
    const uint64_t* kept = record_hashes(reader, second);
    for (uint32_t m = 0; kept && m <= head->module_count; ++m) {
        if (kept[m] != hashes[m]) {
            d.kind = RECORD_OTHER_STATE;
            d.step = (second + 1) * head->rate;
            snprintf(d.module, sizeof d.module, "%s", module_name(head, m));
            snprintf(d.text, sizeof d.text,
                     "differs from second " CLOCK " on: %s is %016llx, recorded was %016llx",
                     CLOCK_OF(second), d.module, (unsigned long long)hashes[m],
                     (unsigned long long)kept[m]);
            break;
        }
    }
    return d;
}

static bool other_file(RecordDifference* d, const char* what, const RecordFile* a,
                       const RecordFile* b)
{
    if (a->hash == b->hash) {
        return false;
    }
    d->kind = RECORD_OTHER_HEAD;
    snprintf(d->text, sizeof d->text, "%s differs: %.60s (%016llx) and %.60s (%016llx)", what,
             a->name, (unsigned long long)a->hash, b->name, (unsigned long long)b->hash);
    return true;
}

static bool other_head(RecordDifference* d, const RecordHead* a, const RecordHead* b)
{
    if (other_file(d, "the scenario", &a->scenario, &b->scenario) ||
        other_file(d, "the site", &a->site, &b->site) ||
        other_file(d, "the vehicle", &a->vehicle, &b->vehicle) ||
        other_file(d, "the materials file", &a->materials, &b->materials)) {
        return true;
    }
    if (strcmp(a->program, b->program) != 0 || a->seed != b->seed || a->rate != b->rate ||
        a->input_bytes != b->input_bytes) {
        d->kind = RECORD_OTHER_HEAD;
        snprintf(d->text, sizeof d->text,
                 "made differently: version %s, seed %llu, %u steps/s, inputs of %u bytes; and "
                 "version %s, seed %llu, %u steps/s, inputs of %u bytes",
                 a->program, (unsigned long long)a->seed, a->rate, a->input_bytes, b->program,
                 (unsigned long long)b->seed, b->rate, b->input_bytes);
        return true;
    }
    return false;
}

static bool other_input(RecordDifference* d, RecordReader* a, RecordReader* b, uint32_t step,
                        uint32_t rate)
{
    unsigned char x[RECORD_INPUT_MAX] = {0}, y[RECORD_INPUT_MAX] = {0};
    bool has_x = record_input(a, step, x), has_y = record_input(b, step, y);
    if (has_x == has_y && memcmp(x, y, sizeof x) == 0) {
        return false;
    }
    *d = (RecordDifference){.kind = RECORD_OTHER_INPUT, .step = step, .second = step / rate};
    snprintf(d->text, sizeof d->text, "the inputs differ from second " CLOCK " on (step %u)",
             CLOCK_OF(d->second), step);
    return true;
}

RecordDifference record_compare(RecordReader* a, RecordReader* b)
{
    RecordDifference d = {.kind = RECORD_SAME};
    const RecordInfo *p = record_info(a), *q = record_info(b);
    if (other_head(&d, &p->head, &q->head)) {
        return d;
    }
    uint32_t steps = p->steps < q->steps ? p->steps : q->steps, rate = p->head.rate;
    bool same_modules = p->head.module_count == q->head.module_count;
    for (uint32_t step = 0; step < steps; ++step) {
        if (other_input(&d, a, b, step, rate)) {
            return d;
        }
        const uint64_t* hashes = (step + 1) % rate == 0 ? record_hashes(b, step / rate) : NULL;
        if (same_modules && hashes) {
            d = record_verify_second(a, step / rate, hashes);
            if (d.kind != RECORD_SAME) {
                return d;
            }
        }
    }
    if (p->steps != q->steps) {
        d.kind = RECORD_OTHER_LENGTH;
        d.step = steps;
        d.second = steps / rate;
        snprintf(d.text, sizeof d.text,
                 "equal as far as both go; one has " CLOCK ", the other " CLOCK,
                 CLOCK_OF(p->steps / rate), CLOCK_OF(q->steps / rate));
    } else {
        snprintf(d.text, sizeof d.text, "equal: %u steps, " CLOCK, steps, CLOCK_OF(steps / rate));
    }
    return d;
}
