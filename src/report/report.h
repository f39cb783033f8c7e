// report - a lesson on one page: what was reached, why, and what to do better.
//
// Does:     write one self-contained HTML page (inline SVG, no network, A4 and phone), JSON and CSV
//           from plain data.
// Does not: simulate, score, or look anything up: all that is shown is handed in.
// Format:   docs/reports.md.
// Threads:  no shared state.
#ifndef REPORT_H
#define REPORT_H

#include "base/base_yaml.h"
#include "score/score.h"

#define REPORT_PAST_MAX   10
#define REPORT_EVENTS_MAX 52     // on the page, a letter each
#define REPORT_NOTHING    -1e30f // in a plan: no target there
#define REPORT_TEXT       128
#define REPORT_NOTE       1024

// A file the lesson was made of.
typedef struct ReportFile {
    const char* what; // "scenario"
    const char* name;
    uint64_t hash;
} ReportFile;

// The ground against its target, seen from above.
typedef struct ReportPlan {
    int nx, nz;         // 0: there is none
    float cell;         // m
    const float* error; // [nz][nx] m above the target; REPORT_NOTHING where there is none
    float tolerance;    // m
} ReportPlan;

// A vertical cut along a goal.
typedef struct ReportSection {
    const char* title;
    int count;           // points; 0: there is none
    float step;          // m between two points
    const float* start;  // [count] m, ground at the start
    const float* target; // [count] m, REPORT_NOTHING where there is none
    const float* now;    // [count] m
} ReportSection;

typedef struct ReportEvent {
    double time; // s
    const char* text;
    bool mishap; // nothing that was planned
    int times;   // how often, when more than once within a few seconds
} ReportEvent;

// An earlier run of this lesson by the same trainee, oldest first.
typedef struct ReportPast {
    char date[24]; // "2026-11-18 09:30"
    double total, pillar[SCORE_PILLARS];
    bool passed;
} ReportPast;

typedef enum ReportProof {
    REPORT_UNVERIFIED, // nobody has looked
    REPORT_VERIFIED,   // re-simulated, every hash equal
    REPORT_DIFFERS,    // it did not come out again
    REPORT_MARKED,     // a fault of the simulation happened during the lesson
} ReportProof;

// NULL texts are left out.
typedef struct ReportData {
    const char *title, *description, *date, *trainee, *driver, *site, *soil, *weather, *vehicle;
    const char *pattern, *device, *program, *reason; // reason: why it ended
    double time_limit;                               // s, 0: none
    bool unfinished;                                 // it was left, or broke off

    const Score* score;
    const ScoreRules* rules;
    const ScoreResult* result;
    const ScoreAdvice* advice;
    int advices;
    const ScoreValue* expert; // [SCORE_MEASURE_COUNT], or NULL
    double expert_total;      // < 0: unknown
    bool expert_same;         // the expert drove this version of the lesson

    ReportPlan plan;
    ReportSection section;
    const ReportEvent* events;
    int event_count;
    const ReportPast* past;
    int past_count;

    const ReportFile* files;
    int file_count;
    const char* recording;
    uint64_t recording_hash;
    uint64_t parent_hash;   // of the recording it was taken over from; 0: none
    double parent_time;     // s
    const char* parent;     // its name
    int proof;              // ReportProof
    const char* proof_text; // what differed or happened
    int64_t imbalance_mg;   // of the ledger
    const char* note;       // the instructor's; NULL leaves room for one
} ReportData;

// Each writes beside the file and moves it over when complete. False with the reason in error.
bool report_html(const ReportData* data, const char* path, BaseYamlError* error);
bool report_json(const ReportData* data, const char* path, BaseYamlError* error);
// One line per measure: name, unit, value, expert, points; then the pillars and the total.
bool report_csv(const ReportData* data, const char* path, BaseYamlError* error);
// One line per working cycle.
bool report_cycles_csv(const ReportData* data, const char* path, BaseYamlError* error);

#endif
