// view_state - everything a picture can show of one moment, as plain numbers.
//
// Does:     copy ground, grains, bins, poses, markers and readings out of the simulation after a
//           step; hand them to the drawing thread without a lock.
// Does not: draw, interpolate (view_frame.h) or change what it copies from.
// Units:    SI, +y up; angles in radians.
// Threads:  a state has one owner; ViewExchange moves it from the simulation to the picture.
//
//     ViewState* state = view_exchange_begin(exchange);   // simulation thread, after each step
//     view_state_fill(state, ...);
//     view_exchange_publish(exchange);
//
//     if (view_exchange_take(exchange, &a, &b))           // drawing thread, before each picture
//         view_frame_between(frame, a, b, part);
#ifndef VIEW_STATE_H
#define VIEW_STATE_H

#include "view/view_camera.h"
#include "view/view_dust.h"
#include "view/view_ground.h"
#include "view/view_hud.h"
#include "view/view_mesh.h"

#define VIEW_MODELS_MAX  16
#define VIEW_MARKERS_MAX 128
#define VIEW_BIN_CELLS   4096 // columns in one bin
#define VIEW_BINS_MAX    COUPLING_BINS_MAX

typedef struct ViewGrain {
    Vec3 at;          // m
    float radius;     // m
    uint32_t id;      // fixed for life
    uint8_t material; // as in ViewGround.soil
    uint8_t left;     // 255 opaque .. 0 gone: it fades into the ground
    uint8_t pad[2];
} ViewGrain;

// Soil that lies in a bin, in the bin's frame.
typedef struct ViewBin {
    int nx, nz;
    float cell;
    Vec3 origin; // m, corner of column (0, 0) in the bin's frame
    ViewPose pose;
    float height[VIEW_BIN_CELLS]; // m, 0 where bare
    uint8_t kind[VIEW_BIN_CELLS];
} ViewBin;

typedef enum ViewMarkerKind {
    VIEW_MARKER_GOAL, // target surface: a grid over size.x by size.z, `height` where not NULL
    VIEW_MARKER_ZONE, // upright translucent walls size.y high, along `outline` or round a rectangle
    VIEW_MARKER_PIPE, // from `at` to `to`, radius size.x
    VIEW_MARKER_CABLE,  // overhead line, radius size.x, that sags by size.y
    VIEW_MARKER_LINE,   // painted on the ground from `at` to `to`, size.x wide
    VIEW_MARKER_PERSON, // stands at `at`
    VIEW_MARKER_CONE,
    VIEW_MARKER_WALL,  // a solid block of size
    VIEW_MARKER_RING,  // mark on the ground, radius size.x
    VIEW_MARKER_STAKE, // survey stake with a flag
    VIEW_MARKER_LEVER, // in a cabin: from its gaiter at `at` upwards to `to`
    VIEW_MARKER_KINDS,
} ViewMarkerKind;

// Patterns tell marks apart where colours do not.
typedef enum ViewWeave {
    VIEW_WEAVE_PLAIN,
    VIEW_WEAVE_GRID,    // half metres
    VIEW_WEAVE_STRIPES, // slanting: soil may lie here
    VIEW_WEAVE_PLUS,    // a grid with plus signs: too much is there
    VIEW_WEAVE_MINUS,   // a grid with minus signs: too little is there
    VIEW_WEAVE_CROSSES, // nobody may go in
    VIEW_WEAVE_DASHES,  // long and short
    VIEW_WEAVE_DOTS,
} ViewWeave;

typedef struct ViewMarker {
    ViewMarkerKind kind;
    Vec3 at, to;         // m; `at` is the middle of the foot, of a goal the corner of its grid
    Vec3 size;           // m
    float heading;       // rad
    float color[4];      // sRGB and opacity
    ViewWeave weave;     // of zones and lines
    const float* height; // m, [nz][nx] of a goal's surface; must outlive the state
    int nx, nz;
    float tolerance;      // m: how the ground stands to the goal is shown; 0: it is not
    const float* outline; // [outline_count] x, z, x, z, ... m, of a zone; must outlive the state
    int outline_count;
} ViewMarker;

// Which of two models of one thing is drawn.
typedef enum ViewDetail {
    VIEW_DETAIL_ALL,  // there is but one
    VIEW_DETAIL_NEAR, // all triangles, for those who look closely
    VIEW_DETAIL_FAR,  // few, for shadows and weak machines
} ViewDetail;

// A model that stands in the scene, and where its poses begin.
typedef struct ViewModelUse {
    int model; // as given to the renderer
    int first_pose, pose_count;
    ViewDetail detail;
    Vec3 middle;  // m, for the distance
    float radius; // m
    float clean;  // 1 washed .. 0 caked in soil
} ViewModelUse;

// The oldest movement of a lever that no picture has shown, and what was counted on its way here.
typedef struct ViewLag {
    uint64_t number;  // of the movement, from 1 on; 0: none
    uint64_t steps;   // finished since it was noticed, with the one that obeys it
    uint64_t picture; // the last one begun before this state was handed out
    double moved;     // s, when it was noticed
} ViewLag;

typedef struct ViewState {
    double time; // s since the lesson began
    uint64_t step;
    bool cut; // the world jumped: nothing before this is to be blended with it
    ViewGround ground;
    ViewGrain* grain; // [grain_capacity]
    int grain_count, grain_capacity;
    ViewPose* pose; // [pose_capacity]
    int pose_count, pose_capacity;
    ViewModelUse use[VIEW_MODELS_MAX];
    int use_count;
    ViewBin* bin; // [VIEW_BINS_MAX]
    int bin_count;
    ViewMarker marker[VIEW_MARKERS_MAX];
    int marker_count;
    ViewDust dust;
    ViewAnchor anchor; // of the named cameras
    ViewHud hud;
    ViewLag lag;
} ViewState;

// Room for so many grains (fading ones included) and poses. False when out of memory.
bool view_state_init(ViewState* state, const ViewGround* ground, int grains, int poses);
void view_state_free(ViewState* state);

// Ground, grains and bins out of the simulation; soil and coupling may be NULL. The ground comes
// out of a track that has followed this very step. Grains without room are left out.
void view_state_fill(ViewState* state, const ViewGroundTrack* track, const Soil* soil,
                     Coupling* coupling);
// NULL when the table is full.
ViewMarker* view_state_mark(ViewState* state, ViewMarkerKind kind, Vec3 at);
// Room for the poses of a model, to be filled in by the caller; NULL when there is none.
ViewPose* view_state_use(ViewState* state, int model, int pose_count);

// --- between two threads -------------------------------------------------------------------------

typedef struct ViewExchange ViewExchange;

ViewExchange* view_exchange_create(const ViewGround* ground, int grains, int poses);
void view_exchange_destroy(ViewExchange* exchange);
// The state to be filled next. Never waits; an unseen older one is dropped.
ViewState* view_exchange_begin(ViewExchange* exchange);
void view_exchange_publish(ViewExchange* exchange);
// The two newest states that the drawing thread has seen, valid until its next call; equal ones
// until there are two. False before the first.
bool view_exchange_take(ViewExchange* exchange, const ViewState** a, const ViewState** b);

#endif
