// platform_probe - which screens, devices and loudspeakers the system offers, without opening any.
//
// Does:     count and name them, for the self-test.
// Does not: need a display; where there is none, it says so.
// Threads:  the main thread, before or after a window, not beside one.
#ifndef PLATFORM_PROBE_H
#define PLATFORM_PROBE_H

#include <stdbool.h>

#define PLATFORM_PROBE_DEVICES 8

typedef struct PlatformProbe {
    bool display;     // a window can be opened
    char screen[160]; // what it is, or why there is none
    int sticks;       // sticks, pads, wheels and pedals
    char stick[PLATFORM_PROBE_DEVICES][64];
    int speakers;
} PlatformProbe;

void platform_probe(PlatformProbe* out);

#endif
