// app_lesson - lessons at the command line: worked by the built-in operator, or by a script.
#ifndef APP_LESSON_H
#define APP_LESSON_H

#include "sim/sim_lesson_report.h"

#include <stdbool.h>

typedef struct AppLessonOptions {
    const char* name;  // a lesson's file, or the name of a shipped one
    const char* hands; // expert, novice, random, idle, or a file of levers
    const char* record;
    const char* report;    // JSON, - is stdout
    const char* trainee;   // pseudonym
    const char* parent;    // recording that is gone on from
    const char* yardstick; // the values go here, for reports of others
    int seconds, threads;
    bool papers; // HTML, JSON and CSV beside the record, and a line that tells where
    bool real_time, quiet;
} AppLessonOptions;

// True when `name` is a lesson: a file with goals or criteria, or a shipped lesson that is no shipped site.
bool app_lesson_recognise(const char* name, bool asked);
int app_lesson_run(const AppLessonOptions* options); // exit code
// The same with a lesson that has been worked up to now, as `parent` tells.
int app_lesson_go_on(SimLesson* lesson, RecordReader* parent, const AppLessonOptions* options);
// The file, or that of a shipped lesson of this name; path holds 4096 bytes.
bool app_lesson_find(const char* name, char* path);
// The result on a line of stdout. `rules`: NULL for the lesson's own.
void app_lesson_print(SimLesson* lesson, const ScoreRules* rules, const char* what);
// JSON; says itself what went wrong.
bool app_lesson_report(SimLesson* lesson, const ScoreRules* rules, const RecordInfo* info,
                       const char* recording, const char* path);

#endif
