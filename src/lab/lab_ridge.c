// ridge - a dozer pushes its blade ten metres through ground (P2 Fig. 7). What does not stay before the
// blade runs off at its ends and lies there as a ridge on both sides.
//
//        z  ^   ~~~~~~~~~~~~~~~~~~~~~~~  left ridge
//           |   [dozer]>>>>>>>>>>|            cut
//               ~~~~~~~~~~~~~~~~~~~~~~~  right ridge
#include "lab/lab_dig.h"
#include "lab/lab_experiments.h"
#include "lab/lab_picture.h"

#include <math.h>
#include <stdlib.h>

#define RIDGE_START   -4.0f // m, x of the dozer
#define RIDGE_WAY     10.0  // m
#define RIDGE_QUICK   6.0   // m
#define RIDGE_DEPTH   0.12  // m, wanted
#define RIDGE_GAIN    6.0   // lever per metre of miss
#define RIDGE_TIME    40.0  // s, at most
#define RIDGE_SETTLE  6.0   // s
#define RIDGE_BESIDE  1.0   // m beside the blade's ends in which the ridge is looked for
#define RIDGE_LEAST   0.05  // m, mean height that counts as a ridge
#define RIDGE_EVEN    0.35  // of the mean: how different the sides may be
#define RIDGE_SAMPLES 256

typedef struct Ridge {
    LabDig dig;
    float level;     // m, ground before
    double half;     // m, half the blade
    double from, to; // m, x of the edge at start and end
    double side[2];  // m, mean of the highest ground along the way: left, right
    double area[2];  // m2, of a cut across the ridge, mean
    double cut;      // m, mean depth in the middle of the way
    double slowest;  // m/s
    double before;   // kg on the site
} Ridge;

static Vec3 edge(const LabDig* dig)
{
    const MachineTool* t = &dig->def->tools[0];
    return machine_to_world(dig->machine, t->body, vec3_mul(vec3_add(t->edge_a, t->edge_b), 0.5f));
}

// The blade's height is kept by its lever, as an operator does who watches the edge.
static void push(LabRun* run, Ridge* r, double way)
{
    LabDig* dig = &r->dig;
    double start = (double)edge(dig).x, last = start;
    for (int k = 0; k < (int)(RIDGE_TIME * WORLD_RATE); ++k) {
        Vec3 at = edge(dig);
        double gone = (double)at.x - start, wanted = (double)r->level - RIDGE_DEPTH;
        double lever = RIDGE_GAIN * (wanted - (double)at.y);
        lab_dig_lever(dig, INPUT_BLADE, fmax(-1.0, fmin(1.0, lever)));
        lab_dig_lever(dig, INPUT_TRACK_LEFT, 0.5);
        lab_dig_lever(dig, INPUT_TRACK_RIGHT, 0.5);
        lab_dig_step(dig);
        if (k % 15 == 0) {
            const CouplingToolState* t = coupling_fleet_tool(world_fleet(dig->world), 0, 0);
            const double row[6] = {k * WORLD_DT,
                                   gone,
                                   ((double)at.x - last) / (15.0 * WORLD_DT),
                                   (double)(r->level - at.y),
                                   t->payload,
                                   1e-3 * (double)(t->resistance + t->grains)};
            lab_table_row(&run->report->table, row);
            last = (double)at.x;
        }
        lab_progress(run, fmin(1.0, gone / way));
        if (gone >= way)
            break;
    }
    r->from = start, r->to = (double)edge(dig).x;
    lab_dig_neutral(dig);
}

// Highest ground beside the way, and the ridge's section above the old surface.
static void look_at(const Ridge* r, double x, int side, double* high, double* area)
{
    const Terrain* t = world_terrain(r->dig.world);
    double sign = side == 0 ? -1.0 : 1.0, cell = (double)terrain_definition(t)->cell;
    *high = 0.0, *area = 0.0;
    for (double z = r->half - 0.3; z < r->half + RIDGE_BESIDE; z += cell) {
        double h = (double)(terrain_height(t, (float)x, (float)(sign * z)) - r->level);
        *high = fmax(*high, h);
        *area += fmax(h, 0.0) * cell;
    }
}

