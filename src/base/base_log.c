#include "base/base_log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SILENT_SECONDS 1.0  // short work needs no progress line
#define REDRAW_SECONDS 0.25 // on a terminal
#define PLAIN_SECONDS  5.0  // in a log file

static struct {
    bool running;
    bool drawn;   // an unfinished line stands on the terminal
    double start; // s, monotonic clock
    double last;  // s, when the line was printed
} progress;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wipe_progress(void)
{
    if (progress.drawn) {
        fputs("\r\033[K", stderr);
        progress.drawn = false;
    }
}

static void print_line(const char* level, const char* format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    wipe_progress();
    fprintf(stderr, "%s%s\n", level, text);
}

void base_info(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("", format, args);
    va_end(args);
}

void base_warn(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("warning: ", format, args);
    va_end(args);
}

void base_error(const char* format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("error: ", format, args);
    va_end(args);
}

void base_progress(const char* what, double fraction)
{
    double time = now();
    if (!progress.running) {
        progress.running = true;
        progress.start = time;
        progress.last = time - PLAIN_SECONDS;
    }
    bool terminal = isatty(STDERR_FILENO);
    double pause = terminal ? REDRAW_SECONDS : PLAIN_SECONDS;
    if (time - progress.start < SILENT_SECONDS || time - progress.last < pause) {
        return;
    }
    progress.last = time;
    progress.drawn = terminal;
    double percent = fraction > 1.0 ? 100.0 : fraction > 0.0 ? 100.0 * fraction : 0.0;
    fprintf(stderr, terminal ? "\r\033[K%s: %.0f %%" : "%s: %.0f %%\n", what, percent);
    fflush(stderr);
}

void base_progress_end(void)
{
    wipe_progress();
    fflush(stderr);
    progress.running = false;
}
