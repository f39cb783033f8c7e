#include "machine/machine_drive_internal.h"

#include "base/base_math.h"
#include "machine/machine_def.h"

#include <string.h>

#define CLOSED       0.004 // of its way that a spool's lands overlap: less lets no oil through
#define AT_RELIEF    0.985 // of the greatest effort: the relief is open
#define PUSHED_BACK  0.02  // m/s against the lever: the check valve shuts; rebounds are slower
#define SHIFT_DOWN   0.92  // of the relief, fast range: too heavy
#define SHIFT_UP     0.60  // of the relief that the fast range would need: light enough
#define ENGINE_RAMP  0.8   // s from idle to rated speed, by the governor's lever
#define LIMITED      0.99  // of the flow that was asked for: less is told
#define CUSHION_LEFT 5e-4  // m, the way of a cushion that is never closed
#define STANDING     0.05  // m/s below which a truck's brake is put on by itself

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static double size_of(double x)
{
    return x < 0.0 ? -x : x;
}

// --- levers, 60 Hz -------------------------------------------------------------------------------

static bool has_gear(const MachineHydraulicsDef* h)
{
    for (int i = 0; i < h->function_count; ++i)
        if (h->functions[i].gear)
            return true;
    return false;
}

void machine_drive_reset(const MachineDef* def, MachineDriveState* state)
{
    const MachineDriveDef* drive = def->drive;
    memset(state, 0, sizeof *state);
    for (int i = 0; i < def->actuator_count; ++i)
        state->command[i] = (MachineCommand){0.0, 1e12, 1e12};
    if (!drive)
        return;
    bool gear = has_gear(&drive->hydraulics);
    state->engine_set = (double)(gear ? drive->engine.idle : drive->engine.rated);
    state->engine_speed = state->engine_set * (1.0 + (double)drive->engine.droop);
    state->boost_left = (double)drive->hydraulics.boost_time;
    state->pump_scale = 1.0;
}

// The lever as the pilot valve passes it on.
static void follow_lever(const MachineHydraulicsDef* h, MachineDriveState* state,
                         const MachineFunction* f, const InputFrame* frame, double dt)
{
    bool locked = (state->flags & MACHINE_DRIVE_LOCKED) != 0;
    float lever = locked ? 0.0f : input_lever(frame, (InputFunction)f->lever);
    float wanted = f->gear || f->servo > 0.0f ? lever : input_shape(lever, h->shape);
    float* now = &state->lever[f->actuator];
    *now = input_follow(*now, wanted, h->response[frame->response], (float)dt);
    state->history[f->actuator][state->slot % MACHINE_DELAY_FRAMES] = input_quantise(*now, NULL);
    if (*now != 0.0f)
        state->idle_time = 0.0;
}

// Gas of a truck; hydraulic levers call for speed by themselves.
static double throttle_of(const MachineHydraulicsDef* h, const MachineDriveState* state,
                          const InputFrame* frame)
{
    double throttle = (double)input_lever(frame, INPUT_THROTTLE);
    for (int i = 0; i < h->function_count; ++i) {
        const MachineFunction* f = &h->functions[i];
        double lever = size_of((double)state->lever[f->actuator]);
        if (!f->gear && f->servo <= 0.0f && lever > throttle)
            throttle = lever;
    }
    return throttle;
}

static void set_engine(const MachineDriveDef* drive, MachineDriveState* state,
                       const InputFrame* frame, double dt)
{
    const MachineEngineDef* e = &drive->engine;
    double idle = (double)e->idle, range = (double)e->rated - idle;
    double wanted = (double)e->rated;
    if (frame->dial > 0)
        wanted = idle + range * (frame->dial - 1) / 9.0;
    if (has_gear(&drive->hydraulics))
        wanted = idle + range * throttle_of(&drive->hydraulics, state, frame);
    bool idling = (frame->switches & INPUT_SWITCH_AUTO_IDLE) &&
                  state->idle_time > (double)e->auto_idle_after && wanted > (double)e->auto_idle;
    wanted = idling ? (double)e->auto_idle : wanted;
    state->flags |= idling ? MACHINE_DRIVE_IDLING : 0;
    double step = range / ENGINE_RAMP * dt;
    state->engine_set += clamp(wanted - state->engine_set, -step, step);
}

