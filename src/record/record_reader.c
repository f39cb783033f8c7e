// A recording from memory: one walk over the chunks makes the index; the first chunk that is wrong
// ends the good prefix and is named.
#include "record/record_internal.h"

#include "base/base_hash.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define SECONDS_MAX 200000 // two days

struct RecordReader {
    RecordInfo info;
    unsigned char* data; // [info.bytes]
    bool owned;
    RecordChunk* chunk; // [chunks], good ones
    uint32_t chunks, capacity;
    uint32_t* block;  // [info.seconds] numbers of chunks
    uint32_t* key;    // [info.keys]
    uint64_t* hashes; // [info.seconds][module_count + 1]
    bool* hashed;     // [info.seconds]
    RecordBlock* now; // the second that is unpacked
    uint32_t second;  // which; UINT32_MAX: none
    unsigned char* work;
};

const RecordInfo* record_info(const RecordReader* r)
{
    return &r->info;
}

const RecordChunk* record_chunks(const RecordReader* r, uint32_t* count)
{
    *count = r->chunks;
    return r->chunk;
}

const unsigned char* record_payload(const RecordReader* r, const RecordChunk* chunk)
{
    return r->data + chunk->at;
}

// --- the walk ------------------------------------------------------------------------------------

__attribute__((format(printf, 4, 5))) static bool damaged(RecordReader* r, uint32_t number,
                                                          size_t at, const char* format, ...)
{
    char what[128];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    uint32_t seconds = r->info.head.rate ? r->info.steps / r->info.head.rate : 0;
    snprintf(r->info.damage, sizeof r->info.damage,
             "chunk %u at byte %zu %s; what comes before is good: %u s", number, at, what, seconds);
    return false;
}

static const char* kind_name(uint32_t kind)
{
    return kind == RECORD_KIND_HEAD    ? "head"
           : kind == RECORD_KIND_BLOCK ? "second"
           : kind == RECORD_KIND_KEY   ? "key frame"
           : kind == RECORD_KIND_END   ? "end"
                                       : "unknown";
}

static bool add_chunk(RecordReader* r, const RecordChunk* chunk)
{
    if (r->chunks == r->capacity) {
        uint32_t capacity = r->capacity ? 2 * r->capacity : 256;
        RecordChunk* more = realloc(r->chunk, capacity * sizeof *more);
        if (!more) {
            return false;
        }
        r->chunk = more;
        r->capacity = capacity;
    }
    r->chunk[r->chunks++] = *chunk;
    return true;
}

// The next whole chunk with a good checksum; false at the first that is not.
static bool next_chunk(RecordReader* r, RecordChunk* out)
{
    size_t at = r->info.good, left = r->info.bytes - at;
    uint32_t number = r->chunks;
    const unsigned char* head = r->data + at;
    if (left < RECORD_CHUNK_HEAD) {
        return damaged(r, number, at, "is cut off in its head (%zu of %d bytes)", left,
                       RECORD_CHUNK_HEAD);
    }
    uint32_t kind = (uint32_t)record_get(head + 4, 4);
    size_t bytes = record_get(head + 8, 4);
    if (record_get(head, 4) != RECORD_MAGIC) {
        return damaged(r, number, at, "does not begin like one");
    }
    if (bytes > left - RECORD_CHUNK_HEAD) {
        return damaged(r, number, at, "(%s) is cut off (%zu of %zu bytes)", kind_name(kind),
                       left - RECORD_CHUNK_HEAD, bytes);
    }
    uint64_t chain = base_hash(head + RECORD_CHUNK_HEAD, bytes, base_hash(head, 16, r->info.hash));
    if (chain != record_get(head + 16, 8) || record_get(head + 12, 4) != number) {
        return damaged(r, number, at, "(%s) has a wrong checksum", kind_name(kind));
    }
    *out =
        (RecordChunk){.kind = kind, .at = at + RECORD_CHUNK_HEAD, .bytes = bytes, .chain = chain};
    return true;
}

