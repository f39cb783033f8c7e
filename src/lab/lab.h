// lab - physics experiments on grains and ground, each with the figures a correct solver must show.
//
// Does:     `mattock lab NAME`: build the scene, run it, measure, compare with the targets, and
//           print a table, JSON, CSV or a picture.
// Does not: time anything; see bench.
// Threads:  the calling thread, which owns the jobs.
#ifndef LAB_H
#define LAB_H

#include "lab/lab_args.h"
#include "lab/lab_report.h"
#include "lab/lab_scene.h"
#include "material/material.h"
#include "plot/plot_canvas.h"

#define LAB_GRAINS_MAX 400000
#define LAB_KERNEL_ANY (-1) // the experiment's own choice

typedef struct LabOptions {
    int kernel;    // SoilKernel, or LAB_KERNEL_ANY
    int grains;    // 0: the experiment's own number
    int radius_mm; // 0: the experiment's own
    int threads;
    int seed;
    int substeps, iterations; // 0: the kernel's own
    int ops;                  // ledger only, 0: its own number
    bool quick;               // a smaller scene that still meets the targets, for tests
    bool json, help;
    const char* csv; // NULL: not wanted
    const char* png;
    const char* out;         // calibrate only
    const char* materials;   // NULL: config/materials.yaml beside the program
    const char* vehicle;     // NULL: vehicles/excavator_22t.yaml beside the program
    const char* calibration; // NULL: config/calibration.yaml beside the program
} LabOptions;

// What an experiment works with.
typedef struct LabRun {
    const LabOptions* options;
    Jobs* jobs;
    LabReport* report;
    PlotCanvas* picture; // made by the experiment when options->png is set
    double done, share;  // progress: finished part and the part under way, 0..1
} LabRun;

typedef struct LabExperiment {
    const char* name;
    const char* summary;
    void (*run)(LabRun* run);
} LabExperiment;

extern const LabExperiment lab_experiments[]; // ends with a NULL name
const LabExperiment* lab_find(const char* name);

LabOptions lab_options(void); // defaults
// Runs it and fills in the report; free it with lab_report_free(). Writes no file, except the
// picture where one is wanted. Returns the exit code.
int lab_run(const LabExperiment* experiment, const LabOptions* options, LabReport* report);

// argv[0] is the word "lab".
int lab_main(int argc, char** argv);

// --- for the experiments -------------------------------------------------------------------------

// The setup asked for on the command line, else the experiment's own.
LabSetup lab_setup(const LabRun* run, SoilKernel kernel, int grains, int quick_grains);
// Tells how far the part under way is, 0..1.
void lab_progress(LabRun* run, double fraction);
// Begins a part that is `share` of the whole.
void lab_part(LabRun* run, double share);
// Takes the final state into the report's hash, counts its grains and destroys it.
void lab_finish(LabRun* run, Soil* soil);
void lab_mark(LabRun* run, const Soil* soil); // the same without the end
// The experiment cannot go on. Tells why (NULL: it was told) and sets the exit code.
void lab_fail(LabRun* run, int exit, const char* why);
// A scene, or lab_fail() and false.
bool lab_made(LabRun* run, const Soil* soil);

// The material files, from the command line or beside the program; false after lab_fail().
typedef struct LabSoils {
    BaseArena arena;
    MaterialSet set;
    MaterialCalibration calibration;
} LabSoils;
bool lab_load_materials(LabRun* run, LabSoils* soils);
bool lab_load_calibrated(LabRun* run, LabSoils* soils); // both files
void lab_free_soils(LabSoils* soils);
// The setup with the grains of a calibrated material; false after lab_fail().
bool lab_use_material(LabRun* run, const LabSoils* soils, const char* name, LabSetup* setup);

#endif
