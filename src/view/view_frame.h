// view_frame - one picture's worth of numbers, between two states of the world.
//
// Does:     find every grain again by its number and blend where it is; blend poses and dust; carry
//           camera, sun, markers, readings and the drawing list of the HUD along.
// Does not: know GL or the simulation.
// Units:    SI, +y up.
// Memory:   made once; view_frame_between() allocates nothing. Ground, bins, markers and readings
//           are those of the newer state and must live as long as the frame is looked at.
#ifndef VIEW_FRAME_H
#define VIEW_FRAME_H

#include "view/view_draw.h"
#include "view/view_state.h"

typedef struct ViewSun {
    Vec3 direction; // unit, towards the sun
    float haze;     // 1/m: by how much what is far fades
} ViewSun;

typedef struct ViewFrame {
    double time; // s
    ViewCamera camera;
    ViewSun sun;
    const ViewGround* ground;
    ViewGrain* grain; // [grain_capacity]
    int grain_count, grain_capacity;
    ViewPose* pose; // [pose_capacity]
    int pose_count, pose_capacity;
    const ViewModelUse* use;
    int use_count;
    const ViewBin* bin;
    int bin_count;
    const ViewMarker* marker;
    int marker_count;
    ViewDust dust;
    ViewAnchor anchor;
    Vec3 focus; // m, where shadows must be sharp
    const ViewHud* hud;
    const ViewDraw* draw; // lines, panels and text over the picture; may be NULL

    int* found; // [found_size] grain of the older state by number; work of blending
    int found_size;
    const ViewState* found_in;
    uint64_t found_step;
} ViewFrame;

// False when out of memory.
bool view_frame_init(ViewFrame* frame, int grains, int poses);
void view_frame_free(ViewFrame* frame);

ViewSun view_sun(float azimuth, float elevation); // rad, from +x towards +z; above the horizon

// part: 0 is a, 1 is b. Camera, sun and the drawing list are the caller's and stay as they are.
void view_frame_between(ViewFrame* frame, const ViewState* a, const ViewState* b, float part);

#endif
