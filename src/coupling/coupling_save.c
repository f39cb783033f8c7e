// Snapshots and hashes of all that meets in a coupling.
//
// A snapshot is a head, the books and clocks, and one part each for the soil, the ground, the grounds
// of the bins and the loads of the carriers. Its own hash refuses what is short or altered; the parts
// refuse what belongs to another definition.
#include "base/base_hash.h"
#include "coupling/coupling_internal.h"

#include <stdlib.h>

#define COUPLING_SNAPSHOT_MAGIC 0x33304c5055434d54ull // "TMCUPL03"
#define COUPLING_PARTS          (2 + COUPLING_BINS_MAX + COUPLING_CARRIERS_MAX)
#define COUPLING_FIRST_CARRIER  (2 + COUPLING_BINS_MAX)

typedef struct CouplingBinRecord {
    Vec3 velocity_then;
    float rise[2];
    int32_t open, spill_wait;
} CouplingBinRecord;

typedef struct CouplingCarrierRecord {
    Vec3 velocity_then, falls, falls_frozen;
    int32_t count, calm, awake, remembered, impulses;
    uint32_t first_id;
} CouplingCarrierRecord;

// A frozen grain: place and radius (m), mass (mg), material.
typedef struct CouplingFrozen {
    float x, y, z, radius;
    uint32_t mass, material;
} CouplingFrozen;

static CouplingFrozen coupling_frozen_grain(const CouplingCarrier* k, int n)
{
    return (CouplingFrozen){k->at[n].x,   k->at[n].y, k->at[n].z,
                            k->radius[n], k->mass[n], k->material[n]};
}

// The books and clocks that the next steps depend on; no gaps between the fields.
typedef struct CouplingRecord {
    uint64_t frame, births, transfers;
    int64_t crumbs_cell, crumbs_age;
    CouplingLedger ledger;
    CouplingBinRecord bin[COUPLING_BINS_MAX];
    CouplingCarrierRecord carrier[COUPLING_CARRIERS_MAX];
} CouplingRecord;

typedef struct CouplingHead {
    uint64_t magic, size, hash;    // hash of everything behind
    uint64_t part[COUPLING_PARTS]; // bytes of soil, terrain, bins and carriers
} CouplingHead;

static CouplingRecord coupling_record(const Coupling* c)
{
    CouplingRecord r;
    memset(&r, 0, sizeof r);
    r.frame = c->frame, r.births = c->births, r.transfers = c->transfers;
    r.crumbs_cell = c->crumbs_cell, r.crumbs_age = c->crumbs_age;
    r.ledger = c->ledger;
    for (int b = 0; b < c->bin_count; ++b) {
        const CouplingBin* bin = &c->bin[b];
        r.bin[b] = (CouplingBinRecord){
            bin->velocity_then, {bin->rise.x, bin->rise.z}, bin->open, bin->spill_wait};
    }
    for (int k = 0; k < c->carrier_count; ++k) {
        const CouplingCarrier* a = &c->carrier[k];
        r.carrier[k] = (CouplingCarrierRecord){
            a->velocity_then, a->falls,         a->falls_frozen, a->count,          a->calm,
            a->memory.awake,  a->memory.grains, a->memory.count, a->memory.first_id};
    }
    return r;
}

uint64_t coupling_hash(const Coupling* c)
{
    CouplingRecord r = coupling_record(c);
    const SoilState* s = soil_state(c->soil);
    uint64_t hash = base_hash(&r, sizeof r, COUPLING_SNAPSHOT_MAGIC);
    const uint64_t part[2] = {soil_hash(c->soil), terrain_hash(c->terrain)};
    hash = base_hash(part, sizeof part, hash);
    hash = base_hash(s->rest, (size_t)s->count, hash);
    for (int b = 0; b < c->bin_count; ++b) {
        uint64_t bin = terrain_hash(c->bin[b].ground);
        hash = base_hash(&bin, sizeof bin, hash);
    }
    for (int k = 0; k < c->carrier_count; ++k) {
        for (int n = 0; n < c->carrier[k].count; ++n) {
            CouplingFrozen f = coupling_frozen_grain(&c->carrier[k], n);
            hash = base_hash(&f, sizeof f, hash);
        }
        const CouplingMemory* m = &c->carrier[k].memory;
        hash = base_hash(m->contacts, (size_t)m->grains, hash);
        hash = base_hash(m->begin, (size_t)m->grains * sizeof *m->begin, hash);
        hash = base_hash(m->entry, (size_t)m->count * sizeof *m->entry, hash);
    }
    return hash;
}

