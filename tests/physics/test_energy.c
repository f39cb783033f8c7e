// Claims about energy (I5): grains move faster only by the work of gravity and of what moves among them.
//
// Between two looks a tenth of a second apart the kinetic energy may grow by the work of gravity and of the boundaries
// and by 1 % of the most that was there. Shifts that mend overlaps move places only, so gravity's work is taken from
// the velocities.
#include "base/base_random.h"
#include "soil/soil.h"

#include "unity.h"

#define RADIUS  0.04f
#define DENSITY 1650.0f // kg/m3
#define GRAVITY 9.81
#define DT      (1.0 / 60.0) // s, a frame
#define WINDOW  6            // frames between two looks
#define SHARE   0.01         // of the most energy, that may come out of nothing

typedef struct EnergyBook {
    double kinetic; // J, now
    double work;    // J, done on the grains since the last look
    double then;    // J, kinetic at the last look
    double most;    // J, so far
    double excess;  // worst (growth - work) / most
    double dy;      // sum of m vy, kg m/s
    int frames;
} EnergyBook;

static Jobs* jobs;

void setUp(void) {}
void tearDown(void) {}

static uint32_t mass_of(float radius)
{
    return (uint32_t)(4.18879f * radius * radius * radius * DENSITY * 1e6f);
}

static Soil* make(int capacity)
{
    SoilDef def = soil_def(SOIL_KERNEL_SPLIT, capacity, RADIUS);
    def.material[0].friction_static = def.material[0].friction_kinetic = 0.3f;
    return soil_create(&def);
}

static void look(const Soil* soil, EnergyBook* book)
{
    const SoilState* s = soil_state(soil);
    book->kinetic = book->dy = 0.0;
    for (int i = 0; i < s->count; ++i) {
        double m = 1e-6 * s->mass[i];
        double x = (double)s->vx[i], y = (double)s->vy[i], z = (double)s->vz[i];
        book->kinetic += 0.5 * m * (x * x + y * y + z * z);
        book->dy += m * y;
    }
}

static EnergyBook begin(const Soil* soil)
{
    EnergyBook book = {.most = 1e-3};
    look(soil, &book);
    book.then = book.kinetic;
    return book;
}

static void step(Soil* soil, EnergyBook* book, int boundaries)
{
    double before = book->dy;
    soil_step(soil, jobs);
    look(soil, book);
    double fall = -0.5 * (before + book->dy) * GRAVITY * DT, pushed = 0.0;
    for (int b = 0; b < boundaries; ++b) {
        const SoilReaction* r = soil_reaction(soil, b);
        const SoilBoundary* body = soil_boundary(soil, b);
        const Vec3 v = body->velocity, w = body->spin;
        pushed -= DT * (r->force[0] * (double)v.x + r->force[1] * (double)v.y +
                        r->force[2] * (double)v.z + r->torque[0] * (double)w.x +
                        r->torque[1] * (double)w.y + r->torque[2] * (double)w.z);
    }
    book->work += fall + pushed;
    book->most = book->kinetic > book->most ? book->kinetic : book->most;
    if (++book->frames % WINDOW == 0) {
        double excess = (book->kinetic - book->then - book->work) / book->most;
        book->excess = excess > book->excess ? excess : book->excess;
        book->then = book->kinetic, book->work = 0.0;
    }
}

// Grains on a jittered lattice.
static void fill(Soil* soil, Vec3 low, const int count[3], uint64_t seed)
{
    BaseRandom random = base_random(seed);
    for (int k = 0; k < count[0] * count[1] * count[2]; ++k) {
        int x = k % count[0], y = k / count[0] % count[1], z = k / (count[0] * count[1]);
        float radius = RADIUS * base_random_range(&random, 0.85f, 1.0f);
        Vec3 at = vec3(2.05f * RADIUS * (float)x + base_random_range(&random, 0, 0.004f),
                       2.05f * RADIUS * (float)y + RADIUS,
                       2.05f * RADIUS * (float)z + base_random_range(&random, 0, 0.004f));
        soil_spawn(soil, vec3_add(low, at), vec3(0, 0, 0), radius, mass_of(radius), 0);
    }
}

