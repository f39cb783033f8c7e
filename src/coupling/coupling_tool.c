// Tools in the ground: what they take in, and what holds against them.
//
//        lip o-.                   The profile is what the tool takes in: the shell's inner line, closed
//           \   `-._    opening    by the opening, with the teeth in front of the lip. Ground inside of
//      tips  \      `-.            it becomes grains, down to the outer side of the shell: so a floor
//         `.. \        `o top lip  plate that slides along its cut finds no ground to press on.
//   =============\     /           Ground that only reaches into the plate is not cut: it carries the
//     ground      `---'            shell, as far as it bears.
//
// The wedge ahead of the edge is ground and resists by the equation of earthmoving; grains load the
// steel by contacts alone. No soil does both.
#include "coupling/coupling_fleet_internal.h"

#include "base/base_assert.h"
#include "base/base_trig.h"

#define TOOL_EPSILON 0.004f // m, ground that reaches so far past the shell counts as taken in
#define TOOL_ADVANCE 0.005f // m, that some point of it must have moved to take more ground in
#define TOOL_MOUTH   1.2f   // columns ahead of a blade in which ground is loosened
#define TOOL_PARTS   8 // a column is cut by its 64 parts, no two of them at the same place across
#define TOOL_GOLDEN  0.618034f // and no two columns side by side at the same moment
#define TOOL_POINTED 0.5f      // share of a tooth's length by which it leads the lip
#define TOOL_DRAG    0.05f     // m/s along the floor plate that a resting tool is thought to have
#define TOOL_PRESSED 0.006f    // m, depth at which a support bears in full
#define TOOL_ACROSS  3         // supports across the width
#define TOOL_LOOK    0.15f     // m, from one look ahead to the next
#define TOOL_WEDGE   2.5f      // depths that a wedge reaches ahead, about
#define TOOL_STEEP   0.6f      // rad, slope of the ground ahead, at most
#define TOOL_K0      0.5f      // earth pressure at rest on side plates

// --- making --------------------------------------------------------------------------------------

// The shell of the tool's body whose end is nearest to the edge.
static const MachineShape* tool_shell(const MachineDef* def, const MachineTool* tool, Vec3 edge,
                                      bool* reversed)
{
    const MachineShape* best = NULL;
    float least = 1e9f;
    for (int n = 0; n < def->shape_count; ++n) {
        const MachineShape* s = &def->shapes[n];
        if (s->kind != MACHINE_SHELL || s->body != tool->body) {
            continue;
        }
        for (int end = 0; end < 2; ++end) {
            const float* p = s->outline + (end ? s->outline_count - 2 : 0);
            float far = vec3_length(vec3(p[0] - edge.x, p[1] - edge.y, 0.0f));
            if (far < least) {
                least = far, best = s, *reversed = end == 1;
            }
        }
    }
    return best;
}

static void tool_point(CouplingTool* t, float x, float y)
{
    BASE_ASSERT(t->points < COUPLING_PROFILE_MAX);
    t->profile[2 * t->points] = x, t->profile[2 * t->points + 1] = y;
    ++t->points;
}

static void tool_profile(CouplingTool* t, const MachineShape* shell, bool reversed)
{
    int points = shell->outline_count / 2;
    for (int p = 0; p < points; ++p) {
        const float* at = shell->outline + 2 * (reversed ? points - 1 - p : p);
        tool_point(t, at[0], at[1]);
    }
    t->shell_points = points;
    if (t->def->kind == MACHINE_BLADE) {
        const float* top = t->profile + 2 * (points - 1);
        float mouth = t->normal.x < 0.0f ? -t->lead : t->lead;
        tool_point(t, top[0] + mouth, top[1]);
        tool_point(t, t->edge.x + mouth, t->edge.y);
    } else {
        Vec3 tip = vec3_mad(t->edge, t->floor, TOOL_POINTED * t->def->tooth_length);
        tool_point(t, tip.x, tip.y);
    }
}

