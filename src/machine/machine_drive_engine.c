#include "machine/machine_drive_internal.h"

#define LUG_FREE  0.03 // of the set speed that may be lost before the pumps give way
#define LUG_RANGE 0.10 // of the set speed over which they do
#define LUG_LEAST 0.10 // of their power that they keep, so that levers never die

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

double machine_engine_limit(const MachineEngineDef* engine, double speed)
{
    const MachineTorquePoint* p = engine->torque;
    int i = 1;
    while (i < engine->torque_count - 1 && speed > (double)p[i].speed)
        ++i;
    double s0 = (double)p[i - 1].speed, s1 = (double)p[i].speed;
    double t = clamp((speed - s0) / (s1 - s0), 0.0, 1.0);
    return (double)p[i - 1].torque + t * ((double)p[i].torque - (double)p[i - 1].torque);
}

// Place of x among ascending values: index of the lower one and the fraction behind it.
static int place(const float* values, int count, double x, double* fraction)
{
    int i = 0;
    while (i < count - 2 && x > (double)values[i + 1])
        ++i;
    *fraction =
        clamp((x - (double)values[i]) / ((double)values[i + 1] - (double)values[i]), 0.0, 1.0);
    return i;
}

double machine_engine_fuel(const MachineEngineDef* engine, double speed, double torque)
{
    const MachineFuelDef* fuel = &engine->fuel;
    double limit = machine_engine_limit(engine, speed);
    double load = clamp(torque / limit, -1.0, 1.0), u, v;

    // without load it burns as much in each turn as when idling; pushed by its load, less
    double empty = (double)fuel->idle * speed / (double)engine->idle;
    if (load < 0.0)
        return empty * clamp(1.0 + load / (double)engine->drag, 0.0, 1.0);

    int i = place(fuel->speeds, fuel->speed_count, speed, &u);
    int j = place(fuel->loads, fuel->load_count, load, &v);
    const float* row = fuel->use + (size_t)i * (size_t)fuel->load_count + j;
    const float* next = row + fuel->load_count;
    double use = (1.0 - u) * ((1.0 - v) * (double)row[0] + v * (double)row[1]) +
                 u * ((1.0 - v) * (double)next[0] + v * (double)next[1]);

    // below the first load of the map, a straight line from no load at all
    double first = (double)fuel->loads[0];
    double at = load > first ? load : first;
    double rate = use * at * limit * speed / (double)fuel->density;
    return load > first ? rate : empty + (rate - empty) * load / first;
}

void machine_engine_step(const MachineEngineDef* engine, MachineDriveState* state, double watts,
                         double h)
{
    double speed = state->engine_speed, limit = machine_engine_limit(engine, speed);
    double floor = 0.2 * (double)engine->idle;
    double load = watts / (speed > floor ? speed : floor);

    // the governor gives all at the set speed and nothing at set speed + droop; above, it cuts the
    // fuel and the engine's own drag brakes
    double range = (double)engine->droop * (double)engine->rated;
    double gain = limit / range, top = state->engine_set + range;
    double implicit = (double)engine->inertia + h * gain;
    double next = ((double)engine->inertia * speed + h * (gain * top - load)) / implicit;
    double torque = clamp(gain * (top - next), -(double)engine->drag * limit, limit);
    next = speed + h * (torque - load) / (double)engine->inertia;
    state->engine_speed = clamp(next, floor, 2.0 * (double)engine->rated);
    state->engine_torque = torque;
    state->engine_load = torque > 0.0 ? torque / limit : 0.0;
    state->fuel_rate = machine_engine_fuel(engine, state->engine_speed, torque);
    state->fuel += state->fuel_rate * h;
}

double machine_engine_spare(const MachineDriveDef* drive, const MachineDriveState* state)
{
    const MachineEngineDef* engine = &drive->engine;
    double speed = state->engine_speed, ratio = speed / (double)engine->rated;
    double lost = (state->engine_set - speed) / state->engine_set - LUG_FREE;
    double keep = clamp(1.0 - lost / LUG_RANGE, LUG_LEAST, 1.0);

    // constant torque below rated speed, and never more than the engine itself has
    double pumps = (double)drive->hydraulics.power * (ratio < 1.0 ? ratio : 1.0);
    double rest = machine_engine_limit(engine, speed) * speed - (double)engine->accessories * ratio;
    double most = rest > 0.0 ? rest * (double)drive->hydraulics.efficiency : 0.0;
    return keep * (pumps < most ? pumps : most);
}
