// Lesson files: refused with words, or a lesson whose targets, zones and events can be asked for.
#include "scenario/scenario.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void ask(const Scenario* s)
{
    static ScenarioState state;
    ScenarioFloors floors = {{0}};
    ScenarioSurvey survey = {.progress = {0.5f}};
    double mass[SCENARIO_ZONES_MAX] = {100.0};
    int fired[SCENARIO_EVENTS_MAX];
    float height;
    for (int k = 0; k < 64; ++k) {
        float x = (float)(k % 8) * 5.0f, z = (float)(k / 8) * 5.0f;
        if (scenario_target_at(s, &floors, x, z, &height) && !isfinite(height)) {
            abort();
        }
        if (scenario_place(s, &floors, x, z) >= SCORE_PLACE_COUNT) {
            abort();
        }
    }
    scenario_begin(s, &state);
    for (int k = 0; k < 200; ++k) {
        ScenarioNow now = {.time = k * 10.0, .h = 1.0 / 60.0, .zone_mass = mass, .survey = &survey};
        now.edge = now.base = vec3((float)(k % 40), 1.0f, 10.0f);
        now.joint[0] = (float)k * 0.1f;
        scenario_step(s, &state, &now, fired);
        if (!(state.total >= 0.0f && state.total <= 1.0f)) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static BaseArena arena;
    BaseYamlError error = {.text = ""};
    Scenario scenario;
    if (!arena.base && !base_arena_init(&arena, 16u << 20)) {
        abort();
    }
    base_arena_rewind(&arena, 0);
    if (scenario_read("f", (const char*)data, size, &arena, &scenario, &error)) {
        ask(&scenario);
    } else if (error.text[0] == '\0' || arena.used != 0) {
        abort();
    }
    return 0;
}
