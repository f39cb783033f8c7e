// mattock - libmattock for researchers, CI and other programs: a site with machines, stepped by you.
//
// Does:     make a world from files; step it with levers; tell poses, joints, pressures, payload,
//           forces, ground and grains; save and restore it.
// Does not: draw, score, or keep global state: several worlds may live side by side.
// Units:    SI, rad; +y up. Levers -1..1. Same files, same levers: same bits, on every CPU and for
//           every number of threads.
// Threads:  a world belongs to one thread at a time.
// Stable:   this header stands alone: C99 and C++, no other header of Mattock. Structs only grow at
//           their end, together with MATTOCK_API.
//
// See docs/running.md, tests/examples/dig.c and tests/examples/dig.py.
#ifndef MATTOCK_H
#define MATTOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MATTOCK_API  1
#define MATTOCK_RATE 60 // steps in a second

typedef struct Mattock Mattock;

// What mattock_create() needs; zero it first. Names of files, or of what is shipped: "loam",
// "excavator_22t". NULL and 0 are the defaults in brackets.
typedef struct MattockSetup {
    const char* site;
    const char* vehicle;   // [excavator_22t]
    const char* truck;     // stands at its left to be loaded [none]
    const char* materials; // [config/materials.yaml]
    double x, z, heading;  // m, m, rad about +y: where the vehicle stands
    double radius;         // m, of grains [0.04]
    int pool;              // grains that may live at once [16000]
    int threads;           // [1]
} MattockSetup;

// The order of levers.
enum {
    MATTOCK_SWING,       // + right
    MATTOCK_BOOM,        // + up
    MATTOCK_STICK,       // + in
    MATTOCK_BUCKET,      // + curl
    MATTOCK_TRACK_LEFT,  // + forward
    MATTOCK_TRACK_RIGHT, //
    MATTOCK_BLADE,       // + up
    MATTOCK_BLADE_TILT,  //
    MATTOCK_BLADE_ANGLE, //
    MATTOCK_BODY,        // + tips up
    MATTOCK_STEER,       // + right
    MATTOCK_THROTTLE,    // 0..1
    MATTOCK_BRAKE,       // 0..1
    MATTOCK_OFFSET,      //
    MATTOCK_LEVERS,
};

// How a machine stands.
typedef struct MattockMachine {
    double engine_speed, engine_load; // rad/s, 0..1
    double pump_pressure[2];          // Pa
    double fuel;                      // L so far
    double payload;                   // kg in its tools
    double load;                      // kg in its bins
    double depth;                     // m, of the edge below the ground ahead
    double resistance;                // N, what ground holds against the tool
    double support;                   // N, what ground under its shell carries
    double grains;                    // N, what grains do to the tool
    double tilt;                      // rad, from upright
} MattockMachine;

typedef struct MattockPose {
    double position[3];  // m
    double rotation[4];  // x y z w, body to world
    double joint, speed; // rad or m, of the joint that carries it; per second
} MattockPose;

typedef struct MattockGrain {
    float position[3], velocity[3]; // m, m/s
    float radius, mass;             // m, kg
    int32_t material;
    uint32_t id;
} MattockGrain;

// NULL when it fails; then `error` (may be NULL) holds one sentence.
Mattock* mattock_create(const MattockSetup* setup, char* error, size_t size);
void mattock_destroy(Mattock* world);

// A sixtieth of a second. Levers of the vehicle, MATTOCK_LEVERS of them; the truck stands braked.
// What no lever can be (NaN, beyond -1..1) is put right.
void mattock_step(Mattock* world, const double* levers);
// The built-in operator works the vehicle: "pit", "trench", "truck" or "stockpile", so many cycles.
// False when it cannot; mattock_work() then does nothing.
int mattock_employ(Mattock* world, const char* program, double depth, int cycles, uint64_t seed);
// One step by that operator; `levers` (may be NULL) tells what the hands did. 0 when it is done.
int mattock_work(Mattock* world, double* levers);

double mattock_time(const Mattock* world); // s
uint64_t mattock_hash(const Mattock* world);
int64_t mattock_imbalance(const Mattock* world); // mg that are missing or too many: 0

// Machine 0 is the vehicle, 1 the truck.
int mattock_machines(const Mattock* world);
int mattock_bodies(const Mattock* world, int machine);
const char* mattock_body_name(const Mattock* world, int machine, int body);
// False when there is no such machine, body or cylinder.
int mattock_machine(const Mattock* world, int machine, MattockMachine* out);
int mattock_pose(const Mattock* world, int machine, int body, MattockPose* out);
// Pressure-carrying force of an actuator, N or N m, + pushes out; its length, m or rad.
int mattock_actuator(const Mattock* world, int machine, const char* name, double* force,
                     double* length);

// Heights of the ground, m: [rows][columns], from x, z on, `spacing` apart, x along a row.
void mattock_heights(const Mattock* world, double x, double z, double spacing, int columns,
                     int rows, float* out);
int mattock_grain_count(const Mattock* world);
// At most `max`; returns how many.
int mattock_grains(const Mattock* world, MattockGrain* out, int max);

// The whole state; restore into the same world, or one made from the same setup. False when the
// bytes are not such a state: the world is then as before.
size_t mattock_snapshot_size(const Mattock* world);
void mattock_snapshot(const Mattock* world, void* out);
int mattock_restore(Mattock* world, const void* in, size_t size);

#ifdef __cplusplus
}
#endif

#endif
