// The section `drive` of a vehicle file: schema and rules.
#include "machine/machine_def.h"
#include "machine/machine_drive_internal.h"

#include "base/base_text.h"

#include <stdio.h>
#include <string.h>

#define PRESSURE .unit = "MPa", .max = 80
#define SHARE    .unit = "%", .max = 100
#define RPM      .unit = "rpm", .min = 100, .max = 6000

// a key that is not the member's name
#define PART(S, m, kind, word) .key = (word), .type = (kind), .offset = offsetof(S, m)

// --- engine --------------------------------------------------------------------------------------

static const BaseYamlField torque_fields[] = {
    {BASE_YAML_FLOAT(MachineTorquePoint, speed), RPM, .required = true},
    {BASE_YAML_FLOAT(MachineTorquePoint, torque), .unit = "Nm", .min = 1, .max = 20000,
     .required = true},
};
static const BaseYamlSchema torque_schema = BASE_YAML_SCHEMA(MachineTorquePoint, torque_fields);

static bool ascending(const float* value, int count)
{
    for (int i = 1; i < count; ++i)
        if (value[i] <= value[i - 1])
            return false;
    return true;
}

static const char* check_fuel(const void* item, const char** key)
{
    const MachineFuelDef* fuel = item;
    *key = "speeds";
    if (fuel->speeds[0] <= 0.0f || !ascending(fuel->speeds, fuel->speed_count))
        return "must be above 0 and rise from one to the next";
    *key = "loads";
    if (fuel->loads[0] <= 0.0f || fuel->loads[fuel->load_count - 1] > 1.0f ||
        !ascending(fuel->loads, fuel->load_count))
        return "must be above 0 %, at most 100 %, and rise from one to the next";
    *key = "use";
    if (fuel->use_count != fuel->speed_count * fuel->load_count)
        return "must have a number for every load at every speed: one row of loads per speed";
    for (int i = 0; i < fuel->use_count; ++i)
        if (fuel->use[i] < 100.0f / 3.6e9f || fuel->use[i] > 2000.0f / 3.6e9f)
            return "must lie between 100 and 2000 g/kWh; a good diesel engine needs about 210";
    return NULL;
}

static const BaseYamlField fuel_fields[] = {
    {BASE_YAML_FLOAT(MachineFuelDef, idle), .unit = "L/h", .min = 0, .max = 50, .required = true},
    {BASE_YAML_FLOAT(MachineFuelDef, density), .unit = "kg/m3", .min = 600, .max = 1000,
     .number = 835},
    {BASE_YAML_FLOAT_LIST(MachineFuelDef, speeds, speed_count), .unit = "rpm", .min = 2,
     .max = MACHINE_FUEL_POINTS, .required = true},
    {BASE_YAML_FLOAT_LIST(MachineFuelDef, loads, load_count), .unit = "%", .min = 2,
     .max = MACHINE_FUEL_POINTS, .required = true},
    {BASE_YAML_FLOAT_LIST(MachineFuelDef, use, use_count), .unit = "g/kWh", .min = 4,
     .max = MACHINE_FUEL_POINTS * MACHINE_FUEL_POINTS, .required = true},
};
static const BaseYamlSchema fuel_schema =
    BASE_YAML_SCHEMA(MachineFuelDef, fuel_fields, .check = check_fuel);

static const char* check_engine(const void* item, const char** key)
{
    const MachineEngineDef* e = item;
    *key = "torque";
    float speeds[MACHINE_TORQUE_POINTS], best = 0.0f;
    for (int i = 0; i < e->torque_count; ++i) {
        speeds[i] = e->torque[i].speed;
        float power = e->torque[i].speed * e->torque[i].torque;
        best = power > best ? power : best;
    }
    if (!ascending(speeds, e->torque_count))
        return "must rise in speed from one point to the next";
    if (best < 0.9f * e->power || best > 1.25f * e->power)
        return "does not fit the power: speed x torque must reach 90 % to 125 % of it somewhere";
    *key = "rated";
    if (e->rated <= e->idle)
        return "must be above idle";
    *key = "fuel";
    for (int i = 0; i < e->fuel.speed_count; ++i) {
        double speed = (double)e->fuel.speeds[i], load = (double)e->fuel.loads[0];
        double torque = load * machine_engine_limit(e, speed);
        if (machine_engine_fuel(e, speed, torque) < machine_engine_fuel(e, speed, 0.0))
            return "is odd: at the first load of the map it needs less than without any; make use "
                   "larger there, or idle smaller";
    }
    *key = "auto_idle";
    return e->auto_idle < e->idle || e->auto_idle > e->rated ? "must lie between idle and rated"
                                                             : NULL;
}

