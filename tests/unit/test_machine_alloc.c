// Nothing in a step of a machine takes or gives memory.
#include "lab/lab_machine_scene.h"
#include "unit/count_alloc.h"

void setUp(void) {}
void tearDown(void) {}

static void a_step_allocates_nothing(void)
{
    BaseArena arena;
    BaseYamlError error;
    MachineDef def;
    TEST_ASSERT_TRUE(base_arena_init(&arena, 64u << 20));
    TEST_ASSERT_TRUE(machine_load("vehicles/excavator_22t.yaml", &arena, &def, &error));
    Machine* m = machine_create(&def);
    TEST_ASSERT_NOT_NULL(m);
    MachineGround ground = lab_machine_hills();

    watch();
    for (int frame = 0; frame < 60; ++frame)
        lab_machine_frame(m, &ground, frame);
    (void)machine_hash(m);
    (void)machine_balance(m);
    MachineState saved = *machine_state(m);
    (void)machine_set_state(m, &saved);
    TEST_ASSERT_EQUAL_INT(0, watched());
    machine_destroy(m);
    base_arena_free(&arena);
}

int main(void)
{
    start_counting();
    UNITY_BEGIN();
    RUN_TEST(counting_counts);
    RUN_TEST(a_step_allocates_nothing);
    return UNITY_END();
}
