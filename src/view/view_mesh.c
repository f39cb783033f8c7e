#include "view/view_mesh_maker.h"

#include "base/base_assert.h"
#include "base/base_trig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX  256
#define TRACKS_MAX 8

// What is built, beside the triangles.
typedef struct Build {
    ViewMeshMaker maker;
    const MachineDef* def;
    const MachineLookDef* look;
    BaseArena* arena;
    ViewMeshPart parts[PARTS_MAX];
    ViewMeshTrack tracks[TRACKS_MAX];
    int part_count, track_count, pose_count;
    bool failed;
} Build;

// --- parts -----------------------------------------------------------------------------------------

static ViewMeshPart* begin(Build* b, ViewMeshFollow follow, int index)
{
    static ViewMeshPart spare;
    if (b->part_count == PARTS_MAX) {
        b->failed = true;
        return &spare;
    }
    b->maker.part = b->part_count;
    ViewMeshPart* part = &b->parts[b->part_count++];
    *part = (ViewMeshPart){.follow = follow,
                           .index = index,
                           .first_index = b->maker.index_count,
                           .first_pose = b->pose_count,
                           .pose_count = 1};
    return part;
}

// A part that got no triangles is dropped.
static void end(Build* b, ViewMeshPart* part)
{
    part->index_count = b->maker.index_count - part->first_index;
    if (part->index_count == 0 && b->part_count > 0)
        --b->part_count;
    else
        b->pose_count += part->pose_count;
}

static void place_whole(ViewMeshMaker* m, Vec3 move, float turn, bool mirrored)
{
    m->cos_turn = base_cosf(turn);
    m->sin_turn = base_sinf(turn);
    m->move = move;
    m->mirrored = mirrored;
}

static int material_of(const Build* b, const char* name)
{
    return base_maxi(0, machine_look_material(b->look, name));
}

static bool is_glass(const Build* b, const char* material)
{
    return b->look->materials[material_of(b, material)].opacity < 0.999f;
}

static bool drawn(const Build* b, const MachineLookPart* p)
{
    return p->detail == 0 || view_mesh_near(&b->maker);
}

// --- what stands still on its body -----------------------------------------------------------------

static void emit(Build* b, const MachineLookPart* p, bool glass)
{
    ViewMeshMaker* m = &b->maker;
    m->material = material_of(b, p->cab && glass ? p->cab->glass : p->material);
    if (p->plate)
        view_mesh_plate(m, p->plate);
    if (p->beam)
        view_mesh_beam(m, p->beam);
    if (p->sheet)
        view_mesh_sheet(m, p->sheet);
    if (p->box)
        view_mesh_box(m, p->box);
    if (p->lathe)
        view_mesh_turned(m, p->lathe);
    if (p->tube)
        view_mesh_tube(m, p->tube->path, p->tube->path_count, p->tube->radius, p->tube->bend);
    if (p->teeth)
        view_mesh_teeth(m, p->teeth, material_of(b, p->teeth->adapter));
    if (p->cab && glass)
        view_mesh_cab_glass(m, p->cab);
    else if (p->cab)
        view_mesh_cab_frame(m, p->cab, material_of(b, p->cab->seal));
    if (p->track) {
        m->material = material_of(b, p->track->steel);
        view_mesh_rollers(m, p->track);
    }
}

static void emit_copies(Build* b, const MachineLookPart* p, bool glass)
{
    bool mirror = p->mirror || p->track;
    for (int side = 0; side < (mirror ? 2 : 1); ++side)
        for (int k = 0; k < p->repeat; ++k) {
            place_whole(&b->maker, vec3_mad(p->at, p->step, (float)k), p->turn, side == 1);
            emit(b, p, glass);
        }
    place_whole(&b->maker, vec3(0, 0, 0), 0.0f, false);
}

static void emit_body(Build* b, int body, bool glass)
{
    ViewMeshPart* part = begin(b, VIEW_MESH_BODY, body);
    part->glass = glass;
    for (int i = 0; i < b->look->part_count; ++i) {
        const MachineLookPart* p = &b->look->parts[i];
        bool here = glass ? p->cab || is_glass(b, p->material) : !is_glass(b, p->material);
        if (here && drawn(b, p) && strcmp(p->body, b->def->bodies[body].name) == 0)
            emit_copies(b, p, glass);
    }
    end(b, part);
}

// --- what moves by itself --------------------------------------------------------------------------

