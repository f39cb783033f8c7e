// record_internal - the format's pieces, shared by writer and reader.
//
//     "\x89MATTOCK" | u32 version | u32 0
//     chunk*:  u32 magic | u32 kind | u32 bytes | u32 number | u64 checksum | bytes of payload
//
// The checksum is XXH3 of the payload, seeded with XXH3 of the 16 bytes before it, seeded with the
// checksum of the chunk before.
#ifndef RECORD_INTERNAL_H
#define RECORD_INTERNAL_H

#include "record/record.h"

#include <string.h>

#define RECORD_FILE_HEAD  16
#define RECORD_CHUNK_HEAD 24
#define RECORD_MAGIC      0x4b43524du // "MRCK"
#define RECORD_KIND_HEAD  0x44414548u // "HEAD"
#define RECORD_KIND_BLOCK 0x4b434c42u // "BLCK", a second
#define RECORD_KIND_KEY   0x5359454bu // "KEYS"
#define RECORD_KIND_END   0x5f444e45u // "END_"

#define RECORD_EVENTS_MAX 512 // in a second; more are counted and left out

static inline void record_put(unsigned char* out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i) {
        out[i] = (unsigned char)(value >> (8 * i));
    }
}

static inline uint64_t record_get(const unsigned char* in, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) {
        value |= (uint64_t)in[i] << (8 * i);
    }
    return value;
}

// Fields one after the other, written or read; `fine` falls at the first that does not fit.
typedef struct RecordCursor {
    unsigned char* at;
    unsigned char* end;
    bool writing;
    bool fine;
} RecordCursor;

void record_walk(RecordCursor* cursor, void* value, int bytes); // little-endian unsigned
void record_walk_text(RecordCursor* cursor, char* text, size_t size);
void record_walk_head(RecordCursor* cursor, RecordHead* head);
void record_walk_event(RecordCursor* cursor, RecordEvent* event);
bool record_head_fine(const RecordHead* head);

// A second while it is packed or unpacked.
typedef struct RecordBlock {
    uint32_t first;
    uint32_t steps;
    uint32_t event_count;
    bool hashed;
    uint64_t hash[RECORD_MODULES_MAX + 1];
    unsigned char* input; // [rate][input_bytes]
    RecordEvent event[RECORD_EVENTS_MAX];
} RecordBlock;

// Bytes that suffice for any packed block, and for the working memory of both directions.
size_t record_block_bytes(const RecordHead* head);
// Packed bytes, 0 when the packer fails (out of memory).
size_t record_block_pack(const RecordHead* head, const RecordBlock* block, unsigned char* out,
                         unsigned char* work);
// The uncompressed beginning alone, for the index.
bool record_block_peek(const RecordHead* head, const unsigned char* in, size_t bytes,
                       RecordBlock* out);
bool record_block_unpack(const RecordHead* head, const unsigned char* in, size_t bytes,
                         RecordBlock* out, unsigned char* work);

// Key frames: the state `now` against the one `before`; out holds record_key_bound() bytes of it.
size_t record_key_bound(size_t bytes);
size_t record_key_pack(uint32_t step, const RecordSnapshot* before, const RecordSnapshot* now,
                       unsigned char* out);
bool record_key_peek(const unsigned char* in, size_t bytes, uint32_t* step, size_t* unpacked);
// Turns `snapshot` from the state before into the state after.
bool record_key_unpack(const unsigned char* in, size_t bytes, RecordSnapshot* snapshot);

uint64_t record_chain_start(unsigned char file_head[RECORD_FILE_HEAD]);
void record_chunk_head(unsigned char out[RECORD_CHUNK_HEAD], uint32_t kind, uint32_t number,
                       const unsigned char* payload, size_t bytes, uint64_t* chain);

// For taking over: the payload of a chunk, and the chunks in order.
typedef struct RecordChunk {
    uint32_t kind;
    uint32_t first, steps; // blocks: of steps; keys: first is the step
    size_t at, bytes;      // payload
    uint64_t chain;        // checksum
} RecordChunk;

const RecordChunk* record_chunks(const RecordReader* reader, uint32_t* count);
const unsigned char* record_payload(const RecordReader* reader, const RecordChunk* chunk);
// As it is in the parent: packed seconds and key frames, without unpacking.
void record_append_chunk(RecordWriter* writer, const RecordReader* from, const RecordChunk* chunk);
void record_discard(RecordWriter* writer); // frees it and removes the file
void record_set_key(RecordWriter* writer, RecordSnapshot* snapshot, uint32_t step);

bool record_fail(BaseYamlError* error, const char* path, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