static bool take_block(RecordReader* r, RecordChunk* chunk)
{
    RecordBlock* b = r->now;
    const RecordHead* head = &r->info.head;
    bool fine = record_block_peek(head, r->data + chunk->at, chunk->bytes, b) &&
                b->first == r->info.steps && b->first % head->rate == 0 &&
                b->first / head->rate == r->info.seconds && r->info.seconds < SECONDS_MAX;
    if (!fine) {
        return damaged(r, r->chunks, chunk->at, "(second) does not hold what a second holds");
    }
    chunk->first = b->first;
    chunk->steps = b->steps;
    r->info.steps += b->steps;
    r->info.events += b->event_count;
    r->info.seconds += 1;
    r->info.hashed += b->hashed;
    return true;
}

static bool take_key(RecordReader* r, RecordChunk* chunk)
{
    uint32_t last = 0;
    for (uint32_t c = r->chunks; c-- > 0 && last == 0;) {
        last = r->chunk[c].kind == RECORD_KIND_KEY ? r->chunk[c].first : 0;
    }
    size_t unpacked;
    bool fine = record_key_peek(r->data + chunk->at, chunk->bytes, &chunk->first, &unpacked) &&
                chunk->first > last && chunk->first <= r->info.steps;
    if (!fine) {
        return damaged(r, r->chunks, chunk->at, "(key frame) does not hold what a key frame holds");
    }
    r->info.keys += 1;
    r->info.key_bytes += chunk->bytes + RECORD_CHUNK_HEAD;
    return true;
}

static bool take_end(RecordReader* r, const RecordChunk* chunk)
{
    unsigned char* at = r->data + chunk->at;
    RecordCursor c = {at, at + chunk->bytes, .fine = true};
    uint32_t steps = 0;
    record_walk(&c, &steps, 4);
    record_walk_text(&c, r->info.reason, sizeof r->info.reason);
    if (!c.fine || c.at != c.end || steps != r->info.steps) {
        return damaged(r, r->chunks, chunk->at, "(end) does not hold what an end holds");
    }
    r->info.complete = true;
    return true;
}

static bool take_chunk(RecordReader* r, RecordChunk* chunk)
{
    switch (chunk->kind) {
    case RECORD_KIND_BLOCK: return take_block(r, chunk);
    case RECORD_KIND_KEY: return take_key(r, chunk);
    case RECORD_KIND_END: return take_end(r, chunk);
    default: return damaged(r, r->chunks, chunk->at, "is of a kind that does not belong here");
    }
}

static bool take_head(RecordReader* r, const char* name, BaseYamlError* error)
{
    unsigned char expected[RECORD_FILE_HEAD];
    r->info.hash = record_chain_start(expected);
    if (r->info.bytes < RECORD_FILE_HEAD || memcmp(r->data, expected, 8) != 0) {
        return record_fail(error, name, "is no recording");
    }
    uint32_t version = (uint32_t)record_get(r->data + 8, 4);
    if (version != RECORD_VERSION) {
        return record_fail(error, name, "is a recording of format %u; this program reads format %d",
                           version, RECORD_VERSION);
    }
    RecordChunk chunk;
    r->info.good = RECORD_FILE_HEAD;
    bool fine = memcmp(r->data, expected, RECORD_FILE_HEAD) == 0 && next_chunk(r, &chunk) &&
                chunk.kind == RECORD_KIND_HEAD;
    RecordCursor c = {r->data + (fine ? chunk.at : 0),
                      r->data + (fine ? chunk.at + chunk.bytes : 0), .fine = fine};
    record_walk_head(&c, &r->info.head);
    if (!c.fine || c.at != c.end) {
        return record_fail(error, name, "its head is damaged; nothing can be played");
    }
    r->info.good = chunk.at + chunk.bytes;
    r->info.hash = chunk.chain;
    return add_chunk(r, &chunk) || record_fail(error, name, "not enough memory to read it");
}