static void set_boost(const MachineHydraulicsDef* h, MachineDriveState* state, bool asked,
                      double dt)
{
    if (!asked)
        state->boost_left = (double)h->boost_time;
    bool on = asked && state->boost_left > 0.0 && h->boost > h->relief;
    state->boost_left = on ? state->boost_left - dt : state->boost_left;
    state->flags |= on ? MACHINE_DRIVE_BOOSTED : 0;
}

void machine_drive_input(const MachineDef* def, MachineDriveState* state, const InputFrame* input,
                         double dt)
{
    const MachineDriveDef* drive = def->drive;
    if (!drive)
        return;
    InputFrame frame = *input;
    state->faults += (uint64_t)input_frame_repair(&frame, NULL);
    state->response = frame.response;
    state->flags = frame.switches & INPUT_SWITCH_LOCK ? MACHINE_DRIVE_LOCKED : 0;
    state->flags |= frame.switches & INPUT_SWITCH_SLOW ? MACHINE_DRIVE_SLOW : 0;
    state->flags |= frame.switches & INPUT_SWITCH_REVERSE ? MACHINE_DRIVE_REVERSE : 0;
    state->throttle = (double)input_lever(&frame, INPUT_THROTTLE);
    state->brake = (double)input_lever(&frame, INPUT_BRAKE);
    state->idle_time += dt;
    ++state->slot;
    for (int i = 0; i < drive->hydraulics.function_count; ++i)
        follow_lever(&drive->hydraulics, state, &drive->hydraulics.functions[i], &frame, dt);
    set_engine(drive, state, &frame, dt);
    set_boost(&drive->hydraulics, state, (frame.switches & INPUT_SWITCH_BOOST) != 0, dt);
}

// --- spools --------------------------------------------------------------------------------------

// The lever as it was a dead time ago, between two frames.
static double late_lever(const MachineHydraulicsDef* h, const MachineDriveState* state,
                         int actuator)
{
    const int16_t* history = state->history[actuator];
    double frames = (double)h->dead_time * INPUT_RATE;
    int whole = (int)frames;
    uint64_t near = state->slot + MACHINE_DELAY_FRAMES - (uint64_t)whole;
    double a = history[near % MACHINE_DELAY_FRAMES];
    double b = history[(near - 1) % MACHINE_DELAY_FRAMES];
    return (a + (frames - whole) * (b - a)) / INPUT_FULL;
}

// Where a servo wants its actuator: the middle of its range and a lever's share of half of it.
static double servo_place(const MachineDef* def, int actuator, double lever)
{
    if (actuator < def->cylinder_count) {
        const MachineCylinder* c = &def->cylinders[actuator];
        return (double)c->closed + 0.5 * (double)c->stroke * (1.0 + lever);
    }
    const MachineBody* b = &def->bodies[def->motors[actuator - def->cylinder_count].body];
    double lower = (double)b->lower, upper = (double)b->upper;
    return 0.5 * (lower + upper) + 0.5 * (upper - lower) * lever;
}

static void move_spool(const MachineDef* def, MachineDriveState* state, const MachineFunction* f,
                       const MachineFeedback* feedback, double h)
{
    const MachineHydraulicsDef* hyd = &def->drive->hydraulics;
    double lever = late_lever(hyd, state, f->actuator) * (f->positive ? -1.0 : 1.0);
    if (f->servo > 0.0f && !f->gear && !f->travel) {
        double miss = servo_place(def, f->actuator, lever) - feedback->length;
        lever = clamp((double)f->servo * miss, -1.0, 1.0);
        lever = size_of(lever) < 2.0 * CLOSED ? 0.0 : lever;
    }
    double* spool = &state->spool[f->actuator];
    double lag = f->lag > 0.0f ? (double)f->lag : (double)hyd->lag;
    *spool += (lever - *spool) * h / (lag + h);
    if (lever == 0.0 && size_of(*spool) < CLOSED)
        *spool = 0.0;
}

// --- one valve in one step -----------------------------------------------------------------------

typedef struct Valve {
    const MachineFunction* f;
    const MachineFeedback* feedback;
    const MachinePort* port; // the one that is open
    double way;              // +1 or -1: what the spool asks for; 0: closed
    double open;             // 0..1
    double area;             // oil per way: m2 of a cylinder's fed side, m3/rad, m2 of a train
    double other;            // m2 of a cylinder's far side
    double relief;           // Pa
    double most;             // N or N m towards `way` at the relief
} Valve;