// Places on the shell's outer side, in the middle of each piece and at its joints.
static void tool_supports(CouplingTool* t)
{
    for (int p = 0; p + 1 < t->shell_points; ++p) {
        const float* a = t->profile + 2 * p;
        float dx = a[2] - a[0], dy = a[3] - a[1], length = __builtin_sqrtf(dx * dx + dy * dy);
        Vec3 inner = vec3(-dy / length, dx / length, 0.0f);
        if (vec3_dot(inner, t->normal) < 0.0f && p == 0) {
            t->turned = true;
        }
        inner = t->turned ? vec3_mul(inner, -1.0f) : inner;
        for (int k = 0; k < TOOL_ACROSS && t->support_count < COUPLING_SUPPORTS; ++k) {
            float z = (float)(k - TOOL_ACROSS / 2) * 0.8f * t->half;
            Vec3 at = vec3(a[0] + 0.5f * dx, a[1] + 0.5f * dy, z);
            t->support[t->support_count] = vec3_mad(at, inner, -t->thickness);
            t->support_normal[t->support_count] = inner;
            t->support_area[t->support_count] = 2.0f * t->half * length / (float)TOOL_ACROSS;
            ++t->support_count;
        }
    }
}

void coupling_tool_make(CouplingFleet* f, CouplingRig* rig, int index)
{
    CouplingTool* t = &rig->tool[index];
    const MachineTool* def = &rig->def->tools[index];
    *t = (CouplingTool){.def = def, .body = def->body, .carrier = -1};
    Vec3 lip = vec3_mul(vec3_add(def->edge_a, def->edge_b), 0.5f);
    t->normal = def->edge_normal;
    t->floor = vec3_unit(vec3_cross(vec3_unit(vec3_sub(def->edge_b, def->edge_a)), t->normal));
    t->half = 0.5f * vec3_length(vec3_sub(def->edge_b, def->edge_a));
    float cell = terrain_definition(f->coupling->terrain)->cell;
    t->lead = def->kind == MACHINE_BLADE ? TOOL_MOUTH * cell
                                         : base_maxf(TOOL_POINTED * def->tooth_length, 0.5f * cell);
    bool reversed = false;
    const MachineShape* shell = tool_shell(rig->def, def, lip, &reversed);
    if (!shell) {
        return; // an edge without a shell only scrapes
    }
    // the floor plate points from the shell to the edge
    const float* behind = shell->outline + (reversed ? shell->outline_count - 4 : 2);
    if (vec3_dot(t->floor, vec3(lip.x - behind[0], lip.y - behind[1], 0.0f)) < 0.0f) {
        t->floor = vec3_mul(t->floor, -1.0f);
    }
    t->edge = vec3_mad(lip, t->floor, TOOL_POINTED * def->tooth_length);
    t->thickness = shell->thickness;
    tool_profile(t, shell, reversed);
    tool_supports(t);
    for (int n = 0; n < rig->def->shape_count; ++n) {
        const MachineShape* s = &rig->def->shapes[n];
        t->cheek += s->kind == MACHINE_CHEEK && s->body == t->body ? s->thickness : 0.0f;
    }
}

// --- taking in -----------------------------------------------------------------------------------

// Where the tool will be at the frame's end: what it takes in must be grains by then.
static CouplingToolFit tool_ahead(const CouplingFleet* f, const CouplingRig* rig,
                                  const CouplingTool* t)
{
    float dt = soil_definition(f->coupling->soil)->dt;
    MachinePose pose = machine_pose(rig->machine, t->body);
    return (CouplingToolFit){
        .tool = t,
        .position = vec3_mad(pose.position, machine_velocity(rig->machine, t->body), dt),
        .rotation = quat_turn(pose.rotation, machine_spin(rig->machine, t->body), dt),
        .radius = f->coupling->def.radius,
    };
}

// A vertical line through the tool: body frame point a + y d, y the height in the world.
typedef struct ToolLine {
    Vec3 a, d;
} ToolLine;

