// soil_internal - what the files of src/soil share; nobody else includes it.
//
// Memory of a neighbour list. Grains are taken eight at a time (a slice); slot k of a slice holds
// one neighbour for each of its eight grains, so that a SIMD lane is a grain:
//
//   slice s, length 3      lane 0   lane 1   ...   lane 7
//   slot start[s] + 0       n00      n10             n70
//   slot start[s] + 1       n01      n11            (none)
//   slot start[s] + 2      (none)    n12            (none)
//
// The grains of a block are dealt to its lanes in order of their number of neighbours, so that those
// of a slice have about equally many and little is padding; member[] and lane[] map lanes to rows
// and back. "none" is the row of a dummy grain a million kilometres away: it touches nobody, and the kernels
// need no mask. The slices of a block of SOIL_BLOCK grains are packed from the start of the block's
// own stretch of the array, so blocks can be filled in parallel without counting first; the unused
// rest of a stretch is never touched and costs only addresses.
#ifndef SOIL_INTERNAL_H
#define SOIL_INTERNAL_H

#include "base/base_arena.h"
#include "base/base_simd.h"
#include "soil/soil.h"

#define SOIL_LANES        8
#define SOIL_BLOCK        128 // grains per job: 16 slices, small enough to share 2,000 grains evenly
#define SOIL_BLOCK_SLICES (SOIL_BLOCK / SOIL_LANES)

// Neighbours are listed up to this gap, in units of the largest diameter. It is also twice the way
// that a grain may stray from where the list expected it before the list must be made anew.
#define SOIL_MARGIN 0.1f
// A grain may move this far (largest diameters) between two looks for neighbours unless its definition
// says otherwise; beyond, the split kernel looks more often. Two grains at 0.4 d each pass at most
// 1.08 d apart at the end of the interval if they touched inside it: still within the margin.
#define SOIL_STRIDE 0.4f
// Contacts closer than this gap (in mean diameters) count as contacts when masses are split.
#define SOIL_GAP 0.02f
// Overlap at which adhesion acts on its reference area, in units of the smaller radius: stiff
// contacts hardly overlap, yet soil at rest is pressed together.
#define SOIL_ADHESION_OVERLAP 0.1f

#define SOIL_FAR    1.0e9f      // m, where the dummy grain lives
#define SOIL_NO_KEY 0xffffffffu // surface lane without a contact
#define SOIL_RECORD 8           // floats in a record: x y z r, three of the kernel's, packed

// The last float of a record: inverse mass with material and contact count in its low bits. The
// inverse mass loses 2^-14 of its value there, which only weighs the split; the exact one is w[].
#define SOIL_PACK_COUNT          63u
#define SOIL_PACK_MATERIAL_SHIFT 6
#define SOIL_PACK_BITS           511u

// Eight boundary contacts, one per lane.
typedef struct SoilWall {
    float nx[8], ny[8], nz[8]; // unit normal, out of the boundary
    float offset[8];           // m, normal . (surface point) + radius at the interval's start
    float vx[8], vy[8], vz[8]; // m/s, of the surface
    float mu_s[8], mu_k[8], adhesion[8];
    float lx[8], ly[8], lz[8]; // kg m/s, stored impulse (split); factors k', c' (p2)
    uint32_t key[8];           // boundary << 24 | feature, or SOIL_NO_KEY
} SoilWall;

typedef struct SoilList {
    int count;           // grains when it was made
    uint32_t* neighbour; // [slots][8] SIMD_ROW times the neighbour's row
    float* impulse;      // [slots][3][8] kg m/s (split), or contact factors (p2)
    uint32_t* start;     // [slices] first slot
    uint8_t* length;     // [slices] slots
    uint32_t* member;    // [rows] SIMD_ROW times the row of the grain in a lane
    uint32_t* lane;      // [rows] lane, counted over all slices, of the grain in a row
} SoilList;

// Boundary contacts in the same arrangement; a list of its own because boundaries move when
// neighbours do not.
typedef struct SoilWalls {
    int count;       // grains when it was made
    SoilWall* wall;  // [slots]
    uint32_t* start; // [slices] first slot
    uint8_t* length; // [slices] slots
} SoilWalls;

// The per-grain arrays, twice: sorting reads one set and writes the other.
typedef struct SoilArrays {
    float *px, *py, *pz, *vx, *vy, *vz, *radius;
    float *qx, *qy, *qz; // m, where the list expects the grain at the interval's end
    uint32_t *mass, *id;
    uint64_t* memory;
    uint8_t *material, *contacts, *rest;
} SoilArrays;

// Sum of what one block of grains did to one boundary.
typedef struct SoilPush {
    double impulse[3];  // kg m/s
    double moment[3];   // kg m2/s, about the boundary's position
    double weight;      // kg m/s, normal impulses
    double weighted[3]; // normal impulse times point
    int64_t contacts;   // in the last substep
} SoilPush;