static int find_cylinder(const MachineDef* def, const char* name)
{
    for (int i = 0; i < def->cylinder_count; ++i)
        if (strcmp(def->cylinders[i].name, name) == 0)
            return i;
    return -1;
}

// One of a pair: `z` beside the cylinder's axis.
static void emit_one_cylinder(Build* b, const MachineLookPart* p, int index, float z)
{
    const MachineLookCylinder* look = p->cylinder;
    const MachineCylinder* c = &b->def->cylinders[index];
    float radius = look->barrel > 0.0f ? look->barrel : 0.5f * c->bore * 1.22f;
    float eye = look->eye > 0.0f ? look->eye : 0.95f * radius;
    float barrel = c->closed - 1.35f * eye - 0.02f;
    float rod = c->closed + c->stroke - barrel + 0.05f;

    ViewMeshPart* part = begin(b, look->reverse ? VIEW_MESH_ROD : VIEW_MESH_BARREL, index);
    part->offset[2] = z;
    b->maker.material = material_of(b, p->material);
    view_mesh_barrel(&b->maker, barrel, radius, eye);
    end(b, part);

    part = begin(b, look->reverse ? VIEW_MESH_BARREL : VIEW_MESH_ROD, index);
    part->offset[2] = z;
    b->maker.material = material_of(b, look->rod);
    view_mesh_rod(&b->maker, fminf(rod, c->closed - 0.5f * eye), 0.5f * c->rod, 0.9f * eye);
    end(b, part);
}

static void emit_cylinder(Build* b, const MachineLookPart* p)
{
    int index = find_cylinder(b->def, p->cylinder->name);
    if (index < 0)
        return;
    int count = b->def->cylinders[index].count;
    for (int k = 0; k < count; ++k)
        emit_one_cylinder(b, p, index,
                          p->cylinder->spacing * ((float)k - 0.5f * (float)(count - 1)));
}

static void emit_linkage(Build* b, const MachineLookPart* p)
{
    const MachineLookLinkage* look = p->linkage;
    int index = find_cylinder(b->def, look->name);
    if (index < 0 || !b->def->cylinders[index].linkage)
        return;
    const MachineLinkage* l = b->def->cylinders[index].linkage;
    b->maker.material = material_of(b, p->material);
    ViewMeshPart* part = begin(b, VIEW_MESH_IDLER, index);
    view_mesh_bar(&b->maker, l->idler, look->thickness, look->height, look->idler_space);
    end(b, part);
    part = begin(b, VIEW_MESH_LINK, index);
    view_mesh_bar(&b->maker, l->link, look->thickness, look->height, look->link_space);
    end(b, part);
}

// The track of the machine on this side of the body.
static int find_runner(const MachineDef* def, const char* body, float side)
{
    for (int i = 0; i < def->runner_count; ++i)
        if (def->runners[i].radius <= 0.0f && def->runners[i].center.z * side > 0.0f &&
            strcmp(def->bodies[def->runners[i].body].name, body) == 0)
            return i;
    return -1;
}

static void emit_track(Build* b, const MachineLookPart* p)
{
    const MachineLookTrack* look = p->track;
    int first = b->maker.index_count, count = 0;
    for (int side = 0; side < 2; ++side) {
        if (b->track_count == TRACKS_MAX) {
            b->failed = true;
            return;
        }
        float sign = side == 0 ? -1.0f : 1.0f;
        int index = b->track_count++;
        ViewMeshTrack* track = &b->tracks[index];
        *track = (ViewMeshTrack){.body = machine_find_body(b->def, p->body),
                                 .runner = find_runner(b->def, p->body, sign),
                                 .z = sign * look->z};
        if (!view_mesh_track_line(look, b->arena, track)) {
            b->failed = true;
            return;
        }

        // both sides share the triangles of a shoe
        ViewMeshPart* part = begin(b, VIEW_MESH_SHOE, index);
        b->maker.material = material_of(b, p->material);
        if (side == 0) {
            view_mesh_shoe(&b->maker, look, material_of(b, look->steel));
            count = b->maker.index_count - first;
        }
        part->first_index = first;
        part->index_count = count;
        part->pose_count = track->shoe_count;
        b->pose_count += track->shoe_count;

        part = begin(b, VIEW_MESH_SPROCKET, index);
        b->maker.material = material_of(b, look->steel);
        b->maker.mirrored = side == 0;
        view_mesh_sprocket(&b->maker, look);
        b->maker.mirrored = false;
        end(b, part);
    }
}