// Lowest height at which the line is inside of the profile; `out` is where its shell begins there.
static bool tool_enter(const CouplingTool* t, const ToolLine* line, float* in, float* out)
{
    bool found = false;
    *in = 1e9f;
    for (int p = 0; p < t->points; ++p) {
        const float* a = t->profile + 2 * p;
        const float* b = t->profile + 2 * ((p + 1) % t->points);
        float ex = b[0] - a[0], ey = b[1] - a[1];
        float cross = line->d.x * ey - line->d.y * ex;
        if (__builtin_fabsf(cross) < 1e-9f) {
            continue;
        }
        float rx = a[0] - line->a.x, ry = a[1] - line->a.y;
        float y = (rx * ey - ry * ex) / cross, s = (rx * line->d.y - ry * line->d.x) / cross;
        float z = line->a.z + y * line->d.z;
        if (s < 0.0f || s > 1.0f || __builtin_fabsf(z) > t->half || y >= *in) {
            continue;
        }
        found = true;
        *in = *out = y;
        if (p + 1 < t->shell_points) {
            float slant = __builtin_fabsf(cross) / __builtin_sqrtf(ex * ex + ey * ey);
            *out = y - t->thickness / base_maxf(slant, 0.4f);
        }
    }
    return found;
}

// Inner face and side plates push a newborn grain to where it has room.
Vec3 coupling_tool_fit(const void* context, Vec3 at)
{
    const CouplingToolFit* fit = context;
    const CouplingTool* t = fit->tool;
    Vec3 p = quat_unrotate(fit->rotation, vec3_sub(at, fit->position));
    for (int k = 0; k + 1 < t->shell_points; ++k) {
        const float* a = t->profile + 2 * k;
        float dx = a[2] - a[0], dy = a[3] - a[1], length = __builtin_sqrtf(dx * dx + dy * dy);
        float sign = t->turned ? -1.0f : 1.0f;
        Vec3 inner = vec3(-sign * dy / length, sign * dx / length, 0.0f);
        float along = ((p.x - a[0]) * dx + (p.y - a[1]) * dy) / length;
        float height = (p.x - a[0]) * inner.x + (p.y - a[1]) * inner.y;
        if (along > -fit->radius && along < length + fit->radius && height < fit->radius &&
            height > -4.0f * fit->radius) {
            p = vec3_mad(p, inner, fit->radius - height);
        }
    }
    float side = base_maxf(t->half - 1.2f * fit->radius, 0.0f);
    p.z = base_clampf(p.z, -side, side);
    return vec3_add(fit->position, quat_rotate(fit->rotation, p));
}

// Columns that the tool's profile may cover.
typedef struct ToolArea {
    int i0, i1, j0, j1;
} ToolArea;

static ToolArea tool_area(const Terrain* terrain, const CouplingToolFit* fit)
{
    const TerrainDef* def = terrain_definition(terrain);
    const CouplingTool* t = fit->tool;
    float lx = 1e9f, hx = -1e9f, lz = 1e9f, hz = -1e9f;
    for (int p = 0; p < t->points; ++p) {
        for (int side = -1; side <= 1; side += 2) {
            Vec3 local = vec3(t->profile[2 * p], t->profile[2 * p + 1], (float)side * t->half);
            Vec3 at = vec3_add(fit->position, quat_rotate(fit->rotation, local));
            lx = base_minf(lx, at.x), hx = base_maxf(hx, at.x);
            lz = base_minf(lz, at.z), hz = base_maxf(hz, at.z);
        }
    }
    float inverse = 1.0f / def->cell;
    return (ToolArea){
        base_maxi((int)base_maxf((lx - def->origin.x) * inverse - 0.5f, 0.0f), 0),
        base_mini((int)base_maxf((hx - def->origin.x) * inverse + 0.5f, -1.0f), def->nx - 1),
        base_maxi((int)base_maxf((lz - def->origin.z) * inverse - 0.5f, 0.0f), 0),
        base_mini((int)base_maxf((hz - def->origin.z) * inverse + 0.5f, -1.0f), def->nz - 1),
    };
}

