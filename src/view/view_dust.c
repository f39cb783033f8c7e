#include "view/view_dust.h"

#define PUFF_FAINTEST \
    0.22f // strength: many fainter ones would add up the errors of 8 bits a colour

static float chance(ViewDust* d)
{
    d->chance = d->chance * 1664525u + 1013904223u;
    return (float)(d->chance >> 8) * (1.0f / 16777216.0f);
}

void view_dust_raise(ViewDust* d, Vec3 at, Vec3 velocity, float strength, const float color[3])
{
    if (d->count == VIEW_PUFFS_MAX || strength <= 0.0f)
        return;
    // what is fainter comes more rarely instead
    if (strength < PUFF_FAINTEST && chance(d) * PUFF_FAINTEST > strength)
        return;
    strength = base_maxf(strength, PUFF_FAINTEST);
    ViewPuff* p = &d->puff[d->count++];
    *p = (ViewPuff){.at = at, .opacity = 0.5f * base_minf(strength, 1.0f)};
    p->velocity = vec3_mul(velocity, 0.15f);
    p->velocity.x += 0.5f * (chance(d) - 0.5f);
    p->velocity.z += 0.5f * (chance(d) - 0.5f);
    p->velocity.y += 0.25f + 0.3f * chance(d);
    p->radius = 0.15f + 0.25f * chance(d);
    p->life = 1.2f + 2.0f * chance(d);
    for (int k = 0; k < 3; ++k)
        p->color[k] = color[k];
}

void view_dust_step(ViewDust* d, float dt, Vec3 wind)
{
    int kept = 0;
    for (int k = 0; k < d->count; ++k) {
        ViewPuff p = d->puff[k];
        p.age += dt;
        if (p.age >= p.life)
            continue;
        // it takes up the wind, loses its lift and spreads
        float give = base_minf(1.5f * dt, 1.0f);
        p.velocity = vec3_mad(p.velocity, vec3_sub(wind, p.velocity), give);
        p.at = vec3_mad(p.at, p.velocity, dt);
        p.radius += 0.55f * dt;
        d->puff[kept++] = p;
    }
    d->count = kept;
}
