// bin - a truck body is filled with grains, driven off and braked, tipped a little, tipped far.
//
//            _                 fill: heaped, all of it becomes the body's own ground
//      |    / \    |           drive: not a milligram leaves over the walls
//      |___/___\___|           tip to 15 degrees, gate open: a wedge stays whose surface stands at
//         (o) (o)              the soil's repose in the world, so at repose - 15 in the body
//                              tip to 50 degrees: everything slides out
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"
#include "lab/lab_world.h"

#include <math.h>

#define TRUCK_NX     200   // columns of the site, 20 m to drive along x
#define TRUCK_NZ     70    // columns
#define TRUCK_FLOOR  0.3f  // m of bank under the wheels
#define TRUCK_LENGTH 4.4f  // m, inside
#define TRUCK_WIDTH  2.2f  // m
#define TRUCK_WALL   1.1f  // m
#define TRUCK_STEEL  0.45f // friction
#define TRUCK_HIGH   1.6f  // m, of its floor above the ground
#define TRUCK_POOL   9000
#define TRUCK_GRAINS 8000
#define TRUCK_QUICK  2500
#define TRUCK_FROM   14.0f // m, x where it is loaded
#define TRUCK_SPEED  3.0f  // m/s
#define TRUCK_PULL   1.0f  // m/s2
#define TRUCK_BRAKE  2.0f  // m/s2
#define TRUCK_TURN   0.12f // rad/s, of the body when it tips
#define TRUCK_CREEP  0.4f  // m/s, forward while it tips far
#define TRUCK_SOME   15.0  // degrees
#define TRUCK_FAR    50.0  // degrees
#define TRUCK_NOTE   6     // frames to a row of the table
#define TRUCK_WEDGE  0.05  // of the wedge: what may be missing or too much

typedef struct Truck {
    LabWorld w;
    int bin, material;
    double level;           // m, mean height of the load when it was loaded
    double poured, load;    // kg
    double driven;          // kg, after the drive
    double spilled;         // kg, on the road
    double wedge, geometry; // kg, after the little tip
    double left;            // kg, after the far one
    double tilt;            // rad
    double seconds;         // of it all
    int frames;
    LabTable* table;
} Truck;

static SoilBoundary* body(Truck* t)
{
    return coupling_bin_body(t->w.coupling, t->bin);
}

// --- picture -------------------------------------------------------------------------------------

static void corner(const SoilBoundary* b, float x, float y, double out[2])
{
    Vec3 at = vec3_add(b->position, quat_rotate(b->rotation, vec3(x, y, 0.0f)));
    out[0] = (double)at.x, out[1] = (double)at.y;
}

static void draw_quad(LabRun* run, const PlotView* v, double q[4][2], PlotColor color)
{
    double x[4], y[4];
    for (int k = 0; k < 4; ++k)
        x[k] = plot_view_x(v, q[k][0]), y[k] = plot_view_y(v, q[k][1]);
    plot_convex(run->picture, x, y, 4, color);
}

// The load cut open along the middle, then floor and walls.
static void draw_body(LabRun* run, const PlotView* v, Truck* t, bool open)
{
    const SoilBoundary* b = coupling_bin_pose(t->w.coupling, t->bin);
    const Terrain* g = coupling_bin_ground(t->w.coupling, t->bin);
    const TerrainDef* def = terrain_definition(g);
    PlotColor soil = plot_color_mix(plot_view_material(t->material), plot_color(0xffffff), 0.32);
    PlotColor steel = plot_color(0x3c4652);
    float hl = 0.5f * TRUCK_LENGTH, s = 0.06f;
    double q[4][2];
    for (int i = 0; i < def->nx; ++i) {
        int cell = terrain_cell(g, i, def->nz / 2);
        float x = def->origin.x + (float)i * def->cell, top = terrain_surface(g, cell);
        if (top > 0.0f) {
            corner(b, x, 0.0f, q[0]), corner(b, x + def->cell * 1.05f, 0.0f, q[1]);
            corner(b, x + def->cell * 1.05f, top, q[2]), corner(b, x, top, q[3]);
            draw_quad(run, v, q, soil);
        }
    }
    const float part[3][4] = {{-hl - s, -s, hl + s, 0.0f},
                              {hl, 0.0f, hl + s, TRUCK_WALL},
                              {-hl - s, 0.0f, -hl, TRUCK_WALL}};
    for (int k = 0; k < (open ? 2 : 3); ++k) {
        corner(b, part[k][0], part[k][1], q[0]), corner(b, part[k][2], part[k][1], q[1]);
        corner(b, part[k][2], part[k][3], q[2]), corner(b, part[k][0], part[k][3], q[3]);
        draw_quad(run, v, q, steel);
    }
}

