#include "lab/lab_machine.h"

#include "base/base_hash.h"
#include "base/base_path.h"
#include "base/base_trig.h"
#include "lab/lab_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAB_MACHINE_ARENA (64u << 20)
#define LAB_MACHINE_FILE  "vehicles/excavator_22t.yaml"

static bool on_plane(const void* context, Vec3 point, float reach, MachineContact* out)
{
    const LabPlane* plane = context;
    Vec3 normal = {-base_sinf(plane->slope), base_cosf(plane->slope), 0.0f};
    float height = vec3_dot(normal, point);
    if (height > reach || (plane->edge > 0.0f && point.x > plane->edge))
        return false;
    *out = (MachineContact){.normal = normal,
                            .depth = -height,
                            .friction = plane->friction,
                            .stiffness = plane->stiffness,
                            .capacity = plane->capacity};
    return true;
}

bool lab_machine_load(LabRun* run, LabMachine* lab)
{
    char path[4096];
    BaseYamlError error;
    *lab = (LabMachine){.plane = {0.0f, 0.6f, 2e7f, 1e6f, 0.0f}};
    if (run->options->vehicle) {
        snprintf(path, sizeof path, "%s", run->options->vehicle);
    } else if (!base_path_find(LAB_MACHINE_FILE, path, sizeof path)) {
        lab_fail(run, LAB_EXIT_FILE,
                 LAB_MACHINE_FILE " was not found beside the program; name one with --vehicle");
        return false;
    }
    if (!base_arena_init(&lab->arena, LAB_MACHINE_ARENA)) {
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the vehicle's file");
        return false;
    }
    if (!machine_load(path, &lab->arena, &lab->def, &error)) {
        lab_fail(run, LAB_EXIT_FILE, error.text);
        base_arena_free(&lab->arena);
        return false;
    }
    lab->machine = machine_create(&lab->def);
    if (!lab->machine) {
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the machine");
        base_arena_free(&lab->arena);
        return false;
    }
    lab->ground = (MachineGround){.context = &lab->plane, .contact = on_plane, .tools = true};
    snprintf(run->report->machine, sizeof run->report->machine, "%s", lab->def.title);
    lab_machine_stand(lab);
    return true;
}

void lab_machine_finish(LabRun* run, LabMachine* lab)
{
    uint64_t hash = machine_hash(lab->machine);
    run->report->hash = base_hash(&hash, sizeof hash, run->report->hash);
    machine_destroy(lab->machine);
    base_arena_free(&lab->arena);
}

// Turned about z with the plane; place() knows headings only.
void lab_machine_stand(LabMachine* lab)
{
    machine_place(lab->machine, vec3(0, 0, 0), 0.0f);
    MachineState state = *machine_state(lab->machine);
    double half = 0.5 * (double)lab->plane.slope;
    state.rotation[2] = sin(half);
    state.rotation[3] = cos(half);
    bool fine = machine_set_state(lab->machine, &state);
    if (fine)
        lab_machine_hold_all(lab);
}

static bool found(LabRun* run, const LabMachine* lab, const char* what, const char* name, int index)
{
    char why[256];
    snprintf(why, sizeof why, "%s has no %s %s, which this experiment needs", lab->def.title, what,
             name);
    if (index < 0)
        lab_fail(run, LAB_EXIT_FILE, why);
    return index >= 0;
}

bool lab_machine_body(LabRun* run, const LabMachine* lab, const char* name, int* out)
{
    *out = machine_find_body(&lab->def, name);
    return found(run, lab, "body", name, *out);
}

bool lab_machine_actuator(LabRun* run, const LabMachine* lab, const char* name, int* out)
{
    *out = machine_find_actuator(&lab->def, name);
    return found(run, lab, "actuator", name, *out);
}

MachineCommand lab_machine_hold(const LabMachine* lab, int actuator)
{
    const MachineDef* def = &lab->def;
    int motor = actuator - def->cylinder_count, train = motor - def->motor_count;
    if (motor < 0) {
        const MachineCylinder* c = &def->cylinders[actuator];
        return (MachineCommand){0.0, (double)c->relief * c->area_push,
                                (double)c->relief * c->area_pull};
    }
    double most = train < 0 ? (double)def->motors[motor].torque : (double)def->trains[train].force;
    return (MachineCommand){0.0, most, most};
}

void lab_machine_tell(LabMachine* lab, int actuator, double speed)
{
    MachineCommand command = lab_machine_hold(lab, actuator);
    command.speed = speed;
    machine_command(lab->machine, actuator, command);
}

void lab_machine_hold_all(LabMachine* lab)
{
    for (int i = 0; i < lab->def.actuator_count; ++i)
        lab_machine_tell(lab, i, 0.0);
}

void lab_machine_step(LabMachine* lab)
{
    machine_step(lab->machine, &lab->ground, 1.0 / LAB_MACHINE_RATE);
}

void lab_machine_wait(LabMachine* lab, double seconds)
{
    for (int i = 0; i < (int)(seconds * LAB_MACHINE_RATE + 0.5); ++i)
        lab_machine_step(lab);
}

// --- pictures ------------------------------------------------------------------------------------

// "time_s" becomes "time (s)".
static const char* label(const char* column, char out[LAB_NAME_MAX + 4])
{
    const char* unit = strrchr(column, '_');
    if (unit)
        snprintf(out, LAB_NAME_MAX + 4, "%.*s (%s)", (int)(unit - column), column, unit + 1);
    return unit ? out : column;
}

static void draw_one(LabRun* run, PlotRect area, const LabMachineChart* c, double* column)
{
    const LabTable* t = &run->report->table;
    char text[LAB_COLUMNS_MAX][LAB_NAME_MAX + 4];
    PlotChart chart = {.title = c->title,
                       .subtitle = c->subtitle,
                       .x_label = label(t->name[0], text[0]),
                       .y_label = c->y_label,
                       .y_range = {c->y_range[0], c->y_range[1]}};
    for (int k = c->first; k <= c->last; ++k) {
        double* y = column + (size_t)k * (size_t)t->rows;
        PlotSeries series =
            lab_picture_series(c->last > c->first ? label(t->name[k], text[k]) : NULL, k - c->first,
                               column, y, t->rows);
        series.line = !c->markers;
        if (!c->markers)
            series.marker = PLOT_MARKER_NONE;
        chart.series[chart.count++] = series;
    }
    plot_chart_draw(run->picture, area, &chart);
}

void lab_machine_draw(LabRun* run, const LabMachineChart* charts, int count)
{
    const LabTable* t = &run->report->table;
    if (t->rows == 0 || !lab_picture_wanted(run, 760 * count, 640))
        return;
    double* column = malloc((size_t)(t->columns * t->rows) * sizeof *column);
    if (!column) {
        lab_fail(run, LAB_EXIT_MEMORY, "not enough memory for the picture");
        return;
    }
    for (int i = 0; i < t->rows; ++i)
        for (int k = 0; k < t->columns; ++k)
            column[k * t->rows + i] = t->cell[i * t->columns + k];
    PlotRect area = lab_picture_heading(run, run->report->machine, run->report->experiment);
    for (int i = 0; i < count; ++i)
        draw_one(run, lab_picture_tile(area, count, 1, i, 0), &charts[i], column);
    free(column);
}