static void emit_wheel(Build* b, const MachineLookPart* p)
{
    for (int i = 0; i < b->def->runner_count; ++i) {
        const MachineRunner* runner = &b->def->runners[i];
        if (strcmp(runner->name, p->wheel->name) != 0)
            continue;
        ViewMeshPart* part = begin(b, VIEW_MESH_WHEEL, i);
        b->maker.material = material_of(b, p->material);
        b->maker.mirrored = runner->center.z < 0.0f;
        view_mesh_wheel(&b->maker, p->wheel, material_of(b, p->wheel->steel));
        b->maker.mirrored = false;
        end(b, part);
    }
}

static void emit_moving(Build* b)
{
    for (int i = 0; i < b->look->part_count; ++i) {
        const MachineLookPart* p = &b->look->parts[i];
        if (p->cylinder && drawn(b, p))
            emit_cylinder(b, p);
        if (p->linkage && drawn(b, p))
            emit_linkage(b, p);
        if (p->track && drawn(b, p))
            emit_track(b, p);
        if (p->wheel && drawn(b, p))
            emit_wheel(b, p);
    }
}

// --- the whole -------------------------------------------------------------------------------------

// sRGB 0..255 to linear.
static float linear(float value)
{
    float v = value / 255.0f;
    return v <= 0.04045f ? v / 12.92f : base_powf((v + 0.055f) / 1.055f, 2.4f);
}

static void* kept(BaseArena* arena, const void* items, size_t bytes, bool* failed)
{
    void* out = base_arena_try_alloc(arena, bytes + 1);
    if (out && bytes > 0)
        memcpy(out, items, bytes);
    *failed |= out == NULL;
    return out;
}

static void keep_materials(Build* b, ViewMeshSet* out)
{
    int n = b->look->material_count;
    out->materials = base_arena_try_alloc(b->arena, (size_t)n * sizeof *out->materials + 1);
    if (!out->materials) {
        b->failed = true;
        return;
    }
    out->material_count = n;
    for (int i = 0; i < n; ++i) {
        const MachineLookMaterial* m = &b->look->materials[i];
        out->materials[i] = (ViewMeshMaterial){
            .name = m->name,
            .color = {linear(m->color[0]), linear(m->color[1]), linear(m->color[2])},
            .roughness = m->roughness,
            .metal = m->metal,
            .opacity = m->opacity,
            .glow = m->glow};
    }
}

static void keep(Build* b, ViewMeshSet* out)
{
    const ViewMeshMaker* m = &b->maker;
    *out = (ViewMeshSet){.vertex_count = m->vertex_count,
                         .index_count = m->index_count,
                         .part_count = b->part_count,
                         .pose_count = b->pose_count,
                         .track_count = b->track_count};
    out->vertices =
        kept(b->arena, m->vertices, (size_t)m->vertex_count * sizeof *m->vertices, &b->failed);
    out->indices =
        kept(b->arena, m->indices, (size_t)m->index_count * sizeof *m->indices, &b->failed);
    out->parts = kept(b->arena, b->parts, (size_t)b->part_count * sizeof *b->parts, &b->failed);
    out->tracks = kept(b->arena, b->tracks, (size_t)b->track_count * sizeof *b->tracks, &b->failed);
    keep_materials(b, out);
    for (int i = 0; i < b->part_count; ++i)
        out->triangle_count += b->parts[i].index_count / 3 * b->parts[i].pose_count;
}

bool view_mesh_build(const MachineDef* def, ViewMeshLod lod, BaseArena* arena, ViewMeshSet* out)
{
    *out = (ViewMeshSet){0};
    if (!def->look)
        return true;
    size_t used = arena->used;
    Build* b = calloc(1, sizeof *b);
    if (!b)
        return false;
    b->def = def;
    b->look = def->look;
    b->arena = arena;
    b->maker.lod = lod;
    b->maker.def = def;
    place_whole(&b->maker, vec3(0, 0, 0), 0.0f, false);

    for (int i = 0; i < def->body_count; ++i)
        emit_body(b, i, false);
    emit_moving(b);
    for (int i = 0; i < def->body_count; ++i)
        emit_body(b, i, true);
    b->failed |= b->maker.full;
    if (!b->failed)
        keep(b, out);

    bool fine = !b->failed;
    free(b->maker.vertices);
    free(b->maker.indices);
    free(b);
    if (!fine) {
        base_arena_rewind(arena, used);
        *out = (ViewMeshSet){0};
    }
    return fine;
}
