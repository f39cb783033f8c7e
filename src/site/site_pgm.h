// site_pgm - heights out of grey pictures: binary PGM ("P5"), 8 or 16 bits, big endian.
//
// Does:     open, tell the size, then read all rows; refuse what is short, long or out of range.
// Does not: scale. Every file is taken as hostile.
#ifndef SITE_PGM_H
#define SITE_PGM_H

#include "base/base_yaml.h"

#include <stdint.h>
#include <stdio.h>

typedef struct SitePgm {
    const char* path;
    FILE* file;
    int width, height;
    int white; // largest value, 1..65535
    long head; // bytes in front of the rows
} SitePgm;

// The three: false with path:line:column (of the head) or path:byte (behind it) in the error.
bool site_pgm_open(SitePgm* pgm, const char* path, BaseYamlError* error);
bool site_pgm_read(SitePgm* pgm, uint16_t* out, BaseYamlError* error); // [height][width]
void site_pgm_close(SitePgm* pgm);

#endif
