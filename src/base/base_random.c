#include "base/base_random.h"

// splitmix64: turns any seed, even 0, 1, 2, into well-mixed bits
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

BaseRandom base_random(uint64_t seed)
{
    uint64_t state = mix(seed);
    return (BaseRandom){.state = state, .inc = mix(state) | 1};
}

uint32_t base_random_u32(BaseRandom* random)
{
    uint64_t old = random->state;
    random->state = old * 6364136223846793005u + random->inc;

    // the high bits are the good ones: fold them, then rotate by the topmost five
    uint32_t folded = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (folded >> turn) | (folded << (-turn & 31));
}

float base_random_float(BaseRandom* random)
{
    return (float)(base_random_u32(random) >> 8) * 0x1p-24f;
}

float base_random_range(BaseRandom* random, float lo, float hi)
{
    float value = lo + (hi - lo) * base_random_float(random);
    return value < hi ? value : hi;
}