static void measure(Ridge* r)
{
    // the middle of the way: where the blade set out and where its heap lies are something else
    double a = r->from + 0.3 * (r->to - r->from), b = r->from + 0.85 * (r->to - r->from);
    int count = 0;
    for (double x = a; x < b; x += 0.1, ++count)
        for (int side = 0; side < 2; ++side) {
            double high, area;
            look_at(r, x, side, &high, &area);
            r->side[side] += high, r->area[side] += area;
        }
    for (double x = a; x < b; x += 0.1)
        r->cut += (double)(r->level - terrain_height(world_terrain(r->dig.world), (float)x, 0.0f));
    r->cut /= count;
    for (int side = 0; side < 2; ++side)
        r->side[side] /= count, r->area[side] /= count;
}

// kg of all that lies, flies and rides.
static double site_mass(const LabDig* dig)
{
    const Terrain* t = world_terrain(dig->world);
    const TerrainDef* def = terrain_definition(t);
    uint64_t mg = soil_state(world_soil(dig->world))->mass_mg;
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        mg += terrain_loose_mass(t, cell);
        for (int k = 0; k < TERRAIN_STRATA_MAX; ++k)
            mg += terrain_state(t)->bank[k][cell];
    }
    const CouplingLedger* l = coupling_ledger(world_coupling(dig->world));
    for (int m = 0; m < TERRAIN_MATERIALS_MAX; ++m)
        mg += l->crumbs.of[m] + l->frozen.of[m];
    return 1e-6 * (double)mg;
}

// --- picture -------------------------------------------------------------------------------------

// Heights from above, the old surface white: brown below it, dark above.
static void draw_map(LabRun* run, PlotRect area, const Ridge* r)
{
    const Terrain* t = world_terrain(r->dig.world);
    const TerrainDef* def = terrain_definition(t);
    const double lo[2] = {r->from - 4.0, -3.2}, hi[2] = {r->to + 2.5, 3.2};
    PlotView v = plot_view_fit(area, lo, hi, true);
    double side = (double)def->cell;
    for (int cell = 0; cell < def->nx * def->nz; ++cell) {
        Vec3 c = terrain_center(t, cell);
        double x = (double)c.x, z = -(double)c.z;
        if (x < lo[0] || x > hi[0] || z < lo[1] || z > hi[1])
            continue;
        double h = (double)(c.y - r->level) / 0.4;
        PlotColor none = plot_color(0xf4efe6);
        PlotColor color = h < 0.0 ? plot_color_mix(none, plot_color(0x2b6cb0), fmin(-h * 1.5, 1.0))
                                  : plot_color_mix(none, plot_color(0x8a4b10), fmin(h, 1.0));
        plot_rect(run->picture,
                  (PlotRect){plot_view_x(&v, x - 0.5 * side), plot_view_y(&v, z + 0.5 * side),
                             side * v.scale + 0.5, side * v.scale + 0.5},
                  color, 1.0);
    }
    plot_view_label(run->picture, &v, lo[0] + 0.1, hi[1] - 0.3, PLOT_ALIGN_LEFT,
                    "from above: blue is cut, brown lies above the old surface");
    plot_view_ruler(run->picture, &v);
}

static void draw_section(LabRun* run, PlotRect area, const Ridge* r)
{
    double z[RIDGE_SAMPLES], h[RIDGE_SAMPLES], old[RIDGE_SAMPLES];
    float x = (float)(r->from + 0.6 * (r->to - r->from));
    for (int k = 0; k < RIDGE_SAMPLES; ++k) {
        z[k] = -3.5 + 7.0 * k / (RIDGE_SAMPLES - 1);
        h[k] = (double)(terrain_height(world_terrain(r->dig.world), x, (float)z[k]) - r->level);
        old[k] = 0.0;
    }
    PlotChart c = {.title = "Across the way",
                   .subtitle = "at six tenths of it",
                   .x_label = "z (m)",
                   .y_label = "height over the old ground (m)",
                   .count = 2};
    c.series[0] = lab_picture_series("after", 0, z, h, RIDGE_SAMPLES);
    c.series[1] = lab_picture_series("before", 1, z, old, RIDGE_SAMPLES);
    c.series[0].marker = c.series[1].marker = PLOT_MARKER_NONE;
    plot_chart_draw(run->picture, area, &c);
}