static void draw(LabRun* run, Truck* t, int shot, const char* text, bool open)
{
    if (!lab_picture_wanted(run, 1800, 900))
        return;
    if (shot == 0)
        lab_picture_heading(run, "A truck body is filled, driven and tipped",
                            "cut along the middle; pale: what lies as ground, spheres: grains");
    PlotRect area = {LAB_PICTURE_EDGE, 90.0, 1800.0 - 2.0 * LAB_PICTURE_EDGE, 760.0};
    double mid = (double)coupling_bin_pose(t->w.coupling, t->bin)->position.x;
    LabSection section = {
        .lo = {mid - 5.6, 0.0}, .hi = {mid + 3.2, 5.4}, .row = TRUCK_NZ / 2, .deep = 0.3};
    PlotView v =
        lab_world_draw(run, lab_picture_tile(area, 3, 2, shot % 3, shot / 3), &t->w, section);
    draw_body(run, &v, t, open);
    plot_view_label(run->picture, &v, section.lo[0] + 0.1, 5.0, PLOT_ALIGN_LEFT, text);
}

// --- steps ---------------------------------------------------------------------------------------

static double load_of(const Truck* t)
{
    return coupling_bin_mass(t->w.coupling, t->bin);
}

static void step(Truck* t)
{
    lab_world_step(&t->w);
    t->seconds += lab_world_dt(&t->w);
    if (t->frames++ % TRUCK_NOTE == 0)
        lab_table_row(t->table, (double[]){t->seconds, load_of(t),
                                           1e-6 * (double)soil_state(t->w.soil)->mass_mg,
                                           t->tilt / BASE_DEG});
}

static void wait(Truck* t, double seconds)
{
    for (double s = 0.0; s < seconds; s += lab_world_dt(&t->w)) {
        step(t);
        if (lab_world_still(&t->w) && s > 1.0)
            break;
    }
}

static void fill(LabRun* run, Truck* t, int grains)
{
    float mid = 0.5f * TRUCK_NZ * terrain_definition(t->w.terrain)->cell;
    Vec3 over = vec3(TRUCK_FROM, TRUCK_FLOOR + TRUCK_HIGH + 0.2f, mid);
    int done = lab_world_drop(&t->w, over, 0.42f * TRUCK_LENGTH, 0.36f * TRUCK_WIDTH, grains,
                              t->material, (uint64_t)run->options->seed);
    t->poured = 1e-6 * done * (double)coupling_grain_mass(t->w.coupling, t->material);
    wait(t, 1.2);
    draw(run, t, 0, "filling", false);
    wait(t, 20.0);
    draw(run, t, 1, "all of it at rest", false);
    t->load = load_of(t);
    t->level = t->load * 1e6 /
               terrain_loose_mg(t->w.terrain, t->material, (double)(TRUCK_LENGTH * TRUCK_WIDTH));
}

static void push(Truck* t, float pull, float until)
{
    SoilBoundary* b = body(t);
    float dt = (float)lab_world_dt(&t->w);
    while (pull > 0.0f ? b->velocity.x < until : b->velocity.x > until) {
        b->velocity.x += pull * dt;
        step(t);
    }
    b->velocity.x = until;
}

// Backwards along -x: off, along, and braked to a stop.
static void drive(LabRun* run, Truck* t)
{
    push(t, -TRUCK_PULL, -TRUCK_SPEED);
    wait(t, 0.5);
    push(t, TRUCK_BRAKE, 0.0f);
    wait(t, 10.0);
    t->driven = load_of(t);
    t->spilled = t->poured - t->driven - 1e-6 * (double)soil_state(t->w.soil)->mass_mg;
    draw(run, t, 2, "driven and braked", false);
}

