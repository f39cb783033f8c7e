// app_folder - where settings and records live: the XDG folders.
#ifndef APP_FOLDER_H
#define APP_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

// mkdir -p
bool app_folder_make(const char* path);
// $XDG_DATA_HOME/mattock/NAME or ~/.local/share/mattock/NAME, made when it is not there. False when
// it cannot be had; `path` then is the last one tried.
bool app_folder_data(const char* name, char* path, size_t size);
// The same of settings: $XDG_CONFIG_HOME/mattock or ~/.config/mattock.
bool app_folder_config(char* path, size_t size);

#endif
