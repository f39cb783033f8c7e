#include "view/view_state.h"

#include <stdlib.h>

bool view_state_init(ViewState* s, const ViewGround* ground, int grains, int poses)
{
    *s = (ViewState){.grain_capacity = grains, .pose_capacity = poses};
    bool fine = view_ground_init(&s->ground, ground->nx, ground->nz, ground->cell, ground->origin);
    s->grain = calloc((size_t)base_maxi(grains, 1), sizeof *s->grain);
    s->pose = calloc((size_t)base_maxi(poses, 1), sizeof *s->pose);
    s->bin = calloc(VIEW_BINS_MAX, sizeof *s->bin);
    if (fine && s->grain && s->pose && s->bin) {
        view_ground_copy(&s->ground, ground);
        return true;
    }
    view_state_free(s);
    return false;
}

void view_state_free(ViewState* s)
{
    view_ground_free(&s->ground);
    free(s->grain), free(s->pose), free(s->bin);
    *s = (ViewState){0};
}

static void add_grain(ViewState* s, ViewGrain grain)
{
    if (s->grain_count < s->grain_capacity)
        s->grain[s->grain_count++] = grain;
}

static void fill_grains(ViewState* s, const Soil* soil)
{
    const SoilState* g = soil_state(soil);
    for (int i = 0; i < g->count; ++i)
        if (g->mass[i] > 0)
            add_grain(s, (ViewGrain){.at = {g->px[i], g->py[i], g->pz[i]},
                                     .radius = g->radius[i],
                                     .id = g->id[i],
                                     .material = g->material[i],
                                     .left = 255});
}

// Grains that became ground a moment ago; their number is made of where they lie.
static void fill_fades(ViewState* s, const Coupling* coupling)
{
    static _Thread_local CouplingFade fade[COUPLING_FADES_MAX];
    int count = coupling_fades(coupling, fade, COUPLING_FADES_MAX);
    for (int k = 0; k < count; ++k)
        add_grain(s, (ViewGrain){.at = fade[k].position,
                                 .radius = fade[k].radius,
                                 .id = base_float_bits(fade[k].position.x) ^
                                       base_float_bits(fade[k].position.z) << 7 ^ 0x80000000u,
                                 .material = (uint8_t)fade[k].material,
                                 .left = (uint8_t)(255.0f * fade[k].left)});
}

static void fill_bin(ViewBin* bin, Coupling* coupling, int index)
{
    const Terrain* t = coupling_bin_ground(coupling, index);
    const SoilBoundary* body = coupling_bin_pose(coupling, index);
    const TerrainDef* def = terrain_definition(t);
    bin->nx = base_mini(def->nx, VIEW_BIN_CELLS), bin->cell = def->cell, bin->origin = def->origin;
    bin->nz = base_mini(def->nz, VIEW_BIN_CELLS / bin->nx);
    bin->pose = view_pose(body->position, body->rotation);
    for (int c = 0; c < bin->nx * bin->nz; ++c) {
        int cell = c / bin->nx * def->nx + c % bin->nx, top = terrain_top_material(t, cell);
        bin->height[c] = terrain_surface(t, cell);
        bin->kind[c] = (uint8_t)(top < 0 ? VIEW_ROCK : top);
    }
}

static void fill_bins(ViewState* s, Coupling* coupling)
{
    for (int k = 0; k < base_mini(VIEW_BINS_MAX, coupling_bins(coupling)); ++k)
        fill_bin(&s->bin[s->bin_count++], coupling, k);
}

void view_state_fill(ViewState* s, const ViewGroundTrack* track, const Soil* soil,
                     Coupling* coupling)
{
    view_ground_copy(&s->ground, view_ground_of(track));
    s->grain_count = s->pose_count = s->use_count = s->marker_count = s->bin_count = 0;
    if (soil)
        fill_grains(s, soil);
    if (coupling) {
        fill_fades(s, coupling);
        fill_bins(s, coupling);
    }
}

ViewMarker* view_state_mark(ViewState* s, ViewMarkerKind kind, Vec3 at)
{
    static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    if (s->marker_count == VIEW_MARKERS_MAX)
        return NULL;
    ViewMarker* m = &s->marker[s->marker_count++];
    *m = (ViewMarker){.kind = kind, .at = at, .to = at, .size = {1, 1, 1}};
    memcpy(m->color, white, sizeof white);
    return m;
}

ViewPose* view_state_use(ViewState* s, int model, int pose_count)
{
    if (s->use_count == VIEW_MODELS_MAX || s->pose_count + pose_count > s->pose_capacity)
        return NULL;
    s->use[s->use_count++] = (ViewModelUse){
        .model = model, .first_pose = s->pose_count, .pose_count = pose_count, .clean = 1.0f};
    s->pose_count += pose_count;
    return s->pose + s->pose_count - pose_count;
}

// --- between two threads -------------------------------------------------------------------------

// Four states go round: one is being filled, one waits, two are being looked at. A slot number
// changes hands in one atomic exchange of `waiting`; its bit FRESH tells unseen ones.
#define SLOTS 4
#define FRESH 8

struct ViewExchange {
    ViewState slot[SLOTS];
    int filling;      // simulation thread
    int waiting;      // either, with FRESH
    int older, newer; // drawing thread
    int seen;         // states taken so far, up to 2
};

ViewExchange* view_exchange_create(const ViewGround* ground, int grains, int poses)
{
    ViewExchange* x = calloc(1, sizeof *x);
    bool fine = x != NULL;
    for (int k = 0; fine && k < SLOTS; ++k)
        fine = view_state_init(&x->slot[k], ground, grains, poses);
    if (!fine) {
        view_exchange_destroy(x);
        return NULL;
    }
    x->filling = 0, x->waiting = 1, x->older = 2, x->newer = 3;
    return x;
}

void view_exchange_destroy(ViewExchange* x)
{
    for (int k = 0; x && k < SLOTS; ++k)
        view_state_free(&x->slot[k]);
    free(x);
}

ViewState* view_exchange_begin(ViewExchange* x)
{
    return &x->slot[x->filling];
}

void view_exchange_publish(ViewExchange* x)
{
    int old = __atomic_exchange_n(&x->waiting, x->filling | FRESH, __ATOMIC_ACQ_REL);
    x->filling = old & ~FRESH;
}

bool view_exchange_take(ViewExchange* x, const ViewState** a, const ViewState** b)
{
    if (__atomic_load_n(&x->waiting, __ATOMIC_ACQUIRE) & FRESH) {
        int got = __atomic_exchange_n(&x->waiting, x->older, __ATOMIC_ACQ_REL) & ~FRESH;
        x->older = x->newer, x->newer = got;
        x->seen = base_mini(x->seen + 1, 2);
    }
    *b = &x->slot[x->newer];
    *a = x->seen < 2 || x->slot[x->newer].cut ? *b : &x->slot[x->older];
    return x->seen > 0;
}
