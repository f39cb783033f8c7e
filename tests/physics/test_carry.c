// Audit of bins and carriers: 240 random rides, tilted, jerked and driven about. The ledger stays
// exact, no grain goes through steel and none below the ground.
#include "base/base_random.h"
#include "scenes/scenes_bucket.h"
#include "unity.h"

#include <stdlib.h>

#define RIDES     120 // of bins, and as many of carriers
#define RADIUS    0.05f
#define SIDE      40 // columns
#define POOL      500
#define IDS       40000
#define ACTIONS   5
#define FLOOR     0.4f  // m of bank
#define BIN_PLATE 0.08f // m, of a bin's steel

typedef struct Ride {
    BaseRandom random;
    Jobs* jobs;
    Soil* soil;
    Terrain* terrain;
    Coupling* coupling;
    ScenesBucket bucket;
    int bin, carrier; // -1: not this kind
    bool open;
    SoilBoundary* body;
    Vec3 half; // m, inside: x, height, z
} Ride;

typedef struct Audit {
    long steps, grain_steps;
    long unbalanced, through, buried;
    uint64_t freezes, thaws, into_bins, out_of_bins;
} Audit;

static Audit audit;
static Vec3 before[IDS]; // in the body's frame; .y of 1e9: unknown

void setUp(void) {}

void tearDown(void) {}

static float some(Ride* r, float low, float high)
{
    return base_random_range(&r->random, low, high);
}

// A chance per line: compilers differ in the order in which they evaluate arguments.
static Vec3 some_place(Ride* r, Vec3 most)
{
    float x = some(r, -most.x, most.x);
    float y = some(r, -most.y, most.y);
    float z = some(r, -most.z, most.z);
    return vec3(x, y, z);
}

static void make_world(Ride* r, uint64_t seed)
{
    float degree = (float)BASE_DEG;
    *r = (Ride){.random = base_random(seed), .jobs = jobs_create(1), .bin = -1, .carrier = -1};
    TerrainDef ground = terrain_def(SIDE, SIDE);
    ground.material_count = 2;
    ground.material[0] = terrain_material(1800, 1600, 34 * degree, 0, 30 * degree);
    ground.material[1] = terrain_material(1950, 1560, 15 * degree, 40000, 35 * degree);
    r->terrain = terrain_create(&ground);
    SoilDef grains = soil_def(SOIL_KERNEL_SPLIT, POOL, RADIUS);
    grains.material_count = 2;
    grains.material[1] = grains.material[0];
    grains.material[0].friction_static = grains.material[0].friction_kinetic = some(r, 0.2f, 0.5f);
    grains.material[1].adhesion = some(r, 0.0f, 2000.0f);
    r->soil = soil_create(&grains);
    CouplingDef def = coupling_def(RADIUS);
    r->coupling = coupling_create(&def, r->soil, r->terrain);
    TEST_ASSERT_NOT_NULL(r->coupling);
    for (int cell = 0; cell < SIDE * SIDE; ++cell) {
        terrain_lay_depth(r->terrain, cell, 1, FLOOR);
    }
    for (int k = 0; k < IDS; ++k) {
        before[k].y = 1e9f;
    }
}

static void make_bin(Ride* r, Vec3 at)
{
    CouplingBinDef def = {.length = some(r, 0.8f, 1.4f),
                          .width = some(r, 0.7f, 1.1f),
                          .wall = some(r, 0.3f, 0.6f),
                          .steel = some(r, 0.2f, 0.5f),
                          .cell = 0.1f};
    r->bin = coupling_add_bin(r->coupling, &def, at);
    TEST_ASSERT_EQUAL_INT(0, r->bin);
    const TerrainDef* inside = terrain_definition(coupling_bin_ground(r->coupling, r->bin));
    r->half = vec3(0.05f * (float)inside->nx, def.wall, 0.05f * (float)inside->nz);
    r->open = some(r, 0.0f, 1.0f) < 0.3f;
    coupling_bin_gate(r->coupling, r->bin, r->open);
    r->body = coupling_bin_body(r->coupling, r->bin);
}

