// A second of inputs and events, and a state against an earlier one, as few bytes.
#include "record/record_internal.h"

#include "base/base_hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#define BLOCK_LEVEL 9 // of zstd; a second is 2 kB
#define KEY_LEVEL   3
#define KEY_WINDOW  27 // log2 of twice RECORD_KEY_MAX

bool record_fail(BaseYamlError* error, const char* path, const char* format, ...)
{
    *error = (BaseYamlError){0};
    int used = snprintf(error->text, sizeof error->text, "%.160s: ", path);
    va_list args;
    va_start(args, format);
    vsnprintf(error->text + used, sizeof error->text - (size_t)used, format, args);
    va_end(args);
    return false;
}

// --- fields --------------------------------------------------------------------------------------

static bool room(RecordCursor* c, size_t bytes)
{
    c->fine = c->fine && (size_t)(c->end - c->at) >= bytes;
    return c->fine;
}

void record_walk(RecordCursor* c, void* value, int bytes)
{
    if (!room(c, (size_t)bytes)) {
        return;
    }
    if (c->writing) {
        memcpy(c->at, value, (size_t)bytes); // x86-64 is little-endian
    } else {
        memcpy(value, c->at, (size_t)bytes);
    }
    c->at += bytes;
}

// Texts come out of files: they must be UTF-8-like bytes without controls, and end in time.
static bool text_fine(const char* text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
            return false;
        }
    }
    return true;
}

void record_walk_text(RecordCursor* c, char* text, size_t size)
{
    uint8_t length = c->writing ? (uint8_t)strnlen(text, size - 1) : 0;
    record_walk(c, &length, 1);
    if (!room(c, length) || length >= size) {
        c->fine = false;
        return;
    }
    if (c->writing) {
        memcpy(c->at, text, length);
    } else {
        memset(text, 0, size);
        memcpy(text, c->at, length);
        c->fine = text_fine(text, length);
    }
    c->at += length;
}

static void walk_file(RecordCursor* c, RecordFile* file)
{
    record_walk_text(c, file->name, sizeof file->name);
    record_walk(c, &file->hash, 8);
}

void record_walk_head(RecordCursor* c, RecordHead* head)
{
    record_walk_text(c, head->program, sizeof head->program);
    walk_file(c, &head->scenario);
    walk_file(c, &head->site);
    walk_file(c, &head->vehicle);
    walk_file(c, &head->materials);
    record_walk_text(c, head->trainee, sizeof head->trainee);
    record_walk_text(c, head->driver, sizeof head->driver);
    record_walk_text(c, head->pattern, sizeof head->pattern);
    record_walk_text(c, head->device, sizeof head->device);
    record_walk(c, &head->seed, 8);
    record_walk(c, &head->started, 8);
    record_walk(c, &head->rate, 4);
    record_walk(c, &head->input_bytes, 4);
    record_walk(c, &head->module_count, 4);
    c->fine = c->fine && record_head_fine(head);
    for (uint32_t m = 0; c->fine && m < head->module_count; ++m) {
        record_walk_text(c, head->module[m], sizeof head->module[m]);
    }
    record_walk_text(c, head->parent, sizeof head->parent);
    record_walk(c, &head->parent_hash, 8);
    record_walk(c, &head->parent_step, 4);
}

bool record_head_fine(const RecordHead* head)
{
    return head->rate >= 1 && head->rate <= RECORD_RATE_MAX && head->input_bytes >= 1 &&
           head->input_bytes <= RECORD_INPUT_MAX && head->module_count <= RECORD_MODULES_MAX;
}

static bool finite_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7ff0000000000000ull) != 0x7ff0000000000000ull;
}

void record_walk_event(RecordCursor* c, RecordEvent* event)
{
    record_walk(c, &event->step, 4);
    record_walk(c, &event->kind, 2);
    record_walk(c, &event->value[0], 8);
    record_walk(c, &event->value[1], 8);
    record_walk_text(c, event->text, sizeof event->text);
    c->fine = c->fine && finite_double(event->value[0]) && finite_double(event->value[1]);
}

// --- a second ------------------------------------------------------------------------------------
//
//     u32 first | u16 steps | u16 events | u8 hashed | hashes | u32 raw bytes | zstd of:
//     for each 16-bit word of the input: its low bytes of all steps, then its high bytes; every word
//     as the zigzag of its difference to the step before. Then the events.

static uint32_t words(const RecordHead* head)
{
    return (head->input_bytes + 1) / 2;
}

static size_t raw_bytes(const RecordHead* head)
{
    return (size_t)head->rate * words(head) * 2 +
           (size_t)RECORD_EVENTS_MAX * (4 + 2 + 16 + 1 + RECORD_TEXT);
}

