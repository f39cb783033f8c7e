// render_frame - the numbers that all shaders share in one picture.
#include "render/render_internal.h"

#define SHADOW_DEPTH 90.0f // m before and behind the middle of the shadow map

void render_frame_linear(const float srgb[3], float out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = powf(srgb[k], 2.2f);
}

static void put(float out[4], Vec3 v, float w)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = w;
}

// The lower the sun, the redder and weaker it is, and the more the sky counts.
static void light(RenderBlock* b, const ViewSun* sun)
{
    float up = base_clampf(sun->direction.y, 0.0f, 1.0f), low = 1.0f - up;
    put(b->sun, sun->direction, 0.0f);
    put(b->light, vec3(2.95f, 2.70f - 0.55f * low * low, 2.30f - 1.15f * low * low), 0.63f);
    for (int k = 0; k < 3; ++k)
        b->light[k] *= 0.35f + 0.65f * base_minf(up * 2.0f, 1.0f);
    put(b->sky, vec3(0.43f, 0.56f, 0.77f), sun->haze);
    put(b->bounce, vec3(0.235f, 0.20f, 0.16f), 0.0f);
}

static void soils(RenderBlock* b, const ViewGround* g)
{
    for (int m = 0; m < VIEW_SOILS; ++m) {
        const ViewSoil* s = &g->soil[m];
        render_frame_linear(s->bank, b->bank[m]);
        render_frame_linear(s->loose, b->loose[m]);
        b->bank[m][3] = s->stones, b->loose[m][3] = s->clods;
        b->finish[m][0] = s->gloss, b->finish[m][1] = s->grass;
    }
    b->finish[0][2] = g->layer_low, b->finish[0][3] = 1.0f / VIEW_LAYER_STEP;
}

// A box of light round the focus, moved in whole texels so that edges do not crawl.
static void shadow(Render* r, const ViewFrame* f)
{
    RenderBlock* b = &r->block;
    // a weak machine draws the map for every other picture: what moves, moves little in between
    double age = f->time - r->shadow_time;
    r->shadow_due = r->shadow_size != r->level.shadow_size || age <= 0.0 ||
                    age >= (double)r->level.shadow_age ||
                    vec3_length(vec3_sub(f->focus, r->shadow_focus)) > 1.0f;
    if (!r->shadow_due)
        return;
    r->shadow_time = f->time, r->shadow_focus = f->focus;
    float reach = r->level.shadow_reach, texel = 2.0f * reach / (float)r->level.shadow_size;
    Vec3 down = vec3_mul(f->sun.direction, -1.0f), up = vec3(0, 1, 0);
    if (fabsf(down.y) > 0.99f)
        up = vec3(1, 0, 0);
    Vec3 right = vec3_unit(vec3_cross(down, up)), over = vec3_cross(right, down);
    float x = floorf(vec3_dot(f->focus, right) / texel) * texel;
    float y = floorf(vec3_dot(f->focus, over) / texel) * texel;
    float z = vec3_dot(f->focus, down);
    Vec3 eye =
        vec3_add(vec3_add(vec3_mul(right, x), vec3_mul(over, y)), vec3_mul(down, z - SHADOW_DEPTH));
    ViewMat look = view_mat_look(eye, down, up);
    ViewMat box = view_mat_parallel(reach, reach, 0.0f, 2.0f * SHADOW_DEPTH);
    r->shadow = view_mat_mul(&box, &look);
    r->lit = view_camera_frustum(&r->shadow);
    ViewMat half = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
    ViewMat map = view_mat_mul(&half, &r->shadow);
    memcpy(b->shadow_proj, map.m, sizeof map.m);
    b->sun[3] = 1.0f / (float)r->level.shadow_size;
    b->bounce[3] = reach;
}

void render_frame_block(Render* r, const ViewFrame* f, int width, int height)
{
    RenderBlock* b = &r->block;
    const ViewCamera* c = &f->camera;
    const ViewGround* g = f->ground;
    float aspect = (float)width / (float)height, tall = tanf(0.5f * c->fov);
    ViewMat m = view_camera_matrix(c, aspect);
    memcpy(b->view_proj, m.m, sizeof m.m);
    r->seen = view_camera_frustum(&m);
    Vec3 right = vec3_unit(vec3_cross(c->forward, c->up)), over = vec3_cross(right, c->forward);
    put(b->eye, c->eye, (float)fmod(f->time, 3600.0));
    put(b->right, vec3_mul(right, tall * aspect), c->near);
    put(b->over, vec3_mul(over, tall), c->far);
    put(b->forward, c->forward, 0.0f);
    light(b, &f->sun);
    shadow(r, f);
    put(b->site, vec3(g->origin.x, g->origin.z, 1.0f / ((float)g->nx * g->cell)),
        1.0f / ((float)g->nz * g->cell));
    put(b->focus, f->focus, g->cell);
    put(b->road, vec3(g->road.gate[0], g->road.gate[1], g->road.way[0]), g->road.way[1]);
    soils(b, g);
    glBindBuffer(GL_UNIFORM_BUFFER, r->block_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof *b, b, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->block_buffer);
}
