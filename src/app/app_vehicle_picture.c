// The picture of a vehicle: its mesh in a pose, drawn in software.
#include "app/app_vehicle.h"

#include "base/base_log.h"
#include "base/base_text.h"
#include "base/base_trig.h"
#include "lab/lab_args.h"
#include "plot/plot_mesh.h"
#include "view/view_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DUG 0.1f // m below the tracks that is still in the ground

// --- pose ------------------------------------------------------------------------------------------

static int unknown_joint(const MachineDef* def, const char* word)
{
    const char* names[MACHINE_BODIES_MAX + 1];
    int count = 0;
    for (int i = 1; i < def->body_count; ++i)
        names[count++] = def->bodies[i].name;
    names[count] = NULL;
    lab_args_unknown("joint", word, names);
    return LAB_EXIT_USAGE;
}

// Joint values from text such as "boom=20,stick=-90", in deg or m.
static int read_pose(const MachineDef* def, const char* text, double* joint)
{
    for (int i = 0; i < def->body_count; ++i)
        joint[i] = (double)def->bodies[i].start;
    while (text && *text) {
        char name[BASE_YAML_NAME_MAX + 1], *rest;
        size_t length = strcspn(text, "=,");
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        int body = machine_find_body(def, name);
        if (body < 1)
            return unknown_joint(def, name);
        double value = text[length] == '=' ? strtod(text + length + 1, &rest) : (double)NAN;
        bool hinge = def->bodies[body].joint == MACHINE_HINGE;
        if (text[length] != '=' || rest == text + length + 1 || (*rest != ',' && *rest != 0) ||
            !(fabs(value) <= 360.0)) {
            fprintf(stderr,
                    "mattock: --pose %s: allowed is a number in %s from -360 to 360, as in "
                    "%s=20\n",
                    name, hinge ? "deg" : "m", name);
            return LAB_EXIT_USAGE;
        }
        joint[body] = hinge ? value * BASE_DEG : value;
        text = *rest == ',' ? rest + 1 : rest;
    }
    return LAB_EXIT_FINE;
}

