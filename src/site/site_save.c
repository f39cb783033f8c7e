// The state of the ground in a file: a head that tells kind, length and hash, then the snapshot.
#include "base/base_arena.h"
#include "base/base_file.h"
#include "base/base_hash.h"
#include "site/site.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SITE_SAVE_MAGIC 0x3130455449534d4dull // "MMSITE01" read as a little-endian number

typedef struct SiteSaveHead {
    uint64_t magic;
    uint64_t bytes; // of the snapshot behind this head
    uint64_t hash;  // of those bytes
} SiteSaveHead;

__attribute__((format(printf, 3, 4))) static bool fail(BaseYamlError* error, const char* path,
                                                       const char* format, ...)
{
    *error = (BaseYamlError){0};
    int used = snprintf(error->text, sizeof error->text, "%.160s: ", path);
    va_list args;
    va_start(args, format);
    vsnprintf(error->text + used, sizeof error->text - (size_t)used, format, args);
    va_end(args);
    return false;
}

// --- save ----------------------------------------------------------------------------------------

static bool replace(const char* path, const void* data, size_t size, BaseYamlError* error)
{
    return base_file_replace(path, data, size) ||
           fail(error, path, "cannot be written: %s", strerror(errno));
}

bool site_save(const Terrain* terrain, const char* path, BaseYamlError* error)
{
    BaseArena arena;
    size_t bytes = terrain_snapshot_size(terrain);
    if (!base_arena_init(&arena, sizeof(SiteSaveHead) + bytes + BASE_ARENA_ALIGN)) {
        return fail(error, path, "not enough memory to save %zu bytes", bytes);
    }
    unsigned char* data = base_arena_alloc(&arena, sizeof(SiteSaveHead) + bytes);
    terrain_snapshot_save(terrain, data + sizeof(SiteSaveHead));
    SiteSaveHead head = {SITE_SAVE_MAGIC, bytes, base_hash(data + sizeof head, bytes, 0)};
    memcpy(data, &head, sizeof head);
    bool fine = replace(path, data, sizeof head + bytes, error);
    base_arena_free(&arena);
    return fine;
}

// --- restore -------------------------------------------------------------------------------------

static bool read_state(FILE* file, Terrain* terrain, const char* path, BaseYamlError* error)
{
    SiteSaveHead head;
    size_t have = fread(&head, 1, sizeof head, file);
    if (have < sizeof head || head.magic != SITE_SAVE_MAGIC) {
        return fail(error, path, "is no saved ground of this version");
    }
    size_t bytes = terrain_snapshot_size(terrain);
    if (head.bytes != bytes) {
        return fail(error, path, "holds the ground of another site; load that site first");
    }
    BaseArena arena;
    if (!base_arena_init(&arena, bytes + 1 + BASE_ARENA_ALIGN)) {
        return fail(error, path, "not enough memory to read %zu bytes", bytes);
    }
    unsigned char* data = base_arena_alloc(&arena, bytes + 1);
    have = fread(data, 1, bytes + 1, file);
    bool fine = have < bytes   ? fail(error, path, "is cut off: %zu of %zu bytes are there",
                                      have + sizeof head, bytes + sizeof head)
                : have > bytes ? fail(error, path, "has bytes behind its end")
                : base_hash(data, bytes, 0) != head.hash
                    ? fail(error, path, "is damaged: its hash does not match")
                : !terrain_snapshot_load(terrain, data, bytes)
                    ? fail(error, path, "holds the ground of another site; load that site first")
                    : true;
    base_arena_free(&arena);
    return fine;
}

bool site_restore(Terrain* terrain, const char* path, BaseYamlError* error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return fail(error, path, "not a file");
    }
    FILE* file = fopen(path, "rb");
    if (!file) {
        return fail(error, path, "cannot be opened: %s", strerror(errno));
    }
    bool fine = read_state(file, terrain, path, error);
    fclose(file);
    return fine;
}