// Has the tool come further since it last took ground in? Ground that slides against a resting tool
// does not enter it: the tool is full of grains there, which the ground does not know of.
static bool tool_moved(CouplingTool* t, const CouplingToolFit* fit)
{
    const Vec3 mark[3] = {
        vec3(t->edge.x, t->edge.y, -t->half), vec3(t->edge.x, t->edge.y, t->half),
        vec3(t->profile[2 * t->shell_points - 2], t->profile[2 * t->shell_points - 1], 0.0f)};
    Vec3 now[3];
    bool moved = false;
    for (int k = 0; k < 3; ++k) {
        now[k] = vec3_add(fit->position, quat_rotate(fit->rotation, mark[k]));
        moved |= vec3_length(vec3_sub(now[k], t->cut_at[k])) > TOOL_ADVANCE;
    }
    if (moved) {
        memcpy(t->cut_at, now, sizeof now);
    }
    return moved;
}

// A blade's mouth comes over a column little by little, and so much of it is cut; all at once, a whole
// row of columns would give way in a frame, and grains would jam in the mouth until then. What is not
// cut yet is as high as the ground beyond.
static bool tool_part(const Terrain* terrain, const CouplingToolFit* fit, Vec3 up, Vec3 center,
                      float* height)
{
    float cell = terrain_definition(terrain)->cell, lowest = 1e9f, in, out;
    int inside = 0;
    float phase = TOOL_GOLDEN * __builtin_fabsf(center.z) / cell;
    phase -= (float)(int)phase;
    for (int k = 0; k < TOOL_PARTS * TOOL_PARTS; ++k) {
        float a = (float)(k % TOOL_PARTS), b = (float)(k / TOOL_PARTS), n = (float)TOOL_PARTS;
        float x = (a + (b + phase) / n) / n - 0.5f, z = (b + (a + 0.5f) / n) / n - 0.5f;
        Vec3 at = vec3(center.x + x * cell, 0.0f, center.z + z * cell);
        ToolLine line = {quat_unrotate(fit->rotation, vec3_sub(at, fit->position)), up};
        if (tool_enter(fit->tool, &line, &in, &out) && center.y > in + TOOL_EPSILON) {
            lowest = base_minf(lowest, out);
            ++inside;
        }
    }
    if (inside == 0) {
        return false;
    }
    Vec3 ahead = quat_rotate(fit->rotation, fit->tool->normal);
    ahead = vec3_mul(vec3_unit(vec3(ahead.x, 0.0f, ahead.z)), 2.0f * cell);
    float beyond = terrain_height(terrain, center.x + ahead.x, center.z + ahead.z);
    float left = 1.0f - (float)inside / (float)(TOOL_PARTS * TOOL_PARTS);
    *height = lowest + left * base_maxf(beyond - lowest, 0.0f);
    return true;
}

void coupling_tool_cut(CouplingFleet* f, CouplingRig* rig, CouplingTool* t)
{
    if (t->points == 0) {
        return;
    }
    Terrain* terrain = f->coupling->terrain;
    CouplingToolFit fit = tool_ahead(f, rig, t);
    if (!tool_moved(t, &fit)) {
        return;
    }
    ToolArea area = tool_area(terrain, &fit);
    ToolLine line = {.d = quat_unrotate(fit.rotation, vec3(0.0f, 1.0f, 0.0f))};
    int count = 0;
    for (int j = area.j0; j <= area.j1; ++j) {
        for (int i = area.i0; i <= area.i1 && count < f->cut_max; ++i) {
            int cell = terrain_cell(terrain, i, j);
            Vec3 center = terrain_center(terrain, cell);
            float top = center.y, in, out;
            line.a =
                quat_unrotate(fit.rotation, vec3_sub(vec3(center.x, 0.0f, center.z), fit.position));
            if (t->def->kind == MACHINE_BLADE) {
                if (tool_part(terrain, &fit, line.d, center, &out) && top > out + TOOL_EPSILON) {
                    f->cut[count++] = (CouplingCut){cell, out};
                }
            } else if (tool_enter(t, &line, &in, &out) && top > in + TOOL_EPSILON) {
                f->cut[count++] = (CouplingCut){cell, out};
            }
        }
    }
    if (count == 0) {
        return;
    }
    Coupling* c = f->coupling;
    TerrainMass before = terrain_state(terrain)->ledger.given;
    CouplingPlace place = {
        .layer = coupling_layer(c, terrain), .fit = coupling_tool_fit, .fit_context = &fit};
    coupling_birth(c, terrain, &place, f->cut, count);
    f->stats.cuts += (uint64_t)count;
    for (int m = 0; m < f->material_count; ++m) {
        uint64_t mg = terrain_state(terrain)->ledger.given.of[m] - before.of[m];
        t->state.dug += 1e-6 * (double)mg;
    }
}