static double travel_area(const Valve* v, bool slow)
{
    const MachineTravel* t = v->f->travel;
    double fast = (double)v->port->flow / (double)t->speed;
    double strong = (double)t->force / (v->relief * (double)t->efficiency);
    return slow && strong > fast ? strong : fast;
}

static Valve open_valve(const MachineHydraulicsDef* h, const MachineDriveState* state,
                        const MachineFunction* f, const MachineFeedback* feedback)
{
    double spool = state->spool[f->actuator];
    Valve v = {.f = f, .feedback = feedback};
    v.way = spool > 0.0 ? 1.0 : spool < 0.0 ? -1.0 : 0.0;
    v.open = size_of(spool);
    // a closed valve shows the pressure of the side that carries
    bool out = v.way > 0.0 || (v.way == 0.0 && feedback->effort >= 0.0);
    v.port = out ? &f->extend : &f->retract;
    bool boosted = (state->flags & MACHINE_DRIVE_BOOSTED) && !f->turn && !f->travel;
    v.relief = v.port->relief > 0.0f ? (double)v.port->relief
               : boosted             ? (double)h->boost
                                     : (double)h->relief;
    if (f->turn) {
        v.area = (double)v.port->flow / (double)f->turn->speed;
        // its valve lets pressure rise with the lever, so that a house can be moved gently
        v.most = (double)f->turn->torque * (v.way == 0.0 ? 1.0 : v.open);
        v.relief *= v.way == 0.0 ? 1.0 : v.open;
    } else if (f->travel) {
        v.area = travel_area(&v, state->slow_range >> f->actuator & 1);
        v.most = v.area * v.relief * (double)f->travel->efficiency;
    } else {
        v.area = out ? feedback->area_push : feedback->area_pull;
        v.other = out ? feedback->area_pull : feedback->area_push;
        v.most = v.area * v.relief;
    }
    return v;
}

// Smoothed pressure of the fed side, from what the rig had to exert.
static void feel_pressure(const MachineHydraulicsDef* h, MachineDriveState* state, const Valve* v,
                          double step)
{
    double way = v->way != 0.0 ? v->way : v->feedback->effort < 0.0 ? -1.0 : 1.0;
    double now = v->most > 0.0 ? v->relief * way * v->feedback->effort / v->most : 0.0;
    double* pressure = &state->pressure[v->f->actuator];
    double most = (double)h->hold;
    // a push back within the lag counts against it, or pushes in turns would look like a heavy load
    *pressure += (clamp(now, -most, most) - *pressure) * step / ((double)h->pressure_lag + step);
    *pressure = *pressure > 0.0 ? *pressure : 0.0;
}

// Is the relief open, has the check valve shut, which range do the travel motors need?
static void watch_limits(const MachineHydraulicsDef* h, MachineDriveState* state, const Valve* v,
                         double step)
{
    int a = v->f->actuator;
    uint32_t bit = 1u << a;
    double effort = v->way * v->feedback->effort;
    bool relieved = v->way != 0.0 && effort >= AT_RELIEF * v->most;
    bool held = (state->held & bit) != 0;

    // oil that found no room went over the relief
    if (relieved && !held) {
        double lost = state->flow[a] - v->area * size_of(v->feedback->speed);
        state->relief_heat += lost > 0.0 ? lost * v->relief * step : 0.0;
    }
    if (v->way == 0.0 || v->f->turn || v->f->travel)
        held = false;
    else if (held)
        held = effort > 0.5 * (1.0 + AT_RELIEF) * v->most;
    else
        held = relieved && v->way * v->feedback->speed < -PUSHED_BACK;
    state->relieved = (state->relieved & ~bit) | (relieved ? bit : 0);
    state->held = (state->held & ~bit) | (held ? bit : 0);

    if (v->f->travel) {
        double ratio = travel_area(v, true) / travel_area(v, false);
        bool slow = (state->slow_range & bit) != 0;
        double pressure = state->pressure[a] / v->relief;
        slow = (state->flags & MACHINE_DRIVE_SLOW) ||
               (slow ? pressure * ratio > SHIFT_UP : pressure > SHIFT_DOWN);
        state->slow_range = (state->slow_range & ~bit) | (slow ? bit : 0);
    }
    (void)h;
}

