// The lesson's side puts records into a ring; the pump takes them out, packs seconds and writes.
//
//     step thread                          pump's thread
//     record_step  --\                     second complete -> packed -> chunk -> pending -> file
//     record_event ---> ring (1 MiB) --->
//     record_second -/                     what the file refuses stays pending and is tried again
//     record_key   ---> mailbox (one) ---> against the last one -> chunk, when there is room for it
//
// Room for key frames: KEY_RATE bytes per second of lesson on average, so that ten minutes stay far
// below 1 MB whatever happens; a frame that is too large waits for a calmer moment.
#include "record/record_internal.h"

#include "base/base_assert.h"
#include "base/base_file.h"
#include "base/base_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RING_BYTES    (1u << 20) // a quarter of an hour at 60 steps of 16 bytes without a pump
#define PENDING_BYTES (8u << 20) // hours of input, when the file refuses
#define KEY_RATE      1000       // bytes per second of lesson
#define KEY_CREDIT    50000      // at the start
#define KEY_PATIENCE  1          // s until a refused key frame is tried again

typedef enum RingKind { RING_STEP, RING_EVENT, RING_SECOND } RingKind;

struct RecordWriter {
    RecordHead head;
    char path[BASE_FILE_PATH], part[BASE_FILE_PATH];

    // step thread
    uint32_t next_step;
    uint32_t last_key; // step of the last key frame that was taken

    // between the threads
    unsigned char* ring; // [RING_BYTES]
    atomic_size_t ring_head, ring_tail;
    atomic_bool overrun; // the ring was full once: the recording ends there
    RecordSnapshot mail; // the step thread's while `mailed` is false
    uint32_t mail_step;
    atomic_bool mailed;
    atomic_bool key_refused;

    // pump's thread
    RecordBlock* block;
    unsigned char *work, *packed;
    RecordSnapshot before; // last key frame in the file, or the base
    unsigned char* key_packed;
    int64_t key_credit; // bytes
    uint32_t key_paid;  // step up to which credit was given
    int file;
    uint64_t size; // of the file: whole chunks only
    unsigned char* pending;
    size_t pending_bytes;
    uint32_t chunks;
    uint64_t chain;
    bool failing, lost;
    int news; // 0 nothing, 1 fails, 2 works again, 3 given up
    int reason;
    char sentence[256];
};

// --- opening -------------------------------------------------------------------------------------

static bool snapshot_reserve(RecordSnapshot* s, size_t bytes)
{
    *s = (RecordSnapshot){.size = bytes, .key = -1};
    s->data = base_memory(bytes, 1);
    return s->data != NULL;
}

static bool reserve(RecordWriter* w, size_t key_bytes)
{
    size_t block = record_block_bytes(&w->head);
    w->ring = base_memory(RING_BYTES, 1);
    w->block = calloc(1, sizeof *w->block);
    w->work = base_memory(block, 1);
    w->packed = base_memory(block, 1);
    w->pending = base_memory(PENDING_BYTES, 1);
    bool fine = w->ring && w->block && w->work && w->packed && w->pending &&
                snapshot_reserve(&w->mail, key_bytes) && snapshot_reserve(&w->before, key_bytes);
    if (fine && key_bytes > 0) {
        w->key_packed = base_memory(record_key_bound(key_bytes), 1);
        fine = w->key_packed != NULL;
    }
    if (fine) {
        w->block->input = malloc((size_t)w->head.rate * w->head.input_bytes);
        fine = w->block->input != NULL;
    }
    return fine;
}

static void release(RecordWriter* w)
{
    if (w->file >= 0) {
        close(w->file);
    }
    if (w->block) {
        free(w->block->input);
    }
    free(w->ring);
    free(w->block);
    free(w->work);
    free(w->packed);
    free(w->pending);
    free(w->mail.data);
    free(w->before.data);
    free(w->key_packed);
    free(w);
}

static void append(RecordWriter* w, uint32_t kind, const unsigned char* payload, size_t bytes)
{
    if (w->lost || w->pending_bytes + RECORD_CHUNK_HEAD + bytes > PENDING_BYTES) {
        if (!w->lost) {
            w->news = 3;
        }
        w->lost = true; // a gap would make all behind it worthless
        return;
    }
    unsigned char* at = w->pending + w->pending_bytes;
    record_chunk_head(at, kind, w->chunks++, payload, bytes, &w->chain);
    memcpy(at + RECORD_CHUNK_HEAD, payload, bytes);
    w->pending_bytes += RECORD_CHUNK_HEAD + bytes;
}

