#include "coupling/coupling_fleet.h"

#include "base/base_assert.h"
#include "base/base_hash.h"
#include "base/base_memory.h"
#include "base/base_trig.h"
#include "coupling/coupling_fleet_internal.h"
#include "coupling/coupling_hold.h"

#include <stdlib.h>

#define FLEET_CUT_MAX  4096   // columns under one tool
#define FLEET_SMOOTH   0.2f   // of the new value, in what grains are found to push
#define FLEET_RIM      2.0f   // radii, by which the box of what rides is wider than the payload's
#define FLEET_CRUSH    2.0e5f // Pa, over a grain's section, at which it is pressed into the ground
#define FLEET_CRUSH_AT 1.3f   // radii between a grain's centre and the ground

// --- making --------------------------------------------------------------------------------------

CouplingFleet* coupling_fleet_create(Coupling* coupling, const Material* const* materials)
{
    CouplingFleet* f = calloc(1, sizeof *f);
    if (!f) {
        return NULL;
    }
    f->coupling = coupling;
    f->cut_max = FLEET_CUT_MAX;
    f->cut = base_memory(FLEET_CUT_MAX, sizeof *f->cut);
    f->squeezed =
        base_memory((size_t)soil_definition(coupling->soil)->capacity, sizeof *f->squeezed);
    if (!f->cut || !f->squeezed) {
        coupling_fleet_destroy(f);
        return NULL;
    }
    coupling_below_materials(f, materials);
    f->below = (MachineGround){.context = f,
                               .contact = coupling_below_contact,
                               .press = coupling_below_press,
                               .press_context = f,
                               .tools = false};
    return f;
}

void coupling_fleet_weather(CouplingFleet* f, const Material* const* materials)
{
    coupling_below_materials(f, materials);
}

void coupling_fleet_destroy(CouplingFleet* f)
{
    if (f) {
        free(f->cut);
        free(f->squeezed);
        free(f);
    }
}

// Every body with steel for grains becomes a boundary of the soil.
static bool fleet_add_steel(CouplingFleet* f, CouplingRig* rig, const Material* const* materials)
{
    const MachineDef* def = rig->def;
    (void)materials;
    for (int b = 0; b < def->body_count; ++b) {
        CouplingSteel* steel = &rig->steel[b];
        rig->boundary[b] = -1;
        if (!coupling_steel_make(steel, def->shapes, def->shape_count, b, &f->plates)) {
            return false;
        }
        if (steel->plate_count + steel->solid_count == 0) {
            continue;
        }
        for (int m = 0; m < f->material_count; ++m) {
            const CouplingFeeSoil* soil = &f->ground[m].fee.soil;
            steel->grip[m] = coupling_steel_grip(soil->steel_friction, soil->steel_adhesion);
        }
        MachinePose pose = machine_pose(rig->machine, b);
        SoilBoundary boundary = {.shape = SOIL_SHAPE_FUNCTION,
                                 .position = pose.position,
                                 .rotation = pose.rotation,
                                 .driven = true,
                                 .extent = steel->extent,
                                 .surface = coupling_steel_surface,
                                 .hold = coupling_hold_steel,
                                 .context = steel};
        rig->boundary[b] = soil_add_boundary(f->coupling->soil, &boundary);
        if (rig->boundary[b] < 0) {
            return false;
        }
        steel->body = soil_pose(f->coupling->soil, rig->boundary[b]);
        coupling_steel_move(steel);
    }
    return true;
}

static Quat fleet_turn_z(Quat q, float half_sine, float half_cosine)
{
    // q times a turn about its own z
    return (Quat){q.x * half_cosine + q.y * half_sine, q.y * half_cosine - q.x * half_sine,
                  q.z * half_cosine + q.w * half_sine, q.w * half_cosine - q.z * half_sine};
}

static void fleet_place_bin(CouplingFleet* f, CouplingRig* rig, int bin)
{
    const MachineBin* def = &rig->def->bins[bin];
    MachinePose pose = machine_pose(rig->machine, def->body);
    Vec3 at = machine_to_world(rig->machine, def->body, def->center);
    Quat rotation =
        fleet_turn_z(pose.rotation, base_sinf(0.5f * def->turn), base_cosf(0.5f * def->turn));
    soil_drive(f->coupling->soil, coupling_bin_boundary(f->coupling, rig->bin[bin]), at, rotation,
               machine_point_velocity(rig->machine, def->body, at),
               machine_spin(rig->machine, def->body));
}

