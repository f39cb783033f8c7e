// lab_machine_scene - a machine on rolling ground, told what to do by the clock: for tests, goldens, bench.
#ifndef LAB_MACHINE_SCENE_H
#define LAB_MACHINE_SCENE_H

#include "base/base_trig.h"
#include "machine/machine.h"

// Waves of 0.3 m on a slope; made of base_trig, so that the bits are the same everywhere.
static inline bool lab_machine_hills_contact(const void* context, Vec3 point, float reach,
                                             MachineContact* out)
{
    (void)context;
    double px = (double)point.x, pz = (double)point.z;
    double height = 0.15 * base_sin(0.7 * px) + 0.15 * base_sin(0.5 * pz) + 0.05 * px;
    double dx = 0.105 * base_cos(0.7 * px) + 0.05, dz = 0.075 * base_cos(0.5 * pz);
    double length = __builtin_sqrt(1.0 + dx * dx + dz * dz);
    double depth = (height - (double)point.y) / length;
    if (depth < -(double)reach)
        return false;
    *out = (MachineContact){
        .normal = {(float)(-dx / length), (float)(1.0 / length), (float)(-dz / length)},
        .depth = (float)depth,
        .friction = 0.55f,
        .stiffness = 8e6f,
        .capacity = 3e5f};
    return true;
}

static inline MachineGround lab_machine_hills(void)
{
    return (MachineGround){.contact = lab_machine_hills_contact, .tools = true};
}

// Every actuator back and forth, each at its own pace, as hard as it can; past the hydraulics.
static inline void lab_machine_act(Machine* m, double t)
{
    const MachineDef* def = machine_definition(m);
    for (int i = 0; i < def->actuator_count; ++i) {
        int motor = i - def->cylinder_count, train = motor - def->motor_count;
        double wave = base_sin((0.9 + 0.37 * i) * t);
        MachineCommand c = {0.4 * wave, 2e5, 2e5};
        if (motor < 0)
            c = (MachineCommand){0.35 * wave, 35e6 * def->cylinders[i].area_push,
                                 35e6 * def->cylinders[i].area_pull};
        else if (train < 0)
            c = (MachineCommand){0.8 * wave, (double)def->motors[motor].torque,
                                 (double)def->motors[motor].torque};
        machine_command(m, i, c);
    }
}

// A frame at 240 Hz, with a push on the last body now and then.
static inline void lab_machine_frame(Machine* m, const MachineGround* ground, int frame)
{
    int last = machine_definition(m)->body_count - 1;
    lab_machine_act(m, frame / 60.0);
    for (int i = 0; i < 4; ++i) {
        if (frame % 50 < 10)
            machine_add_force(m, last, machine_pose(m, last).position, vec3(8e3f, -3e4f, 5e3f));
        machine_step(m, ground, 1.0 / 240.0);
    }
}

#endif