// --- resisting -----------------------------------------------------------------------------------

static CouplingResist* tool_add(CouplingTool* t, Vec3 local, Vec3 direction, float bound)
{
    if (bound <= 1.0f || t->resist_count == (int)(sizeof t->resist / sizeof *t->resist)) {
        return NULL;
    }
    CouplingResist* r = &t->resist[t->resist_count++];
    *r = (CouplingResist){.local = local, .direction = direction, .bound = bound};
    return r;
}

// Direction in which the tool looks, level; false when its floor plate leads with its back.
static bool tool_facing(Vec3 floor, Vec3 normal, Vec3* ahead, float* rake)
{
    Vec3 level = vec3(normal.x, 0.0f, normal.z);
    if (vec3_length(level) < 0.05f) {
        level = vec3(floor.x, 0.0f, floor.z);
    }
    *ahead = vec3_unit(level);
    *rake = base_atan2f(vec3_dot(normal, *ahead), normal.y);
    return normal.y <= 0.0f || vec3_dot(floor, *ahead) > 0.0f;
}

// Grains that lie on the wedge, as a pressure over it.
static float tool_surcharge(const CouplingFleet* f, Vec3 edge, Vec3 ahead, Vec3 across, float half,
                            float reach)
{
    const SoilState* s = soil_state(f->coupling->soil);
    double kg = 0.0;
    for (int i = 0; i < s->count; ++i) {
        Vec3 d = vec3(s->px[i] - edge.x, s->py[i] - edge.y, s->pz[i] - edge.z);
        float x = vec3_dot(d, ahead), z = vec3_dot(d, across);
        if (x > 0.0f && x < reach && __builtin_fabsf(z) < half && d.y > 0.0f && d.y < 2.0f) {
            kg += 1e-6 * (double)s->mass[i];
        }
    }
    float area = 2.0f * half * base_maxf(reach, 0.05f);
    return (float)kg * -soil_definition(f->coupling->soil)->gravity.y / area;
}

typedef struct ToolFront {
    Vec3 ahead, across, up; // unit: ahead is level
    Vec3 floor, normal;     // unit, world
    float rake;             // rad, from level
    float surcharge;        // Pa
} ToolFront;

// One strip of the edge: force on the tool, N. Returns its depth, m.
static float tool_strip(const CouplingFleet* f, const CouplingTool* t, const ToolFront* front,
                        Vec3 edge, float width, Vec3* force, float* point, float* slope)
{
    const Terrain* terrain = f->coupling->terrain;
    // the first ground that the tool has not loosened: its face is smeared over a column
    float cell = terrain_definition(terrain)->cell, depth = 0.0f;
    Vec3 at = edge;
    for (int k = 0; k < 3; ++k) {
        Vec3 there = vec3_mad(edge, front->ahead, t->lead + 0.5f * (float)(k + 1) * cell);
        float height = terrain_height(terrain, there.x, there.z) - edge.y;
        if (height > depth) {
            depth = height, at = there;
        }
    }
    int column = terrain_cell_at(terrain, at.x, at.z);
    if (depth <= 0.0f || column < 0) {
        return 0.0f;
    }
    // the ground's line over about the length of the wedge. Where it was loosened, or slumped into the
    // tool's mouth, grains fill it up again to the line before they count as a load on top
    CouplingMix mix = coupling_below_mix(f, column, edge.y);
    float gravity = terrain_definition(terrain)->gravity;
    float span = base_maxf(TOOL_WEDGE * depth, 3.0f * cell);
    float grains = front->surcharge / (mix.density * gravity); // m, over the wedge
    Vec3 far = vec3_mad(at, front->ahead, span), farther = vec3_mad(far, front->ahead, span);
    float beyond = terrain_height(terrain, far.x, far.z) - edge.y;
    float line = terrain_height(terrain, farther.x, farther.z) - edge.y - beyond;
    beyond += base_clampf(line, 0.0f, grains); // a slump may be longer than the wedge
    float slump = base_maxf(beyond - depth, 0.0f), full = depth + slump;
    float hole = (t->lead * full + 0.5f * slump * span) / (t->lead + TOOL_WEDGE * full);
    float fill = base_minf(hole, grains);
    depth += slump * (hole > 0.0f ? fill / hole : 0.0f);
    *slope = base_clampf(base_atanf((beyond - depth) / span), -TOOL_STEEP, TOOL_STEEP);
    float c = base_cosf(*slope), s = base_sinf(*slope);
    const CouplingFeeTable* fee = &f->ground[mix.material].fee;
    CouplingFeeCut cut = {
        .rake = front->rake + *slope,
        .depth = depth * c,
        .density = mix.density,
        .cohesion = mix.cohesion,
        .surcharge = (grains - fill) * mix.density * gravity,
        .gravity = gravity,
    };
    CouplingFeeForce holds = coupling_fee_force(fee, &cut);
    Vec3 along = vec3_add(vec3_mul(front->ahead, c), vec3_mul(front->up, s));
    Vec3 out = vec3_sub(vec3_mul(front->up, c), vec3_mul(front->ahead, s));
    *force = vec3_add(vec3_mul(along, -holds.draft * width), vec3_mul(out, -holds.down * width));
    *point = coupling_fee_point(fee, &cut);
    return depth;
}

