// physics_run - runs an experiment of the lab at small size and looks at single figures.
#ifndef PHYSICS_RUN_H
#define PHYSICS_RUN_H

#include "lab/lab.h"

#include "unity.h"

static LabReport physics_report;

static inline LabOptions physics_options(void)
{
    LabOptions options = lab_options();
    options.quick = true;
    options.threads = 2;
    return options;
}

// The report of the last run stays until the next.
static inline void physics_run(const char* experiment, const LabOptions* options)
{
    lab_report_free(&physics_report);
    lab_run(lab_find(experiment), options, &physics_report);
    TEST_ASSERT_FALSE_MESSAGE(physics_report.failed, experiment);
}

static inline double physics_value(const char* name)
{
    return lab_report_find(&physics_report, name)->value;
}

// Fails with the first figure that misses its target.
static inline void physics_all_pass(void)
{
    for (int i = 0; i < physics_report.count; ++i) {
        const LabValue* v = &physics_report.value[i];
        char text[160];
        snprintf(text, sizeof text, "%s is %g, target %g tolerance %g", v->name, v->value,
                 v->target, v->tolerance);
        TEST_ASSERT_TRUE_MESSAGE(v->pass, text);
    }
}

// Runs it at small size; every figure of it must meet its target.
static inline void physics_meets_targets(const char* experiment)
{
    LabOptions options = physics_options();
    physics_run(experiment, &options);
    physics_all_pass();
}

#endif
