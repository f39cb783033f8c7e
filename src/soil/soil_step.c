// One frame of the soil: guess, look for neighbours if need be, solve, report.
#include "base/base_assert.h"
#include "base/base_clock.h"
#include "soil/soil_internal.h"

// Charge the time since `mark` to a phase. Information only: nothing depends on it.
static void soil_clock(Soil* soil, SoilPhase phase, double* mark)
{
    double now = base_seconds();
    soil->stats.seconds[phase] += now - *mark;
    *mark = now;
}

// Squared speed by which a grain may pass others unseen. Where a driven body is, or comes to in this
// frame, it is the speed against the body: a load that swings with its bucket needs no closer look,
// and a grain at rest that the bucket comes upon does.
static float soil_passing2(const Soil* soil, Vec3 at, Vec3 velocity)
{
    for (int b = 0; b < soil->boundary_count; ++b) {
        const SoilBoundary* body = &soil->boundary[b];
        Vec3 arm = vec3_sub(at, body->position);
        if (body->driven && vec3_dot(arm, arm) < soil->near2[b]) {
            Vec3 there = vec3_add(body->velocity, vec3_cross(body->spin, arm));
            Vec3 relative = vec3_sub(velocity, there);
            return vec3_dot(relative, relative);
        }
    }
    return vec3_dot(velocity, velocity);
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
    if (soil->driven) {
        speed2 = 0.0f;
        for (int i = begin; i < end; ++i) {
            Vec3 at = vec3(a->px[i], a->py[i], a->pz[i]);
            Vec3 velocity = vec3(a->vx[i], a->vy[i], a->vz[i]);
            speed2 = base_maxf(speed2, soil_passing2(soil, at, velocity));
        }
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

// Substeps from soil->substep to `stop`; with the interval's last one the grains are written back.
void soil_split_solve(Soil* soil, Jobs* jobs, int stop, float h)
{
    SoilPass pass = {.soil = soil, .h = h};
    for (; soil->substep < stop; ++soil->substep) {
        pass.time = (float)(soil->substep - soil->begun) * h;
        pass.last = soil->substep + 1 == soil->until;
        for (int n = 0; n < soil->def.iterations; ++n) {
            pass.final = n == soil->def.iterations - 1;
            pass.from = soil->record[soil->front];
            pass.to = soil->record[1 - soil->front];
            jobs_for(jobs, soil->state.count, SOIL_BLOCK, *soil->simd->split_sweep, &pass);
            soil->front = 1 - soil->front;
        }
    }
}

static void soil_solve(Soil* soil, Jobs* jobs, int stop, float h)
{
    int substeps = stop - soil->substep;
    switch (soil->def.kernel) {
    case SOIL_KERNEL_P2: soil_p2_solve(soil, jobs, substeps, h); break;
    case SOIL_KERNEL_GS: soil_gs_solve(soil, jobs, substeps, h); break;
    default: soil_split_solve(soil, jobs, stop, h); break;
    }
    soil->substep = stop;
    soil->stats.evaluations += soil->stats.slots * substeps * soil->def.iterations;
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
    float stride = soil->def.stride * 2.0f * soil->def.radius_max;
    int looks = 1;
    while (looks < soil->def.substeps && way > stride * (float)looks) {
        ++looks;
    }
    return looks;
}

// How far around it a driven body may meet grains in this frame.
static void soil_reach(Soil* soil)
{
    for (int b = 0; b < soil->boundary_count; ++b) {
        const SoilBoundary* body = &soil->boundary[b];
        float speed = vec3_length(body->velocity) + body->extent * vec3_length(body->spin);
        float reach = body->extent + 4.0f * soil->def.radius_max + speed * soil->def.dt;
        soil->near2[b] = reach * reach;
    }
}

void soil_begin(Soil* soil, Jobs* jobs, int parts)
{
    BASE_ASSERT(parts >= 1 && parts <= soil->def.substeps);
    BASE_ASSERT(parts == 1 || soil->def.kernel == SOIL_KERNEL_SPLIT);
    soil->mark = base_seconds();
    memset(soil->stats.seconds, 0, sizeof soil->stats.seconds);
    soil->stats.list_builds = 0;
    soil->stats.evaluations = 0;
    int blocks = jobs_blocks(soil->state.count, SOIL_BLOCK);
    memset(soil->push, 0, (size_t)blocks * SOIL_BOUNDARIES_MAX * sizeof *soil->push);
    memset(soil->frame_push, 0, sizeof soil->frame_push);
    soil->driven = soil_surface_driven(soil);
    soil_reach(soil);
    soil->holding = soil_hold_any(soil);
    soil->jobs = jobs;
    soil->stats.held = 0;
    soil->parts = parts, soil->part = 0;
    soil->looks = soil_looks(soil, jobs), soil->look = 0;
    soil->substep = soil->until = 0;
}

// An interval of substeps begins: look around.
static void soil_look(Soil* soil, Jobs* jobs, float h)
{
    soil->look++;
    soil->begun = soil->led = soil->substep;
    soil->until = soil->def.substeps * soil->look / soil->looks;
    soil->interval = h * (float)(soil->until - soil->begun);
    soil_collide(soil, jobs, h, &soil->mark);
    soil_hold_see(soil);
    if (soil->def.kernel == SOIL_KERNEL_SPLIT) {
        SoilPass pass = {.soil = soil, .h = h, .to = soil->record[0]};
        jobs_for(jobs, soil->state.count, SOIL_BLOCK, *soil->simd->split_start, &pass);
        soil->front = 0;
    }
}

int soil_parts(const Soil* soil, int least)
{
    int each = soil->def.substeps / least; // in the longest part
    return each > 0 ? (soil->def.substeps + each - 1) / each : soil->def.substeps;
}

// Substep at which a part begins.
static int soil_part_begins(const Soil* soil, int part)
{
    return soil->def.substeps * part / soil->parts;
}

double soil_part_seconds(const Soil* soil)
{
    int steps = soil_part_begins(soil, soil->part + 1) - soil_part_begins(soil, soil->part);
    return (double)soil->def.dt * steps / soil->def.substeps;
}

void soil_part(Soil* soil, Jobs* jobs)
{
    float h = soil->def.dt / (float)soil->def.substeps;
    double seconds = soil_part_seconds(soil);
    int stop = soil_part_begins(soil, ++soil->part);
    BASE_ASSERT(soil->part <= soil->parts);
    while (soil->substep < stop) {
        int from = soil->substep;
        if (soil->state.count == 0) {
            soil->substep = stop;
        } else {
            if (soil->substep == soil->until) {
                soil_look(soil, jobs, h);
            } else if (soil->driven) {
                soil_surface_follow(soil, jobs, h * (float)(soil->substep - soil->begun),
                                    h * (float)(soil->substep - soil->led));
                soil->led = soil->substep;
            }
            soil_solve(soil, jobs, base_mini(stop, soil->until), h);
            soil_clock(soil, SOIL_PHASE_SOLVE, &soil->mark);
        }
        soil_surface_move(soil, h * (float)(soil->substep - from));
        if (soil->substep == soil->until && soil->look > 0 && soil->look < soil->looks) {
            soil_hold(soil);
        }
    }
    soil_surface_sum(soil, seconds);
}

bool soil_placed(const Soil* soil)
{
    return soil->substep == soil->until;
}

void soil_end(Soil* soil)
{
    BASE_ASSERT(soil->part == soil->parts);
    if (soil->look > 0) {
        soil_hold(soil);
    }
    soil_surface_react(soil);
    soil->state.frame++;
    soil_clock(soil, SOIL_PHASE_FINISH, &soil->mark);
}

void soil_step(Soil* soil, Jobs* jobs)
{
    soil_begin(soil, jobs, 1);
    soil_part(soil, jobs);
    soil_end(soil);
}