// Bytes of a carrier's grains and of what it remembers of them.
static uint64_t coupling_load_size(int grains, int remembered, int impulses)
{
    return (uint64_t)grains * sizeof(CouplingFrozen) +
           (uint64_t)remembered * (sizeof(uint8_t) + sizeof(uint32_t)) +
           (uint64_t)impulses * sizeof(CouplingImpulse);
}

static CouplingHead coupling_head(const Coupling* c)
{
    CouplingHead head;
    memset(&head, 0, sizeof head);
    head.magic = COUPLING_SNAPSHOT_MAGIC;
    head.part[0] = soil_snapshot_size(c->soil);
    head.part[1] = terrain_snapshot_size(c->terrain);
    for (int b = 0; b < c->bin_count; ++b) {
        head.part[2 + b] = terrain_snapshot_size(c->bin[b].ground);
    }
    for (int k = 0; k < c->carrier_count; ++k) {
        head.part[COUPLING_FIRST_CARRIER + k] = coupling_load_size(
            c->carrier[k].count, c->carrier[k].memory.grains, c->carrier[k].memory.count);
    }
    head.size = sizeof head + sizeof(CouplingRecord);
    for (int p = 0; p < COUPLING_PARTS; ++p) {
        head.size += head.part[p];
    }
    return head;
}

size_t coupling_snapshot_size(const Coupling* c)
{
    return coupling_head(c).size;
}

static unsigned char* coupling_memory_save(const CouplingMemory* m, unsigned char* at)
{
    size_t grains = (size_t)m->grains, bytes = (size_t)m->count * sizeof *m->entry;
    memcpy(at, m->contacts, grains), at += grains;
    memcpy(at, m->begin, grains * sizeof *m->begin), at += grains * sizeof *m->begin;
    memcpy(at, m->entry, bytes);
    return at + bytes;
}

void coupling_snapshot_save(const Coupling* c, void* out)
{
    CouplingHead head = coupling_head(c);
    CouplingRecord record = coupling_record(c);
    unsigned char* at = (unsigned char*)out + sizeof head;
    memcpy(at, &record, sizeof record), at += sizeof record;
    soil_snapshot_save(c->soil, at), at += head.part[0];
    terrain_snapshot_save(c->terrain, at), at += head.part[1];
    for (int b = 0; b < c->bin_count; ++b) {
        terrain_snapshot_save(c->bin[b].ground, at), at += head.part[2 + b];
    }
    for (int k = 0; k < c->carrier_count; ++k) {
        for (int n = 0; n < c->carrier[k].count; ++n, at += sizeof(CouplingFrozen)) {
            CouplingFrozen f = coupling_frozen_grain(&c->carrier[k], n);
            memcpy(at, &f, sizeof f);
        }
        at = coupling_memory_save(&c->carrier[k].memory, at);
    }
    head.hash = base_hash((unsigned char*)out + sizeof head, head.size - sizeof head, 0);
    memcpy(out, &head, sizeof head);
}

// --- loading -------------------------------------------------------------------------------------

// Whole, and with as many bins and carriers, which hold no more than they can?
static bool coupling_snapshot_fits(const Coupling* c, const void* in, size_t size)
{
    CouplingHead head;
    CouplingRecord r;
    if (size < sizeof head + sizeof r) {
        return false;
    }
    memcpy(&head, in, sizeof head);
    const unsigned char* at = (const unsigned char*)in + sizeof head;
    memcpy(&r, at, sizeof r);
    uint64_t sum = sizeof head + sizeof r;
    bool fine = true;
    for (int p = 0; p < COUPLING_PARTS; ++p) {
        int k = p - COUPLING_FIRST_CARRIER;
        bool exists = p < 2 + c->bin_count || (k >= 0 && k < c->carrier_count);
        fine = fine && head.part[p] <= size && (exists || head.part[p] == 0);
        sum += head.part[p];
    }
    for (int k = 0; k < c->carrier_count && fine; ++k) {
        const CouplingCarrierRecord* x = &r.carrier[k];
        int most = soil_definition(c->soil)->capacity;
        fine = x->count >= 0 && x->count <= most && x->remembered >= 0 && x->remembered <= most &&
               x->impulses >= 0 && x->impulses <= most * COUPLING_IMPULSES &&
               head.part[COUPLING_FIRST_CARRIER + k] ==
                   coupling_load_size(x->count, x->remembered, x->impulses);
    }
    return fine && head.magic == COUPLING_SNAPSHOT_MAGIC && head.size == size && sum == size &&
           base_hash(at, size - sizeof head, 0) == head.hash;
}

