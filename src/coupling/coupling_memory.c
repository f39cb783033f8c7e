// What pushed whom in a load, kept while it rides frozen.
#include "base/base_memory.h"
#include "coupling/coupling_internal.h"

#include <stdlib.h>

bool coupling_memory_init(CouplingMemory* m, int capacity)
{
    m->begin = base_memory((size_t)capacity + 1, sizeof *m->begin);
    m->contacts = base_memory((size_t)capacity, 1);
    m->entry = base_memory((size_t)capacity * COUPLING_IMPULSES, sizeof *m->entry);
    return m->begin && m->contacts && m->entry;
}

void coupling_memory_free(CouplingMemory* m)
{
    free(m->begin);
    free(m->contacts);
    free(m->entry);
    *m = (CouplingMemory){0};
}

// All or nothing: half of a load's impulses would throw the other half.
void coupling_memory_keep(CouplingMemory* m, const Soil* soil, Quat body, const int* row, int count,
                          int* number)
{
    const SoilState* s = soil_state(soil);
    int most = soil_definition(soil)->capacity * COUPLING_IMPULSES;
    for (int i = 0; i < s->count; ++i) {
        number[i] = -1;
    }
    for (int n = 0; n < count; ++n) {
        number[row[n]] = n;
    }
    m->grains = m->count = 0;
    m->awake = false;
    for (int n = 0; n < count; ++n) {
        SoilImpulse found[SOIL_IMPULSES_MAX];
        int loaded = soil_impulses(soil, row[n], found);
        if (m->count + loaded > most) {
            m->count = 0;
            return;
        }
        m->begin[n] = (uint32_t)m->count;
        m->contacts[n] = s->contacts[row[n]];
        for (int k = 0; k < loaded; ++k) {
            const SoilImpulse* x = &found[k];
            if (x->other < 0 || number[x->other] >= 0) {
                m->entry[m->count++] = (CouplingImpulse){
                    .other = x->other < 0 ? x->key : (uint32_t)number[x->other],
                    .surface = x->other < 0,
                    .impulse = quat_unrotate(body, x->impulse),
                };
            }
        }
    }
    m->begin[count] = (uint32_t)m->count;
    m->grains = count;
}

void coupling_memory_wake(CouplingMemory* m, Quat body, uint32_t first_id)
{
    for (int n = 0; n < m->count; ++n) {
        m->entry[n].impulse = quat_rotate(body, m->entry[n].impulse);
    }
    m->awake = true;
    m->first_id = first_id;
}

static bool memory_find(const CouplingMemory* m, uint32_t grain, uint32_t other, bool surface,
                        Vec3* impulse)
{
    for (uint32_t n = m->begin[grain]; n < m->begin[grain + 1]; ++n) {
        const CouplingImpulse* x = &m->entry[n];
        if (x->other == other && (x->surface != 0) == surface) {
            *impulse = x->impulse;
            return true;
        }
    }
    return false;
}

bool coupling_memory_recall(const void* coupling, uint32_t id, uint32_t other, bool surface,
                            Vec3* impulse)
{
    const Coupling* c = coupling;
    for (int k = 0; k < c->carrier_count; ++k) {
        const CouplingMemory* m = &c->carrier[k].memory;
        uint32_t grain = id - m->first_id, beside = other - m->first_id;
        if (m->awake && grain < (uint32_t)m->grains && (surface || beside < (uint32_t)m->grains)) {
            return memory_find(m, grain, surface ? other : beside, surface, impulse);
        }
    }
    return false;
}
