#include "view/view_soil.h"

#include <string.h>

typedef struct NamedSoil {
    const char* name;
    ViewSoil look;
} NamedSoil;

static const NamedSoil known[] = {
    {"dry_sand", {{0.66f, 0.58f, 0.45f}, {0.72f, 0.64f, 0.51f}, 0.02f, 0.10f, 0.0f, 0.0f}},
    {"moist_sand", {{0.55f, 0.465f, 0.345f}, {0.61f, 0.53f, 0.41f}, 0.05f, 0.30f, 0.1f, 0.0f}},
    {"gravel", {{0.50f, 0.475f, 0.435f}, {0.56f, 0.53f, 0.49f}, 0.85f, 0.25f, 0.1f, 0.0f}},
    {"loam", {{0.43f, 0.34f, 0.255f}, {0.49f, 0.40f, 0.31f}, 0.10f, 0.75f, 0.2f, 0.0f}},
    {"clay", {{0.48f, 0.365f, 0.28f}, {0.53f, 0.425f, 0.34f}, 0.02f, 1.00f, 0.8f, 0.0f}},
    {"topsoil", {{0.27f, 0.215f, 0.16f}, {0.33f, 0.265f, 0.20f}, 0.06f, 0.65f, 0.2f, 1.0f}},
};

#define KNOWN_COUNT ((int)(sizeof known / sizeof known[0]))

// Without cohesion it is sand or gravel, with much of it clay.
static ViewSoil soil_guess(const Material* m)
{
    const char* like = m->cohesion > 20e3f         ? "clay"
                       : m->cohesion > 2e3f        ? "loam"
                       : m->friction > 0.62f       ? "gravel"
                       : m->density_loose > 1.7e3f ? "moist_sand"
                                                   : "dry_sand";
    ViewSoil look = known[0].look;
    for (int k = 0; k < KNOWN_COUNT; ++k)
        if (strcmp(known[k].name, like) == 0)
            look = known[k].look;
    return look;
}

ViewSoil view_soil(const Material* material)
{
    for (int k = 0; k < KNOWN_COUNT; ++k)
        if (strcmp(known[k].name, material->name) == 0)
            return known[k].look;
    return soil_guess(material);
}

ViewSoil view_soil_rock(void)
{
    return (ViewSoil){{0.42f, 0.41f, 0.39f}, {0.50f, 0.49f, 0.47f}, 0.3f, 0.4f, 0.1f, 0.0f};
}