static const BaseYamlField engine_fields[] = {
    {BASE_YAML_FLOAT(MachineEngineDef, power), .unit = "kW", .min = 1, .max = 3000,
     .required = true},
    {BASE_YAML_FLOAT(MachineEngineDef, idle), RPM, .required = true},
    {BASE_YAML_FLOAT(MachineEngineDef, rated), RPM, .required = true},
    {BASE_YAML_FLOAT(MachineEngineDef, droop), .unit = "%", .min = 0.5, .max = 20, .number = 5},
    {BASE_YAML_FLOAT(MachineEngineDef, auto_idle), RPM, .required = true},
    {BASE_YAML_FLOAT(MachineEngineDef, auto_idle_after), .unit = "s", .min = 1, .max = 60,
     .number = 4},
    {BASE_YAML_FLOAT(MachineEngineDef, inertia), .unit = "kgm2", .min = 0.02, .max = 200,
     .required = true},
    {BASE_YAML_FLOAT(MachineEngineDef, drag), SHARE, .min = 1, .number = 10},
    {BASE_YAML_FLOAT(MachineEngineDef, accessories), .unit = "kW", .min = 0, .max = 200},
    {BASE_YAML_LIST(MachineEngineDef, torque, torque_count, torque_schema), .min = 2,
     .max = MACHINE_TORQUE_POINTS, .required = true},
    {PART(MachineEngineDef, fuel, BASE_YAML_TYPE_OBJECT, "fuel"), .schema = &fuel_schema,
     .item_size = sizeof(MachineFuelDef), .required = true},
};
static const BaseYamlSchema engine_schema =
    BASE_YAML_SCHEMA(MachineEngineDef, engine_fields, .check = check_engine);

// --- valves --------------------------------------------------------------------------------------

// index 0 is "neither", so that words stand for bits
static const char* const pump_words[] = {"none", "first", "second", "both", NULL};
static const BaseYamlField port_fields[] = {
    {BASE_YAML_FLOAT(MachinePort, flow), .unit = "L/min", .min = 0, .max = 5000},
    {BASE_YAML_ENUM(MachinePort, pumps, pump_words), .text = "none"},
    {BASE_YAML_FLOAT(MachinePort, relief), PRESSURE},
    {BASE_YAML_FLOAT(MachinePort, regeneration), SHARE},
};

static const char* check_port(const void* item, const char** key)
{
    const MachinePort* port = item;
    *key = "pumps";
    return (port->flow > 0.0f) != (port->pumps > 0)
               ? "must be first, second or both where there is a flow, and none where there is not"
               : NULL;
}

static const BaseYamlSchema port_schema =
    BASE_YAML_SCHEMA(MachinePort, port_fields, .check = check_port);

static const BaseYamlField turn_fields[] = {
    {BASE_YAML_FLOAT(MachineTurn, speed), .unit = "rpm", .min = 0.1, .max = 100, .required = true},
    {BASE_YAML_FLOAT(MachineTurn, torque), .unit = "kNm", .min = 0.01, .max = 5000,
     .required = true},
    {BASE_YAML_FLOAT(MachineTurn, brake), .unit = "kNm", .min = 0.01, .max = 5000,
     .required = true},
    {BASE_YAML_FLOAT(MachineTurn, coast), SHARE, .number = 100},
};
static const BaseYamlSchema turn_schema = BASE_YAML_SCHEMA(MachineTurn, turn_fields);

