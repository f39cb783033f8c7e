// Grains become ground.
//
// A grain that has been slow for a while and lies on the ground is laid onto the columns under it.
// In a resting heap that is the lowest layer; the ground rises, and the layer above lies on it. So a
// column of resting grains becomes ground in one step, all of it: taken away layer by layer, the
// rest of the heap would sink a little each time and never come to rest.
#include "base/base_assert.h"
#include "coupling/coupling_internal.h"

void coupling_bury(Coupling* c, Terrain* field, int grain, float x, float z)
{
    const SoilState* s = soil_state(c->soil);
    int material = s->material[grain];
    if (field == c->terrain) {
        c->fade[c->fade_next] = (CouplingFade){
            .position = vec3(s->px[grain], s->py[grain], s->pz[grain]),
            .radius = s->radius[grain],
            .material = material,
        };
        c->fade_born[c->fade_next] = c->frame;
        c->fade_next = (c->fade_next + 1) % COUPLING_FADES_MAX;
    }
    float spread = COUPLING_SPREAD * s->radius[grain];
    uint32_t mg = soil_remove(c->soil, grain);
    uint32_t left = terrain_deposit_around(field, x, z, spread, material, mg);
    c->ledger.grains.of[material] -= mg;
    c->ledger.crumbs.of[material] += left; // columns were full: waits for another place
    c->ledger.returns++;
    c->stats.returns++;
}

// --- looking -------------------------------------------------------------------------------------

// In which bin is the grain? -1 in none.
static int coupling_which_bin(const Coupling* c, Vec3 position, Vec3 velocity, Vec3* local,
                              Vec3* relative)
{
    for (int b = 0; b < c->bin_count; ++b) {
        if (coupling_bin_holds(&c->bin[b], position, velocity, local, relative)) {
            return b;
        }
    }
    return -1;
}

// Touching the ground, on a slope that will hold it?
static bool coupling_settled(const Coupling* c, int i)
{
    const SoilState* s = soil_state(c->soil);
    Vec3 at = vec3(s->px[i], s->py[i], s->pz[i]), relative, down = vec3(0.0f, -1.0f, 0.0f);
    if (coupling_rides(c, at, s->radius[i])) {
        return false; // there is steel between it and the ground
    }
    int bin = coupling_which_bin(c, at, vec3(0.0f, 0.0f, 0.0f), &at, &relative);
    if (bin >= 0) {
        down = coupling_bin_down(c, &c->bin[bin]);
    }
    const Terrain* field = bin < 0 ? c->terrain : c->bin[bin].ground;
    TerrainContact contact;
    bool raised = c->cell[i] >= 0 && c->busy[c->cell[i]] == COUPLING_RAISED;
    float touch = (raised ? COUPLING_STACK : COUPLING_TOUCH) * s->radius[i];
    if (!terrain_contact(field, at, touch, &contact)) {
        return false;
    }
    if (raised) {
        return true;
    }
    bool holds = -vec3_dot(contact.normal, down) >= c->cos_holds[s->material[i]];
    return s->rest[i] >= (holds ? c->patience : c->patience * COUPLING_STUCK);
}

// A grain in a hollow may rock between its slopes for ever: that neither counts nor undoes.
static int coupling_rest(const Coupling* c, int rest, float speed2)
{
    float slow2 = c->def.slow * c->def.slow;
    if (speed2 < slow2) {
        return base_mini(rest + 1, 255);
    }
    return speed2 < COUPLING_ROCKS * COUPLING_ROCKS * slow2 ? rest : 0;
}

static void coupling_look(void* context, int block, int begin, int end)
{
    Coupling* c = context;
    SoilState* s = soil_edit(c->soil);
    int resting = 0, buried = 0;
    for (int i = begin; i < end; ++i) {
        Vec3 at = vec3(s->px[i], s->py[i], s->pz[i]);
        Vec3 velocity = vec3(s->vx[i], s->vy[i], s->vz[i]), relative = velocity, local;
        int bin = -1;
        if (coupling_which_carrier(c, at, velocity, &local, &relative) < 0) {
            bin = coupling_which_bin(c, at, velocity, &at, &relative);
        }
        int rest = coupling_rest(c, s->rest[i], vec3_dot(relative, relative));
        s->rest[i] = (uint8_t)rest;
        c->cell[i] = terrain_cell_at(c->terrain, s->px[i], s->pz[i]);
        resting += rest >= c->patience;
        if (bin < 0 && at.y < terrain_height(c->terrain, at.x, at.z)) {
            ++buried;
        }
    }
    c->block_count[2 * block] = resting;
    c->block_count[2 * block + 1] = buried;
}

// --- changing ------------------------------------------------------------------------------------

static void coupling_return(Coupling* c, int i)
{
    const SoilState* s = soil_state(c->soil);
    Vec3 at = vec3(s->px[i], s->py[i], s->pz[i]), local, relative;
    Vec3 still = {0.0f, 0.0f, 0.0f};
    int bin = coupling_which_bin(c, at, still, &local, &relative);
    if (bin < 0) {
        coupling_bury(c, c->terrain, i, at.x, at.z);
    } else {
        coupling_bury(c, c->bin[bin].ground, i, local.x, local.z);
    }
}

static void coupling_mark_busy(Coupling* c, uint8_t busy)
{
    const SoilState* s = soil_state(c->soil);
    for (int i = 0; i < s->count; ++i) {
        if (s->rest[i] < c->patience && c->cell[i] >= 0) {
            c->busy[c->cell[i]] = busy;
        }
    }
}

