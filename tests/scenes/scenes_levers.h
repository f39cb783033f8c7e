// scenes_levers - a vehicle worked by a script of levers on waves of soft ground: the way from a
// hand to the bits of a machine's state, for tests and goldens.
#ifndef SCENES_LEVERS_H
#define SCENES_LEVERS_H

#include "base/base_trig.h"
#include "input/input_script.h"
#include "machine/machine.h"

typedef struct ScenesLevers {
    BaseArena arena;
    MachineDef def;
    Machine* machine;
    InputScript script;
    InputScriptCursor cursor;
    uint64_t inputs; // hash of all frames so far
    BaseYamlError error;
} ScenesLevers;

// Waves of 0.1 m.
static inline bool scenes_levers_contact(const void* context, Vec3 point, float reach,
                                         MachineContact* out)
{
    (void)context;
    double px = (double)point.x, pz = (double)point.z;
    double height = 0.05 * base_sin(0.6 * px) + 0.05 * base_sin(0.5 * pz + 0.3);
    double dx = 0.03 * base_cos(0.6 * px), dz = 0.025 * base_cos(0.5 * pz + 0.3);
    double length = __builtin_sqrt(1.0 + dx * dx + dz * dz);
    double depth = (height - (double)point.y) / length;
    if (depth < -(double)reach)
        return false;
    *out = (MachineContact){
        .normal = {(float)(-dx / length), (float)(1.0 / length), (float)(-dz / length)},
        .depth = (float)depth,
        .friction = 0.6f,
        .stiffness = 1e7f,
        .capacity = 5e5f};
    return true;
}

static inline bool scenes_levers_create(ScenesLevers* s, const char* vehicle, const char* script)
{
    *s = (ScenesLevers){0};
    if (!base_arena_init(&s->arena, 64u << 20) ||
        !machine_load(vehicle, &s->arena, &s->def, &s->error) ||
        !input_script_load(script, &s->arena, &s->script, &s->error))
        return false;
    s->machine = machine_create(&s->def);
    s->cursor = input_script_start(&s->script);
    if (!s->machine)
        return false;
    machine_place(s->machine, vec3(0, 0.1f, 0), 0.0f);
    return true;
}

static inline void scenes_levers_destroy(ScenesLevers* s)
{
    machine_destroy(s->machine);
    base_arena_free(&s->arena);
}

// A frame of four steps; false after the last.
static inline bool scenes_levers_frame(ScenesLevers* s)
{
    const MachineGround ground = {.contact = scenes_levers_contact, .tools = true};
    InputFrame frame = input_script_step(&s->script, &s->cursor);
    s->inputs = input_frame_hash(&frame, s->inputs);
    machine_drive(s->machine, &frame, 1.0 / INPUT_RATE);
    for (int i = 0; i < 4; ++i)
        machine_step(s->machine, &ground, 1.0 / 240.0);
    return !input_script_done(&s->script, &s->cursor);
}

#endif
