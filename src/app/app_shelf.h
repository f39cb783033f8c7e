// app_shelf - the recordings that are kept: in the records folder and in one folder below it per trainee.
//
// Does:     list them with what they claim; name new ones; find those that a crash has left; earlier runs of
//           the same trainee for a trend.
// Does not: prove anything: results are claims until `mattock replay --verify` has simulated them again.
#ifndef APP_SHELF_H
#define APP_SHELF_H

#include "record/record.h"
#include "report/report.h"

#define APP_SHELF_PATH 1024

typedef struct AppRun {
    char path[APP_SHELF_PATH];
    RecordInfo info;
    double total, pillar[SCORE_PILLARS]; // points as they were recorded; < 0: unknown
    bool passed;
    bool broken; // a crash has left it: PATH.part
} AppRun;

// The newest `max` at most, the oldest first; returns how many. A file that a living program writes is left out.
int app_shelf_list(const char* folder, AppRun* out, int max);
// The newest run that broke off and has at least a second; false when there is none.
bool app_shelf_broken(const char* folder, AppRun* out);
// A name that nobody has used: FOLDER[/TRAINEE]/DATE-WHAT.mrec; makes the folder, and an empty PATH.part, so
// that no other program takes it before record_begin() does. False when it cannot.
bool app_shelf_name(const char* folder, const char* trainee, const char* what,
                    char path[APP_SHELF_PATH]);
// Gives a name back that nothing was recorded under.
void app_shelf_unname(const char* path);
// 1 to 64 of a-z, 0-9, _ and -: a pseudonym that is a folder, too.
bool app_shelf_is_name(const char* trainee);
// Runs of this lesson by this trainee before `started`, at most REPORT_PAST_MAX, the oldest first. `except`: a
// file that does not count.
int app_shelf_past(const char* folder, const RecordHead* head, const char* except,
                   ReportPast out[REPORT_PAST_MAX]);
// The name of a recording without folders and without .mrec: what its report is called.
void app_shelf_stem(const char* path, char* out, size_t size);
void app_shelf_day(int64_t started, char out[24]); // "2026-11-18 09:30", here

#endif
