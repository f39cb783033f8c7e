// base_log - what the program tells people, on stderr.
//
// Does:     one line per message; a progress line for work that takes longer than a second.
// Does not: write to stdout, which belongs to results.
// Threads:  main thread.
#ifndef BASE_LOG_H
#define BASE_LOG_H

// Each prints one line; no newline at the end of the text.
void base_info(const char* format, ...) __attribute__((format(printf, 1, 2)));
void base_warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
void base_error(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Call it as often as you like with a fraction in 0..1. Silent for the first second of a piece of
// work; then a terminal gets one line that is redrawn, anything else a plain line every 5 s.
void base_progress(const char* what, double fraction);

// Ends the piece of work and wipes its line; the next base_progress() begins a new one.
void base_progress_end(void);

#endif