static void make_bucket(Ride* r, Vec3 at)
{
    Vec3 half = vec3_add(vec3(0.47f, 0.22f, 0.47f), some_place(r, vec3(0.12f, 0.08f, 0.12f)));
    TEST_ASSERT_TRUE(scenes_bucket_make(&r->bucket, r->soil, at, half));
    CouplingCarrierDef box = scenes_bucket_carrier(&r->bucket);
    r->carrier = coupling_add_carrier(r->coupling, &box);
    TEST_ASSERT_EQUAL_INT(0, r->carrier);
    r->half = vec3(half.x, 2.0f * half.y, half.z);
    r->body = soil_boundary(r->soil, r->bucket.boundary);
}

static void end_world(Ride* r)
{
    const CouplingLedger* l = coupling_ledger(r->coupling);
    audit.freezes += l->freezes, audit.thaws += l->thaws;
    if (r->bin >= 0) {
        const TerrainLedger* b = &terrain_state(coupling_bin_ground(r->coupling, 0))->ledger;
        audit.into_bins += b->received.of[0] + b->received.of[1];
        audit.out_of_bins += b->given.of[0] + b->given.of[1];
    }
    coupling_destroy(r->coupling);
    soil_destroy(r->soil);
    terrain_destroy(r->terrain);
    jobs_destroy(r->jobs);
}

// Did a grain go from the inside to beyond floor or wall, not over the rim and not by the gate?
static bool went_through(const Ride* r, Vec3 from, Vec3 to)
{
    float plate = r->bin >= 0 ? BIN_PLATE : SCENES_BUCKET_PLATE;
    bool inside = from.y > 0.0f && from.y < r->half.y && __builtin_fabsf(from.x) < r->half.x &&
                  __builtin_fabsf(from.z) < r->half.z;
    bool under = to.y < -0.5f * plate && __builtin_fabsf(to.x) < r->half.x - RADIUS &&
                 __builtin_fabsf(to.z) < r->half.z - RADIUS;
    // beside: both ends of the way are clear of the rim
    float high = base_maxf(from.y, to.y), low = base_minf(from.y, to.y);
    bool beside =
        high < r->half.y - RADIUS && low > RADIUS &&
        (__builtin_fabsf(to.x) > r->half.x + plate || __builtin_fabsf(to.z) > r->half.z + plate);
    bool gate = r->open && to.x < -r->half.x + RADIUS;
    return inside && !gate && (under || beside);
}

static void look(Ride* r)
{
    const SoilState* s = soil_state(r->soil);
    TEST_ASSERT_TRUE(s->next_id < IDS);
    ++audit.steps;
    audit.unbalanced += !coupling_balanced(r->coupling);
    if (audit.steps % 8 == 0) {
        audit.unbalanced += !coupling_audit(r->coupling);
    }
    TEST_ASSERT_EQUAL_INT(-1, soil_find_bad(r->soil));
    for (int i = 0; i < s->count; ++i) {
        if (s->mass[i] == 0) {
            continue;
        }
        Vec3 at = vec3(s->px[i], s->py[i], s->pz[i]);
        Vec3 local = quat_unrotate(r->body->rotation, vec3_sub(at, r->body->position));
        Vec3* last = &before[s->id[i]];
        bool known = last->y < 1e8f;
        ++audit.grain_steps;
        audit.through += known && went_through(r, *last, local);
        audit.buried += at.y < terrain_height(r->terrain, at.x, at.z) - s->radius[i];
        *last = local;
    }
}

static void step(Ride* r, int frames)
{
    for (int k = 0; k < frames; ++k) {
        soil_step(r->soil, r->jobs);
        coupling_step(r->coupling, r->jobs);
        terrain_settle(r->terrain, r->jobs);
        look(r);
    }
}