static bool take_rest(RecordReader* r)
{
    RecordChunk chunk;
    while (r->info.good < r->info.bytes) {
        if (r->info.complete) {
            r->info.complete = false;
            return damaged(r, r->chunks, r->info.good, "stands behind the end"), true;
        }
        if (!next_chunk(r, &chunk) || !take_chunk(r, &chunk)) {
            break;
        }
        if (!add_chunk(r, &chunk)) {
            return false;
        }
        r->info.good = chunk.at + chunk.bytes;
        r->info.hash = chunk.chain;
    }
    return true;
}

// --- the index -----------------------------------------------------------------------------------

static bool make_index(RecordReader* r)
{
    uint32_t seconds = 0, keys = 0, hashes = r->info.head.module_count + 1;
    r->block = calloc(r->info.seconds + 1, sizeof *r->block);
    r->key = calloc(r->info.keys + 1, sizeof *r->key);
    r->hashed = calloc(r->info.seconds + 1, sizeof *r->hashed);
    r->hashes = calloc((size_t)(r->info.seconds + 1) * hashes, sizeof *r->hashes);
    if (!r->block || !r->key || !r->hashed || !r->hashes) {
        return false;
    }
    for (uint32_t c = 0; c < r->chunks; ++c) {
        const RecordChunk* chunk = &r->chunk[c];
        if (chunk->kind == RECORD_KIND_KEY) {
            r->key[keys++] = c;
        } else if (chunk->kind == RECORD_KIND_BLOCK) {
            record_block_peek(&r->info.head, r->data + chunk->at, chunk->bytes, r->now);
            memcpy(r->hashes + (size_t)seconds * hashes, r->now->hash, hashes * sizeof *r->hashes);
            r->hashed[seconds] = r->now->hashed;
            r->block[seconds++] = c;
        }
    }
    return true;
}

static bool prepare(RecordReader* r, const char* name, BaseYamlError* error)
{
    r->now = calloc(1, sizeof *r->now);
    bool fine = r->now && take_head(r, name, error);
    if (!r->now || (fine && !take_rest(r))) {
        return record_fail(error, name, "not enough memory to read it");
    }
    if (!fine) {
        return false;
    }
    const RecordHead* head = &r->info.head;
    r->second = UINT32_MAX;
    r->work = malloc(record_block_bytes(head));
    if (!make_index(r) || !r->work || !(r->now->input = calloc(head->rate, head->input_bytes))) {
        return record_fail(error, name, "not enough memory to read it");
    }
    return true;
}

// --- opening -------------------------------------------------------------------------------------

void record_close(RecordReader* r)
{
    if (!r) {
        return;
    }
    if (r->now) {
        free(r->now->input);
    }
    if (r->owned) {
        free(r->data);
    }
    free(r->chunk);
    free(r->block);
    free(r->key);
    free(r->hashes);
    free(r->hashed);
    free(r->now);
    free(r->work);
    free(r);
}

static RecordReader* open_bytes(const char* name, unsigned char* data, size_t bytes, bool owned,
                                BaseYamlError* error)
{
    RecordReader* r = calloc(1, sizeof *r);
    if (!r) {
        free(owned ? data : NULL);
        record_fail(error, name, "not enough memory to read it");
        return NULL;
    }
    r->data = data;
    r->owned = owned;
    r->info.bytes = bytes;
    if (!prepare(r, name, error)) {
        record_close(r);
        return NULL;
    }
    return r;
}

RecordReader* record_open_memory(const char* name, const void* data, size_t bytes,
                                 BaseYamlError* error)
{
    return open_bytes(name, (unsigned char*)data, bytes, false, error); // only read
}

static unsigned char* read_all(FILE* file, const char* path, size_t size, BaseYamlError* error)
{
    unsigned char* data = malloc(size + 1);
    if (!data || fread(data, 1, size, file) != size) {
        record_fail(error, path, data ? "cannot be read" : "not enough memory to read it");
        free(data);
        return NULL;
    }
    return data;
}

