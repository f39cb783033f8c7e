// Vehicle files: refused with words, or a machine that can be made and stepped in the air.
#include "fuzz_file.h"
#include "machine/machine.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static BaseArena arena;
    static MachineDef def;
    BaseYamlError error = {.text = ""};
    if (!arena.base && !base_arena_init(&arena, 64u << 20)) {
        abort();
    }
    base_arena_rewind(&arena, 0);
    if (!machine_load(fuzz_path(data, size), &arena, &def, &error)) {
        if (error.text[0] == '\0') {
            abort();
        }
        return 0;
    }
    Machine* machine = machine_create(&def);
    if (machine) {
        InputFrame input = {.lever = {INPUT_FULL, INPUT_FULL, INPUT_FULL, INPUT_FULL}};
        for (int k = 0; k < 4; ++k) {
            machine_drive(machine, &input, 1.0 / 60.0);
            machine_step(machine, NULL, 1.0 / 240.0);
        }
        machine_destroy(machine);
    }
    return 0;
}