static bool fleet_add_bins(CouplingFleet* f, CouplingRig* rig)
{
    for (int n = 0; n < rig->def->bin_count; ++n) {
        const MachineBin* def = &rig->def->bins[n];
        CouplingBinDef bin = {.length = def->length,
                              .width = def->width,
                              .wall = def->wall,
                              .steel = def->steel,
                              .cell = terrain_definition(f->coupling->terrain)->cell};
        rig->bin[n] = coupling_add_bin(f->coupling, &bin, machine_pose(rig->machine, 0).position);
        if (rig->bin[n] < 0) {
            return false;
        }
        coupling_bin_drive(f->coupling, rig->bin[n]);
        fleet_place_bin(f, rig, n);
    }
    return true;
}

static bool fleet_add_tools(CouplingFleet* f, CouplingRig* rig)
{
    for (int n = 0; n < rig->def->tool_count; ++n) {
        coupling_tool_make(f, rig, n);
        CouplingTool* t = &rig->tool[n];
        if (t->def->kind == MACHINE_BUCKET && rig->boundary[t->body] >= 0) {
            // what lies on the rims of its plates rides as well, or a full bucket never would
            float rim = t->cheek + FLEET_RIM * f->coupling->def.radius;
            Vec3 rims = vec3(rim, rim, rim);
            CouplingCarrierDef carrier = {rig->boundary[t->body], vec3_sub(t->def->hold_min, rims),
                                          vec3_add(t->def->hold_max, rims)};
            t->carrier = coupling_add_carrier(f->coupling, &carrier);
            if (t->carrier < 0) {
                return false;
            }
        }
    }
    return true;
}

int coupling_fleet_add(CouplingFleet* f, Machine* machine)
{
    if (f->rig_count == COUPLING_FLEET_MAX) {
        return -1;
    }
    CouplingRig* rig = &f->rig[f->rig_count];
    *rig = (CouplingRig){.machine = machine, .def = machine_definition(machine)};
    if (!fleet_add_steel(f, rig, NULL) || !fleet_add_bins(f, rig) || !fleet_add_tools(f, rig)) {
        return -1;
    }
    return f->rig_count++;
}

const MachineGround* coupling_fleet_ground(const CouplingFleet* f)
{
    return &f->below;
}

const CouplingToolState* coupling_fleet_tool(const CouplingFleet* f, int machine, int tool)
{
    return &f->rig[machine].tool[tool].state;
}

int coupling_fleet_bin(const CouplingFleet* f, int machine, int bin)
{
    return f->rig[machine].bin[bin];
}

int coupling_fleet_boundary(const CouplingFleet* f, int machine, int body)
{
    return f->rig[machine].boundary[body];
}

double coupling_fleet_load(const CouplingFleet* f, int machine)
{
    const CouplingRig* rig = &f->rig[machine];
    double kg = 0.0;
    for (int n = 0; n < rig->def->bin_count; ++n) {
        kg += coupling_bin_mass(f->coupling, rig->bin[n]);
    }
    return kg;
}

const CouplingFleetStats* coupling_fleet_stats(const CouplingFleet* f)
{
    return &f->stats;
}

// --- a frame -------------------------------------------------------------------------------------

// Moments of inertia of the frozen grains about their middle, as of points: a full bucket's are
// those of its spread, not of its grains.
static void fleet_weigh_carrier(CouplingFleet* f, CouplingRig* rig, CouplingTool* t)
{
    int grains = coupling_carrier_grains(f->coupling, t->carrier);
    if (grains == t->frozen) {
        return;
    }
    t->frozen = grains;
    float inertia[6];
    coupling_carrier_inertia(f->coupling, t->carrier, inertia);
    machine_set_load(rig->machine, t->body, coupling_carrier_mass(f->coupling, t->carrier),
                     coupling_carrier_center(f->coupling, t->carrier), inertia);
}

static void fleet_weigh_bin(CouplingFleet* f, CouplingRig* rig, int bin)
{
    Coupling* c = f->coupling;
    uint64_t transfers = terrain_state(coupling_bin_ground(c, rig->bin[bin]))->ledger.transfers;
    if (transfers == rig->bin_transfers[bin]) {
        return;
    }
    rig->bin_transfers[bin] = transfers;
    const MachineBin* def = &rig->def->bins[bin];
    double kg = coupling_bin_mass(c, rig->bin[bin]);
    Vec3 at = coupling_bin_center(c, rig->bin[bin]);
    float cs = base_cosf(def->turn), sn = base_sinf(def->turn);
    Vec3 com = vec3_add(def->center, vec3(at.x * cs - at.y * sn, at.x * sn + at.y * cs, at.z));
    // a layer over the whole floor, as high as twice its middle
    float m = (float)kg / 12.0f, l2 = def->length * def->length, w2 = def->width * def->width;
    float y2 = 4.0f * at.y * at.y;
    const float inertia[6] = {m * (y2 + w2), m * (l2 + w2), m * (l2 + y2), 0.0f, 0.0f, 0.0f};
    machine_set_load(rig->machine, def->body, kg, com, inertia);
}