typedef struct SoilBlockWork {
    float low[3], high[3]; // bounds of predicted positions
    float strayed2;        // m2, largest squared way from where the list expects a grain
    float speed2;          // m2/s2, largest
    int64_t slots, lanes, wall_slots, refused;
    int held;
    bool crowded; // a grain found more neighbours than fit
} SoilBlockWork;

typedef struct SoilGrid {
    float origin[3];
    float inverse_cell; // 1/m
    int dim[3];
    bool folded; // the grains are spread so wide that far cells share an index
} SoilGrid;

// A boundary as the search for surfaces sees it, worked out once per interval.
typedef struct SoilFace {
    Vec3 normal;  // plane
    float offset; // m, normal . position
    float reach;  // m, within which a grain at rest may touch it before the next look
} SoilFace;

// Contact law in the form that the kernels use, per material: square roots, so that the geometric
// mean of a pair is one product.
typedef struct SoilLaw {
    float stiffness[8], damping[8], mu_s[8], mu_k[8], adhesion[8];
} SoilLaw;

typedef struct SoilSimd SoilSimd;

typedef struct SoilPass {
    struct Soil* soil;
    const float* from; // records read
    float* to;         // records written
    float h;           // s, substep
    float time;        // s, since the interval's start, at the substep's start
    bool last;         // write positions and velocities back
    bool first;        // first iteration of the substep
    bool final;        // last iteration of the substep
} SoilPass;

struct Soil {
    SoilDef def;
    SoilState state; // its arrays point into arrays[current]
    SoilStats stats;
    SoilBoundary boundary[SOIL_BOUNDARIES_MAX];
    SoilReaction reaction[SOIL_BOUNDARIES_MAX];
    SoilReaction part_reaction[SOIL_BOUNDARIES_MAX];
    SoilPush frame_push[SOIL_BOUNDARIES_MAX]; // summed over the parts so far
    int boundary_count;

    BaseArena arena;
    int rows; // capacity rounded up to a whole block
    SoilArrays arrays[2];
    int current;
    SoilList list[2];
    int list_current;
    SoilWalls walls[2];
    int walls_current;
    bool list_valid;     // false: make it anew whatever the distances say
    SoilRecallFn recall; // NULL: newborn grains push nobody yet
    const void* recall_context;

    // rebuilt each step
    float* w;          // [rows] 1/kg, exact
    float* lane_w;     // [rows] 1/kg, w in order of the lanes
    float* carried[3]; // [rows] by lanes: m/s, what u contains of impulses (split); m, start (p2)
    float* shifted[3]; // [rows] by lanes: m, how overlaps moved a grain in the last substep (split)
    float* record[2];  // [rows + 8][8]; row `rows` is the dummy
    uint32_t* order;   // [rows] where a sorted grain came from
    uint32_t* place;   // [rows + 1] where a grain of the last order went
    uint32_t* key;     // [rows] cell
    uint32_t* cell;    // [cells_max + 1] first grain of a cell
    int cells_max;
    float* seen[3];    // [rows] m, where the grains were at the last look
    uint32_t* touched; // [rows] bit b: a surface of boundary b was within its reach then
    SoilBoundary seen_body[SOIL_BOUNDARIES_MAX]; // and the boundaries
    float* cut2;          // [rows] m2, a crowded grain keeps nearer neighbours only
    SoilBlockWork* block; // [blocks]
    SoilPush* push;       // [blocks][boundaries]
    SoilGrid grid;
    SoilFace face[SOIL_BOUNDARIES_MAX];
    float near2
        [SOIL_BOUNDARIES_MAX]; // m2, around driven bodies: grains that they may meet in this frame
    SoilLaw law;
    float interval;   // s, between two looks for neighbours
    int parts, part;  // of this frame; the one to come
    int looks, look;  // of this frame; those done
    int substep;      // done in this frame
    int begun, until; // substeps at which the interval began and will end
    int led;          // substep to which the surfaces of driven boundaries were led
    int front;        // record that holds the grains (split)
    bool driven;      // some boundary is
    bool holding;     // some boundary does
    Jobs* jobs;       // of this frame
    double mark;      // s, when the phase began
    bool moving;      // somebody moves more than a sixteenth of the margin before the next look
    bool refusing;    // the list is made a second time because a grain was crowded
    bool uniform;     // one material, one mass: p2's factors are constants
    bool cohesive;    // some material or boundary has adhesion
    float factor_k, factor_c; // p2, uniform only
    const SoilSimd* simd;
};

// The kernels that exist once for each instruction set.
struct SoilSimd {
    const char* name;
    const JobsFn* list;        // neighbours; context: Soil*
    const JobsFn* split_start; // records from positions, velocities, impulses; context: SoilPass*
    const JobsFn* split_sweep;
    const JobsFn* p2_sweep;
};