static void draw(LabRun* run, const Ridge* r)
{
    if (!lab_picture_wanted(run, 1800, 1100))
        return;
    PlotRect area = lab_picture_heading(run, "A dozer's blade leaves a ridge on both sides",
                                        "20 t, blade 3.2 m, pushed through loam by levers");
    PlotRect up = area, down = area;
    up.h = 0.5 * area.h, down.y += 0.54 * area.h, down.h = 0.46 * area.h;
    draw_map(run, up, r);
    LabSection section = {.lo = {r->to - 6.0, -0.6},
                          .hi = {r->to + 2.5, 3.4},
                          .row = lab_dig_row(&r->dig, 0.0f),
                          .deep = 0.3};
    lab_dig_draw(run, lab_picture_tile(down, 2, 1, 0, 0), &r->dig, section);
    draw_section(run, lab_picture_tile(down, 2, 1, 1, 0), r);
}

void lab_ridge_run(LabRun* run)
{
    const LabDigDef def = {.site = "config/lab/ground_loam.yaml",
                           .vehicle = "vehicles/dozer_20t.yaml",
                           .x = RIDGE_START,
                           .radius = 0.05f,
                           .pool = 12000};
    Ridge r = {0};
    LabReport* report = run->report;
    if (!lab_dig_make(run, &r.dig, &def))
        return;
    if (r.dig.def->tool_count == 0 || r.dig.def->tools[0].kind != MACHINE_BLADE) {
        lab_fail(run, LAB_EXIT_FILE, "the vehicle has no blade");
        lab_dig_finish(run, &r.dig);
        return;
    }
    lab_part(run, 1.0);
    lab_table_columns(&report->table, "time,way,speed,depth,before_kg,draft_kN");
    lab_dig_wait(&r.dig, 1.0);
    r.level = terrain_height(world_terrain(r.dig.world), edge(&r.dig).x + 3.0f, 0.0f);
    r.half =
        0.5 * (double)vec3_length(vec3_sub(r.dig.def->tools[0].edge_a, r.dig.def->tools[0].edge_b));
    r.before = site_mass(&r.dig);
    double way = run->options->quick ? RIDGE_QUICK : RIDGE_WAY;
    push(run, &r, way);
    lab_dig_wait(&r.dig, RIDGE_SETTLE);
    measure(&r);
    draw(run, &r);
    double mean = 0.5 * (r.side[0] + r.side[1]);
    lab_report_least(report, "way", "m", r.to - r.from, way);
    lab_report_value(report, "cut", "m", r.cut);
    lab_report_least(report, "left_ridge", "m", r.side[0], RIDGE_LEAST);
    lab_report_least(report, "right_ridge", "m", r.side[1], RIDGE_LEAST);
    lab_report_most(report, "difference_of_sides", "", fabs(r.side[0] - r.side[1]) / mean,
                    RIDGE_EVEN);
    lab_report_value(report, "left_section", "m2", r.area[0]);
    lab_report_value(report, "right_section", "m2", r.area[1]);
    lab_report_value(report, "dug", "kg", coupling_fleet_tool(world_fleet(r.dig.world), 0, 0)->dug);
    lab_report_near(report, "mass_after_less_before", "kg", site_mass(&r.dig) - r.before, 0.0,
                    1e-6);
    lab_report_most(report, "imbalance", "mg", (double)world_imbalance(r.dig.world), 0.0);
    lab_dig_finish(run, &r.dig);
}
