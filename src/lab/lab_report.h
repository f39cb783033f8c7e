// lab_report - what an experiment found, against what it should have found.
//
// Does:     hold named values with targets and verdicts, and a table of curves; print them for
//           people, as JSON and as CSV.
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LAB_VALUES_MAX  128
#define LAB_COLUMNS_MAX 16
#define LAB_NAME_MAX    48

typedef enum LabTest {
    LAB_TEST_NONE,  // told, not judged
    LAB_TEST_NEAR,  // |value - target| <= tolerance
    LAB_TEST_MOST,  // value <= target
    LAB_TEST_LEAST, // value >= target
} LabTest;

typedef struct LabValue {
    char name[LAB_NAME_MAX];
    const char* unit; // "" for pure numbers
    double value;
    LabTest test;
    double target, tolerance;
    bool pass; // a value that is not finite never passes
} LabValue;

// Rows of numbers for --csv and for plots.
typedef struct LabTable {
    int columns, rows, capacity;
    char name[LAB_COLUMNS_MAX][LAB_NAME_MAX];
    double* cell; // [capacity][columns]
} LabTable;

typedef struct LabReport {
    const char* experiment;
    const char* kernel;
    int grains, threads;
    int columns;      // of ground, in experiments without grains
    char machine[64]; // its title, in experiments with one alone
    uint64_t seed;
    uint64_t hash; // of every final state, in order
    int count;
    LabValue value[LAB_VALUES_MAX];
    LabTable table;
    bool failed; // the experiment could not run; the reason was told
    int exit;    // then the exit code
} LabReport;

void lab_report_value(LabReport* report, const char* name, const char* unit, double value);
void lab_report_near(LabReport* report, const char* name, const char* unit, double value,
                     double target, double tolerance);
void lab_report_most(LabReport* report, const char* name, const char* unit, double value,
                     double most);
void lab_report_least(LabReport* report, const char* name, const char* unit, double value,
                      double least);
// Asserts that there is one of that name.
const LabValue* lab_report_find(const LabReport* report, const char* name);
bool lab_report_pass(const LabReport* report);
void lab_report_free(LabReport* report);

// Columns are named once, as "time,height"; then rows of as many numbers.
void lab_table_columns(LabTable* table, const char* names);
void lab_table_row(LabTable* table, const double* values);

void lab_report_print(const LabReport* report, FILE* file);
bool lab_report_json(const LabReport* report, FILE* file);
bool lab_report_csv(const LabReport* report, const char* path);

#endif
