// ode_bed - times the engine ODE on a settled bed of equal spheres; a yardstick, no part of Mattock.
//
//   usage: ode_bed BED FRAMES [SETTLE SAVED]
//
//   BED      text: "side radius" on the first line, then "x y z vx vy vz" per grain (m, m/s)
//   FRAMES   timed frames of 1/60 s
//   SETTLE   frames before those, not timed; the bed is then written to SAVED for later runs
//
// Prints "median_ms p99_ms contacts overlap_mean_d overlap_max_d force_over_weight".
#include <ode/ode.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FRAME_S      (1.0 / 60.0)
#define DENSITY      2600.0 // kg/m3
#define GRAVITY      9.81   // m/s2
#define FRICTION     0.5
#define ITERATIONS   10
#define WALLS        5 // floor and four sides
#define CONTACTS_MAX 1 // of a sphere with anything

typedef struct Bed {
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    dGeomID wall[WALLS];
    dBodyID* body; // [count]
    int count;
    double side, radius; // m
    // of the last frame
    long contacts; // between grains
    double overlap_sum, overlap_max;
    dJointFeedback* feedback; // [feedback_max] of the contacts with walls
    int feedback_count, feedback_max;
} Bed;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void fail(const char* what)
{
    fprintf(stderr, "ode_bed: %s\n", what);
    exit(1);
}

// A contact joint with Coulomb friction; overlaps between grains are counted on the way.
static void collide(void* data, dGeomID a, dGeomID b)
{
    Bed* bed = data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) {
        return;
    }
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = FRICTION}};
    if (!dCollide(a, b, CONTACTS_MAX, &contact.geom, sizeof contact)) {
        return;
    }
    dJointID joint = dJointCreateContact(bed->world, bed->group, &contact);
    dJointAttach(joint, body_a, body_b);
    if (body_a && body_b) {
        ++bed->contacts;
        bed->overlap_sum += contact.geom.depth;
        bed->overlap_max = fmax(bed->overlap_max, contact.geom.depth);
    } else if (bed->feedback_count < bed->feedback_max) {
        dJointSetFeedback(joint, &bed->feedback[bed->feedback_count++]);
    }
}

static void step(Bed* bed)
{
    bed->contacts = 0;
    bed->feedback_count = 0;
    bed->overlap_sum = bed->overlap_max = 0.0;
    dSpaceCollide(bed->space, bed, collide);
    dWorldQuickStep(bed->world, FRAME_S);
    dJointGroupEmpty(bed->group);
}

// The floor at y = 0 and four sides, all looking inwards.
static void add_walls(Bed* bed)
{
    bed->wall[0] = dCreatePlane(bed->space, 0, 1, 0, 0);
    bed->wall[1] = dCreatePlane(bed->space, 1, 0, 0, 0);
    bed->wall[2] = dCreatePlane(bed->space, -1, 0, 0, -bed->side);
    bed->wall[3] = dCreatePlane(bed->space, 0, 0, 1, 0);
    bed->wall[4] = dCreatePlane(bed->space, 0, 0, -1, -bed->side);
}

static void add_grain(Bed* bed, const double* row)
{
    dBodyID body = dBodyCreate(bed->world);
    dMass mass;
    dMassSetSphere(&mass, DENSITY, bed->radius);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, row[0], row[1], row[2]);
    dBodySetLinearVel(body, row[3], row[4], row[5]);
    dGeomSetBody(dCreateSphere(bed->space, bed->radius), body);
    bed->body[bed->count++] = body;
}

static int count_rows(FILE* file)
{
    int rows = 0;
    for (int c; (c = fgetc(file)) != EOF;) {
        rows += c == '\n';
    }
    rewind(file);
    return rows - 1;
}