static const BaseYamlField travel_fields[] = {
    {BASE_YAML_FLOAT(MachineTravel, speed), .unit = "km/h", .min = 0.1, .max = 100,
     .required = true},
    {BASE_YAML_FLOAT(MachineTravel, force), .unit = "kN", .min = 0.1, .max = 5000,
     .required = true},
    {BASE_YAML_FLOAT(MachineTravel, efficiency), SHARE, .min = 10, .number = 90},
    {BASE_YAML_FLOAT(MachineTravel, hold), .unit = "kN", .min = 0, .max = 5000, .required = true},
};
static const BaseYamlSchema travel_schema = BASE_YAML_SCHEMA(MachineTravel, travel_fields);

static const BaseYamlField gear_fields[] = {
    {BASE_YAML_FLOAT(MachineGear, speed), .unit = "km/h", .min = 1, .max = 150, .required = true},
    {BASE_YAML_FLOAT(MachineGear, reverse), .unit = "km/h", .min = 1, .max = 150, .required = true},
    {BASE_YAML_FLOAT(MachineGear, force), .unit = "kN", .min = 0.1, .max = 5000, .required = true},
    {BASE_YAML_FLOAT(MachineGear, efficiency), SHARE, .min = 10, .number = 85},
    {BASE_YAML_FLOAT(MachineGear, retard), .unit = "kN", .min = 0, .max = 5000, .required = true},
    {BASE_YAML_FLOAT(MachineGear, brake), .unit = "kN", .min = 0, .max = 5000, .required = true},
};
static const BaseYamlSchema gear_schema = BASE_YAML_SCHEMA(MachineGear, gear_fields);

static const char* check_function(const void* item, const char** key)
{
    const MachineFunction* f = item;
    *key = f->gear ? "gear" : "travel";
    if (!!f->turn + !!f->travel + !!f->gear > 1)
        return "must not stand beside another; allowed is at most one of turn, travel, gear";
    *key = "extend";
    if (f->gear)
        return f->extend.flow > 0.0f || f->retract.flow > 0.0f
                   ? "must not be there: a gear is driven by the engine, not by oil"
                   : NULL;
    if (f->extend.flow <= 0.0f && f->retract.flow <= 0.0f)
        return "missing; a valve needs a flow in at least one direction";
    if ((f->turn || f->travel) && (f->extend.flow <= 0.0f || f->retract.flow <= 0.0f)) {
        *key = f->extend.flow <= 0.0f ? "extend" : "retract";
        return "missing; a motor needs a flow in both directions";
    }
    return NULL;
}

static const char* const sense_words[] = {"extend", "retract", NULL};
static const BaseYamlField function_fields[] = {
    {PART(MachineFunction, actuator_name, BASE_YAML_TYPE_NAME, "actuator"), .required = true},
    {BASE_YAML_ENUM(MachineFunction, lever, input_function_words), .required = true},
    {BASE_YAML_ENUM(MachineFunction, positive, sense_words), .text = "extend"},
    {BASE_YAML_FLOAT(MachineFunction, servo), .unit = "1/s", .min = 0, .max = 50},
    {BASE_YAML_FLOAT(MachineFunction, lag), .unit = "ms", .max = 1000},
    {BASE_YAML_FLOAT(MachineFunction, cushion), .unit = "mm", .max = 300},
    {BASE_YAML_OBJECT(MachineFunction, extend, port_schema)},
    {BASE_YAML_OBJECT(MachineFunction, retract, port_schema)},
    {BASE_YAML_POINTER(MachineFunction, turn, turn_schema)},
    {BASE_YAML_POINTER(MachineFunction, travel, travel_schema)},
    {BASE_YAML_POINTER(MachineFunction, gear, gear_schema)},
};
static const BaseYamlSchema function_schema =
    BASE_YAML_SCHEMA(MachineFunction, function_fields, .check = check_function);

// --- hydraulics ----------------------------------------------------------------------------------

