// One frame of the soil: guess, look for neighbours if need be, solve, report.
#include "soil/soil_internal.h"

#include <time.h>

static double soil_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1.0e-9 * (double)t.tv_nsec;
}

// Charge the time since `mark` to a phase. Information only: nothing depends on it.
static void soil_clock(Soil* soil, SoilPhase phase, double* mark)
{
    double now = soil_seconds();
    soil->stats.seconds[phase] += now - *mark;
    *mark = now;
}

// Where will everyone be at the interval's end, and did anyone stray from what the list expects?
static void soil_predict_block(void* context, int block, int begin, int end)
{
    Soil* soil = context;
    SoilArrays* a = soil_arrays(soil);
    SoilBlockWork* work = &soil->block[block];
    float dt = soil->interval;
    float strayed2 = 0.0f, speed2 = 0.0f;
    for (int i = begin; i < end; ++i) {
        float dx = a->px[i] + dt * a->vx[i] - a->qx[i];
        float dy = a->py[i] + dt * a->vy[i] - a->qy[i];
        float dz = a->pz[i] + dt * a->vz[i] - a->qz[i];
        strayed2 = base_maxf(strayed2, dx * dx + dy * dy + dz * dz);
        speed2 = base_maxf(speed2, a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i] + a->vz[i] * a->vz[i]);
    }
    work->strayed2 = strayed2;
    work->speed2 = speed2;
}

// the new list's expectation, and its bounds for the grid
static void soil_expect_block(void* context, int block, int begin, int end)
{
    Soil* soil = context;
    SoilArrays* a = soil_arrays(soil);
    SoilBlockWork* work = &soil->block[block];
    float dt = soil->interval;
    float low[3] = {SOIL_FAR, SOIL_FAR, SOIL_FAR}, high[3] = {-SOIL_FAR, -SOIL_FAR, -SOIL_FAR};
    for (int i = begin; i < end; ++i) {
        a->qx[i] = a->px[i] + dt * a->vx[i];
        a->qy[i] = a->py[i] + dt * a->vy[i];
        a->qz[i] = a->pz[i] + dt * a->vz[i];
        low[0] = base_minf(low[0], a->qx[i]), high[0] = base_maxf(high[0], a->qx[i]);
        low[1] = base_minf(low[1], a->qy[i]), high[1] = base_maxf(high[1], a->qy[i]);
        low[2] = base_minf(low[2], a->qz[i]), high[2] = base_maxf(high[2], a->qz[i]);
    }
    memcpy(work->low, low, sizeof low);
    memcpy(work->high, high, sizeof high);
}

static float soil_max_speed(Soil* soil, float* strayed2)
{
    float speed2 = 0.0f;
    *strayed2 = 0.0f;
    for (int b = 0; b < jobs_blocks(soil->state.count, SOIL_BLOCK); ++b) {
        speed2 = base_maxf(speed2, soil->block[b].speed2);
        *strayed2 = base_maxf(*strayed2, soil->block[b].strayed2);
    }
    return __builtin_sqrtf(speed2);
}

static void soil_list_count(Soil* soil, bool* crowded)
{
    soil->stats.slots = soil->stats.lanes = soil->stats.refused = 0;
    *crowded = false;
    for (int b = 0; b < jobs_blocks(soil->state.count, SOIL_BLOCK); ++b) {
        soil->stats.slots += soil->block[b].slots;
        soil->stats.lanes += soil->block[b].lanes;
        soil->stats.refused += soil->block[b].refused;
        *crowded |= soil->block[b].crowded;
    }
}

static void soil_list_build(Soil* soil, Jobs* jobs, double* mark)
{
    jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_expect_block, soil);
    soil_grid_sort(soil, jobs);
    soil->uniform = soil_grains_uniform(soil);
    soil_clock(soil, SOIL_PHASE_SORT, mark);

    soil->list_current = 1 - soil->list_current;
    soil_list(soil)->count = soil->state.count;
    soil->refusing = false;
    jobs_for(jobs, soil->state.count, SOIL_BLOCK, *soil->simd->list, soil);
    bool crowded;
    soil_list_count(soil, &crowded);
    if (crowded) {
        soil->refusing = true;
        jobs_for(jobs, soil->state.count, SOIL_BLOCK, *soil->simd->list, soil);
        soil_list_count(soil, &crowded);
    }
    soil->list_valid = true;
    soil->stats.list_builds++;
    soil_clock(soil, SOIL_PHASE_LIST, mark);
}

