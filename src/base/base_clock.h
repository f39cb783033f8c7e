// base_clock - what time has passed, and the usual figures of measured times.
//
// Does not: tell the date, or ever reach into a result that is hashed: times are information.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

// s since some moment that stays the same while the program runs; never goes back.
double base_seconds(void);

// s of processor time: of all threads of this process, of the calling thread.
double base_seconds_process(void);
double base_seconds_thread(void);

// Ascending.
void base_sort(double* values, int count);

// Nearest rank; q = 0.5 is the median. count > 0.
double base_quantile(const double* sorted, int count, double q);

// Sorts in place. count > 0.
double base_median(double* values, int count);

#endif