// What the valve wants of the pumps. While the load helps, oil from the far side is used again.
static MachineDemand demand_of(const MachineHydraulicsDef* h, const MachineDriveState* state,
                               const Valve* v)
{
    double pressure = state->pressure[v->f->actuator];
    MachineDemand d = {.pumps = v->port->pumps};
    if (v->way == 0.0)
        return d;
    d.flow = v->open * (double)v->port->flow;
    if (v->area > 0.0 && v->other > 0.0) {
        double help = clamp(1.0 - pressure / (double)h->regeneration, 0.0, 1.0);
        double again = v->other < v->area ? v->other : v->area;
        d.flow *= 1.0 - help * (double)v->port->regeneration * again / v->area;
    }
    d.pressure = clamp(pressure + (double)h->margin, 0.0, v->relief);
    return d;
}

static MachineCommand hold_still(const MachineHydraulicsDef* h, const Valve* v)
{
    if (v->f->turn)
        return (MachineCommand){0.0, (double)v->f->turn->brake, (double)v->f->turn->brake};
    if (v->f->travel)
        return (MachineCommand){0.0, (double)v->f->travel->hold, (double)v->f->travel->hold};
    return (MachineCommand){0.0, (double)h->hold * v->feedback->area_push,
                            (double)h->hold * v->feedback->area_pull};
}

// A cylinder's last bit of way: throttled so that it slows down evenly.
static double cushioned(const MachineDef* def, const Valve* v, double open)
{
    int a = v->f->actuator;
    if (v->f->cushion <= 0.0f || a >= def->cylinder_count)
        return open;
    const MachineCylinder* c = &def->cylinders[a];
    double in = v->feedback->length - (double)c->closed;
    double left = v->way > 0.0 ? (double)c->stroke - in : in;
    left = left > CUSHION_LEFT ? left : CUSHION_LEFT;
    double most = left < (double)v->f->cushion ? __builtin_sqrt(left / (double)v->f->cushion) : 1.0;
    return open < most ? open : most;
}

static MachineCommand command_of(const MachineDef* def, const MachineDriveState* state,
                                 const Valve* v, double share)
{
    const MachineHydraulicsDef* h = &def->drive->hydraulics;
    bool held = (state->held >> v->f->actuator & 1) != 0;
    if (v->way == 0.0 || held || v->area <= 0.0)
        return hold_still(h, v);
    double open = cushioned(def, v, share * v->open);
    double speed = v->way * open * (double)v->port->flow / v->area;

    // what keeps it from running ahead of the oil
    double back = (double)h->hold * v->other;
    if (v->f->turn) {
        const MachineTurn* t = v->f->turn;
        double coast = (double)t->coast;
        back = (double)t->brake * (coast + (1.0 - coast) * (1.0 - v->open));
    }
    if (v->f->travel) {
        double efficiency = (double)v->f->travel->efficiency;
        back = v->most / (efficiency * efficiency);
    }
    return v->way > 0.0 ? (MachineCommand){speed, v->most, back}
                        : (MachineCommand){speed, back, v->most};
}

// --- wheels driven by the engine -----------------------------------------------------------------

static MachineCommand gear_command(const MachineDriveDef* drive, const MachineDriveState* state,
                                   const MachineGear* g, const MachineFeedback* feedback)
{
    bool reverse = (state->flags & MACHINE_DRIVE_REVERSE) != 0;
    double way = reverse ? -1.0 : 1.0, speed = size_of(feedback->speed);
    double top = (double)(reverse ? g->reverse : g->speed);
    double slowest = 0.1 * top;

    // the engine's power at this speed, or what the converter can pull from standstill; a converter
    // takes torque with the square of its speed, so that the engine can always rev up
    const MachineEngineDef* e = &drive->engine;
    double share = state->engine_speed / (double)e->rated;
    double limit = machine_engine_limit(e, state->engine_speed);
    double converter = share * share * (double)e->power / (double)e->rated;
    double power =
        (limit < converter ? limit : converter) * state->engine_speed * (double)g->efficiency;
    double pull = power / (speed > slowest ? speed : slowest);
    pull = (pull < (double)g->force ? pull : (double)g->force) * state->throttle;

    double hold = (double)g->retard + state->brake * (double)g->brake;
    if (state->throttle == 0.0 && speed < STANDING)
        hold = (double)g->retard + (double)g->brake;
    if (state->throttle == 0.0 || state->brake > 0.0)
        return (MachineCommand){0.0, hold, hold};
    MachineCommand c = {way * top * state->throttle, pull, hold};
    return reverse ? (MachineCommand){c.speed, hold, pull} : c;
}

// --- a step --------------------------------------------------------------------------------------