size_t record_block_bytes(const RecordHead* head)
{
    return 64 + 8 * (RECORD_MODULES_MAX + 1) + ZSTD_compressBound(raw_bytes(head));
}

static uint16_t word_at(const RecordHead* head, const RecordBlock* block, uint32_t step, uint32_t w)
{
    const unsigned char* frame = block->input + (size_t)step * head->input_bytes;
    uint32_t high = 2 * w + 1 < head->input_bytes ? frame[2 * w + 1] : 0;
    return (uint16_t)(frame[2 * w] | high << 8);
}

static void put_planes(const RecordHead* head, const RecordBlock* block, unsigned char* out)
{
    for (uint32_t w = 0; w < words(head); ++w) {
        uint16_t before = 0;
        unsigned char* low = out + (size_t)w * 2 * block->steps;
        for (uint32_t s = 0; s < block->steps; ++s) {
            uint16_t now = word_at(head, block, s, w);
            uint16_t step = (uint16_t)(now - before);
            uint16_t zigzag = (uint16_t)((step << 1) ^ ((step & 0x8000) ? 0xffff : 0));
            low[s] = (unsigned char)zigzag;
            low[block->steps + s] = (unsigned char)(zigzag >> 8);
            before = now;
        }
    }
}

static void get_planes(const RecordHead* head, RecordBlock* block, const unsigned char* in)
{
    for (uint32_t w = 0; w < words(head); ++w) {
        uint16_t now = 0;
        const unsigned char* low = in + (size_t)w * 2 * block->steps;
        for (uint32_t s = 0; s < block->steps; ++s) {
            uint16_t zigzag = (uint16_t)(low[s] | low[block->steps + s] << 8);
            now = (uint16_t)(now + ((zigzag >> 1) ^ ((zigzag & 1) ? 0xffff : 0)));
            unsigned char* frame = block->input + (size_t)s * head->input_bytes;
            frame[2 * w] = (unsigned char)now;
            if (2 * w + 1 < head->input_bytes) {
                frame[2 * w + 1] = (unsigned char)(now >> 8);
            }
        }
    }
}

static void walk_front(const RecordHead* head, RecordCursor* c, RecordBlock* block, uint32_t* raw)
{
    uint8_t hashed = block->hashed;
    record_walk(c, &block->first, 4);
    record_walk(c, &block->steps, 2);
    record_walk(c, &block->event_count, 2);
    record_walk(c, &hashed, 1);
    block->hashed = hashed;
    c->fine = c->fine && hashed <= 1 && block->steps + block->event_count >= 1 &&
              block->steps <= head->rate && block->event_count <= RECORD_EVENTS_MAX;
    for (uint32_t m = 0; hashed && m <= head->module_count; ++m) {
        record_walk(c, &block->hash[m], 8);
    }
    record_walk(c, raw, 4);
}

size_t record_block_pack(const RecordHead* head, const RecordBlock* block, unsigned char* out,
                         unsigned char* work)
{
    size_t planes = (size_t)block->steps * words(head) * 2;
    RecordBlock copy = *block;
    put_planes(head, block, work);
    RecordCursor events = {work + planes, work + raw_bytes(head), .writing = true, .fine = true};
    for (uint32_t e = 0; e < block->event_count; ++e) {
        record_walk_event(&events, &copy.event[e]);
    }
    uint32_t raw = (uint32_t)(events.at - work);
    RecordCursor front = {out, out + record_block_bytes(head), .writing = true, .fine = true};
    walk_front(head, &front, &copy, &raw);
    size_t packed = ZSTD_compress(front.at, (size_t)(front.end - front.at), work, raw, BLOCK_LEVEL);
    bool fine = events.fine && front.fine && !ZSTD_isError(packed);
    return fine ? (size_t)(front.at - out) + packed : 0;
}

bool record_block_peek(const RecordHead* head, const unsigned char* in, size_t bytes,
                       RecordBlock* out)
{
    uint32_t raw;
    RecordCursor front = {(unsigned char*)in, (unsigned char*)in + bytes, .fine = true};
    *out = (RecordBlock){.input = out->input};
    walk_front(head, &front, out, &raw);
    return front.fine && raw <= raw_bytes(head) && raw >= out->steps * words(head) * 2;
}

bool record_block_unpack(const RecordHead* head, const unsigned char* in, size_t bytes,
                         RecordBlock* out, unsigned char* work)
{
    uint32_t raw;
    RecordCursor front = {(unsigned char*)in, (unsigned char*)in + bytes, .fine = true};
    out->steps = out->event_count = 0;
    walk_front(head, &front, out, &raw);
    size_t planes = (size_t)out->steps * words(head) * 2;
    if (!front.fine || raw > raw_bytes(head) || raw < planes ||
        ZSTD_decompress(work, raw_bytes(head), front.at, (size_t)(front.end - front.at)) != raw) {
        return false;
    }
    get_planes(head, out, work);
    RecordCursor events = {work + planes, work + raw, .fine = true};
    for (uint32_t e = 0; e < out->event_count; ++e) {
        record_walk_event(&events, &out->event[e]);
        uint32_t after = out->event[e].step - out->first;
        events.fine = events.fine && after <= out->steps;
    }
    return events.fine && events.at == events.end;
}