#define RATE .unit = "1/s", .min = 0.2, .max = 60
static const BaseYamlField ramp_fields[] = {
    {BASE_YAML_FLOAT(InputRamp, rise), RATE, .required = true},
    {BASE_YAML_FLOAT(InputRamp, fall), RATE, .required = true},
};
static const BaseYamlSchema ramp_schema = BASE_YAML_SCHEMA(InputRamp, ramp_fields);

#define RESPONSE(index, word)                                                        \
    {                                                                                \
        PART(MachineHydraulicsDef, response[index], BASE_YAML_TYPE_OBJECT, word),    \
            .schema = &ramp_schema, .item_size = sizeof(InputRamp), .required = true \
    }

static const BaseYamlField pump_fields[] = {
    {BASE_YAML_FLOAT(MachinePump, flow), .unit = "L/min", .min = 1, .max = 3000, .required = true},
};
static const BaseYamlSchema pump_schema = BASE_YAML_SCHEMA(MachinePump, pump_fields);

static const char* check_hydraulics(const void* item, const char** key)
{
    const MachineHydraulicsDef* h = item;
    *key = "boost";
    if (h->boost != 0.0f && h->boost < h->relief)
        return "must not be below relief; leave it out when there is none";
    *key = "hold";
    if (h->hold < h->relief || h->hold < h->boost)
        return "must not be below relief and boost, or closed valves would give way first";
    *key = "functions";
    for (int i = 0; i < h->function_count; ++i)
        if (h->functions[i].extend.relief > h->hold || h->functions[i].retract.relief > h->hold)
            return "has a port whose relief is above hold, so that its closed valve gives way "
                   "first";
    *key = "margin";
    return h->margin >= h->relief ? "must be far below relief" : NULL;
}

static const BaseYamlField hydraulics_fields[] = {
    {BASE_YAML_FLOAT(MachineHydraulicsDef, relief), PRESSURE, .min = 1, .required = true},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, boost), PRESSURE},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, boost_time), .unit = "s", .min = 0, .max = 3600,
     .number = 8},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, hold), PRESSURE, .min = 1, .required = true},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, margin), PRESSURE, .number = 2},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, standby), PRESSURE, .number = 2},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, regeneration), PRESSURE, .min = 0.1, .number = 5},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, power), .unit = "kW", .min = 0.5, .max = 3000,
     .required = true},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, efficiency), SHARE, .min = 20, .number = 90},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, dead_time), .unit = "ms", .min = 0, .max = 160,
     .number = 80},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, lag), .unit = "ms", .min = 5, .max = 500, .number = 60},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, pressure_lag), .unit = "ms", .min = 5, .max = 500,
     .number = 40},
    {BASE_YAML_FLOAT(MachineHydraulicsDef, pump_lag), .unit = "ms", .min = 5, .max = 500,
     .number = 100},
    {PART(MachineHydraulicsDef, shape.dead, BASE_YAML_TYPE_FLOAT, "dead"), .unit = "%", .min = 0,
     .max = 40, .number = 5},
    {PART(MachineHydraulicsDef, shape.curve, BASE_YAML_TYPE_FLOAT, "curve"), SHARE, .number = 40},
    RESPONSE(INPUT_RESPONSE_SOFT, "soft"),
    RESPONSE(INPUT_RESPONSE_NORMAL, "normal"),
    RESPONSE(INPUT_RESPONSE_ACTIVE, "active"),
    {BASE_YAML_BOOL(MachineHydraulicsDef, straight_travel)},
    {BASE_YAML_LIST(MachineHydraulicsDef, pumps, pump_count, pump_schema), .min = 1,
     .max = MACHINE_PUMPS_MAX, .required = true},
    {BASE_YAML_MAP(MachineHydraulicsDef, functions, function_count, function_schema,
                   MachineFunction, name),
     .min = 1, .max = MACHINE_ACTUATORS_MAX, .required = true},
};
static const BaseYamlSchema hydraulics_schema =
    BASE_YAML_SCHEMA(MachineHydraulicsDef, hydraulics_fields, .check = check_hydraulics);

