// The frozen master: results as they were on the day they were accepted.
#include "qualify/qualify.h"

#include "base/base_text.h"
#include "report/report_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const BaseYamlField number_fields[] = {
    {BASE_YAML_STRING(QualifyNumber, name), .required = true},
    {BASE_YAML_DOUBLE(QualifyNumber, value), .required = true},
};
static const BaseYamlSchema number_schema = BASE_YAML_SCHEMA(QualifyNumber, number_fields);

static const BaseYamlField curve_fields[] = {
    {BASE_YAML_STRING(QualifyCurve, name), .required = true},
    {BASE_YAML_FLOAT_LIST(QualifyCurve, points, count), .required = true},
};
static const BaseYamlSchema curve_schema = BASE_YAML_SCHEMA(QualifyCurve, curve_fields);

static const BaseYamlField frozen_fields[] = {
    {BASE_YAML_NAME(QualifyFrozen, experiment), .required = true},
    {BASE_YAML_STRING(QualifyFrozen, hash), .required = true, .min = 16, .max = 16},
    {BASE_YAML_LIST(QualifyFrozen, numbers, number_count, number_schema), .required = true},
    {BASE_YAML_LIST(QualifyFrozen, curves, curve_count, curve_schema)},
};
static const BaseYamlSchema frozen_schema = BASE_YAML_SCHEMA(QualifyFrozen, frozen_fields);

static const BaseYamlField master_fields[] = {
    {BASE_YAML_STRING(QualifyMaster, date), .required = true},
    {BASE_YAML_STRING(QualifyMaster, program), .required = true},
    {BASE_YAML_NAME(QualifyMaster, scale), .required = true},
    {BASE_YAML_LIST(QualifyMaster, tests, test_count, frozen_schema), .required = true},
};
static const BaseYamlSchema master_schema = BASE_YAML_SCHEMA(QualifyMaster, master_fields);

bool qualify_master_load(const char* path, BaseArena* arena, QualifyMaster* out,
                         BaseYamlError* error)
{
    *out = (QualifyMaster){0};
    return base_yaml_load(path, &master_schema, arena, out, error);
}

bool qualify_master_recognise(const char* path)
{
    return strncmp(path, "qualify/", 8) == 0 || strstr(path, "/qualify/") != NULL;
}

const QualifyFrozen* qualify_frozen(const QualifyMaster* master, const char* experiment)
{
    for (int i = 0; master && i < master->test_count; ++i)
        if (strcmp(master->tests[i].experiment, experiment) == 0)
            return &master->tests[i];
    return NULL;
}

const QualifyNumber* qualify_frozen_number(const QualifyFrozen* frozen, const char* name)
{
    for (int i = 0; frozen && i < frozen->number_count; ++i)
        if (strcmp(frozen->numbers[i].name, name) == 0)
            return &frozen->numbers[i];
    return NULL;
}

const QualifyCurve* qualify_frozen_curve(const QualifyFrozen* frozen, const char* name)
{
    for (int i = 0; frozen && name && i < frozen->curve_count; ++i)
        if (strcmp(frozen->curves[i].name, name) == 0)
            return &frozen->curves[i];
    return NULL;
}

int qualify_column(const LabTable* table, const char* name)
{
    for (int c = 0; name && c < table->columns; ++c)
        if (strcmp(table->name[c], name) == 0)
            return c;
    return -1;
}

int qualify_stride(const LabTable* table)
{
    return (table->rows + QUALIFY_POINTS_MAX - 1) / QUALIFY_POINTS_MAX;
}

// --- saving --------------------------------------------------------------------------------------

// A column that the chart shows, when all of it is numbers.
static void save_curve(ReportText* out, const LabTable* table, const char* name, bool* any)
{
    int column = qualify_column(table, name);
    for (int r = 0; column >= 0 && r < table->rows; ++r)
        if (!isfinite(table->cell[r * table->columns + column]))
            return;
    if (column < 0 || table->rows == 0)
        return;
    report_add(out, "%s      - name: \"%s\"\n        points: [", *any ? "" : "    curves:\n", name);
    *any = true;
    for (int r = 0; r < table->rows; r += qualify_stride(table)) {
        char number[BASE_TEXT_NUMBER];
        double value = table->cell[r * table->columns + column];
        report_add(out, "%s%s", r > 0 ? ", " : "", base_text_from_float(number, (float)value));
    }
    report_add(out, "]\n");
}

static void save_test(ReportText* out, const QualifySpec* spec, const LabReport* report)
{
    report_add(out, "  - experiment: %s\n    hash: \"%016llx\"\n    numbers:\n", spec->experiment,
               (unsigned long long)report->hash);
    for (int i = 0; i < report->count; ++i) {
        char number[BASE_TEXT_NUMBER];
        if (isfinite(report->value[i].value))
            report_add(out, "      - {name: \"%s\", value: %s}\n", report->value[i].name,
                       base_text_from_double(number, report->value[i].value));
    }
    bool any = false;
    save_curve(out, &report->table, spec->chart.x, &any);
    for (int k = 0; k < QUALIFY_CURVES; ++k)
        save_curve(out, &report->table, spec->chart.y[k], &any);
}

bool qualify_master_save(const QualifyRun* run, const char* path, BaseYamlError* error)
{
    ReportText out = {0};
    report_add(&out,
               "# Results as they were when they were frozen; made by `make qualify-master`. A "
               "difference is no fault,\n# but somebody should know why: say so in CHANGELOG.md.\n"
               "date: \"%s\"\nprogram: \"%s\"\nscale: %s\ntests:\n",
               run->identity.date, run->identity.program, run->quick ? "quick" : "full");
    for (int i = 0; qualify_specs[i].experiment; ++i)
        if (run->result[i].verdict <= QUALIFY_MISSED && run->result[i].report.count > 0)
            save_test(&out, &qualify_specs[i], &run->result[i].report);
    bool fine = report_write(&out, path, error);
    report_free(&out);
    return fine;
}
