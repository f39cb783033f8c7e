// qualify - a qualification guide in the manner of flight simulators: which claims about soil, machine
// and controls hold in this build, on this computer, today.
//
// Does:     run the experiments of lab, hold each result against its target and against a frozen
//           master, find the level (A soil and machine, B machine, C controls), and write one HTML
//           page with conditions, procedure, tolerance, source, result and verdict of every test.
// Does not: hide anything: a test that misses, cannot run or does not exist yet lowers the level and
//           stands on the page.
// Threads:  the calling thread.
#ifndef QUALIFY_H
#define QUALIFY_H

#include "base/base_yaml.h"
#include "lab/lab.h"

#define QUALIFY_TESTS_MAX  64
#define QUALIFY_CURVES     3   // of one chart
#define QUALIFY_POINTS_MAX 160 // rows of a curve that the master keeps
#define QUALIFY_WHY        256

typedef enum QualifyGroup {
    QUALIFY_CONTROLS,
    QUALIFY_MACHINE,
    QUALIFY_SOIL,
    QUALIFY_GROUPS,
} QualifyGroup;

typedef enum QualifyVerdict {
    QUALIFY_PASSED,
    QUALIFY_MISSED, // a value lies outside its tolerance
    QUALIFY_FAILED, // it could not run
    QUALIFY_ABSENT, // the guide asks for it, this build has it not yet
    QUALIFY_LEFT,   // not asked for in this run
} QualifyVerdict;

typedef enum QualifyStyle {
    QUALIFY_COURSE, // y over x; where x goes back another case begins
    QUALIFY_POINTS, // apart from each other
    QUALIFY_WAY,    // through the plane, back and forth: one line
} QualifyStyle;

// What is drawn of an experiment's table. Names are those of its columns.
typedef struct QualifyChart {
    const char* x;
    const char* y[QUALIFY_CURVES]; // as measured
    const char* reference;         // what it should be, NULL: no curve of it
    QualifyStyle style;
} QualifyChart;

typedef struct QualifySpec {
    const char* number; // of the test in the guide
    QualifyGroup group;
    const char* experiment; // of lab
    const char *title, *procedure, *source;
    QualifyChart chart;
} QualifySpec;

extern const QualifySpec qualify_specs[]; // ends with a NULL experiment

// A result as it was when the master was frozen.
typedef struct QualifyNumber {
    const char* name;
    double value;
} QualifyNumber;

typedef struct QualifyCurve {
    const char* name; // of the column
    float* points;    // [count]
    int count;
} QualifyCurve;

typedef struct QualifyFrozen {
    const char* experiment;
    const char* hash; // of its final states
    QualifyNumber* numbers;
    QualifyCurve* curves;
    int number_count, curve_count;
} QualifyFrozen;

typedef struct QualifyMaster {
    const char *date, *program, *scale;
    QualifyFrozen* tests;
    int test_count;
} QualifyMaster;

typedef struct QualifyResult {
    QualifyVerdict verdict;
    double seconds; // information
    LabReport report;
} QualifyResult;

// Computer and build, as far as they can matter.
typedef struct QualifyIdentity {
    char date[32], system[160], processor[128], memory[32], program[64], compiler[64];
    char files[256]; // those that shape results, with their hashes
    int cores;
} QualifyIdentity;

typedef struct QualifyRun {
    bool quick;
    int threads;
    QualifyIdentity identity;
    const QualifyMaster* master; // NULL: there is none
    QualifyResult result[QUALIFY_TESTS_MAX];
} QualifyRun;

// "A", "B", "C", or "none".
const char* qualify_level(const QualifyRun* run);
// True when every test of the group passed.
bool qualify_group_passed(const QualifyRun* run, QualifyGroup group);
int qualify_count(const QualifyRun* run, QualifyGroup group, QualifyVerdict verdict);
const char* qualify_verdict_word(QualifyVerdict verdict);
const char* qualify_group_word(QualifyGroup group);

void qualify_identify(QualifyIdentity* out);

// False with a message when the file is bad.
bool qualify_master_load(const char* path, BaseArena* arena, QualifyMaster* out,
                         BaseYamlError* error);
bool qualify_master_recognise(const char* path); // lies in a folder named qualify
bool qualify_master_save(const QualifyRun* run, const char* path, BaseYamlError* error);
// NULL when the master has no such experiment.
const QualifyFrozen* qualify_frozen(const QualifyMaster* master, const char* experiment);
const QualifyNumber* qualify_frozen_number(const QualifyFrozen* frozen, const char* name);
const QualifyCurve* qualify_frozen_curve(const QualifyFrozen* frozen, const char* name);
// Column of a table by name, -1 when there is none; every so many of its rows are kept.
int qualify_column(const LabTable* table, const char* name);
int qualify_stride(const LabTable* table);

bool qualify_page(const QualifyRun* run, const char* path, BaseYamlError* error);

// `mattock qualify`; argv[0] is the word "qualify".
int qualify_main(int argc, char** argv);

#endif