static const char* check_drive(const void* item, const char** key)
{
    const MachineDriveDef* drive = item;
    *key = "hydraulics";
    return drive->hydraulics.power > drive->engine.power
               ? "power must not exceed that of the engine"
               : NULL;
}

static const BaseYamlField drive_fields[] = {
    {BASE_YAML_OBJECT(MachineDriveDef, engine, engine_schema), .required = true},
    {BASE_YAML_OBJECT(MachineDriveDef, hydraulics, hydraulics_schema), .required = true},
};
const BaseYamlSchema machine_drive_schema =
    BASE_YAML_SCHEMA(MachineDriveDef, drive_fields, .check = check_drive);

// --- what needs the rest of the vehicle ----------------------------------------------------------

// What kind of thing an actuator is must fit the function.
static const char* misfit(const MachineDef* def, const MachineFunction* f)
{
    int motors = def->cylinder_count, trains = motors + def->motor_count;
    bool motor = f->actuator >= motors && f->actuator < trains, train = f->actuator >= trains;
    if (train)
        return f->travel || f->gear ? NULL : "is a train; it needs the key travel or gear";
    if (f->travel || f->gear)
        return "is no train; travel and gear drive trains";
    if (motor)
        return f->turn ? NULL : "is a motor; it needs the key turn";
    return f->turn ? "is a cylinder; turn is for motors" : NULL;
}

static bool check_one(const char* path, MachineDef* def, MachineFunction* f, BaseYamlError* error)
{
    const MachineHydraulicsDef* h = &def->drive->hydraulics;
    char place[128];
    snprintf(place, sizeof place, "drive.hydraulics.functions.%.60s.actuator", f->name);
    f->actuator = machine_find_actuator(def, f->actuator_name);
    if (f->actuator < 0) {
        const char* names[MACHINE_ACTUATORS_MAX + 1] = {NULL};
        for (int i = 0; i < def->actuator_count; ++i)
            names[i] = machine_actuator_name(def, i);
        const char* near = base_text_nearest(f->actuator_name, names);
        return base_yaml_fault(path, place, error,
                               "there is no actuator %s; %s%s%sallowed are the names of cylinders, "
                               "motors and trains",
                               f->actuator_name, near ? "did you mean " : "", near ? near : "",
                               near ? "? " : "");
    }
    const char* why = misfit(def, f);
    if (why)
        return base_yaml_fault(path, place, error, "%s %s", f->actuator_name, why);
    for (const MachineFunction* other = h->functions; other < f; ++other)
        if (other->actuator == f->actuator)
            return base_yaml_fault(path, place, error, "%s is moved by %s already",
                                   f->actuator_name, other->name);
    snprintf(place, sizeof place, "drive.hydraulics.functions.%.60s", f->name);
    if (((f->extend.pumps | f->retract.pumps) >> h->pump_count) != 0)
        return base_yaml_fault(path, place, error, "uses a pump that is not there; there is one");

    int motor = f->actuator - def->cylinder_count;
    if (f->servo > 0.0f && f->turn && !def->bodies[def->motors[motor].body].limited)
        return base_yaml_fault(path, place, error,
                               "servo needs a joint with limits: the lever's stops stand for them");

    // torque = displacement x relief x efficiency; more than all of it cannot be had
    double relief = f->extend.relief > 0.0f ? (double)f->extend.relief : (double)h->relief;
    if (f->turn) {
        double ideal = (double)f->extend.flow / (double)f->turn->speed * relief;
        if ((double)f->turn->torque > ideal)
            return base_yaml_fault(path, place, error,
                                   "turn.torque is more than oil can do: flow / speed x relief is "
                                   "%.3g kNm",
                                   1e-3 * ideal);
    }
    return true;
}

bool machine_drive_check(const char* path, MachineDef* def, BaseYamlError* error)
{
    if (!def->drive)
        return true;
    for (int i = 0; i < def->drive->hydraulics.function_count; ++i)
        if (!check_one(path, def, &def->drive->hydraulics.functions[i], error))
            return false;
    return true;
}