// Before grains that froze or thawed since the last frame would weigh twice, or not at all.
static void fleet_weigh(CouplingFleet* f)
{
    for (int r = 0; r < f->rig_count; ++r) {
        CouplingRig* rig = &f->rig[r];
        for (int n = 0; n < rig->def->tool_count; ++n) {
            if (rig->tool[n].carrier >= 0) {
                fleet_weigh_carrier(f, rig, &rig->tool[n]);
            }
        }
        for (int n = 0; n < rig->def->bin_count; ++n) {
            fleet_weigh_bin(f, rig, n);
        }
    }
}

void coupling_fleet_cut(CouplingFleet* f)
{
    fleet_weigh(f);
    for (int r = 0; r < f->rig_count; ++r) {
        CouplingRig* rig = &f->rig[r];
        for (int n = 0; n < rig->def->tool_count; ++n) {
            CouplingTool* t = &rig->tool[n];
            t->felt[0] = t->felt[1] = t->grains = 0.0;
            t->push = vec3(0.0f, 0.0f, 0.0f);
            coupling_tool_cut(f, rig, t);
            coupling_tool_resist(f, rig, t);
        }
    }
}

void coupling_fleet_lead(CouplingFleet* f)
{
    Soil* soil = f->coupling->soil;
    for (int r = 0; r < f->rig_count; ++r) {
        CouplingRig* rig = &f->rig[r];
        for (int b = 0; b < rig->def->body_count; ++b) {
            if (rig->boundary[b] >= 0) {
                MachinePose pose = machine_pose(rig->machine, b);
                soil_drive(soil, rig->boundary[b], pose.position, pose.rotation,
                           machine_velocity(rig->machine, b), machine_spin(rig->machine, b));
                coupling_steel_move(&rig->steel[b]);
            }
        }
        for (int n = 0; n < rig->def->bin_count; ++n) {
            fleet_place_bin(f, rig, n);
        }
    }
}

static void fleet_push(CouplingFleet* f, CouplingRig* rig, int body, int boundary)
{
    const SoilReaction* push = soil_part_reaction(f->coupling->soil, boundary);
    const SoilBoundary* at = soil_pose(f->coupling->soil, boundary);
    Vec3 force = vec3((float)push->force[0], (float)push->force[1], (float)push->force[2]);
    Vec3 torque = vec3((float)push->torque[0], (float)push->torque[1], (float)push->torque[2]);
    if (vec3_dot(force, force) > 0.0f || vec3_dot(torque, torque) > 0.0f) {
        machine_add_force(rig->machine, body, at->position, force);
        machine_add_torque(rig->machine, body, torque);
    }
}

// The ground's answer as bounded rows: it can stop the tool, never push it.
static void fleet_resist(CouplingFleet* f, CouplingRig* rig, CouplingTool* t, double h)
{
    for (int n = 0; n < t->resist_count; ++n) {
        CouplingResist* r = &t->resist[n];
        Vec3 at = machine_to_world(rig->machine, t->body, r->local);
        MachineRow row = {.body = t->body,
                          .point = at,
                          .direction = r->direction,
                          .hi = (double)r->bound * h,
                          .limiter = -1};
        r->row = machine_add_row(rig->machine, &row);
        r->slide = -1;
        if (r->row >= 0 && r->friction > 0.0f) {
            Vec3 v = machine_point_velocity(rig->machine, t->body, at);
            Vec3 slip = vec3_mad(v, r->direction, -vec3_dot(v, r->direction));
            if (vec3_dot(slip, slip) > 1e-8f) {
                row.direction = vec3_unit(slip);
                row.limiter = r->row, row.friction = (double)r->friction;
                row.lo = row.hi = 0.0;
                r->slide = machine_add_row(rig->machine, &row);
            }
        }
        f->stats.refused_rows += r->row < 0;
    }
}

