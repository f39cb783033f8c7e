// What crashes leave behind, and recordings that go on from the middle of another.
#include "record/record_internal.h"

#include "base/base_assert.h"
#include "base/base_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#define PART ".part"

// The lock of a program that died is gone; a file that is being written is not ours to touch.
static bool in_use(const char* path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool used = file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0;
    if (file >= 0) {
        close(file);
    }
    return used;
}

static bool is_part(const char* name)
{
    size_t length = strlen(name);
    return length > strlen(PART) && strcmp(name + length - strlen(PART), PART) == 0;
}

int record_interrupted(const char* folder, RecordFound* out, int max)
{
    DIR* dir = opendir(folder);
    int count = 0;
    for (struct dirent* entry; dir && count < max && (entry = readdir(dir)) != NULL;) {
        RecordFound* found = &out[count];
        BaseYamlError ignored;
        if (!is_part(entry->d_name) ||
            snprintf(found->path, sizeof found->path, "%s/%s", folder, entry->d_name) >=
                (int)sizeof found->path ||
            !record_recognise(found->path) || in_use(found->path)) {
            continue;
        }
        RecordReader* reader = record_open(found->path, &ignored);
        if (reader) {
            found->info = *record_info(reader);
            ++count;
        }
        record_close(reader);
    }
    if (dir) {
        closedir(dir);
    }
    return count;
}

bool record_adopt(const char* part, BaseYamlError* error)
{
    char path[BASE_FILE_PATH];
    if (!is_part(part) || strlen(part) >= sizeof path) {
        return record_fail(error, part, "is no unfinished recording; its name must end in " PART);
    }
    RecordReader* reader = record_open(part, error);
    if (!reader) {
        return false;
    }
    uint64_t good = record_info(reader)->good;
    record_close(reader);
    snprintf(path, sizeof path, "%.*s", (int)(strlen(part) - strlen(PART)), part);
    if (in_use(part)) {
        return record_fail(error, part, "is still being written by another program");
    }
    // link() instead of rename(): it refuses to overwrite
    if (truncate(part, (off_t)good) != 0 || link(part, path) != 0) {
        return record_fail(error, path, "cannot be made: %s", strerror(errno));
    }
    unlink(part);
    base_file_sync_folder(path);
    return true;
}

// --- taking over ---------------------------------------------------------------------------------

// Whole seconds and the key frames between them as they are; the rest step by step.
static bool copy_steps(RecordWriter* w, RecordReader* parent, uint32_t steps)
{
    uint32_t count, copied = 0;
    const RecordChunk* chunk = record_chunks(parent, &count);
    for (uint32_t c = 0; c < count; ++c) {
        bool block = chunk[c].kind == RECORD_KIND_BLOCK &&
                     chunk[c].first + chunk[c].steps <= steps &&
                     chunk[c].steps == record_info(parent)->head.rate;
        bool key = chunk[c].kind == RECORD_KIND_KEY && chunk[c].first <= copied;
        if (block || key) {
            record_append_chunk(w, parent, &chunk[c]);
            copied = block ? chunk[c].first + chunk[c].steps : copied;
        }
    }
    unsigned char input[RECORD_INPUT_MAX];
    for (uint32_t step = copied; step < steps; ++step) {
        if (!record_input(parent, step, input)) {
            return false;
        }
        record_step(w, step, input);
    }
    return true;
}

static bool copy_key(RecordWriter* w, RecordReader* parent, uint32_t steps,
                     const RecordSection* base, int count, size_t room)
{
    RecordSnapshot snapshot;
    int key = record_key_before(parent, steps - steps % record_info(parent)->head.rate);
    bool fine = record_snapshot_init(&snapshot, base, count) &&
                record_restore(parent, key, &snapshot) && snapshot.bytes <= room;
    if (fine) {
        record_set_key(w, &snapshot, record_key_step(parent, key));
    }
    record_snapshot_free(&snapshot);
    return fine;
}

RecordWriter* record_take_over(RecordReader* parent, uint32_t steps, const char* path,
                               const RecordHead* head, const RecordSection* base, int count,
                               size_t key_bytes, BaseYamlError* error)
{
    const RecordInfo* info = record_info(parent);
    BASE_ASSERT(steps <= info->steps);
    RecordHead own = *head;
    own.rate = info->head.rate;
    own.input_bytes = info->head.input_bytes;
    own.module_count = info->head.module_count;
    memcpy(own.module, info->head.module, sizeof own.module);
    own.seed = info->head.seed;
    own.parent_hash = info->hash;
    own.parent_step = steps;
    RecordWriter* w = record_begin(path, &own, key_bytes, error);
    if (w &&
        (!copy_steps(w, parent, steps) ||
         (key_bytes > 0 && count > 0 && !copy_key(w, parent, steps, base, count, key_bytes)))) {
        record_discard(w);
        record_fail(error, path, "the old recording cannot be unpacked up to step %u", steps);
        return NULL;
    }
    return w;
}