static inline SoilArrays* soil_arrays(Soil* soil)
{
    return &soil->arrays[soil->current];
}

static inline SoilList* soil_list(Soil* soil)
{
    return &soil->list[soil->list_current];
}

static inline SoilWalls* soil_walls(Soil* soil)
{
    return &soil->walls[soil->walls_current];
}

// Row of a neighbour; soil->rows where the lane has none.
static inline int soil_neighbour(const SoilList* list, size_t slot, int lane)
{
    return (int)(list->neighbour[slot * SOIL_LANES + (size_t)lane] / SIMD_ROW);
}

// Row of the grain in a lane.
static inline int soil_member(const SoilList* list, int lane)
{
    return (int)(list->member[lane] / SIMD_ROW);
}

static inline int soil_slices(int count)
{
    return (count + SOIL_LANES - 1) / SOIL_LANES;
}

// Slots of both lists that all rows together may fill.
static inline size_t soil_slot_count(int rows)
{
    return (size_t)rows * SOIL_CONTACTS_MAX / SOIL_LANES;
}

static inline size_t soil_wall_count(int rows)
{
    return (size_t)rows / SOIL_LANES * SOIL_SURFACES_MAX;
}

// The cell of a place; its number is (z * ny + y) * nx + x. The clamp also turns a NaN into cell 0
// instead of undefined behaviour.
static inline void soil_grid_cell(const SoilGrid* grid, const float q[3], int c[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        float f = (q[axis] - grid->origin[axis]) * grid->inverse_cell;
        int k = (int)base_clampf(f, 0.0f, 1.0e6f);
        c[axis] = grid->folded ? k % grid->dim[axis] : base_mini(k, grid->dim[axis] - 1);
    }
}

static inline float soil_margin(const Soil* soil)
{
    return SOIL_MARGIN * 2.0f * soil->def.radius_max;
}

static inline float soil_pack(float w, unsigned contacts, unsigned material)
{
    unsigned count = contacts > SOIL_PACK_COUNT ? SOIL_PACK_COUNT : contacts;
    uint32_t bits =
        (base_float_bits(w) & ~SOIL_PACK_BITS) | material << SOIL_PACK_MATERIAL_SHIFT | count;
    float packed;
    memcpy(&packed, &bits, sizeof packed);
    return packed;
}

// Eq. 36 with the overlap z in units of the smaller radius; times r_min^2 it is an area.
static inline float soil_area_factor(float z)
{
    return (float)BASE_PI * (1.0f - (z - 1.0f) * (z - 1.0f));
}

// soil: let the state's pointers follow the current arrays
void soil_bind_state(Soil* soil);
bool soil_grains_uniform(Soil* soil); // one mass, one material
bool soil_law_cohesive(const Soil* soil);

// soil_grid: sort the living grains by (cell, id)
void soil_grid_sort(Soil* soil, Jobs* jobs);
void soil_grid_pad(Soil* soil);

// soil_surface: boundary contacts of every grain, with impulses carried over from the last ones.
// `resorted`: the neighbour list, and with it the order of the grains, is new.
void soil_surface_find(Soil* soil, Jobs* jobs, bool resorted);
void soil_surface_push(SoilPush* push, const Soil* soil, const SoilWall* wall, int lane,
                       Vec3 center, Vec3 impulse, bool last);
// The part's pushes become its reactions, and enter the frame's.
void soil_surface_sum(Soil* soil, double seconds);
void soil_surface_react(Soil* soil);
// Leads the surfaces found at the interval's start to where driven boundaries are now, `time` (s)
// after it; `passed` since they were led last.
void soil_surface_follow(Soil* soil, Jobs* jobs, float time, float passed);
bool soil_surface_driven(const Soil* soil);
void soil_surface_move(Soil* soil, float dt);
bool soil_surface_moving(const Soil* soil);

// soil_hold: nobody passes through steel between two looks
bool soil_hold_any(const Soil* soil);
void soil_hold_see(Soil* soil); // a look: grains and boundaries are here
void soil_hold(Soil* soil);     // since then they moved

// soil_factors: Eqs. 21 and 28; w is the inverse mass of the contact (sum over both grains), 1/kg
void soil_factors(float k, float c, float w, float h, int iterations, float* k_pb, float* c_pb);
void soil_factors_fill(Soil* soil, Jobs* jobs, float h);

// kernels: substeps of h seconds. split: up to `stop` of the frame's; the others: a whole interval
void soil_split_solve(Soil* soil, Jobs* jobs, int stop, float h);
void soil_p2_solve(Soil* soil, Jobs* jobs, int substeps, float h);
void soil_gs_solve(Soil* soil, Jobs* jobs, int substeps, float h);

#endif
