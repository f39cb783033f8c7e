// face - vertical bank faces of every material. The highest that stands is held against Culmann's
// height, which is nil without cohesion; one 20 % higher must fall, and its debris must lie at
// repose or flatter.
#include "lab/lab_experiments.h"
#include "lab/lab_ground.h"
#include "lab/lab_picture.h"

#include <math.h>

#define FACE_ROWS    5
#define FACE_FOOT    0.5f // m of soil in front of the face
#define FACE_STEP    0.02 // m by which heights are tried
#define FACE_HIGHER  1.2
#define FACE_LEAST   0.5 // m, of the face that must fall
#define FACE_SECONDS 300.0
#define FACE_SLACK   1.0 // degrees above repose at which debris may lie

typedef struct Face {
    double culmann, stands; // m
    double fallen;          // kg of the higher one
    double steepest;        // degrees, of the debris
    double repose;          // degrees
    double seconds;
} Face;

// Long enough in front and behind that neither end matters.
static Terrain* face_build(const TerrainDef* material, int m, double height)
{
    TerrainDef def = *material;
    int half = 10 + (int)(2.5 * height / (double)def.cell);
    def.nx = 2 * half, def.nz = FACE_ROWS;
    def.walled = true;
    Terrain* t = terrain_create(&def);
    for (int cell = 0; t && cell < def.nx * def.nz; ++cell)
        terrain_lay_depth(t, cell, m, FACE_FOOT + (cell % def.nx < half ? 0.0f : (float)height));
    return t;
}

static bool face_stands(const TerrainDef* def, int m, double height)
{
    Terrain* t = face_build(def, m, height);
    bool stands = t && terrain_collapse(t) == 0;
    terrain_destroy(t);
    return stands;
}

// Between the tops of neighbouring columns that carry debris; thin crumbs on the bank do not count.
static double debris_slope(const Terrain* t)
{
    const TerrainDef* def = terrain_definition(t);
    double steepest = 0.0, crumbs = 0.02; // m
    for (int i = 0; i + 2 < def->nx; ++i) {
        int a = terrain_cell(t, i, FACE_ROWS / 2), b = a + 2;
        bool deep = true;
        for (int c = a; c <= b; ++c)
            deep = deep && (double)(terrain_surface(t, c) - terrain_bank_top(t, c)) > crumbs;
        double drop = fabs((double)(terrain_surface(t, a) - terrain_surface(t, b)));
        if (deep)
            steepest = fmax(steepest, atan(drop / (2.0 * (double)def->cell)) / BASE_DEG);
    }
    return steepest;
}

static double face_fallen_height(const Face* f)
{
    return fmax(FACE_LEAST, FACE_HIGHER * f->culmann);
}

static void face_tile(LabRun* run, int tile, int tiles, const Terrain* t, int m, const char* name,
                      const Face* f)
{
    if (!lab_picture_wanted(run, 1500, 820))
        return;
    static PlotRect area;
    if (tile == 0)
        area = lab_picture_heading(run, "Faces 20 % higher than Culmann allows, after their fall",
                                   "bank soil solid, debris light, the former face dashed");
    area.h = 820.0 - 60.0 - area.y; // room for the rulers
    PlotRect at = lab_picture_tile(area, 3, (tiles + 2) / 3, tile % 3, tile / 3);
    const TerrainDef* def = terrain_definition(t);
    double wide = def->nx * (double)def->cell, high = face_fallen_height(f) + (double)FACE_FOOT;
    PlotView view = plot_view_fit(at, (double[]){0.0, 0.0}, (double[]){wide, high * 1.3}, false);
    for (int i = 0; i < def->nx; ++i) {
        int c = terrain_cell(t, i, FACE_ROWS / 2);
        double x = i * (double)def->cell, bank = (double)terrain_bank_top(t, c);
        double left = plot_view_x(&view, x),
               w = plot_view_x(&view, x + (double)def->cell) - left + 0.5;
        double y = plot_view_y(&view, bank),
               top = plot_view_y(&view, (double)terrain_surface(t, c));
        plot_rect(run->picture, (PlotRect){left, y, w, plot_view_y(&view, 0.0) - y},
                  plot_view_material(m), 1.0);
        plot_rect(run->picture, (PlotRect){left, top, w, y - top},
                  plot_color_mix(plot_view_material(m), plot_chart_paper(), 0.5), 1.0);
    }
    plot_view_line(run->picture, &view, 0.5 * wide, (double)FACE_FOOT, 0.5 * wide, high,
                   PLOT_DASH_LONG, plot_chart_ink());
    char text[96];
    snprintf(text, sizeof text, "%s: %.2f m, Culmann %.2f m", name, f->stands, f->culmann);
    plot_view_label(run->picture, &view, 0.02 * wide, high * 1.1, PLOT_ALIGN_LEFT, text);
    plot_view_ruler(run->picture, &view);
}

static Face face_try(LabRun* run, const TerrainDef* def, int m, const char* name, int tile,
                     int tiles)
{
    Face f = {.culmann = (double)terrain_face_height(def, m, (float)(90.0 * BASE_DEG)),
              .repose = (double)def->material[m].repose / BASE_DEG};
    double h = fmax(FACE_STEP, f.culmann - 0.3);
    while (h < f.culmann + 0.5 && face_stands(def, m, h))
        f.stands = h, h += FACE_STEP;

    Terrain* t = face_build(def, m, face_fallen_height(&f));
    if (!lab_ground_made(run, t))
        return f;
    f.fallen = 1e-6 * (double)terrain_collapse(t);
    f.seconds = lab_ground_settle(t, run->jobs, FACE_SECONDS);
    f.steepest = debris_slope(t);
    face_tile(run, tile, tiles, t, m, name, &f);
    lab_ground_finish(run, t);
    return f;
}

static void face_report(LabRun* run, const char* name, const Face* f, double cell)
{
    char key[LAB_NAME_MAX];
    snprintf(key, sizeof key, "%s.standing_height", name);
    lab_report_near(run->report, key, "m", f->stands, f->culmann, cell);
    snprintf(key, sizeof key, "%s.fallen_20_percent_higher", name);
    lab_report_least(run->report, key, "kg", f->fallen, 1.0);
    snprintf(key, sizeof key, "%s.steepest_debris", name);
    lab_report_most(run->report, key, "deg", f->steepest, f->repose + FACE_SLACK);
    snprintf(key, sizeof key, "%s.at_rest_after", name);
    lab_report_value(run->report, key, "s", f->seconds);
}

void lab_face_run(LabRun* run)
{
    LabSoils soils;
    if (!lab_load_materials(run, &soils))
        return;
    TerrainDef def = lab_ground_def(&soils.set, 1, 1);
    int tiles = def.material_count;
    lab_table_columns(&run->report->table, "material,culmann_m,stands_m,debris_deg");
    for (int m = 0; m < def.material_count && !run->report->failed; ++m) {
        lab_part(run, 1.0 / tiles);
        Face f = face_try(run, &def, m, soils.set.materials[m].name, m, tiles);
        face_report(run, soils.set.materials[m].name, &f, (double)def.cell);
        lab_table_row(&run->report->table, (double[]){m, f.culmann, f.stands, f.steepest});
    }
    lab_free_soils(&soils);
}
