// Scripts of levers, and controls: what people's hands are told to do.
#include "fuzz_file.h"
#include "input/input_controls.h"
#include "input/input_script.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static BaseArena arena;
    BaseYamlError error = {.text = ""};
    InputScript script;
    InputControls controls;
    if (!arena.base && !base_arena_init(&arena, 16u << 20)) {
        abort();
    }
    base_arena_rewind(&arena, 0);
    if (input_script_read("f", (const char*)data, size, &arena, &script, &error)) {
        InputScriptCursor cursor = input_script_start(&script);
        for (int k = 0; k < 1000 && !input_script_done(&script, &cursor); ++k) {
            InputFrame frame = input_script_step(&script, &cursor);
            for (int f = 0; f < INPUT_FUNCTION_COUNT; ++f) {
                if (frame.lever[f] < -INPUT_FULL) {
                    abort();
                }
            }
        }
    } else if (error.text[0] == '\0') {
        abort();
    }
    base_arena_rewind(&arena, 0);
    error.text[0] = '\0';
    if (!input_controls_load(fuzz_path(data, size), &arena, &controls, &error) &&
        error.text[0] == '\0') {
        abort();
    }
    return 0;
}