RecordReader* record_open(const char* path, BaseYamlError* error)
{
    struct stat status;
    FILE* file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0) {
        record_fail(error, path, "cannot be opened: %s", strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        record_fail(error, path, "not a file");
    } else if (status.st_size > RECORD_FILE_MAX) {
        record_fail(error, path, "too large; allowed are %u MiB", RECORD_FILE_MAX >> 20);
    } else {
        size_t bytes = (size_t)status.st_size;
        unsigned char* data = read_all(file, path, bytes, error);
        fclose(file);
        return data ? open_bytes(path, data, bytes, true, error) : NULL;
    }
    if (file) {
        fclose(file);
    }
    return NULL;
}

bool record_recognise(const char* path)
{
    unsigned char expected[RECORD_FILE_HEAD], head[8] = {0};
    struct stat status;
    record_chain_start(expected);
    FILE* file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    bool fine = file && fread(head, 1, 8, file) == 8 && memcmp(head, expected, 8) == 0;
    if (file) {
        fclose(file);
    }
    return fine;
}

// --- playing -------------------------------------------------------------------------------------

static bool unpack(RecordReader* r, uint32_t second)
{
    if (second >= r->info.seconds) {
        return false;
    }
    if (second != r->second) {
        const RecordChunk* chunk = &r->chunk[r->block[second]];
        r->second = UINT32_MAX;
        if (!record_block_unpack(&r->info.head, r->data + chunk->at, chunk->bytes, r->now,
                                 r->work)) {
            return false;
        }
        r->second = second;
    }
    return true;
}

bool record_input(RecordReader* r, uint32_t step, void* out)
{
    uint32_t rate = r->info.head.rate;
    if (step >= r->info.steps || !unpack(r, step / rate)) {
        return false;
    }
    size_t bytes = r->info.head.input_bytes;
    memcpy(out, r->now->input + (size_t)(step % rate) * bytes, bytes);
    return true;
}

const uint64_t* record_hashes(const RecordReader* r, uint32_t second)
{
    return second < r->info.seconds && r->hashed[second]
               ? r->hashes + (size_t)second * (r->info.head.module_count + 1)
               : NULL;
}

int record_events(RecordReader* r, uint32_t second, const RecordEvent** out)
{
    if (!unpack(r, second)) {
        return 0;
    }
    *out = r->now->event;
    return (int)r->now->event_count;
}

// --- key frames ----------------------------------------------------------------------------------

bool record_snapshot_init(RecordSnapshot* s, const RecordSection* base, int count)
{
    *s = (RecordSnapshot){.sections = count, .key = -1};
    for (int k = 0; k < count; ++k) {
        s->bytes += s->section[k] = base[k].bytes;
    }
    s->size = s->bytes;
    s->data = malloc(s->size > 0 ? s->size : 1);
    size_t at = 0;
    for (int k = 0; s->data && k < count; ++k) {
        memcpy(s->data + at, base[k].data, base[k].bytes);
        at += base[k].bytes;
    }
    return s->data != NULL;
}

void record_snapshot_free(RecordSnapshot* s)
{
    free(s->data);
    *s = (RecordSnapshot){0};
}

int record_key_before(const RecordReader* r, uint32_t step)
{
    int key = (int)r->info.keys - 1;
    while (key >= 0 && r->chunk[r->key[key]].first > step) {
        --key;
    }
    return key;
}

uint32_t record_key_step(const RecordReader* r, int key)
{
    return key < 0 || key >= (int)r->info.keys ? 0 : r->chunk[r->key[key]].first;
}

bool record_restore(RecordReader* r, int key, RecordSnapshot* s)
{
    bool fine = key >= s->key && key < (int)r->info.keys;
    for (int k = s->key + 1; fine && k <= key; ++k) {
        const RecordChunk* chunk = &r->chunk[r->key[k]];
        fine = record_key_unpack(r->data + chunk->at, chunk->bytes, s);
        s->key = k;
    }
    return fine;
}