static void append_head(RecordWriter* w)
{
    unsigned char bytes[4096];
    RecordCursor c = {bytes, bytes + sizeof bytes, .writing = true, .fine = true};
    w->chain = record_chain_start(w->pending);
    w->pending_bytes = RECORD_FILE_HEAD;
    record_walk_head(&c, &w->head);
    BASE_ASSERT(c.fine);
    append(w, RECORD_KIND_HEAD, bytes, (size_t)(c.at - bytes));
}

// The file is ours alone: a second program with the same name is refused, and a crashed one's lock
// is gone, so that record_interrupted() can tell them apart. An empty one is a name that was kept free.
static bool open_part(RecordWriter* w, BaseYamlError* error)
{
    struct stat there;
    w->file = open(w->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool kept = w->file < 0 && errno == EEXIST;
    if (kept) {
        w->file = open(w->part, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    }
    if (w->file < 0) {
        return record_fail(error, w->part, "cannot be written: %s", strerror(errno));
    }
    if (flock(w->file, LOCK_EX | LOCK_NB) != 0) {
        return record_fail(error, w->part, "is in use by another program");
    }
    if (kept && (fstat(w->file, &there) != 0 || !S_ISREG(there.st_mode) || there.st_size > 0)) {
        return record_fail(error, w->part, "cannot be written: %s", strerror(EEXIST));
    }
    return true;
}

RecordWriter* record_begin(const char* path, const RecordHead* head, size_t key_bytes,
                           BaseYamlError* error)
{
    BASE_ASSERT(record_head_fine(head));
    key_bytes = key_bytes <= RECORD_KEY_MAX ? key_bytes : 0;
    RecordWriter* w = calloc(1, sizeof *w);
    if (!w) {
        record_fail(error, path, "not enough memory to record");
        return NULL;
    }
    w->file = -1;
    w->head = *head;
    w->key_credit = KEY_CREDIT;
    int length = snprintf(w->path, sizeof w->path, "%s", path);
    int part = snprintf(w->part, sizeof w->part, "%s.part", path);
    bool fine = length < (int)sizeof w->path && part < (int)sizeof w->part
                    ? true
                    : record_fail(error, path, "cannot be written: the path is too long");
    if (fine && !reserve(w, key_bytes)) {
        fine = record_fail(error, path, "not enough memory to record");
    }
    if (!fine || !open_part(w, error)) {
        release(w);
        return NULL;
    }
    append_head(w);
    record_pump(w);
    return w;
}

// --- the step's side -----------------------------------------------------------------------------

static void ring_copy(RecordWriter* w, size_t at, const void* data, size_t bytes)
{
    size_t from = at % RING_BYTES;
    size_t first = bytes < RING_BYTES - from ? bytes : RING_BYTES - from;
    memcpy(w->ring + from, data, first);
    memcpy(w->ring, (const unsigned char*)data + first, bytes - first);
}

static void ring_put(RecordWriter* w, RingKind kind, const void* data, size_t bytes)
{
    size_t head = atomic_load_explicit(&w->ring_head, memory_order_relaxed);
    size_t tail = atomic_load_explicit(&w->ring_tail, memory_order_acquire);
    uint32_t front[2] = {(uint32_t)kind, (uint32_t)bytes};
    if (atomic_load(&w->overrun) || RING_BYTES - (head - tail) < sizeof front + bytes) {
        atomic_store(&w->overrun, true);
        return;
    }
    ring_copy(w, head, front, sizeof front);
    ring_copy(w, head + sizeof front, data, bytes);
    atomic_store_explicit(&w->ring_head, head + sizeof front + bytes, memory_order_release);
}

void record_step(RecordWriter* w, uint32_t step, const void* input)
{
    BASE_ASSERT(step == w->next_step);
    ++w->next_step;
    ring_put(w, RING_STEP, input, w->head.input_bytes);
}

void record_event(RecordWriter* w, uint16_t kind, double a, double b, const char* text)
{
    RecordEvent event = {.step = w->next_step, .kind = kind, .value = {a, b}};
    snprintf(event.text, sizeof event.text, "%s", text ? text : "");
    // no controls, and no half character at the cut
    for (char* at = event.text; *at; ++at) {
        *at = (unsigned char)*at < 0x20 || *at == 0x7f ? ' ' : *at;
    }
    size_t length = strlen(event.text);
    while (length == RECORD_TEXT && length > 0 && (event.text[length - 1] & 0x80)) {
        event.text[--length] = '\0';
    }
    ring_put(w, RING_EVENT, &event, sizeof event);
}

void record_second(RecordWriter* w, const uint64_t* hashes)
{
    BASE_ASSERT(w->next_step > 0 && w->next_step % w->head.rate == 0);
    ring_put(w, RING_SECOND, hashes, (w->head.module_count + 1) * sizeof *hashes);
}

static void fill_snapshot(RecordSnapshot* s, const RecordSection* section, int count)
{
    BASE_ASSERT(count >= 1 && count <= RECORD_SECTIONS_MAX);
    s->bytes = 0;
    s->sections = count;
    for (int k = 0; k < count; ++k) {
        BASE_ASSERT(s->bytes + section[k].bytes <= s->size);
        memcpy(s->data + s->bytes, section[k].data, section[k].bytes);
        s->section[k] = section[k].bytes;
        s->bytes += section[k].bytes;
    }
}

void record_key_base(RecordWriter* w, const RecordSection* section, int count)
{
    BASE_ASSERT(w->next_step == 0);
    fill_snapshot(&w->before, section, count);
}

bool record_key_wanted(const RecordWriter* w)
{
    uint32_t wait = atomic_load(&w->key_refused) ? KEY_PATIENCE : RECORD_KEY_SECONDS;
    return w->mail.size > 0 && w->before.sections > 0 && !atomic_load(&w->mailed) &&
           w->next_step - w->last_key >= wait * w->head.rate;
}

void record_key(RecordWriter* w, const RecordSection* section, int count)
{
    BASE_ASSERT(!atomic_load(&w->mailed));
    fill_snapshot(&w->mail, section, count);
    w->mail_step = w->last_key = w->next_step;
    atomic_store_explicit(&w->mailed, true, memory_order_release);
}

// --- the pump's side -----------------------------------------------------------------------------

static void ring_take(RecordWriter* w, size_t at, void* out, size_t bytes)
{
    size_t from = at % RING_BYTES;
    size_t first = bytes < RING_BYTES - from ? bytes : RING_BYTES - from;
    memcpy(out, w->ring + from, first);
    memcpy((unsigned char*)out + first, w->ring, bytes - first);
}

static void close_block(RecordWriter* w)
{
    RecordBlock* b = w->block;
    if (b->steps + b->event_count > 0) {
        size_t bytes = record_block_pack(&w->head, b, w->packed, w->work);
        if (bytes == 0) {
            w->news = w->lost ? w->news : 3;
            w->lost = true;
        } else {
            append(w, RECORD_KIND_BLOCK, w->packed, bytes);
        }
    }
    b->first += b->steps;
    b->steps = b->event_count = 0;
    b->hashed = false;
}

static void take_one(RecordWriter* w, size_t at, uint32_t kind, uint32_t bytes)
{
    RecordBlock* b = w->block;
    switch ((RingKind)kind) {
    case RING_STEP:
        if (b->steps == w->head.rate) {
            close_block(w); // a second without hashes
        }
        ring_take(w, at, b->input + (size_t)b->steps++ * bytes, bytes);
        break;
    case RING_EVENT:
        if (b->event_count < RECORD_EVENTS_MAX) {
            ring_take(w, at, &b->event[b->event_count++], bytes);
        }
        break;
    case RING_SECOND:
        ring_take(w, at, b->hash, bytes);
        b->hashed = true;
        close_block(w);
        break;
    }
}

static void drain(RecordWriter* w)
{
    size_t tail = atomic_load_explicit(&w->ring_tail, memory_order_relaxed);
    size_t head = atomic_load_explicit(&w->ring_head, memory_order_acquire);
    while (tail != head) {
        uint32_t front[2];
        ring_take(w, tail, front, sizeof front);
        take_one(w, tail + sizeof front, front[0], front[1]);
        tail += sizeof front + front[1];
        atomic_store_explicit(&w->ring_tail, tail, memory_order_release);
    }
}

void record_set_key(RecordWriter* w, RecordSnapshot* snapshot, uint32_t step)
{
    memcpy(w->before.data, snapshot->data, snapshot->bytes);
    memcpy(w->before.section, snapshot->section, sizeof w->before.section);
    w->before.bytes = snapshot->bytes;
    w->before.sections = snapshot->sections;
    w->last_key = step;
}

static void pack_mail(RecordWriter* w)
{
    uint32_t step = w->mail_step;
    w->key_credit += (int64_t)(step - w->key_paid) * KEY_RATE / w->head.rate;
    w->key_paid = step;
    size_t bytes = record_key_pack(step, &w->before, &w->mail, w->key_packed);
    bool fits = bytes > 0 && (int64_t)bytes <= w->key_credit && w->pending_bytes == 0 && !w->lost;
    if (fits) {
        append(w, RECORD_KIND_KEY, w->key_packed, bytes);
        w->key_credit -= (int64_t)bytes;
        unsigned char* data = w->before.data; // the new one becomes the last one
        w->before = w->mail;
        w->mail.data = data;
    }
    atomic_store(&w->key_refused, !fits);
    atomic_store_explicit(&w->mailed, false, memory_order_release);
}

// A piece of a chunk that went in before the disk was full is cut off again.
static bool write_pending(RecordWriter* w)
{
    bool fine = w->pending_bytes == 0 || (lseek(w->file, (off_t)w->size, SEEK_SET) >= 0 &&
                                          base_file_write(w->file, w->pending, w->pending_bytes));
    if (fine) {
        w->size += w->pending_bytes;
        w->pending_bytes = 0;
    } else {
        w->reason = errno;
        if (ftruncate(w->file, (off_t)w->size) != 0) {
            w->reason = errno; // the reader stops at the torn chunk anyway
        }
    }
    if (w->failing == fine) {
        w->failing = !fine;
        w->news = fine ? 2 : 1;
    }
    return fine;
}

bool record_pump(RecordWriter* w)
{
    // the mailbox first: what was put into the ring before it is then in the ring
    bool mailed = atomic_load_explicit(&w->mailed, memory_order_acquire);
    drain(w);
    bool fine = write_pending(w);
    if (mailed) {
        pack_mail(w);
        fine = write_pending(w) && fine;
    }
    if (atomic_load(&w->overrun) && !w->lost) {
        w->lost = true;
        w->news = 3;
    }
    return fine && !w->lost;
}

const char* record_news(RecordWriter* w)
{
    const char* reason = w->reason ? strerror(w->reason) : "the program was stopped for too long";
    int news = w->news;
    w->news = 0;
    switch (news) {
    case 1:
        snprintf(w->sentence, sizeof w->sentence,
                 "the recording cannot be written (%s); the lesson goes on and it is tried again",
                 reason);
        return w->sentence;
    case 2: return "the recording is written again; nothing was lost";
    case 3:
        snprintf(w->sentence, sizeof w->sentence,
                 "the recording ends here: no room is left to keep it (%s)", reason);
        return w->sentence;
    default: return NULL;
    }
}

uint64_t record_written(const RecordWriter* w)
{
    return w->size;
}

void record_append_chunk(RecordWriter* w, const RecordReader* from, const RecordChunk* chunk)
{
    append(w, chunk->kind, record_payload(from, chunk), chunk->bytes);
    if (chunk->kind == RECORD_KIND_BLOCK) {
        w->block->first = w->next_step = chunk->first + chunk->steps;
    }
    write_pending(w);
}

// --- closing -------------------------------------------------------------------------------------

static void append_end(RecordWriter* w, const char* reason)
{
    unsigned char bytes[80];
    char text[64];
    uint32_t steps = w->block->first;
    snprintf(text, sizeof text, "%s", reason);
    RecordCursor c = {bytes, bytes + sizeof bytes, .writing = true, .fine = true};
    record_walk(&c, &steps, 4);
    record_walk_text(&c, text, sizeof text);
    append(w, RECORD_KIND_END, bytes, (size_t)(c.at - bytes));
}

bool record_finish(RecordWriter* w, const char* reason, uint64_t* hash, BaseYamlError* error)
{
    record_pump(w);
    close_block(w);
    append_end(w, reason);
    bool fine = write_pending(w) && !w->lost;
    if (fine && fsync(w->file) != 0) {
        w->reason = errno;
        fine = false;
    }
    int closed = close(w->file);
    w->file = -1;
    if (fine && (closed != 0 || rename(w->part, w->path) != 0 || !base_file_sync_folder(w->path))) {
        w->reason = errno;
        fine = false;
    }
    if (hash) {
        *hash = w->chain;
    }
    if (!fine) {
        record_fail(error, w->path, "the recording is not complete: %s; what there is stays in %s",
                    w->reason ? strerror(w->reason) : "it was not written for too long", w->part);
    }
    release(w);
    return fine;
}

void record_abandon(RecordWriter* w)
{
    record_pump(w);
    release(w);
}

void record_discard(RecordWriter* w)
{
    unlink(w->part);
    release(w);
}