static void load(Bed* bed, const char* path)
{
    FILE* file = fopen(path, "r");
    if (!file) {
        fail("cannot read the bed");
    }
    int rows = count_rows(file);
    if (rows < 1 || fscanf(file, "%lf %lf", &bed->side, &bed->radius) != 2) {
        fail("the bed has no grains");
    }
    bed->body = calloc((size_t)rows, sizeof *bed->body);
    bed->feedback_max = 4 * rows;
    bed->feedback = calloc((size_t)bed->feedback_max, sizeof *bed->feedback);
    if (!bed->body || !bed->feedback) {
        fail("out of memory");
    }
    add_walls(bed);
    double r[6];
    for (int i = 0; i < rows; ++i) {
        if (fscanf(file, "%lf %lf %lf %lf %lf %lf", r, r + 1, r + 2, r + 3, r + 4, r + 5) != 6) {
            fail("a grain needs six numbers");
        }
        add_grain(bed, r);
    }
    fclose(file);
}

static void save(const Bed* bed, const char* path)
{
    FILE* file = fopen(path, "w");
    if (!file) {
        fail("cannot write the settled bed");
    }
    fprintf(file, "%.9g %.9g\n", bed->side, bed->radius);
    for (int i = 0; i < bed->count; ++i) {
        const dReal* p = dBodyGetPosition(bed->body[i]);
        const dReal* v = dBodyGetLinearVel(bed->body[i]);
        fprintf(file, "%.9g %.9g %.9g %.9g %.9g %.9g\n", p[0], p[1], p[2], v[0], v[1], v[2]);
    }
    fclose(file);
}

// What the walls carry over what the grains weigh.
static double force_over_weight(const Bed* bed)
{
    double lift = 0.0;
    for (int i = 0; i < bed->feedback_count; ++i) {
        lift += bed->feedback[i].f1[1];
    }
    double weight = bed->count * DENSITY * 4.0 / 3.0 * M_PI * pow(bed->radius, 3.0) * GRAVITY;
    return lift / weight;
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void measure(Bed* bed, int frames)
{
    double* ms = calloc((size_t)frames, sizeof *ms);
    if (!ms) {
        fail("out of memory");
    }
    double force = 0.0;
    for (int i = 0; i < frames; ++i) {
        double start = now_ms();
        step(bed);
        ms[i] = now_ms() - start;
        force += force_over_weight(bed) / frames;
    }
    qsort(ms, (size_t)frames, sizeof *ms, compare);
    double d = 2.0 * bed->radius, contacts = bed->contacts ? (double)bed->contacts : 1.0;
    printf("%.4f %.4f %ld %.5f %.5f %.4f\n", ms[frames / 2], ms[(frames * 99 - 1) / 100],
           bed->contacts, bed->overlap_sum / contacts / d, bed->overlap_max / d, force);
    free(ms);
}

static void open_world(Bed* bed)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    bed->world = dWorldCreate();
    bed->space = dHashSpaceCreate(NULL);
    bed->group = dJointGroupCreate(0);
    dWorldSetGravity(bed->world, 0, -GRAVITY, 0);
    dWorldSetQuickStepNumIterations(bed->world, ITERATIONS);
}

static void close_world(Bed* bed)
{
    free(bed->feedback);
    free(bed->body);
    dJointGroupDestroy(bed->group);
    dSpaceDestroy(bed->space);
    dWorldDestroy(bed->world);
    dCloseODE();
}

int main(int argc, char** argv)
{
    int frames = argc > 2 ? atoi(argv[2]) : 0;
    if ((argc != 3 && argc != 5) || frames < 1) {
        fprintf(stderr, "usage: ode_bed BED FRAMES [SETTLE SAVED]\n");
        return 2;
    }
    Bed bed = {0};
    open_world(&bed);
    load(&bed, argv[1]);
    if (argc == 5) {
        for (int i = atoi(argv[3]); i > 0; --i) {
            step(&bed);
        }
        save(&bed, argv[4]);
    }
    measure(&bed, frames);
    close_world(&bed);
    return 0;
}
