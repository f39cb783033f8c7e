#include "lab/lab_report.h"

#include "base/base_assert.h"
#include "base/base_file.h"
#include "base/base_json.h"
#include "base/base_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static LabValue* add(LabReport* report, const char* name, const char* unit, double value)
{
    BASE_ASSERT(report->count < LAB_VALUES_MAX);
    LabValue* v = &report->value[report->count++];
    *v = (LabValue){.unit = unit, .value = value, .pass = true};
    snprintf(v->name, sizeof v->name, "%s", name);
    return v;
}

void lab_report_value(LabReport* report, const char* name, const char* unit, double value)
{
    add(report, name, unit, value);
}

void lab_report_near(LabReport* report, const char* name, const char* unit, double value,
                     double target, double tolerance)
{
    LabValue* v = add(report, name, unit, value);
    v->test = LAB_TEST_NEAR, v->target = target, v->tolerance = tolerance;
    v->pass = isfinite(value) && fabs(value - target) <= tolerance;
}

void lab_report_most(LabReport* report, const char* name, const char* unit, double value,
                     double most)
{
    LabValue* v = add(report, name, unit, value);
    v->test = LAB_TEST_MOST, v->target = most;
    v->pass = isfinite(value) && value <= most;
}

void lab_report_least(LabReport* report, const char* name, const char* unit, double value,
                      double least)
{
    LabValue* v = add(report, name, unit, value);
    v->test = LAB_TEST_LEAST, v->target = least;
    v->pass = isfinite(value) && value >= least;
}

const LabValue* lab_report_find(const LabReport* report, const char* name)
{
    const LabValue* found = NULL;
    for (int i = 0; i < report->count; ++i)
        if (strcmp(report->value[i].name, name) == 0)
            found = &report->value[i];
    BASE_ASSERT(found != NULL);
    return found;
}

bool lab_report_pass(const LabReport* report)
{
    bool pass = !report->failed;
    for (int i = 0; i < report->count; ++i)
        pass = pass && report->value[i].pass;
    return pass;
}

void lab_report_free(LabReport* report)
{
    free(report->table.cell);
    report->table.cell = NULL;
}

void lab_table_columns(LabTable* table, const char* names)
{
    BASE_ASSERT(table->columns == 0);
    while (*names) {
        size_t length = strcspn(names, ",");
        BASE_ASSERT(table->columns < LAB_COLUMNS_MAX && length < LAB_NAME_MAX);
        memcpy(table->name[table->columns++], names, length);
        names += length + (names[length] == ',');
    }
}

void lab_table_row(LabTable* table, const double* values)
{
    if (table->rows == table->capacity) {
        int capacity = table->capacity > 0 ? 2 * table->capacity : 256;
        double* cell = realloc(table->cell, (size_t)(capacity * table->columns) * sizeof *cell);
        BASE_ASSERT(cell != NULL);
        table->cell = cell, table->capacity = capacity;
    }
    memcpy(table->cell + table->rows++ * table->columns, values,
           (size_t)table->columns * sizeof *values);
}

static const char* verdict(const LabValue* v)
{
    return v->test == LAB_TEST_NONE ? "" : v->pass ? "ok" : "MISSED";
}

static void print_target(const LabValue* v, char* text, size_t size)
{
    switch (v->test) {
    case LAB_TEST_NEAR: snprintf(text, size, "%.5g ± %.3g", v->target, v->tolerance); break;
    case LAB_TEST_MOST: snprintf(text, size, "at most %.4g", v->target); break;
    case LAB_TEST_LEAST: snprintf(text, size, "at least %.4g", v->target); break;
    default: text[0] = '\0';
    }
}

void lab_report_print(const LabReport* report, FILE* file)
{
    char scene[64];
    if (report->machine[0])
        snprintf(scene, sizeof scene, "%s", report->machine);
    else if (report->columns > 0)
        snprintf(scene, sizeof scene, "%d columns of ground", report->columns);
    else
        snprintf(scene, sizeof scene, "kernel %s, %d grains", report->kernel, report->grains);
    fprintf(file, "%s: %s, %d thread%s, seed %llu\n\n", report->experiment, scene, report->threads,
            report->threads == 1 ? "" : "s", (unsigned long long)report->seed);
    fprintf(file, "  %-34s %12s %-6s %-22s %s\n", "", "value", "unit", "target", "verdict");
    for (int i = 0; i < report->count; ++i) {
        const LabValue* v = &report->value[i];
        char target[64];
        print_target(v, target, sizeof target);
        // the sign ± takes two bytes and one place
        int pad = v->test == LAB_TEST_NEAR ? 23 : 22;
        fprintf(file, "  %-34s %12.5g %-6s %-*s %s\n", v->name, v->value, v->unit, pad, target,
                verdict(v));
    }
    fprintf(file, "\n%s  (hash %016llx)\n",
            lab_report_pass(report) ? "within targets" : "MISSES its targets",
            (unsigned long long)report->hash);
}

static void json_target(BaseJson* json, const LabValue* v)
{
    static const char* const kind[] = {"", "near", "at_most", "at_least"};
    base_json_begin_object(json, v->name);
    base_json_string(json, "kind", kind[v->test]);
    base_json_double(json, "value", v->target);
    if (v->test == LAB_TEST_NEAR)
        base_json_double(json, "tolerance", v->tolerance);
    base_json_bool(json, "pass", v->pass);
    base_json_end(json);
}

bool lab_report_json(const LabReport* report, FILE* file)
{
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "experiment", report->experiment);
    if (report->machine[0]) {
        base_json_string(&json, "machine", report->machine);
    } else if (report->columns > 0) {
        base_json_int(&json, "columns", report->columns);
    } else {
        base_json_string(&json, "kernel", report->kernel);
        base_json_int(&json, "grains", report->grains);
    }
    base_json_int(&json, "threads", report->threads);
    base_json_int(&json, "seed", (int64_t)report->seed);
    base_json_begin_object(&json, "results");
    for (int i = 0; i < report->count; ++i)
        base_json_double(&json, report->value[i].name, report->value[i].value);
    base_json_end(&json);
    base_json_begin_object(&json, "targets");
    for (int i = 0; i < report->count; ++i)
        if (report->value[i].test != LAB_TEST_NONE)
            json_target(&json, &report->value[i]);
    base_json_end(&json);
    base_json_bool(&json, "pass", lab_report_pass(report));
    base_json_hex(&json, "hash", report->hash);
    base_json_end(&json);
    bool fine = base_json_write(&json, file);
    base_json_free(&json);
    return fine;
}

static void csv_rows(const LabTable* table, FILE* file)
{
    char number[BASE_TEXT_NUMBER];
    for (int i = 0; i < table->columns; ++i)
        fprintf(file, "%s%s", i > 0 ? "," : "", table->name[i]);
    fprintf(file, "\n");
    for (int row = 0; row < table->rows; ++row) {
        for (int i = 0; i < table->columns; ++i)
            fprintf(file, "%s%s", i > 0 ? "," : "",
                    base_text_from_double(number, table->cell[row * table->columns + i]));
        fprintf(file, "\n");
    }
}

bool lab_report_csv(const LabReport* report, const char* path)
{
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    if (file)
        csv_rows(&report->table, file);
    bool fine = file && !ferror(file);
    fine = file && fclose(file) == 0 && fine && base_file_replace(path, text, size);
    if (!fine)
        fprintf(stderr, "%s: cannot write the table; is the folder there, the disk not full?\n",
                path);
    free(text);
    return fine;
}