// The wedge ahead of the edge, in groups of strips so that a corner in a hard layer turns the tool.
static void tool_wedge(CouplingFleet* f, CouplingRig* rig, CouplingTool* t, const ToolFront* front)
{
    const int each = COUPLING_STRIPS / COUPLING_GROUPS;
    float width = 2.0f * t->half / (float)COUPLING_STRIPS, sum = 0.0f, limit = 0.0f, slopes = 0.0f;
    float tips = 0.0f, sides[2] = {0.0f, 0.0f}, side_depth[2] = {0.0f, 0.0f};
    for (int g = 0; g < COUPLING_GROUPS; ++g) {
        Vec3 force = {0.0f, 0.0f, 0.0f};
        float middle = 0.0f, weight = 0.0f;
        for (int n = 0; n < each; ++n) {
            int strip = g * each + n;
            float z = -t->half + ((float)strip + 0.5f) * width, point = 0.0f, slope = 0.0f;
            Vec3 local = vec3(t->edge.x, t->edge.y, z), one = {0.0f, 0.0f, 0.0f};
            Vec3 edge = machine_to_world(rig->machine, t->body, local);
            float depth = tool_strip(f, t, front, edge, width, &one, &point, &slope);
            float size = vec3_length(one);
            force = vec3_add(force, one);
            middle += size * z, weight += size;
            sum += depth, slopes += slope * depth;
            tips += point / (float)COUPLING_STRIPS;
            if (strip == 0 || strip == COUPLING_STRIPS - 1) {
                sides[strip != 0] = point, side_depth[strip != 0] = depth;
            }
        }
        // a blade's wedge is loose soil at the blade itself: what grains push there is part of what
        // the equation says, and ground owes the rest
        float size = vec3_length(force), owed = size;
        if (size > 0.0f && t->def->kind == MACHINE_BLADE) {
            float pushed = vec3_dot(t->pushed, force) / size / (float)COUPLING_GROUPS;
            owed = base_clampf(size - pushed, 0.0f, size);
        }
        if (size > 0.0f) {
            Vec3 local = vec3(t->edge.x, t->edge.y, middle / base_maxf(weight, 1e-6f));
            tool_add(t, local, vec3_mul(force, 1.0f / size), owed);
            limit += size;
        }
    }
    t->state.depth = sum / (float)COUPLING_STRIPS;
    t->state.rake = front->rake + (sum > 0.0f ? slopes / sum : 0.0f);
    t->state.limit = limit;

    // teeth, or the blunt edge, and the edges of the side plates are pushed in like piles
    Vec3 local = t->edge;
    Vec3 velocity = machine_point_velocity(rig->machine, t->body,
                                           machine_to_world(rig->machine, t->body, local));
    Vec3 drag = vec3_unit(vec3_mad(velocity, front->floor, TOOL_DRAG));
    float steel =
        t->def->teeth > 0 ? (float)t->def->teeth * t->def->tooth_width * 0.5f : 2.0f * t->half;
    tool_add(t, local, vec3_mul(drag, -1.0f), tips * steel * t->def->thickness);
    for (int k = 0; k < 2 && t->cheek > 0.0f; ++k) {
        float d = side_depth[k];
        Vec3 end = k == 0 ? t->def->edge_a : t->def->edge_b;
        Vec3 at = machine_to_world(rig->machine, t->body, end);
        int column = terrain_cell_at(f->coupling->terrain, at.x, at.z);
        if (column < 0 || d <= 0.0f) {
            continue;
        }
        CouplingMix mix = coupling_below_mix(f, column, at.y);
        const CouplingFeeSoil* soil = &f->ground[mix.material].fee.soil;
        float rubs = d * d *
                     (soil->steel_adhesion +
                      TOOL_K0 * 0.5f * mix.density * 9.81f * d * f->steel_friction[mix.material]);
        tool_add(t, end, vec3_mul(drag, -1.0f), 0.5f * t->cheek * d * sides[k] + rubs);
    }
}