void coupling_fleet_react(CouplingFleet* f, double h)
{
    for (int r = 0; r < f->rig_count; ++r) {
        CouplingRig* rig = &f->rig[r];
        for (int b = 0; b < rig->def->body_count; ++b) {
            if (rig->boundary[b] >= 0) {
                fleet_push(f, rig, b, rig->boundary[b]);
            }
        }
        for (int n = 0; n < rig->def->bin_count; ++n) {
            fleet_push(f, rig, rig->def->bins[n].body,
                       coupling_bin_boundary(f->coupling, rig->bin[n]));
        }
        for (int n = 0; n < rig->def->tool_count; ++n) {
            CouplingTool* t = &rig->tool[n];
            if (rig->boundary[t->body] >= 0) {
                const SoilReaction* push =
                    soil_part_reaction(f->coupling->soil, rig->boundary[t->body]);
                Vec3 force =
                    vec3((float)push->force[0], (float)push->force[1], (float)push->force[2]);
                t->grains += (double)vec3_length(force) * h;
                t->push = vec3_mad(t->push, force, (float)h);
            }
            fleet_resist(f, rig, t, h);
        }
    }
}

void coupling_fleet_feel(CouplingFleet* f, double h)
{
    (void)h;
    for (int r = 0; r < f->rig_count; ++r) {
        CouplingRig* rig = &f->rig[r];
        for (int n = 0; n < rig->def->tool_count; ++n) {
            CouplingTool* t = &rig->tool[n];
            for (int k = 0; k < t->resist_count; ++k) {
                const CouplingResist* x = &t->resist[k];
                if (x->row >= 0) {
                    t->felt[x->support] += machine_row_impulse(rig->machine, x->row);
                }
            }
        }
    }
}

// --- after the frame -----------------------------------------------------------------------------

// A grain between steel and ground cannot give way, and a light grain under a heavy machine is a
// spring without a damper. Before it carries more than soil bears, it is pressed into the ground,
// which carries the tool from then on.
static void fleet_crush(CouplingFleet* f)
{
    Coupling* c = f->coupling;
    const SoilState* s = soil_state(c->soil);
    float section = 3.14159265f * c->def.radius * c->def.radius;
    int count = soil_pressed(c->soil, FLEET_CRUSH * section, f->squeezed, s->count);
    for (int n = 0; n < count; ++n) {
        int i = f->squeezed[n];
        float over = s->py[i] - terrain_height(c->terrain, s->px[i], s->pz[i]);
        if (s->mass[i] > 0 && over < FLEET_CRUSH_AT * s->radius[i]) {
            coupling_bury(c, c->terrain, i, s->px[i], s->pz[i]);
            ++f->stats.squeezed;
        }
    }
}

static void fleet_count_payload(CouplingFleet* f, CouplingRig* rig, CouplingTool* t)
{
    const SoilState* s = soil_state(f->coupling->soil);
    MachinePose pose = machine_pose(rig->machine, t->body);
    const Vec3 lo = t->def->hold_min, hi = t->def->hold_max;
    Vec3 middle = vec3_mul(vec3_add(lo, hi), 0.5f), half = vec3_mul(vec3_sub(hi, lo), 0.5f);
    Vec3 at = vec3_add(pose.position, quat_rotate(pose.rotation, middle));
    float ball2 = vec3_dot(half, half);
    uint64_t mg[TERRAIN_MATERIALS_MAX] = {0};
    for (int i = 0; i < s->count; ++i) {
        Vec3 d = vec3(s->px[i] - at.x, s->py[i] - at.y, s->pz[i] - at.z);
        if (vec3_dot(d, d) > ball2) {
            continue;
        }
        Vec3 p = quat_unrotate(pose.rotation, d);
        if (__builtin_fabsf(p.x) <= half.x && __builtin_fabsf(p.y) <= half.y &&
            __builtin_fabsf(p.z) <= half.z) {
            mg[s->material[i]] += s->mass[i];
        }
    }
    t->state.frozen = 0;
    if (t->carrier >= 0) {
        t->state.frozen = coupling_carrier_grains(f->coupling, t->carrier);
        coupling_carrier_masses(f->coupling, t->carrier, mg);
    }
    t->state.payload = 0.0;
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m) {
        t->state.payload_of[m] = 1e-6 * (double)mg[m];
        t->state.payload += t->state.payload_of[m];
    }
}

void coupling_fleet_recount(CouplingFleet* f)
{
    for (int r = 0; r < f->rig_count; ++r) {
        CouplingRig* rig = &f->rig[r];
        for (int n = 0; n < rig->def->tool_count; ++n) {
            fleet_count_payload(f, rig, &rig->tool[n]);
        }
    }
}