// A column falls apart on a floor.
static void a_falling_column_has_no_more_than_it_fell(void)
{
    const int count[3] = {7, 14, 6};
    Soil* soil = make(600);
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.5f);
    soil_add_boundary(soil, &floor);
    fill(soil, vec3(0, 0, 0), count, 3);
    EnergyBook book = begin(soil);
    for (int f = 0; f < 150; ++f) {
        step(soil, &book, 1);
    }
    TEST_ASSERT_TRUE(book.most > 50.0);
    TEST_ASSERT_TRUE(book.excess < SHARE);
    soil_destroy(soil);
}

// A plate is pushed through a bed, turns in it, stops and goes back.
static void a_plate_gives_what_it_works(void)
{
    const int count[3] = {14, 6, 8};
    const Vec3 velocity[4] = {{1.5f, 0, 0}, {0, 0, 0}, {-0.6f, 0.1f, 0.3f}, {0, 0, 0}};
    const Vec3 spin[4] = {{0, 0, 0}, {0, 2.5f, 1.0f}, {0, 0, -3.0f}, {0, 0, 0}};
    Soil* soil = make(800);
    SoilBoundary floor = soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.5f);
    SoilBoundary plate = soil_box(vec3(-0.1f, 0.25f, 0.3f), vec3(0.03f, 0.22f, 0.25f), 0.3f);
    soil_add_boundary(soil, &floor);
    soil_add_boundary(soil, &plate);
    fill(soil, vec3(0, 0, 0), count, 5);
    EnergyBook book = begin(soil);
    for (int f = 0; f < 160; ++f) {
        soil_boundary(soil, 1)->velocity = velocity[f / 40];
        soil_boundary(soil, 1)->spin = spin[f / 40];
        step(soil, &book, 2);
    }
    TEST_ASSERT_TRUE(book.most > 20.0);
    TEST_ASSERT_TRUE(book.excess < SHARE);
    soil_destroy(soil);
}

// Grains between jaws that close, and give way by millimetres: what was pressed is not shot out.
static void jaws_that_open_shoot_nothing(void)
{
    BaseRandom random = base_random(11);
    double worst = 0.0;
    for (int n = 0; n < 120; ++n) {
        Soil* soil = make(8);
        SoilBoundary left = soil_plane(vec3(0, 0, 0), vec3(1, 0.1f, 0), 0.3f);
        SoilBoundary right = soil_plane(vec3(2.0f * RADIUS, 0, 0), vec3(-1, 0.4f, 0), 0.5f);
        soil_add_boundary(soil, &left);
        soil_add_boundary(soil, &right);
        soil_spawn(soil, vec3(RADIUS, 0.0f, 0), vec3(0, 0, 0), RADIUS, mass_of(RADIUS), 0);
        EnergyBook book = begin(soil);
        float speed = base_random_range(&random, 0.05f, 2.0f);
        for (int f = 0; f < 60; ++f) {
            SoilBoundary* jaw = soil_boundary(soil, 1);
            bool closes = f % 12 < 3;
            jaw->velocity = vec3(closes ? -speed : 0.0f, 0, 0);
            // what gives way leaves at once; it works on nothing
            if (f % 12 == 3) {
                jaw->position.x =
                    soil_state(soil)->px[0] + RADIUS + base_random_range(&random, 0.001f, 0.015f);
            }
            step(soil, &book, 2);
            worst = book.excess * book.most > worst ? book.excess * book.most : worst;
        }
        soil_destroy(soil);
    }
    // J, of a grain of 0.4 kg; by taking turns the jaws once made 1e40 J
    TEST_ASSERT_TRUE(worst < 0.01);
}

int main(void)
{
    UNITY_BEGIN();
    jobs = jobs_create(2);
    RUN_TEST(a_falling_column_has_no_more_than_it_fell);
    RUN_TEST(a_plate_gives_what_it_works);
    RUN_TEST(jaws_that_open_shoot_nothing);
    jobs_destroy(jobs);
    return UNITY_END();
}
