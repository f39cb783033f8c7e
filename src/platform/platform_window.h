// platform_window - a window with an OpenGL 3.3 context, on a screen or without one.
//
// Does:     open and close, follow resizing and minimising, show what was drawn; pick the events
//           that concern windows out of the queue and leave the others there.
// Does not: draw, or read keys, sticks and sound devices.
// Units:    pixels of the framebuffer, which on some screens are finer than those of the desktop.
// Threads:  the main thread; the picture may be drawn by another one, see platform_window_draw_here().
#ifndef PLATFORM_WINDOW_H
#define PLATFORM_WINDOW_H

#include <stdbool.h>

#define PLATFORM_WHY 256 // bytes of a sentence

typedef struct PlatformWindow PlatformWindow;

typedef struct PlatformWindowDef {
    const char* title;
    int width, height;
    bool offscreen; // no screen needed: pictures are read back
    bool full;      // over the whole screen
    bool wait;      // for the screen's next refresh
} PlatformWindowDef;

// A display answers; whether it has OpenGL is another question.
bool platform_window_possible(void);
// NULL with one sentence when there is no display or no such OpenGL. One at a time.
PlatformWindow* platform_window_create(const PlatformWindowDef* def, char why[PLATFORM_WHY]);
void platform_window_destroy(PlatformWindow* window);

// Takes window events out of the queue. False when the user wants to leave.
bool platform_window_poll(PlatformWindow* window);
void platform_window_size(const PlatformWindow* window, int* width, int* height);
// Nothing to draw into: minimised, hidden or without area. Sleep instead of drawing.
bool platform_window_hidden(const PlatformWindow* window);
void platform_window_full(PlatformWindow* window, bool full);
// Whose thread draws: from now on the caller's, or nobody's. One thread at a time.
bool platform_window_draw_here(PlatformWindow* window, bool here);
void platform_window_show(PlatformWindow* window); // what was drawn

#endif