// What is the ground's height over a point of the shell's outer side, and does it carry?
static void tool_carry(CouplingFleet* f, CouplingRig* rig, CouplingTool* t)
{
    const Terrain* terrain = f->coupling->terrain;
    float cell = terrain_definition(terrain)->cell;
    MachinePose pose = machine_pose(rig->machine, t->body);
    for (int n = 0; n < t->support_count; ++n) {
        Vec3 normal = quat_rotate(pose.rotation, t->support_normal[n]);
        Vec3 local = t->support[n];
        Vec3 off = vec3_sub(local, t->edge);
        if (normal.y < 0.2f || off.x * off.x + off.y * off.y < cell * cell) {
            continue;
        }
        Vec3 at = vec3_add(pose.position, quat_rotate(pose.rotation, local));
        int column = terrain_cell_at(terrain, at.x, at.z);
        float depth = terrain_height(terrain, at.x, at.z) - at.y;
        if (column < 0 || depth <= 0.0f) {
            continue;
        }
        CouplingMix mix = coupling_below_mix(f, column, at.y - 0.2f);
        float full = base_minf(depth / TOOL_PRESSED, 1.0f);
        CouplingResist* r = tool_add(t, local, normal, full * mix.bears * t->support_area[n]);
        if (r) {
            r->support = true;
            r->friction = f->steel_friction[mix.material];
        }
    }
}

void coupling_tool_resist(CouplingFleet* f, CouplingRig* rig, CouplingTool* t)
{
    t->resist_count = 0;
    t->state.depth = t->state.limit = t->state.rake = 0.0f;
    MachinePose pose = machine_pose(rig->machine, t->body);
    ToolFront front = {.up = {0.0f, 1.0f, 0.0f}};
    front.floor = quat_rotate(pose.rotation, t->floor);
    front.normal = quat_rotate(pose.rotation, t->normal);
    if (tool_facing(front.floor, front.normal, &front.ahead, &front.rake)) {
        front.across = vec3_unit(vec3_cross(front.ahead, front.up));
        Vec3 edge = vec3_add(pose.position, quat_rotate(pose.rotation, t->edge));
        float depth = 0.0f;
        for (int k = 0; k < 4; ++k) { // the face may have slumped into the mouth
            Vec3 at = vec3_mad(edge, front.ahead, t->lead + TOOL_LOOK * (float)k);
            depth = base_maxf(depth, terrain_height(f->coupling->terrain, at.x, at.z) - edge.y);
        }
        if (depth > 0.0f) {
            front.surcharge = tool_surcharge(f, edge, front.ahead, front.across, t->half,
                                             t->lead + TOOL_WEDGE * depth);
        }
        tool_wedge(f, rig, t, &front);
    }
    tool_carry(f, rig, t);
}