static double shaft_power(const MachineDriveDef* drive, const MachineDriveState* state,
                          const MachineFeedback* feedback)
{
    const MachineHydraulicsDef* h = &drive->hydraulics;
    double ratio = state->engine_speed / (double)drive->engine.rated;
    double watts = (double)drive->engine.accessories * ratio;
    for (int k = 0; k < h->pump_count; ++k)
        watts += state->pump_flow[k] * state->pump_pressure[k] / (double)h->efficiency;
    for (int i = 0; i < h->function_count; ++i) {
        const MachineFunction* f = &h->functions[i];
        double work = feedback[f->actuator].effort * feedback[f->actuator].speed;
        if (f->gear && work > 0.0)
            watts += work / (double)f->gear->efficiency;
    }
    return watts;
}

// Both tracks draw from both pumps while something else is used, so that the machine goes straight.
static void keep_straight(const MachineHydraulicsDef* h, MachineDemand* demand)
{
    bool other = false;
    for (int i = 0; i < h->function_count; ++i)
        other = other || (!h->functions[i].travel && demand[i].flow > 0.0);
    for (int i = 0; i < h->function_count && other && h->pump_count == 2; ++i)
        if (h->functions[i].travel)
            demand[i].pumps = 3;
}

static void share_pumps(const MachineDriveDef* drive, MachineDriveState* state,
                        MachineDemand* demand, double step)
{
    const MachineHydraulicsDef* h = &drive->hydraulics;
    double ratio = state->engine_speed / (double)drive->engine.rated;
    MachineSupply supply = {.power = machine_engine_spare(drive, state)};
    for (int k = 0; k < h->pump_count; ++k)
        supply.flow[k] = (double)h->pumps[k].flow * (ratio < 1.0 ? ratio : 1.0);
    supply.pressure[0] = (double)h->standby;
    if (h->straight_travel)
        keep_straight(h, demand);
    machine_drive_share(demand, h->function_count, &supply);
    state->pump_scale += (supply.scale - state->pump_scale) * step / ((double)h->pump_lag + step);
    machine_drive_scale(demand, h->function_count, &supply, state->pump_scale);
    for (int k = 0; k < h->pump_count; ++k) {
        state->pump_flow[k] = supply.flow[k];
        state->pump_pressure[k] = supply.pressure[k];
    }
    state->flags &= ~(MACHINE_DRIVE_SHORT | MACHINE_DRIVE_LIMITED);
    state->flags |= (supply.is_short ? MACHINE_DRIVE_SHORT : 0) |
                    (state->pump_scale < LIMITED ? MACHINE_DRIVE_LIMITED : 0);
}

void machine_drive_step(const MachineDef* def, MachineDriveState* state,
                        const MachineFeedback* feedback, double h)
{
    const MachineDriveDef* drive = def->drive;
    if (!drive)
        return;
    const MachineHydraulicsDef* hyd = &drive->hydraulics;
    MachineDemand demand[MACHINE_ACTUATORS_MAX] = {{0}};
    Valve valve[MACHINE_ACTUATORS_MAX];

    // what the last step's loads did to oil and engine
    for (int i = 0; i < hyd->function_count; ++i) {
        const MachineFunction* f = &hyd->functions[i];
        if (f->gear)
            continue;
        valve[i] = open_valve(hyd, state, f, &feedback[f->actuator]);
        feel_pressure(hyd, state, &valve[i], h);
        watch_limits(hyd, state, &valve[i], h);
    }
    machine_engine_step(&drive->engine, state, shaft_power(drive, state, feedback), h);

    // spools move, ask, and get their share
    for (int i = 0; i < hyd->function_count; ++i) {
        const MachineFunction* f = &hyd->functions[i];
        if (f->gear)
            continue;
        move_spool(def, state, f, &feedback[f->actuator], h);
        valve[i] = open_valve(hyd, state, f, &feedback[f->actuator]);
        demand[i] = demand_of(hyd, state, &valve[i]);
    }
    share_pumps(drive, state, demand, h);
    for (int i = 0; i < hyd->function_count; ++i) {
        const MachineFunction* f = &hyd->functions[i];
        state->flow[f->actuator] = demand[i].share * demand[i].flow;
        state->command[f->actuator] =
            f->gear ? gear_command(drive, state, f->gear, &feedback[f->actuator])
                    : command_of(def, state, &valve[i], demand[i].share);
    }
}
