// scenes_churn - a small scene in which everything happens at once, for tests of equal bits.
//
// Grains of three sizes and two sticky materials fall into a box of 1.4 m x 1.1 m; a steel box
// ploughs and turns through them; new grains are born and some are taken out in every frame.
#ifndef SCENES_CHURN_H
#define SCENES_CHURN_H

#include "base/base_random.h"
#include "soil/soil.h"

#define SCENES_CHURN_CAPACITY 760
#define SCENES_CHURN_FIRST    600 // grains at the start; about 700 later
#define SCENES_CHURN_PLOUGH   5   // the boundary that moves

static inline float scenes_churn_radius(int i)
{
    static const float radius[] = {0.03f, 0.04f, 0.05f}; // m
    return radius[i % 3];
}

// 2600 kg/m3 in milligrams
static inline uint32_t scenes_churn_mass(float r)
{
    return (uint32_t)(4.0 / 3.0 * BASE_PI * (double)r * (double)r * (double)r * 2600.0 * 1e6);
}

static inline SoilDef scenes_churn_def(SoilKernel kernel)
{
    SoilDef def = soil_def(kernel, SCENES_CHURN_CAPACITY, 0.05f);
    def.iterations = base_mini(def.iterations, 10); // enough to differ, and quick
    def.material_count = 2;
    def.material[0].friction_static = 0.5f;
    def.material[0].friction_kinetic = 0.4f;
    def.material[0].adhesion = 500.0f;
    def.material[1] = def.material[0];
    def.material[1].friction_static = 0.3f;
    def.material[1].friction_kinetic = 0.3f;
    def.material[1].adhesion = 3000.0f;
    def.material[1].stiffness *= 0.5f;
    return def;
}

static inline void scenes_churn_walls(Soil* soil)
{
    SoilBoundary wall[] = {
        soil_plane(vec3(0, 0, 0), vec3(0, 1, 0), 0.5f),
        soil_plane(vec3(0, 0, 0), vec3(1, 0, 0), 0.4f),
        soil_plane(vec3(1.4f, 0, 0), vec3(-1, 0, 0), 0.4f),
        soil_plane(vec3(0, 0, 0), vec3(0, 0, 1), 0.4f),
        soil_plane(vec3(0, 0, 1.1f), vec3(0, 0, -1), 0.4f),
        soil_box(vec3(0.25f, 0.15f, 0.5f), vec3(0.12f, 0.1f, 0.3f), 0.3f),
    };
    wall[SCENES_CHURN_PLOUGH].adhesion = 200.0f;
    wall[SCENES_CHURN_PLOUGH].velocity = vec3(0.4f, 0.02f, 0.03f);
    wall[SCENES_CHURN_PLOUGH].spin = vec3(0.1f, 0.7f, -0.05f);
    for (size_t i = 0; i < sizeof wall / sizeof *wall; ++i) {
        soil_add_boundary(soil, &wall[i]);
    }
}

// A jittered grid, 12 x 9 in a layer, that starts above the plough.
static inline void scenes_churn_grains(Soil* soil)
{
    BaseRandom random = base_random(20140917);
    for (int i = 0; i < SCENES_CHURN_FIRST; ++i) {
        Vec3 place = vec3(0.08f + 0.11f * (float)(i % 12), 0.4f + 0.11f * (float)(i / 108),
                          0.08f + 0.11f * (float)(i / 12 % 9));
        place.x += base_random_range(&random, -0.004f, 0.004f);
        place.y += base_random_range(&random, -0.004f, 0.004f);
        place.z += base_random_range(&random, -0.004f, 0.004f);
        float r = scenes_churn_radius(i);
        soil_spawn(soil, place, vec3(0, -1.0f, 0), r, scenes_churn_mass(r), i / 3 % 2);
    }
}

static inline Soil* scenes_churn_create(SoilKernel kernel)
{
    SoilDef def = scenes_churn_def(kernel);
    Soil* soil = soil_create(&def);
    if (soil) {
        scenes_churn_walls(soil);
        scenes_churn_grains(soil);
    }
    return soil;
}

// One frame: two grains are born high above, every third frame one is taken out.
static inline void scenes_churn_step(Soil* soil, Jobs* jobs)
{
    int frame = (int)soil_state(soil)->frame;
    for (int i = 0; i < 2; ++i) {
        int k = 2 * frame + i;
        Vec3 place = vec3(0.1f + 0.12f * (float)(k % 11), 1.6f, 0.1f + 0.1f * (float)(k % 9));
        float r = scenes_churn_radius(k);
        soil_spawn(soil, place, vec3(0.1f, -3.0f, 0), r, scenes_churn_mass(r), k % 2);
    }
    if (frame % 3 == 2) {
        soil_remove(soil, 131 * frame % soil_state(soil)->count);
    }
    soil_step(soil, jobs);
}

#endif