// Look for contacts if anyone strayed, and for surfaces if any moved.
static void soil_collide(Soil* soil, Jobs* jobs, float h, double* mark)
{
    jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_predict_block, soil);
    float strayed2;
    soil->moving = soil_max_speed(soil, &strayed2) * soil->interval > soil_margin(soil) / 16.0f;
    float half = 0.5f * soil_margin(soil);
    soil_clock(soil, SOIL_PHASE_PREDICT, mark);
    bool build = !soil->list_valid || soil->state.dead > 0 || strayed2 > half * half;
    if (build) {
        soil_list_build(soil, jobs, mark);
        soil_surface_find(soil, jobs, true);
    } else if (soil_surface_moving(soil)) {
        soil_surface_find(soil, jobs, false);
    }
    if (soil->def.kernel != SOIL_KERNEL_SPLIT) {
        soil_factors_fill(soil, jobs, h);
    }
    soil_clock(soil, SOIL_PHASE_COLLIDE, mark);
}

static void soil_solve(Soil* soil, Jobs* jobs, int substeps, float h)
{
    switch (soil->def.kernel) {
    case SOIL_KERNEL_P2: soil_p2_solve(soil, jobs, substeps, h); break;
    case SOIL_KERNEL_GS: soil_gs_solve(soil, jobs, substeps, h); break;
    default: soil_split_solve(soil, jobs, substeps, h); break;
    }
    soil->stats.evaluations += soil->stats.slots * substeps * soil->def.iterations;
}

void soil_split_solve(Soil* soil, Jobs* jobs, int substeps, float h)
{
    SoilPass pass = {.soil = soil, .h = h, .to = soil->record[0]};
    jobs_for(jobs, soil->state.count, SOIL_BLOCK, *soil->simd->split_start, &pass);
    int front = 0;
    for (int s = 0; s < substeps; ++s) {
        pass.time = (float)s * h;
        pass.last = s == substeps - 1;
        for (int n = 0; n < soil->def.iterations; ++n) {
            pass.final = n == soil->def.iterations - 1;
            pass.from = soil->record[front];
            pass.to = soil->record[1 - front];
            jobs_for(jobs, soil->state.count, SOIL_BLOCK, *soil->simd->split_sweep, &pass);
            front = 1 - front;
        }
    }
}

// How many times to look for neighbours in this frame: once, unless grains are so fast that they
// would pass each other between two looks. Only the split kernel can look between its substeps.
static int soil_looks(Soil* soil, Jobs* jobs)
{
    if (soil->def.kernel != SOIL_KERNEL_SPLIT) {
        return 1;
    }
    jobs_for(jobs, soil->state.count, SOIL_BLOCK, soil_predict_block, soil);
    float strayed2;
    float way = soil_max_speed(soil, &strayed2) * soil->def.dt;
    float stride = SOIL_STRIDE * 2.0f * soil->def.radius_max;
    int looks = 1;
    while (looks < soil->def.substeps && way > stride * (float)looks) {
        ++looks;
    }
    return looks;
}

void soil_step(Soil* soil, Jobs* jobs)
{
    double mark = soil_seconds();
    memset(soil->stats.seconds, 0, sizeof soil->stats.seconds);
    soil->stats.list_builds = 0;
    soil->stats.evaluations = 0;
    int blocks = jobs_blocks(soil->state.count, SOIL_BLOCK);
    memset(soil->push, 0, (size_t)blocks * SOIL_BOUNDARIES_MAX * sizeof *soil->push);

    // an interval of substeps for each look around
    float h = soil->def.dt / (float)soil->def.substeps;
    int looks = soil_looks(soil, jobs), done = 0;
    for (int n = 1; n <= looks && soil->state.count > 0; ++n) {
        int substeps = soil->def.substeps * n / looks - done;
        done += substeps;
        soil->interval = h * (float)substeps;
        soil_collide(soil, jobs, h, &mark);
        soil_solve(soil, jobs, substeps, h);
        soil_clock(soil, SOIL_PHASE_SOLVE, &mark);
        soil_surface_move(soil, soil->interval);
    }
    if (soil->state.count == 0) {
        soil_surface_move(soil, soil->def.dt);
    }

    soil_surface_react(soil);
    soil->state.frame++;
    soil_clock(soil, SOIL_PHASE_FINISH, &mark);
}
