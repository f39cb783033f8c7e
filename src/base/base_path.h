// base_path - finds the files that come with the program, wherever it was started from.
//
// Does:     look beside the running program, in the folders above it, and in the install prefix.
// Does not: open anything.
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

// name is relative, like "assets/fonts/DejaVuSans.ttf". False when it is nowhere; `path` then holds
// the last place looked at, for the message.
bool base_path_find(const char* name, char* path, size_t size);

// What a person may say for a file: the file itself, or the name of one that is shipped as
// folder/name.yaml. `path` is that, or the name as it was given when there is neither.
void base_path_shipped(const char* folder, const char* name, char* path, size_t size);

#endif