// Layer after layer of what rests, from the ground up.
static void coupling_settle(Coupling* c)
{
    const SoilState* s = soil_state(c->soil);
    int waiting = 0;
    coupling_mark_busy(c, COUPLING_MOVES);
    for (int i = 0; i < s->count; ++i) {
        bool calm = c->cell[i] < 0 || c->busy[c->cell[i]] == 0;
        if (s->rest[i] >= c->patience && s->mass[i] > 0 && calm) {
            c->waiting[waiting++] = i;
        }
    }
    coupling_mark_busy(c, 0);
    int first = waiting;
    memcpy(c->resting, c->waiting, (size_t)waiting * sizeof *c->waiting);
    for (int layer = 0; layer < COUPLING_LAYERS && waiting > 0; ++layer) {
        int left = 0;
        for (int n = 0; n < waiting; ++n) {
            int i = c->waiting[n];
            if (coupling_settled(c, i)) {
                coupling_return(c, i);
                if (c->cell[i] >= 0) {
                    c->busy[c->cell[i]] = COUPLING_RAISED;
                }
            } else {
                c->waiting[left++] = i;
            }
        }
        if (left == waiting) {
            break;
        }
        waiting = left;
    }
    for (int n = 0; n < first; ++n) {
        if (c->cell[c->resting[n]] >= 0) {
            c->busy[c->cell[c->resting[n]]] = 0;
        }
    }
}

// Not out of a carrier: there is steel between it and the ground.
static bool coupling_may_leave(const Coupling* c, int i)
{
    const SoilState* s = soil_state(c->soil);
    return s->mass[i] > 0 && s->rest[i] >= c->patience &&
           !coupling_rides(c, vec3(s->px[i], s->py[i], s->pz[i]), s->radius[i]);
}

// With a pool that is nearly full, the oldest of the resting grains return before their time.
static void coupling_evict(Coupling* c)
{
    const SoilState* s = soil_state(c->soil);
    int living = s->count - s->dead + coupling_frozen(c);
    int wanted = living + c->def.reserve - soil_definition(c->soil)->capacity;
    if (wanted <= 0) {
        return;
    }
    // the id below which there are at least `wanted` of them
    uint32_t lo = 0, hi = s->next_id;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        int count = 0;
        for (int i = 0; i < s->count; ++i) {
            count += s->id[i] <= middle && coupling_may_leave(c, i);
        }
        if (count >= wanted) {
            hi = middle;
        } else {
            lo = middle + 1;
        }
    }
    for (int i = 0; i < s->count; ++i) {
        if (s->id[i] <= hi && coupling_may_leave(c, i)) {
            coupling_return(c, i);
            c->ledger.evictions++;
            c->stats.evictions++;
        }
    }
}

// Crumbs to which nobody adds any more fall back to where the last one came from.
static void coupling_drop_crumbs(Coupling* c)
{
    if (c->crumbs_cell < 0 || ++c->crumbs_age < COUPLING_CRUMBS_WAIT) {
        return;
    }
    for (int m = 0; m < terrain_definition(c->terrain)->material_count; ++m) {
        uint32_t mg = (uint32_t)c->ledger.crumbs.of[m];
        if (mg > 0 && terrain_deposit(c->terrain, c->crumbs_cell, m, mg)) {
            c->ledger.crumbs.of[m] -= mg;
        }
    }
    c->crumbs_cell = -1;
}

static void coupling_fail_faces(Coupling* c)
{
    int found = terrain_slips(c->terrain, c->slip, c->slip_max);
    for (int n = 0; n < found; ++n) {
        c->cut[n] = (CouplingCut){c->slip[n].cell, c->slip[n].height};
    }
    c->stats.slips = found;
    if (found > 0) {
        CouplingPlace place = {.layer = coupling_layer(c, c->terrain)};
        coupling_birth(c, c->terrain, &place, c->cut, found);
    }
}

// The budget is counted in grains, not in milliseconds, so that a slow computer keeps the same bits:
// the fuller the pool, the sooner grains become ground again. Never less soil, only fewer grains.
static void coupling_budget(Coupling* c)
{
    const SoilState* s = soil_state(c->soil);
    int living = s->count - s->dead + coupling_frozen(c);
    int percent = (int)(100LL * living / soil_definition(c->soil)->capacity);
    c->stats.haste = (percent >= COUPLING_CROWDED) + (percent >= COUPLING_PACKED);
    c->patience = base_maxi(c->def.patience * (3 - c->stats.haste) / 3, 1);
}

void coupling_step(Coupling* c, Jobs* jobs)
{
    const SoilState* s = soil_state(c->soil);
    c->stats = (CouplingStats){0};
    c->frame++;
    coupling_budget(c);

    // who lies still, and on what?
    int count = s->count, blocks = jobs_blocks(count, COUPLING_BLOCK);
    jobs_for(jobs, count, COUPLING_BLOCK, coupling_look, c);
    for (int b = 0; b < blocks; ++b) {
        c->stats.resting += c->block_count[2 * b];
        c->stats.buried += c->block_count[2 * b + 1];
    }

    // grains -> ground
    coupling_settle(c);
    coupling_evict(c);
    coupling_drop_crumbs(c);

    // ground -> grains
    coupling_fail_faces(c);
    coupling_bins_step(c, jobs);
    coupling_carriers_step(c);

    // the grains must look at the ground again when it is another one, slides included
    uint64_t transfers = terrain_state(c->terrain)->ledger.transfers;
    for (int b = 0; b < c->bin_count; ++b) {
        transfers += terrain_state(c->bin[b].ground)->ledger.transfers;
    }
    if (s->count > 0 && transfers != c->transfers) {
        soil_touch(c->soil);
    }
    c->transfers = transfers;
    BASE_DEBUG_ASSERT(coupling_balanced(c)); // I1; the world tells whoever plays
}