static void coupling_restore_clocks(Coupling* c, const CouplingRecord* r)
{
    c->frame = r->frame, c->births = r->births, c->transfers = r->transfers;
    c->crumbs_cell = (int)r->crumbs_cell, c->crumbs_age = (int)r->crumbs_age;
    c->ledger = r->ledger;
    for (int b = 0; b < c->bin_count; ++b) {
        CouplingBin* bin = &c->bin[b];
        bin->velocity_then = r->bin[b].velocity_then;
        bin->open = r->bin[b].open != 0;
        bin->rise = vec3(r->bin[b].rise[0], 0.0f, r->bin[b].rise[1]);
        bin->spill_wait = r->bin[b].spill_wait;
    }
    for (int k = 0; k < c->carrier_count; ++k) {
        const CouplingCarrierRecord* from = &r->carrier[k];
        CouplingCarrier* a = &c->carrier[k];
        a->velocity_then = from->velocity_then;
        a->falls = from->falls, a->falls_frozen = from->falls_frozen;
        a->count = from->count, a->calm = from->calm;
        a->memory.awake = from->awake != 0, a->memory.first_id = from->first_id;
        a->memory.grains = from->remembered, a->memory.count = from->impulses;
    }
    memset(c->fade, 0, sizeof c->fade);
}

static const unsigned char* coupling_memory_load(CouplingMemory* m, const unsigned char* in)
{
    size_t grains = (size_t)m->grains, bytes = (size_t)m->count * sizeof *m->entry;
    memcpy(m->contacts, in, grains), in += grains;
    memcpy(m->begin, in, grains * sizeof *m->begin), in += grains * sizeof *m->begin;
    m->begin[grains] = (uint32_t)m->count;
    memcpy(m->entry, in, bytes);
    return in + bytes;
}

// Part by part; false as soon as one is refused, and then those before it have changed.
static bool coupling_restore(Coupling* c, const unsigned char* in)
{
    CouplingHead head;
    CouplingRecord r;
    memcpy(&head, in, sizeof head), in += sizeof head;
    memcpy(&r, in, sizeof r), in += sizeof r;
    if (!soil_snapshot_load(c->soil, in, head.part[0])) {
        return false;
    }
    in += head.part[0];
    if (!terrain_snapshot_load(c->terrain, in, head.part[1])) {
        return false;
    }
    in += head.part[1];
    for (int b = 0; b < c->bin_count; in += head.part[2 + b], ++b) {
        if (!terrain_snapshot_load(c->bin[b].ground, in, head.part[2 + b])) {
            return false;
        }
    }
    coupling_restore_clocks(c, &r);
    for (int k = 0; k < c->carrier_count; ++k) {
        CouplingCarrier* a = &c->carrier[k];
        for (int n = 0; n < a->count; ++n, in += sizeof(CouplingFrozen)) {
            CouplingFrozen f;
            memcpy(&f, in, sizeof f);
            a->at[n] = vec3(f.x, f.y, f.z), a->radius[n] = f.radius;
            a->mass[n] = f.mass, a->material[n] = (uint8_t)f.material;
        }
        in = coupling_memory_load(&a->memory, in);
        coupling_carrier_refresh(a);
    }
    return true;
}

bool coupling_snapshot_load(Coupling* c, const void* in, size_t size)
{
    if (!coupling_snapshot_fits(c, in, size)) {
        return false;
    }
    void* before = malloc(coupling_snapshot_size(c));
    if (!before) {
        return false;
    }
    coupling_snapshot_save(c, before);
    bool fine = coupling_restore(c, in);
    if (!fine) {
        coupling_restore(c, before);
    }
    free(before);
    return fine;
}