static Quat product(Quat a, Quat b)
{
    return (Quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Where bodies stand when the root stands at the origin.
static void stand(const MachineDef* def, const double* joint, MachinePose* out)
{
    out[0] = (MachinePose){.rotation = {0, 0, 0, 1}};
    for (int i = 1; i < def->body_count; ++i) {
        const MachineBody* b = &def->bodies[i];
        MachinePose up = out[b->parent];
        bool hinge = b->joint == MACHINE_HINGE;
        float s = hinge ? (float)base_sin(0.5 * joint[i]) : 0.0f;
        float c = hinge ? (float)base_cos(0.5 * joint[i]) : 1.0f;
        Vec3 pin = hinge ? b->pin : vec3_mad(b->pin, b->axis, (float)joint[i]);
        out[i].position = vec3_add(up.position, quat_rotate(up.rotation, pin));
        out[i].rotation =
            product(up.rotation, (Quat){b->axis.x * s, b->axis.y * s, b->axis.z * s, c});
    }
}

// --- triangles -------------------------------------------------------------------------------------

static void to_world(const ViewMeshPose* pose, const ViewMeshVertex* v, PlotMeshVertex* out)
{
    const float *m = pose->m, *p = v->position, *n = v->normal;
    for (int k = 0; k < 3; ++k) {
        out->position[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
        out->normal[k] = m[k] * n[0] + m[4 + k] * n[1] + m[8 + k] * n[2];
    }
}

static void add_part(const ViewMeshSet* set, const ViewMeshPart* part, const ViewMeshPose* pose,
                     PlotMeshVertex* vertices, PlotMeshTriangle* triangles, PlotMesh* mesh)
{
    for (int i = 0; i < part->index_count; i += 3) {
        PlotMeshTriangle* t = &triangles[mesh->triangle_count++];
        for (int k = 0; k < 3; ++k) {
            const ViewMeshVertex* v = &set->vertices[set->indices[part->first_index + i + k]];
            t->material = v->material;
            t->vertex[k] = (uint32_t)mesh->vertex_count;
            to_world(pose, v, &vertices[mesh->vertex_count++]);
        }
    }
}

static bool fill(BaseArena* arena, const ViewMeshSet* set, const ViewMeshPose* poses,
                 PlotMesh* mesh)
{
    size_t count = (size_t)set->triangle_count;
    PlotMeshVertex* vertices = base_arena_try_alloc(arena, count * 3 * sizeof *vertices + 1);
    PlotMeshTriangle* triangles = base_arena_try_alloc(arena, count * sizeof *triangles + 1);
    PlotMeshMaterial* materials =
        base_arena_try_alloc(arena, (size_t)set->material_count * sizeof *materials + 1);
    if (!vertices || !triangles || !materials)
        return false;
    for (int i = 0; i < set->material_count; ++i) {
        const ViewMeshMaterial* m = &set->materials[i];
        materials[i] = (PlotMeshMaterial){
            {m->color[0], m->color[1], m->color[2]}, m->roughness, m->metal, m->opacity, m->glow};
    }
    for (int i = 0; i < set->part_count; ++i)
        for (int k = 0; k < set->parts[i].pose_count; ++k)
            add_part(set, &set->parts[i], &poses[set->parts[i].first_pose + k], vertices, triangles,
                     mesh);
    for (int i = 0; i < mesh->vertex_count; ++i) // a tool below the tracks lowers the ground
        mesh->ground = base_minf(mesh->ground, vertices[i].position[1]);
    mesh->ground = mesh->ground > -DUG ? 0.0f : mesh->ground;
    mesh->vertices = vertices;
    mesh->triangles = triangles;
    mesh->materials = materials;
    mesh->material_count = set->material_count;
    return true;
}

// --- picture ---------------------------------------------------------------------------------------

static PlotMeshCamera camera_of(const PlotMesh* mesh, const PlotCanvas* canvas,
                                const AppVehicleOptions* o)
{
    // around, above, field; deg
    static const float views[][3] = {{42, 16, 30}, {90, 4, 12},  {0, 6, 16},   {222, 18, 30},
                                     {-90, 4, 12}, {90, 89, 20}, {58, 24, 38}, {35, 4, 50}};
    const float* v = views[o->camera];
    float deg = (float)BASE_DEG;
    return plot_mesh_fit(mesh, canvas, v[0] * deg, v[1] * deg, v[2] * deg, 0.01f * (float)o->zoom);
}

static int draw(const PlotMesh* mesh, const AppVehicleOptions* options)
{
    PlotCanvas* canvas = plot_canvas_create(options->width, options->height, plot_color(0xffffff));
    if (!canvas)
        return LAB_EXIT_MEMORY;
    PlotMeshCamera camera = camera_of(mesh, canvas, options);
    int code = LAB_EXIT_MEMORY;
    if (plot_mesh_draw(canvas, mesh, &camera))
        code = plot_canvas_save(canvas, options->png) ? LAB_EXIT_FINE : LAB_EXIT_FILE;
    else
        base_error("not enough memory for a picture of %d x %d", options->width, options->height);
    plot_canvas_destroy(canvas);
    return code;
}

int app_vehicle_picture(BaseArena* arena, const MachineDef* def, const char* path,
                        const AppVehicleOptions* options)
{
    double joint[MACHINE_BODIES_MAX], travel[MACHINE_RUNNERS_MAX];
    MachinePose bodies[MACHINE_BODIES_MAX];
    int code = read_pose(def, options->pose, joint);
    if (code != LAB_EXIT_FINE)
        return code;
    stand(def, joint, bodies);
    for (int i = 0; i < MACHINE_RUNNERS_MAX; ++i)
        travel[i] = 1e-3 * options->roll;

    ViewMeshSet set;
    PlotMesh mesh = {.lines = options->lines};
    if (!view_mesh_build(def, (ViewMeshLod)options->lod, arena, &set)) {
        base_error("not enough memory for the mesh of %s", path);
        return LAB_EXIT_MEMORY;
    }
    if (set.part_count == 0) {
        base_error("%s has no look, there is nothing to draw", path);
        return LAB_EXIT_FILE;
    }
    ViewMeshPose* poses = base_arena_try_alloc(arena, (size_t)set.pose_count * sizeof *poses);
    if (poses)
        view_mesh_poses(&set, def, bodies, travel, poses);
    if (!poses || !fill(arena, &set, poses, &mesh)) {
        base_error("not enough memory for the mesh of %s", path);
        return LAB_EXIT_MEMORY;
    }
    printf("\nmesh     %d triangles as drawn, %d vertices, %d parts, %d materials\n",
           set.triangle_count, set.vertex_count, set.part_count, set.material_count);
    return draw(&mesh, options);
}
