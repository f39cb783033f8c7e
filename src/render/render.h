// render - draws a ViewFrame with OpenGL 3.3.
//
// Does:     ground in levels of detail, grains by instancing, solid models, sun shadow, sky, haze,
//           dust, goal grids and marks, and the drawing list on top; four levels of quality, from a
//           software rasteriser to a good graphics card.
// Does not: open windows (platform), build pictures' contents (view) or know the simulation.
// Units:    m in the scene, pixels in the window.
// Threads:  the one that has the GL context.
//
// A missing or broken shader file costs its pass its beauty, not the picture: the pass is drawn flat
// and the file named once on stderr.
#ifndef RENDER_H
#define RENDER_H

#include "view/view_frame.h"

#include <stddef.h>

#define RENDER_WHY 256 // bytes of a sentence

typedef enum RenderQuality {
    RENDER_SOFTWARE, // no graphics card: fewest triangles, no filters
    RENDER_LOW,
    RENDER_MEDIUM,
    RENDER_HIGH,
    RENDER_QUALITIES,
} RenderQuality;

typedef enum RenderPass {
    RENDER_PASS_UPLOAD, // changed ground, grains, poses
    RENDER_PASS_SHADOW,
    RENDER_PASS_GROUND,
    RENDER_PASS_MODELS,
    RENDER_PASS_GRAINS,
    RENDER_PASS_SKY,
    RENDER_PASS_CORNERS, // shade that the depth of the picture tells
    RENDER_PASS_CLEAR,   // what one sees through: glass, marks, dust
    RENDER_PASS_UI,
    RENDER_PASS_COUNT,
} RenderPass;

typedef struct RenderStats {
    int draw_calls, triangles;
    int chunks, grains, tiles;         // drawn; tiles of the ground sent
    double seconds[RENDER_PASS_COUNT]; // of wall time, only with render_time_passes()
    double cpu[RENDER_PASS_COUNT];     // s of all processors, as a software rasteriser spends them
} RenderStats;

// How to find a file of the program, like "shaders/terrain.frag".
typedef bool (*RenderFindFn)(const char* name, char* path, size_t size);

typedef struct Render Render;

// A GL context must be current. NULL with one sentence when GL is too old or memory is short.
Render* render_create(RenderFindFn find, char why[RENDER_WHY]);
void render_destroy(Render* render);
const char* render_card(const Render* render); // what GL calls itself

void render_set_quality(Render* render, RenderQuality quality);
RenderQuality render_quality(const Render* render);
// What the last picture took, s. Without a card a picture that is too slow is drawn with fewer pixels, down
// to three quarters along each side, and gets them back when there is time; text and HUD keep theirs.
void render_keep_pace(Render* render, double seconds);
float render_scale(const Render* render); // of the scene's pixels against the window's
const char* render_quality_name(RenderQuality quality);
// Draws a frame some times and sets the best quality that takes at most `budget` seconds a picture.
RenderQuality render_choose_quality(Render* render, const ViewFrame* frame, int width, int height,
                                    double budget);

// Copies the triangles; -1 when the table is full or memory is short. Numbers count from 0.
int render_add_model(Render* render, const ViewMeshSet* model);
void render_drop_models(Render* render);
// Another site: everything that was kept of the ground is stale.
void render_new_site(Render* render);

// Into the window's own framebuffer. A window without area draws nothing.
void render_draw(Render* render, const ViewFrame* frame, int width, int height);
// The picture just drawn, from the top line down, [height][width][3].
void render_read(Render* render, int width, int height, uint8_t* rgb);

void render_finish(Render* render); // waits until everything is drawn

const RenderStats* render_stats(const Render* render);
void render_time_passes(Render* render, bool on); // waits for GL after every pass

#endif
