// sim_lesson_report - everything a report of a lesson shows, gathered from the lesson itself.
//
// Does:     fill in ReportData from a lesson that has been worked, or simulated again from its record.
// Does not: write files; see report.h.
// Threads:  the simulation's. The data points into the lesson and into this struct: keep both.
#ifndef SIM_LESSON_REPORT_H
#define SIM_LESSON_REPORT_H

#include "report/report.h"
#include "sim/sim_lesson.h"

#define SIM_REPORT_POINTS  512 // of a section
#define SIM_REPORT_MISHAPS 64  // hits, strikes, dangers that are listed

typedef struct SimLessonReport {
    ReportData data;
    ScoreRules rules; // those it is judged by
    ScoreResult result;
    ScoreAdvice advice[SCORE_ADVICE_MAX];
    ReportEvent event[SIM_LESSON_EVENTS + SIM_REPORT_MISHAPS];
    ReportFile file[4];
    char date[32], soil[256];
    float* error; // [nz][nx] m
    float start[SIM_REPORT_POINTS], target[SIM_REPORT_POINTS], now[SIM_REPORT_POINTS];
} SimLessonReport;

// `rules`: NULL for the lesson's own. `info`: of its recording; `recording` is that file's name. False
// when memory is short.
bool sim_lesson_report(SimLesson* lesson, const ScoreRules* rules, const RecordInfo* info,
                       const char* recording, SimLessonReport* out);
void sim_lesson_report_free(SimLessonReport* report);

#endif
