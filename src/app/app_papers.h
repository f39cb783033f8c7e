// app_papers - the report of a lesson as files: HTML, JSON, CSV, and the cycles as CSV.
#ifndef APP_PAPERS_H
#define APP_PAPERS_H

#include "sim/sim_lesson_report.h"

// What is put behind the stem; NULL ends it.
extern const char* const app_papers_ends[];

// STEM.html, STEM.json, STEM.csv, STEM-cycles.csv. False with the reason in error.
bool app_papers_write(const ReportData* data, const char* stem, BaseYamlError* error);
// Beside the finished recording of a lesson that is still in memory, with the trend of earlier runs that lie
// there. `html`: where the page lies.
bool app_papers_of(SimLesson* lesson, const char* recording, char html[4096], BaseYamlError* error);
// Shows a page with the desktop's own program; false when there is none.
bool app_papers_open(const char* html);

#endif
