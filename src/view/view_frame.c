#include "view/view_frame.h"

#include <stdlib.h>

#define FRAME_JUMP 1.0f // m: what moved further between two states was put there, not moved

bool view_frame_init(ViewFrame* f, int grains, int poses)
{
    int size = 64;
    while (size < 2 * grains)
        size *= 2;
    *f = (ViewFrame){.grain_capacity = grains, .pose_capacity = poses, .found_size = size};
    f->grain = calloc((size_t)base_maxi(grains, 1), sizeof *f->grain);
    f->pose = calloc((size_t)base_maxi(poses, 1), sizeof *f->pose);
    f->found = malloc((size_t)size * sizeof *f->found);
    f->sun = view_sun(2.3f, 0.72f);
    if (f->grain && f->pose && f->found)
        return true;
    view_frame_free(f);
    return false;
}

void view_frame_free(ViewFrame* f)
{
    free(f->grain), free(f->pose), free(f->found);
    *f = (ViewFrame){0};
}

ViewSun view_sun(float azimuth, float elevation)
{
    float level = cosf(elevation);
    return (ViewSun){{level * cosf(azimuth), sinf(elevation), level * sinf(azimuth)}, 0.0011f};
}

// --- grains by their number ----------------------------------------------------------------------

static int place_of(const ViewFrame* f, uint32_t id)
{
    return (int)((id * 2654435761u) >> 7 & (uint32_t)(f->found_size - 1));
}

static void remember(ViewFrame* f, const ViewState* a)
{
    if (f->found_in == a && f->found_step == a->step)
        return;
    f->found_in = a, f->found_step = a->step;
    memset(f->found, 0xff, (size_t)f->found_size * sizeof *f->found);
    for (int i = 0; i < base_mini(a->grain_count, f->found_size / 2); ++i) {
        int at = place_of(f, a->grain[i].id);
        while (f->found[at] >= 0)
            at = (at + 1) & (f->found_size - 1);
        f->found[at] = i;
    }
}

static const ViewGrain* find(const ViewFrame* f, const ViewState* a, uint32_t id)
{
    for (int at = place_of(f, id); f->found[at] >= 0; at = (at + 1) & (f->found_size - 1))
        if (a->grain[f->found[at]].id == id)
            return &a->grain[f->found[at]];
    return NULL;
}

static void blend_grains(ViewFrame* f, const ViewState* a, const ViewState* b, float part)
{
    f->grain_count = base_mini(b->grain_count, f->grain_capacity);
    memcpy(f->grain, b->grain, (size_t)f->grain_count * sizeof *f->grain);
    if (a == b)
        return;
    remember(f, a);
    for (int i = 0; i < f->grain_count; ++i) {
        const ViewGrain* was = find(f, a, f->grain[i].id);
        if (was)
            f->grain[i].at = view_lerp(was->at, f->grain[i].at, part);
    }
}

// --- poses and the rest --------------------------------------------------------------------------

// Steps are so short that blending the numbers of a matrix turns it; shoes of a track that went
// round jump.
static ViewPose blend_pose(const ViewPose* a, const ViewPose* b, float part)
{
    ViewPose out = *b;
    Vec3 way = {b->row[0][3] - a->row[0][3], b->row[1][3] - a->row[1][3],
                b->row[2][3] - a->row[2][3]};
    if (vec3_dot(way, way) > FRAME_JUMP * FRAME_JUMP)
        return out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c)
            out.row[r][c] = a->row[r][c] + (b->row[r][c] - a->row[r][c]) * part;
    return out;
}

static void blend_poses(ViewFrame* f, const ViewState* a, const ViewState* b, float part)
{
    f->pose_count = base_mini(b->pose_count, f->pose_capacity);
    bool same = a->pose_count == b->pose_count;
    for (int i = 0; i < f->pose_count; ++i)
        f->pose[i] = same ? blend_pose(&a->pose[i], &b->pose[i], part) : b->pose[i];
}

static void blend_anchor(ViewFrame* f, const ViewState* a, const ViewState* b, float part)
{
    const ViewAnchor *p = &a->anchor, *q = &b->anchor;
    f->anchor = *q;
    f->anchor.middle = view_lerp(p->middle, q->middle, part);
    f->anchor.tool = view_lerp(p->tool, q->tool, part);
    f->anchor.seat = view_lerp(p->seat, q->seat, part);
    f->anchor.heading = vec3_unit(view_lerp(p->heading, q->heading, part));
    f->anchor.seat_view = vec3_unit(view_lerp(p->seat_view, q->seat_view, part));
}

void view_frame_between(ViewFrame* f, const ViewState* a, const ViewState* b, float part)
{
    part = base_clampf(part, 0.0f, 1.0f);
    f->time = a->time + (b->time - a->time) * (double)part;
    f->ground = &b->ground;
    blend_grains(f, a, b, part);
    blend_poses(f, a, b, part);
    blend_anchor(f, a, b, part);
    f->use = b->use, f->use_count = b->use_count;
    f->bin = b->bin, f->bin_count = b->bin_count;
    f->marker = b->marker, f->marker_count = b->marker_count;
    f->hud = &b->hud;
    f->focus = f->anchor.middle;

    // puffs know their speed: back from the newer state
    float back = (float)(b->time - f->time);
    f->dust = b->dust;
    for (int k = 0; k < f->dust.count; ++k)
        f->dust.puff[k].at = vec3_mad(f->dust.puff[k].at, f->dust.puff[k].velocity, -back);
}
