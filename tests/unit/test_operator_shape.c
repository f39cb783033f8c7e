// What the operator leaves behind: a floor within some centimetres, its walls untouched, the same bits
// for every number of threads.
#include "base/base_path.h"
#include "operator/operator.h"
#include "unity.h"

#include <string.h>

#define SHAPE_SECONDS 110
#define SHAPE_DEPTH   0.15f // m, less than a pass leaves to be finished and a little more

void setUp(void) {}
void tearDown(void) {}

static char path[4][4096];

static World* field(int threads)
{
    static const char* const name[4] = {"config/sites/flat.yaml", "config/materials.yaml",
                                        "config/calibration.yaml", "vehicles/excavator_22t.yaml"};
    for (int k = 0; k < 4; ++k) {
        TEST_ASSERT_TRUE(base_path_find(name[k], path[k], sizeof path[k]));
    }
    WorldDef def = {.site = path[0],
                    .materials = path[1],
                    .calibration = path[2],
                    .radius = 0.05f,
                    .pool = 8000,
                    .births = 600,
                    .machine = {{.vehicle = path[3]}},
                    .machine_count = 1};
    BaseYamlError error;
    World* world = world_create(&def, threads, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(world, error.text);
    return world;
}

// A strip as wide as the bucket, ahead of the machine; soil is set aside to its left.
static OperatorTask strip(const World* world, float tolerance)
{
    OperatorTask task = {.program = OPERATOR_PIT, .truck = -1, .tolerance = tolerance};
    operator_task_box(&task, 6.2f, 0.0f, 0.0f, 2.4f, 1.2f);
    float level = terrain_height(world_terrain((World*)world), 6.2f, 0.0f);
    task.from[0] = 6.2f, task.floor = level - SHAPE_DEPTH;
    task.way[0] = -1.0f;
    task.heap[0][1] = task.heap[1][1] = -6.0f;
    task.heap[0][0] = 1.0f, task.heap[1][0] = 3.0f;
    return task;
}

static uint64_t work(World* world, Operator* op, int seconds)
{
    for (int n = 0; n < seconds * WORLD_RATE && !operator_done(op); ++n) {
        InputFrame input[WORLD_MACHINES_MAX];
        memset(input, 0, sizeof input);
        operator_step(op, world, &input[0]);
        world_step(world, input);
    }
    return world_hash(world).total;
}

// Share of columns within so much of the floor, in the middle of the strip: at its ends the bucket goes in
// and turns up. The worst that was taken from the ground around it.
static double floor_within(const World* world, const OperatorTask* task, float within, float* rim)
{
    const Terrain* ground = world_terrain((World*)world);
    const TerrainDef* site = terrain_definition(ground);
    int count = 0, fine = 0;
    *rim = 0.0f;
    for (int cell = 0; cell < site->nx * site->nz; ++cell) {
        Vec3 at = terrain_center(ground, cell);
        float x = at.x - 6.2f, z = at.z, error = at.y - task->floor;
        bool in = x > -0.7f && x < 0.4f && z > -0.5f && z < 0.5f;
        bool near = x > -1.8f && x < 1.8f && z > -1.1f && z < 1.1f;
        count += in;
        fine += in && error < within && error > -within;
        if (!in && near && (x < -1.4f || x > 1.4f || z < -0.75f || z > 0.75f)) {
            float sunk = SHAPE_DEPTH - error;
            *rim = sunk > *rim ? sunk : *rim;
        }
    }
    TEST_ASSERT_TRUE(count > 90);
    return (double)fine / count;
}

static void a_strip_is_finished_to_its_floor(void)
{
    World *world = field(1), *other = field(3);
    OperatorTask task = strip(world, 0.04f);
    Operator op, same;
    const char* missing;
    TEST_ASSERT_TRUE(operator_init(&op, OPERATOR_EXPERT, world, 0, &task, 7, &missing));
    TEST_ASSERT_TRUE(operator_init(&same, OPERATOR_EXPERT, other, 0, &task, 7, &missing));
    float rim;
    TEST_ASSERT_TRUE(floor_within(world, &task, 0.04f, &rim) <= 0.0);
    uint64_t hash = work(world, &op, SHAPE_SECONDS);
    double share = floor_within(world, &task, 0.04f, &rim);
    TEST_ASSERT_TRUE(share > 0.95);
    TEST_ASSERT_TRUE(rim < 0.03f);
    TEST_ASSERT_EQUAL_HEX64(hash, work(other, &same, SHAPE_SECONDS));
    TEST_ASSERT_EQUAL_INT64(0, world_imbalance(world));
    world_destroy(world);
    world_destroy(other);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_strip_is_finished_to_its_floor);
    return UNITY_END();
}
