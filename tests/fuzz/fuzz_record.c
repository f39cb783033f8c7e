// Recordings: as they are, and again with checksums made right, so that what lies behind them is tried.
#include "base/base_hash.h"
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void play(RecordReader* r)
{
    unsigned char input[RECORD_INPUT_MAX], base[3000];
    const RecordInfo* info = record_info(r);
    const RecordEvent* event;
    RecordSnapshot s;
    if (info->good > info->bytes || (info->good < info->bytes) != (info->damage[0] != '\0')) {
        abort();
    }
    for (uint32_t step = 0; step < info->steps && step < 5000; ++step) {
        record_input(r, step, input);
    }
    for (uint32_t second = 0; second < info->seconds && second < 100; ++second) {
        record_hashes(r, second);
        for (int k = record_events(r, second, &event); k > 0; --k) {
            if (memchr(event[k - 1].text, '\0', sizeof event->text) == NULL) {
                abort();
            }
        }
    }
    memset(base, 7, sizeof base);
    RecordSection section = {base, sizeof base};
    if (record_snapshot_init(&s, &section, 1)) {
        for (int key = 0; key < (int)info->keys && key < 4 && record_restore(r, key, &s); ++key) {
        }
        record_snapshot_free(&s);
    }
}

static void try(const uint8_t* data, size_t size)
{
    BaseYamlError error = {.text = ""};
    RecordReader* r = record_open_memory("f", data, size, &error);
    if (r) {
        RecordDifference d = record_compare(r, r);
        if (d.kind != RECORD_SAME) {
            abort();
        }
        play(r);
    } else if (error.text[0] == '\0') {
        abort();
    }
    record_close(r);
}

static uint32_t word(const uint8_t* at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    try(data, size);
    uint8_t* copy = malloc(size + 1);
    if (!copy) {
        abort();
    }
    memcpy(copy, data, size);
    uint64_t chain = base_hash(copy, size < 16 ? size : 16, 0);
    size_t at = 16;
    for (uint32_t number = 0; at + 24 <= size && word(copy + at + 8) <= size - at - 24; ++number) {
        size_t bytes = word(copy + at + 8);
        memcpy(copy + at + 12, &number, sizeof number);
        chain = base_hash(copy + at + 24, bytes, base_hash(copy + at, 16, chain));
        memcpy(copy + at + 16, &chain, sizeof chain);
        at += 24 + bytes;
    }
    try(copy, size);
    free(copy);
    return 0;
}
