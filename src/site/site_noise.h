// site_noise - rough ground out of a seed: the same bits on every machine.
//
// Method:   Perlin, "Improving Noise", 2002: gradients at the corners of a lattice, blended by a
//           curve of fifth degree; the gradients come out of an integer hash. Only + - * / .
#ifndef SITE_NOISE_H
#define SITE_NOISE_H

#include <stdint.h>

// Octaves of half the wavelength and half the height each; -1..1 in all, seldom beyond 0.6.
double site_noise(uint32_t seed, int octaves, double x, double z);

#endif
