// app_lesson - lessons at the command line: worked by the built-in operator, or by a script.
#ifndef APP_LESSON_H
#define APP_LESSON_H

#include <stdbool.h>

typedef struct AppLessonOptions {
    const char* name;  // a lesson's file, or the name of a shipped one
    const char* hands; // expert, novice, random, idle, or a file of levers
    const char* record;
    const char* report;  // JSON, - is stdout
    const char* trainee; // pseudonym
    int seconds, threads;
    bool real_time, quiet;
} AppLessonOptions;

// True when `name` is a lesson: a file with goals or criteria, or a shipped lesson that is no shipped site.
bool app_lesson_recognise(const char* name, bool asked);
int app_lesson_run(const AppLessonOptions* options); // exit code

#endif