// --- key frames ----------------------------------------------------------------------------------
//
//     u32 step | u32 sections | u32 bytes of each | zstd of the state, with the state before as prefix:
//     what stays the same is a reference, wherever it has moved to.

size_t record_key_bound(size_t bytes)
{
    return 16 + 4 * RECORD_SECTIONS_MAX + ZSTD_compressBound(bytes);
}

// Smallest window that sees both states.
static int window_of(size_t bytes)
{
    int log = 10;
    while (log < KEY_WINDOW && ((size_t)1 << log) < bytes) {
        ++log;
    }
    return log;
}

size_t record_key_pack(uint32_t step, const RecordSnapshot* before, const RecordSnapshot* now,
                       unsigned char* out)
{
    size_t head = 8;
    record_put(out, step, 4);
    record_put(out + 4, (uint64_t)now->sections, 4);
    for (int s = 0; s < now->sections; ++s, head += 4) {
        record_put(out + head, now->section[s], 4);
    }
    ZSTD_CCtx* zstd = ZSTD_createCCtx();
    if (!zstd) {
        return 0;
    }
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, KEY_LEVEL);
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_enableLongDistanceMatching, 1);
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window_of(before->bytes + now->bytes));
    ZSTD_CCtx_refPrefix(zstd, before->data, before->bytes);
    size_t packed = ZSTD_compress2(zstd, out + head, record_key_bound(now->bytes) - head, now->data,
                                   now->bytes);
    ZSTD_freeCCtx(zstd);
    return ZSTD_isError(packed) ? 0 : head + packed;
}

bool record_key_peek(const unsigned char* in, size_t bytes, uint32_t* step, size_t* unpacked)
{
    if (bytes < 8) {
        return false;
    }
    uint64_t sections = record_get(in + 4, 4);
    *step = (uint32_t)record_get(in, 4);
    *unpacked = 0;
    if (sections < 1 || sections > RECORD_SECTIONS_MAX || bytes < 8 + 4 * sections) {
        return false;
    }
    for (uint64_t s = 0; s < sections; ++s) {
        *unpacked += record_get(in + 8 + 4 * s, 4);
    }
    return *unpacked <= RECORD_KEY_MAX;
}

bool record_key_unpack(const unsigned char* in, size_t bytes, RecordSnapshot* s)
{
    uint32_t step;
    size_t unpacked;
    if (!record_key_peek(in, bytes, &step, &unpacked)) {
        return false;
    }
    int sections = (int)record_get(in + 4, 4);
    size_t head = 8 + 4 * (size_t)sections;
    unsigned char* data = malloc(unpacked > 0 ? unpacked : 1);
    ZSTD_DCtx* zstd = ZSTD_createDCtx();
    bool fine = data && zstd && !ZSTD_isError(ZSTD_DCtx_refPrefix(zstd, s->data, s->bytes)) &&
                ZSTD_decompressDCtx(zstd, data, unpacked, in + head, bytes - head) == unpacked;
    ZSTD_freeDCtx(zstd);
    if (!fine) {
        free(data);
        return false;
    }
    free(s->data);
    s->data = data;
    s->bytes = s->size = unpacked;
    s->sections = sections;
    for (int k = 0; k < sections; ++k) {
        s->section[k] = record_get(in + 8 + 4 * k, 4);
    }
    return true;
}

// --- chunks --------------------------------------------------------------------------------------

uint64_t record_chain_start(unsigned char file_head[RECORD_FILE_HEAD])
{
    memset(file_head, 0, RECORD_FILE_HEAD);
    memcpy(file_head, "\x89MATTOCK", 8);
    record_put(file_head + 8, RECORD_VERSION, 4);
    return base_hash(file_head, RECORD_FILE_HEAD, 0);
}

void record_chunk_head(unsigned char out[RECORD_CHUNK_HEAD], uint32_t kind, uint32_t number,
                       const unsigned char* payload, size_t bytes, uint64_t* chain)
{
    record_put(out, RECORD_MAGIC, 4);
    record_put(out + 4, kind, 4);
    record_put(out + 8, bytes, 4);
    record_put(out + 12, number, 4);
    *chain = base_hash(payload, bytes, base_hash(out, 16, *chain));
    record_put(out + 16, *chain, 8);
}
