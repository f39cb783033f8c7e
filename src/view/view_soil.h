// view_soil - how kinds of soil look.
//
// Does:     colours of bank and loose soil, how stony and cloddy, whether grass grows on it; for a
//           name it does not know, a likely look out of the soil's figures.
// Does not: know the state of the ground.
// Units:    colours 0..1 as a screen shows them (sRGB).
#ifndef VIEW_SOIL_H
#define VIEW_SOIL_H

#include "material/material.h"

#define VIEW_SOILS 9 // eight kinds of soil, then bare rock
#define VIEW_ROCK  8

typedef struct ViewSoil {
    float bank[3];  // undisturbed, in a dry face
    float loose[3]; // dumped and dried
    float stones;   // part of the surface that is pebbles, 0..1
    float clods;    // how lumpy it breaks, 0..1
    float gloss;    // of a fresh cut, 0 matt .. 1 smeared clay
    float grass;    // 1: bears grass while it lies untouched
} ViewSoil;

ViewSoil view_soil(const Material* material);
ViewSoil view_soil_rock(void);

#endif
