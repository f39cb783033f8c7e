// report_text - text that grows, and texts of strangers made harmless in it.
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/report.h"

#include <stddef.h>

typedef struct ReportText {
    char* text;
    size_t length, capacity;
    bool failed; // out of memory; everything after is ignored
} ReportText;

void report_add(ReportText* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
// For HTML and SVG: < > & " ' become entities, control characters spaces. NULL adds nothing.
void report_add_safe(ReportText* out, const char* text);
// score_value_text() with the signs that paper can show: 7.2°, 78 m³/h.
const char* report_value(char buffer[64], int measure, ScoreValue value);
bool report_write(const ReportText* text, const char* path, BaseYamlError* error);
void report_free(ReportText* text);

// Elements of a chart.
#define REPORT_THIN   "stroke=\"#d5dbe0\""
#define REPORT_DASHED "stroke=\"#1c2329\" stroke-dasharray=\"4 3\""
extern const char* const report_phase_color[]; // [SCORE_PHASE_COUNT]
void report_svg(ReportText* out, double width, double height, const char* title);
void report_rect(ReportText* out, double x, double y, double w, double h, const char* color);
void report_line(ReportText* out, double x0, double y0, double x1, double y1, const char* style);

int report_events(const ReportData* data); // that are shown
const char* report_letter(int number);     // of an event: A, B, ... Z, a, ...

// The page's parts; each adds whole elements.
void report_cycles(ReportText* out, const ReportData* data);
void report_timeline(ReportText* out, const ReportData* data);
void report_axes(ReportText* out, const ReportData* data);
void report_payload(ReportText* out, const ReportData* data);
void report_trend(ReportText* out, const ReportData* data);
void report_plan(ReportText* out, const ReportData* data);
void report_section(ReportText* out, const ReportData* data);

extern const char report_style[];

#endif
