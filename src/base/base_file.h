// base_file - writes files so that a crash or a full disk never costs an old one.
//
// Does:     write beside the file, flush to the disk, move over it; flush the folder too.
// Does not: print. A refusal leaves its reason in errno.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define BASE_FILE_PATH 4096

// All bytes, however often the system wants to be asked.
bool base_file_write(int file, const void* data, size_t bytes);

// The new content appears at once or not at all; the old one stays when anything fails. What is no
// plain file (a pipe, /dev/null) is written into, and a link's target is replaced, not the link.
bool base_file_replace(const char* path, const void* data, size_t bytes);

// After a rename: makes the folder's entry last through a power cut.
bool base_file_sync_folder(const char* path_inside);

#endif