static void fill(Ride* r, int count)
{
    Vec3 p = r->body->position;
    float wide = 0.8f * r->half.x, deep = 0.8f * r->half.z;
    for (int k = 0; k < count; ++k) {
        Vec3 off = some_place(r, vec3(wide, 0.0f, deep));
        Vec3 at = vec3(p.x + off.x, p.y + 0.1f + 0.02f * (float)k, p.z + off.z);
        coupling_pour(r->coupling, at, vec3(0.0f, -0.5f, 0.0f), k % 2);
    }
}

// One thing that happens to a body; it is kept off the ground and over the site.
static void act(Ride* r)
{
    Vec3 p = r->body->position;
    float what = some(r, 0.0f, 1.0f), most = what < 0.3f ? 4.0f : 1.0f;
    r->body->spin = vec3(0.0f, 0.0f, 0.0f);
    if (what < 0.55f) { // drive, or jerk
        r->body->velocity = some_place(r, vec3(most, most, most));
    } else if (what < 0.9f) { // tilt, perhaps while it goes on
        r->body->spin = some_place(r, vec3(1.5f, 1.0f, 1.5f));
    } else { // stop
        r->body->velocity = vec3(0.0f, 0.0f, 0.0f);
    }
    Vec3 v = r->body->velocity;
    v.x = (p.x < 1.5f && v.x < 0.0f) || (p.x > 2.5f && v.x > 0.0f) ? -v.x : v.x;
    v.z = (p.z < 1.5f && v.z < 0.0f) || (p.z > 2.5f && v.z > 0.0f) ? -v.z : v.z;
    v.y = (p.y < 1.9f && v.y < 0.0f) || (p.y > 2.8f && v.y > 0.0f) ? -v.y : v.y;
    r->body->velocity = v;
    step(r, 5 + (int)some(r, 0.0f, most > 2.0f ? 10.0f : 40.0f));
}

static void ride(uint64_t seed, bool bin)
{
    Ride r;
    make_world(&r, seed);
    Vec3 at = vec3(2.0f, 2.2f, 2.0f);
    if (bin) {
        make_bin(&r, at);
    } else {
        make_bucket(&r, at);
    }
    fill(&r, 40 + (int)some(&r, 0.0f, 80.0f));
    step(&r, 70);
    for (int k = 0; k < ACTIONS; ++k) {
        act(&r);
    }
    TEST_ASSERT_TRUE(coupling_audit(r.coupling));
    end_world(&r);
}

static void report(void)
{
    printf("%ld steps, %ld grain steps: unbalanced %ld, through steel %ld, below ground %ld\n",
           audit.steps, audit.grain_steps, audit.unbalanced, audit.through, audit.buried);
}

static void bins_keep_their_books_and_walls(void)
{
    audit = (Audit){0};
    for (uint64_t seed = 1; seed <= RIDES; ++seed) {
        ride(seed, true);
    }
    report();
    TEST_ASSERT_EQUAL_INT(0, audit.unbalanced);
    TEST_ASSERT_EQUAL_INT(0, audit.through);
    TEST_ASSERT_EQUAL_INT(0, audit.buried);
    TEST_ASSERT_TRUE(audit.into_bins > 1000000000u && audit.out_of_bins > 1000000000u);
}

static void carriers_keep_their_books_and_walls(void)
{
    audit = (Audit){0};
    for (uint64_t seed = 1; seed <= RIDES; ++seed) {
        ride(1000 + seed, false);
    }
    report();
    printf("%lu freezes, %lu thaws\n", (unsigned long)audit.freezes, (unsigned long)audit.thaws);
    TEST_ASSERT_EQUAL_INT(0, audit.unbalanced);
    TEST_ASSERT_EQUAL_INT(0, audit.through);
    TEST_ASSERT_EQUAL_INT(0, audit.buried);
    TEST_ASSERT_TRUE(audit.freezes > 1000 && audit.thaws > 1000);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(bins_keep_their_books_and_walls);
    RUN_TEST(carriers_keep_their_books_and_walls);
    return UNITY_END();
}