void coupling_fleet_settle(CouplingFleet* f)
{
    f->stats.put_back += (uint64_t)soil_stats(f->coupling->soil)->held;
    fleet_crush(f);
    coupling_below_settle(f);
    double per_frame = 1.0 / (double)soil_definition(f->coupling->soil)->dt;
    for (int r = 0; r < f->rig_count; ++r) {
        CouplingRig* rig = &f->rig[r];
        for (int n = 0; n < rig->def->tool_count; ++n) {
            CouplingTool* t = &rig->tool[n];
            t->state.resistance = (float)(t->felt[0] * per_frame);
            t->state.support = (float)(t->felt[1] * per_frame);
            t->state.grains = (float)(t->grains * per_frame);
            Vec3 now = vec3_mul(t->push, (float)per_frame);
            t->pushed = vec3_mad(t->pushed, vec3_sub(now, t->pushed), FLEET_SMOOTH);
            fleet_count_payload(f, rig, t);
        }
    }
}

// --- records -------------------------------------------------------------------------------------

// Loads are the machines' own state; the rest of a tool is worked out anew in every frame.
typedef struct FleetRecord {
    uint64_t bin_transfers[COUPLING_FLEET_MAX][COUPLING_BINS_MAX];
    int64_t frozen[COUPLING_FLEET_MAX][MACHINE_TOOLS_MAX];
    double dug[COUPLING_FLEET_MAX][MACHINE_TOOLS_MAX];
    Vec3 cut_at[COUPLING_FLEET_MAX][MACHINE_TOOLS_MAX][3];
    Vec3 pushed[COUPLING_FLEET_MAX][MACHINE_TOOLS_MAX];
    CouplingFleetStats stats;
} FleetRecord;

static FleetRecord fleet_record(const CouplingFleet* f)
{
    FleetRecord record;
    memset(&record, 0, sizeof record);
    for (int r = 0; r < f->rig_count; ++r) {
        const CouplingRig* rig = &f->rig[r];
        memcpy(record.bin_transfers[r], rig->bin_transfers, sizeof rig->bin_transfers);
        for (int n = 0; n < rig->def->tool_count; ++n) {
            record.frozen[r][n] = rig->tool[n].frozen;
            record.dug[r][n] = rig->tool[n].state.dug;
            record.pushed[r][n] = rig->tool[n].pushed;
            memcpy(record.cut_at[r][n], rig->tool[n].cut_at, sizeof rig->tool[n].cut_at);
        }
    }
    record.stats = f->stats;
    return record;
}

uint64_t coupling_fleet_hash(const CouplingFleet* f)
{
    FleetRecord record = fleet_record(f);
    return base_hash(&record, sizeof record, 0x5445454c46ull);
}

size_t coupling_fleet_snapshot_size(const CouplingFleet* f)
{
    (void)f;
    return sizeof(FleetRecord) + sizeof(uint64_t);
}

void coupling_fleet_snapshot_save(const CouplingFleet* f, void* out)
{
    FleetRecord record = fleet_record(f);
    uint64_t hash = base_hash(&record, sizeof record, 0x5445454c46ull);
    memcpy(out, &hash, sizeof hash);
    memcpy((unsigned char*)out + sizeof hash, &record, sizeof record);
}

bool coupling_fleet_snapshot_load(CouplingFleet* f, const void* in, size_t size)
{
    FleetRecord record;
    uint64_t hash;
    if (size != sizeof record + sizeof hash) {
        return false;
    }
    memcpy(&hash, in, sizeof hash);
    memcpy(&record, (const unsigned char*)in + sizeof hash, sizeof record);
    if (base_hash(&record, sizeof record, 0x5445454c46ull) != hash) {
        return false;
    }
    for (int r = 0; r < f->rig_count; ++r) {
        CouplingRig* rig = &f->rig[r];
        memcpy(rig->bin_transfers, record.bin_transfers[r], sizeof rig->bin_transfers);
        for (int n = 0; n < rig->def->tool_count; ++n) {
            rig->tool[n].frozen = (int)record.frozen[r][n];
            rig->tool[n].state.dug = record.dug[r][n];
            rig->tool[n].pushed = record.pushed[r][n];
            memcpy(rig->tool[n].cut_at, record.cut_at[r][n], sizeof rig->tool[n].cut_at);
        }
    }
    f->stats = record.stats;
    return true;
}