// About the sill of the gate, like a real body; it creeps forward so that the heap does not dam it.
static void tip(LabRun* run, Truck* t, double from, double to, float creep)
{
    SoilBoundary* b = body(t);
    int frames = (int)((to - from) * BASE_DEG / ((double)TRUCK_TURN * lab_world_dt(&t->w)) + 0.5);
    b->spin = vec3(0.0f, 0.0f, TRUCK_TURN);
    for (int k = 0; k < frames; ++k) {
        Vec3 arm = quat_rotate(b->rotation, vec3(0.5f * TRUCK_LENGTH, 0.0f, 0.0f));
        b->velocity = vec3_cross(b->spin, arm);
        b->velocity.x += creep;
        t->tilt += (double)TRUCK_TURN * lab_world_dt(&t->w);
        step(t);
        if (creep > 0.0f && k == frames / 2)
            draw(run, t, 4, "on the way to 50 degrees", true);
    }
    b->spin = vec3(0.0f, 0.0f, 0.0f);
    b->velocity = vec3(0.0f, 0.0f, 0.0f);
    wait(t, 40.0);
}

// Under a plane that rises from the gate's sill at repose less the tip: but never higher than the
// load was, and never higher than the end wall lets it lean there.
static double wedge_mass(const Truck* t, double repose)
{
    double rise = tan(repose - TRUCK_SOME * BASE_DEG), volume = 0.0;
    const int slices = 1000;
    for (int k = 0; k < slices; ++k) {
        double x = (k + 0.5) / slices * (double)TRUCK_LENGTH;
        volume += fmin(t->level, rise * x) * (double)(TRUCK_LENGTH * TRUCK_WIDTH) / slices;
    }
    return 1e-6 * terrain_loose_mg(t->w.terrain, t->material, volume);
}

static void report(LabRun* run, const Truck* t)
{
    LabReport* r = run->report;
    lab_report_value(r, "poured", "kg", t->poured);
    lab_report_near(r, "loaded_over_poured", "", t->load / t->poured, 1.0, 1e-6);
    lab_report_near(r, "driven_over_loaded", "", t->driven / t->load, 1.0, 1e-6);
    lab_report_value(r, "spilled_on_the_road", "kg", t->spilled);
    lab_report_near(r, "wedge_over_geometry", "", t->wedge / t->geometry, 1.0, TRUCK_WEDGE);
    lab_report_value(r, "wedge", "kg", t->wedge);
    lab_report_most(r, "left_after_full_tip", "kg", t->left, 0.005 * t->load);
    lab_report_most(r, "grains_left", "", lab_world_grains(&t->w), 0.0);
    lab_report_value(r, "took", "s", t->seconds);
    lab_report_most(r, "imbalance", "mg", lab_world_imbalance(&t->w), 0.0);
}

static bool make(LabRun* run, Truck* t)
{
    if (!lab_world_make(run, &t->w, TRUCK_NX, TRUCK_NZ, TRUCK_POOL, LAB_SCENE_RADIUS))
        return false;
    CouplingBinDef def = {.length = TRUCK_LENGTH,
                          .width = TRUCK_WIDTH,
                          .wall = TRUCK_WALL,
                          .steel = TRUCK_STEEL,
                          .cell = 0.1f};
    float mid = 0.5f * TRUCK_NZ * terrain_definition(t->w.terrain)->cell;
    t->material = lab_world_material(run, &t->w, "gravel");
    t->bin = coupling_add_bin(t->w.coupling, &def, vec3(TRUCK_FROM, TRUCK_FLOOR + TRUCK_HIGH, mid));
    if (t->bin < 0)
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the truck body");
    if (t->bin < 0 || t->material < 0) {
        lab_world_destroy(&t->w);
        return false;
    }
    lab_world_lay(&t->w, t->material, TRUCK_FLOOR);
    return true;
}

void lab_bin_run(LabRun* run)
{
    Truck t = {.table = &run->report->table};
    const LabOptions* o = run->options;
    if (!make(run, &t))
        return;
    lab_part(run, 1.0);
    lab_table_columns(t.table, "time_s,load_kg,grains_kg,tilt_deg");
    fill(run, &t, o->grains > 0 ? o->grains : o->quick ? TRUCK_QUICK : TRUCK_GRAINS);
    lab_progress(run, 0.3);
    drive(run, &t);
    lab_progress(run, 0.5);
    coupling_bin_gate(t.w.coupling, t.bin, true);
    tip(run, &t, 0.0, TRUCK_SOME, 0.0f);
    t.wedge = load_of(&t);
    t.geometry = wedge_mass(&t, (double)t.w.soils.set.materials[t.material].repose);
    draw(run, &t, 3, "tipped to 15 degrees", true);
    lab_progress(run, 0.7);
    tip(run, &t, TRUCK_SOME, TRUCK_FAR, TRUCK_CREEP);
    t.left = load_of(&t);
    draw(run, &t, 5, "tipped to 50 degrees", true);
    report(run, &t);
    lab_world_finish(run, &t.w);
}
