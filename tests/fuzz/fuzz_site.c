// Site files up to the built ground: refused with words, or a terrain whose ledger balances.
#include "fuzz_file.h"
#include "site/site.h"
#include "site/site_def.h"

#define COLUMNS_MAX 20000 // larger ones only cost time

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static BaseArena arena;
    static MaterialSet materials;
    static size_t mark;
    BaseYamlError error = {.text = ""};
    if (!arena.base) {
        if (!base_arena_init(&arena, 64u << 20) ||
            !material_load("config/materials.yaml", &arena, &materials, &error)) {
            abort();
        }
        mark = arena.used;
    }
    SiteDef def;
    SiteInfo info;
    const char* path = fuzz_path(data, size);
    base_arena_rewind(&arena, mark);
    if (!site_def_load(path, &arena, &def, &error) ||
        (double)def.size[0] * (double)def.size[1] / ((double)def.cell * (double)def.cell) >
            COLUMNS_MAX) {
        return 0;
    }
    Terrain* terrain = site_build(&def, path, "", &materials, &info, &error);
    if (!terrain && error.text[0] == '\0') {
        abort();
    }
    if (terrain && !terrain_audit(terrain)) {
        abort();
    }
    terrain_destroy(terrain);
    return 0;
}
