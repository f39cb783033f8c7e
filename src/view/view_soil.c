#include "view/view_soil.h"

#include <string.h>

typedef struct NamedSoil {
    const char* name;
    ViewSoil look;
} NamedSoil;

static const NamedSoil known[] = {
    {"dry_sand", {{0.72f, 0.60f, 0.42f}, {0.80f, 0.69f, 0.50f}, 0.02f, 0.10f, 0.0f, 0.0f}},
    {"moist_sand", {{0.60f, 0.47f, 0.30f}, {0.68f, 0.55f, 0.37f}, 0.05f, 0.30f, 0.1f, 0.0f}},
    {"gravel", {{0.50f, 0.46f, 0.40f}, {0.58f, 0.54f, 0.48f}, 0.85f, 0.25f, 0.1f, 0.0f}},
    {"loam", {{0.46f, 0.33f, 0.21f}, {0.53f, 0.40f, 0.27f}, 0.10f, 0.75f, 0.2f, 0.0f}},
    {"clay", {{0.52f, 0.37f, 0.26f}, {0.58f, 0.44f, 0.33f}, 0.02f, 1.00f, 0.8f, 0.0f}},
    {"topsoil", {{0.29f, 0.21f, 0.14f}, {0.35f, 0.26f, 0.18f}, 0.06f, 0.65f, 0.2f, 1.0f}},
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
