// view_dust - clouds of dust where dry soil falls and steel scrapes.
//
// Does:     keep some hundred puffs that rise, spread, drift with the wind and thin out.
// Does not: take part in the simulation: it has its own chance and leaves no trace in a hash.
// Units:    m, m/s, s.
#ifndef VIEW_DUST_H
#define VIEW_DUST_H

#include "base/base_math.h"

#define VIEW_PUFFS_MAX 256

typedef struct ViewPuff {
    Vec3 at, velocity;
    float radius;  // m
    float opacity; // 0..1
    float age;     // s
    float life;    // s
    float color[3];
} ViewPuff;

typedef struct ViewDust {
    ViewPuff puff[VIEW_PUFFS_MAX];
    int count;
    uint32_t chance;
} ViewDust;

// A puff of this strength (0..1), unless the table is full.
void view_dust_raise(ViewDust* dust, Vec3 at, Vec3 velocity, float strength, const float color[3]);
void view_dust_step(ViewDust* dust, float dt, Vec3 wind);

#endif
