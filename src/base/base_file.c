#include "base/base_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool base_file_write(int file, const void* data, size_t bytes)
{
    const char* at = data;
    while (bytes > 0) {
        ssize_t part = write(file, at, bytes);
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part <= 0) {
            return false;
        }
        at += part;
        bytes -= (size_t)part;
    }
    return true;
}

bool base_file_sync_folder(const char* path_inside)
{
    char folder[BASE_FILE_PATH];
    const char* slash = strrchr(path_inside, '/');
    size_t length = slash ? (size_t)(slash - path_inside) : 0;
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(folder, path_inside, length);
    strcpy(folder + length, slash == path_inside ? "/" : slash ? "" : ".");
    int handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) {
        return false;
    }
    // some file systems cannot flush a folder and say EINVAL; they need not
    bool fine = fsync(handle) == 0 || errno == EINVAL;
    int reason = errno;
    close(handle);
    errno = reason;
    return fine;
}

// Into a device or a pipe, which nobody wants to see replaced by a file.
static bool base_file_pour(const char* path, const void* data, size_t bytes)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool fine = file >= 0 && base_file_write(file, data, bytes);
    int reason = errno;
    if (file >= 0 && close(file) != 0 && fine) {
        fine = false, reason = errno;
    }
    errno = reason;
    return fine;
}

bool base_file_replace(const char* path, const void* data, size_t bytes)
{
    char part[BASE_FILE_PATH], behind[PATH_MAX];
    struct stat there;
    if (lstat(path, &there) == 0 && S_ISLNK(there.st_mode)) {
        // the link stays, what it points to is replaced
        path = realpath(path, behind) ? behind : path;
    }
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        return base_file_pour(path, data, bytes);
    }
    if (snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid()) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    unlink(part); // left behind by a crashed program of the same number
    int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        return false;
    }
    bool fine = base_file_write(file, data, bytes) && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0 && fine) {
        fine = false, reason = errno;
    }
    if (fine && rename(part, path) != 0) {
        fine = false, reason = errno;
    }
    if (!fine) {
        unlink(part);
        errno = reason;
        return false;
    }
    return base_file_sync_folder(path);
}
