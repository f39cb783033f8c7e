// app_settings - what the trainer remembers from one evening to the next.
//
// Does:     read and write one small file in the settings folder; a bad one is named and ignored.
#ifndef APP_SETTINGS_H
#define APP_SETTINGS_H

#include <stdbool.h>

typedef struct AppSettings {
    int pattern;         // InputPattern: iso or sae
    int quality;         // 0 measured at the start, then RenderQuality + 1
    int volume;          // per cent
    int camera;          // ViewCameraKind
    int text;            // per cent of the usual size
    bool full, timings;  //
    const char* vehicle; // name of a shipped one
    char name[65];       // room for it
    const char* trainee; // pseudonym, or "nobody"
    char who[65];        // room for it
} AppSettings;

// Those of last time, or the usual ones. False when there is no memory for either.
bool app_settings_load(AppSettings* settings);
bool app_settings_save(const AppSettings* settings);

#endif
