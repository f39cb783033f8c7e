// bare_p2 - the loop of the paper with nothing around it, as fast as we know how; a yardstick for
// the kernel p2, no part of Mattock.
//
//   usage: bare_p2 BED FRAMES        (BED as for ode_bed)
//
// One thread, equal grains, five planes, one friction. It may do what Mattock may not: approximate
// roots and reciprocals and fused multiply-add (bits that differ between CPUs), no materials,
// adhesion, reactions, removal, sleeping or checks. Prints "median_ms p99_ms contacts overlap_mean_d
// overlap_max_d".
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRAME_S    (1.0f / 60.0f)
#define GRAVITY    9.81f // m/s2
#define FRICTION   0.5f
#define ITERATIONS 10
#define MARGIN     0.1f // d, as in Mattock
#define SLOTS_MAX  32   // neighbours of a grain
#define LANES      8

typedef struct Bed {
    int count, rows;
    float side, radius;
    float* axis[2][6]; // [rows] x y z vx vy vz, twice: sorting reads one set and writes the other
    float* guess[3];   // [rows] m, where the list expects a grain
    float* record[2];  // [rows + 1][8] guess, -, displacement, -; the last row is nobody
    uint32_t *order, *key, *cell, *slot, *start; // slot: [slices][SLOTS_MAX][8] at most, packed
    uint8_t* length;                             // [slices]
    int dim[3];
} Bed;

static void* allocate(size_t bytes)
{
    void* memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory) {
        fprintf(stderr, "bare_p2: out of memory\n");
        exit(1);
    }
    return memset(memory, 0, bytes);
}

static void load(Bed* bed, const char* path)
{
    FILE* file = fopen(path, "r");
    float v[6];
    if (!file || fscanf(file, "%f %f", &bed->side, &bed->radius) != 2) {
        fprintf(stderr, "bare_p2: %s is no bed\n", path);
        exit(1);
    }
    while (fscanf(file, "%f %f %f %f %f %f", v, v + 1, v + 2, v + 3, v + 4, v + 5) == 6) {
        bed->count++;
    }
    bed->rows = (bed->count + LANES - 1) / LANES * LANES;
    size_t floats = ((size_t)bed->rows + LANES) * sizeof(float);
    for (int k = 0; k < 6; ++k) {
        bed->axis[0][k] = allocate(floats), bed->axis[1][k] = allocate(floats);
        bed->guess[k % 3] = k < 3 ? allocate(floats) : bed->guess[k % 3];
    }
    rewind(file);
    if (fscanf(file, "%f %f", v, v) != 2) {
        exit(1);
    }
    for (int i = 0; i < bed->count; ++i) {
        for (int k = 0; k < 6; ++k) {
            if (fscanf(file, "%f", &bed->axis[0][k][i]) != 1) {
                exit(1);
            }
        }
    }
    fclose(file);
    bed->record[0] = allocate(8 * floats), bed->record[1] = allocate(8 * floats);
    for (int k = 0; k < 2; ++k) {
        for (int a = 0; a < 3; ++a) {
            bed->record[k][(size_t)bed->rows * 8 + (size_t)a] = 1.0e9f;
        }
    }
    bed->order = allocate(floats), bed->key = allocate(floats), bed->start = allocate(floats);
    bed->slot = allocate(floats * SLOTS_MAX), bed->length = allocate(floats);
    float cell = 2.0f * bed->radius * (1.0f + MARGIN);
    for (int a = 0; a < 3; ++a) {
        bed->dim[a] = (int)(1.5f * bed->side / cell) + 3;
    }
    bed->cell = allocate(((size_t)bed->dim[0] * bed->dim[1] * bed->dim[2] + 1) * sizeof(uint32_t));
}

static int cell_of(const Bed* bed, const float* q)
{
    float inverse = 1.0f / (2.0f * bed->radius * (1.0f + MARGIN));
    int c[3];
    for (int a = 0; a < 3; ++a) {
        int k = (int)(q[a] * inverse) + 1;
        c[a] = k < 1 ? 1 : k > bed->dim[a] - 2 ? bed->dim[a] - 2 : k;
    }
    return (c[2] * bed->dim[1] + c[1]) * bed->dim[0] + c[0];
}

// Counting sort by cell of the guess, x fastest.
static void sort(Bed* bed)
{
    int cells = bed->dim[0] * bed->dim[1] * bed->dim[2];
    memset(bed->cell, 0, ((size_t)cells + 1) * sizeof *bed->cell);
    float** a = bed->axis[0];
    for (int i = 0; i < bed->count; ++i) {
        float q[3] = {a[0][i] + FRAME_S * a[3][i], a[1][i] + FRAME_S * a[4][i],
                      a[2][i] + FRAME_S * a[5][i]};
        bed->cell[bed->key[i] = (uint32_t)cell_of(bed, q)]++;
    }
    uint32_t sum = 0;
    for (int c = 0; c <= cells; ++c) {
        uint32_t here = bed->cell[c];
        bed->cell[c] = sum, sum += here;
    }
    for (int i = 0; i < bed->count; ++i) {
        bed->order[bed->cell[bed->key[i]]++] = (uint32_t)i;
    }
    memmove(bed->cell + 1, bed->cell, (size_t)cells * sizeof *bed->cell);
    bed->cell[0] = 0;
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < bed->count; ++i) {
            bed->axis[1][k][i] = bed->axis[0][k][bed->order[i]];
        }
        float* swap = bed->axis[0][k];
        bed->axis[0][k] = bed->axis[1][k], bed->axis[1][k] = swap;
    }
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < bed->rows; ++i) {
            bed->guess[k][i] = bed->axis[0][k][i] + FRAME_S * bed->axis[0][3 + k][i];
        }
    }
    for (int i = bed->count; i < bed->rows + LANES; ++i) {
        bed->guess[0][i] = bed->guess[1][i] = bed->guess[2][i] = -1.0e9f;
    }
}

// Neighbours of one grain: nine rows of three cells, eight candidates at a time.
static int search(const Bed* bed, int i, uint32_t* found)
{
    const __m256 x = _mm256_set1_ps(bed->guess[0][i]), y = _mm256_set1_ps(bed->guess[1][i]);
    const __m256 z = _mm256_set1_ps(bed->guess[2][i]);
    float reach = 2.0f * bed->radius * (1.0f + MARGIN);
    const __m256 limit = _mm256_set1_ps(reach * reach);
    int own = cell_of(bed, (float[]){bed->guess[0][i], bed->guess[1][i], bed->guess[2][i]});
    int count = 0;
    for (int k = 0; k < 9; ++k) {
        int c = own + (k / 3 - 1) * bed->dim[0] * bed->dim[1] + (k % 3 - 1) * bed->dim[0] - 1;
        int last = (int)bed->cell[c + 3];
        for (int j = (int)bed->cell[c]; j < last; j += LANES) {
            __m256 dx = _mm256_sub_ps(_mm256_loadu_ps(bed->guess[0] + j), x);
            __m256 dy = _mm256_sub_ps(_mm256_loadu_ps(bed->guess[1] + j), y);
            __m256 dz = _mm256_sub_ps(_mm256_loadu_ps(bed->guess[2] + j), z);
            __m256 d2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
            unsigned hits = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, limit, _CMP_LT_OQ));
            hits &= last - j < LANES ? (1u << (last - j)) - 1u : 0xffu;
            for (; hits != 0 && count < SLOTS_MAX; hits &= hits - 1) {
                uint32_t other = (uint32_t)(j + __builtin_ctz(hits));
                found[count] = other;
                count += other != (uint32_t)i;
            }
        }
    }
    return count;
}

static void list(Bed* bed)
{
    uint32_t at = 0;
    for (int first = 0; first < bed->rows; first += LANES) {
        uint32_t found[LANES][SLOTS_MAX + 1];
        int count[LANES], length = 0;
        for (int k = 0; k < LANES; ++k) {
            count[k] = first + k < bed->count ? search(bed, first + k, found[k]) : 0;
            length = count[k] > length ? count[k] : length;
        }
        for (int k = 0; k < LANES; ++k) {
            for (int n = 0; n < length; ++n) {
                bed->slot[(at + (uint32_t)n) * LANES + (uint32_t)k] =
                    n < count[k] ? found[k][n] : (uint32_t)bed->rows;
            }
        }
        bed->start[first / LANES] = at;
        bed->length[first / LANES] = (uint8_t)length;
        at += (uint32_t)length;
    }
}

static inline __m256 halves(const float* low, const float* high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(low)), _mm_load_ps(high), 1);
}

static inline void transpose(const float* base, const uint32_t* row, __m256* c)
{
    __m256 r[4];
    for (int k = 0; k < 4; ++k) {
        r[k] = halves(base + 8 * (size_t)row[k], base + 8 * (size_t)row[k + 4]);
    }
    __m256 a0 = _mm256_unpacklo_ps(r[0], r[1]), a1 = _mm256_unpackhi_ps(r[0], r[1]);
    __m256 a2 = _mm256_unpacklo_ps(r[2], r[3]), a3 = _mm256_unpackhi_ps(r[2], r[3]);
    c[0] = _mm256_shuffle_ps(a0, a2, 0x44), c[1] = _mm256_shuffle_ps(a0, a2, 0xee);
    c[2] = _mm256_shuffle_ps(a1, a3, 0x44);
}

typedef struct Sum {
    __m256 x, y, z, count;
} Sum;

// One contact per lane: normal n, gap C, relative displacement d; `share` of it is the grain's.
static inline void project(const __m256 n[3], __m256 C, const __m256 d[3], float share, Sum* sum)
{
    const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f);
    __m256 active = _mm256_cmp_ps(C, zero, _CMP_LE_OQ);
    __m256 dn = _mm256_fmadd_ps(d[2], n[2], _mm256_fmadd_ps(d[1], n[1], _mm256_mul_ps(d[0], n[0])));
    __m256 t[3];
    for (int a = 0; a < 3; ++a) {
        t[a] = _mm256_fnmadd_ps(dn, n[a], d[a]);
    }
    __m256 t2 = _mm256_fmadd_ps(t[2], t[2], _mm256_fmadd_ps(t[1], t[1], _mm256_mul_ps(t[0], t[0])));
    __m256 cap = _mm256_mul_ps(_mm256_set1_ps(-FRICTION), C);
    __m256 slide = _mm256_rsqrt_ps(_mm256_max_ps(t2, _mm256_set1_ps(1.0e-30f)));
    __m256 scale = _mm256_min_ps(one, _mm256_mul_ps(cap, slide));
    __m256 part = _mm256_and_ps(active, _mm256_set1_ps(share));
    __m256* out[3] = {&sum->x, &sum->y, &sum->z};
    for (int a = 0; a < 3; ++a) {
        __m256 move = _mm256_fmadd_ps(scale, t[a], _mm256_mul_ps(C, n[a]));
        *out[a] = _mm256_fnmadd_ps(part, move, *out[a]);
    }
    sum->count = _mm256_add_ps(sum->count, _mm256_and_ps(active, one));
}

static void walls(const Bed* bed, const __m256 p[3], const __m256 d[3], Sum* sum)
{
    const __m256 zero = _mm256_setzero_ps(), r = _mm256_set1_ps(bed->radius);
    for (int k = 0; k < 5; ++k) {
        int a = k == 0 ? 1 : k <= 2 ? 0 : 2; // the floor, both x, both z
        float sign = k % 2 == 0 && k > 0 ? -1.0f : 1.0f;
        __m256 C = sign > 0.0f ? _mm256_sub_ps(p[a], r)
                               : _mm256_sub_ps(_mm256_set1_ps(bed->side - bed->radius), p[a]);
        if (_mm256_movemask_ps(_mm256_cmp_ps(C, zero, _CMP_LE_OQ)) != 0) {
            __m256 n[3] = {zero, zero, zero};
            n[a] = _mm256_set1_ps(sign);
            project(n, C, d, 1.0f, sum);
        }
    }
}

static void sweep(const Bed* bed, const float* from, float* to)
{
    const __m256 d0 = _mm256_set1_ps(2.0f * bed->radius), tiny = _mm256_set1_ps(1.0e-30f);
    for (int slice = 0; slice < bed->rows / LANES; ++slice) {
        uint32_t own[LANES];
        for (int k = 0; k < LANES; ++k) {
            own[k] = (uint32_t)(slice * LANES + k);
        }
        __m256 p[3], d[3];
        transpose(from, own, p), transpose(from + 4, own, d);
        Sum sum = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                   _mm256_setzero_ps()};
        const uint32_t* row = bed->slot + (size_t)bed->start[slice] * LANES;
        for (int s = 0; s < bed->length[slice]; ++s, row += LANES) {
            __m256 q[3], e[3], n[3];
            transpose(from, row, q), transpose(from + 4, row, e);
            for (int a = 0; a < 3; ++a) {
                q[a] = _mm256_sub_ps(p[a], q[a]), e[a] = _mm256_sub_ps(d[a], e[a]);
            }
            __m256 d2 = _mm256_mul_ps(q[0], q[0]);
            d2 = _mm256_fmadd_ps(q[2], q[2], _mm256_fmadd_ps(q[1], q[1], d2));
            d2 = _mm256_max_ps(d2, tiny);
            __m256 inverse = _mm256_rsqrt_ps(d2);
            for (int a = 0; a < 3; ++a) {
                n[a] = _mm256_mul_ps(q[a], inverse);
            }
            project(n, _mm256_fmsub_ps(d2, inverse, d0), e, 0.5f, &sum);
        }
        walls(bed, p, d, &sum);
        __m256 mean = _mm256_rcp_ps(_mm256_max_ps(sum.count, _mm256_set1_ps(1.0f)));
        float move[3][LANES] __attribute__((aligned(32)));
        _mm256_store_ps(move[0], _mm256_mul_ps(sum.x, mean));
        _mm256_store_ps(move[1], _mm256_mul_ps(sum.y, mean));
        _mm256_store_ps(move[2], _mm256_mul_ps(sum.z, mean));
        for (int k = 0; k < LANES; ++k) {
            const float* f = from + 8 * (size_t)own[k];
            float* t = to + 8 * (size_t)own[k];
            for (int a = 0; a < 3; ++a) {
                t[a] = f[a] + move[a][k], t[4 + a] = f[4 + a] + move[a][k];
            }
        }
    }
}

static void frame(Bed* bed)
{
    sort(bed);
    list(bed);
    const float fall[3] = {0.0f, -GRAVITY * FRAME_S * FRAME_S, 0.0f};
    for (int i = 0; i < bed->count; ++i) {
        for (int a = 0; a < 3; ++a) {
            float d = FRAME_S * bed->axis[0][3 + a][i] + fall[a];
            bed->record[0][8 * (size_t)i + 4 + (size_t)a] = d;
            bed->record[0][8 * (size_t)i + (size_t)a] = bed->axis[0][a][i] + d;
        }
    }
    for (int n = 0; n < ITERATIONS; ++n) {
        sweep(bed, bed->record[n % 2], bed->record[1 - n % 2]);
    }
    for (int i = 0; i < bed->count; ++i) {
        for (int a = 0; a < 3; ++a) {
            float d = bed->record[ITERATIONS % 2][8 * (size_t)i + 4 + (size_t)a];
            bed->axis[0][3 + a][i] = d / FRAME_S;
            bed->axis[0][a][i] += d;
        }
    }
}

static int ascending(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// "contacts overlap_mean_d overlap_max_d" of touching pairs of the last list
static void print_overlap(const Bed* bed)
{
    double sum = 0.0, most = 0.0, d = 2.0 * (double)bed->radius;
    long contacts = 0;
    for (int i = 0; i < bed->count; ++i) {
        const uint32_t* row = bed->slot + (size_t)bed->start[i / LANES] * LANES + i % LANES;
        for (int s = 0; s < bed->length[i / LANES]; ++s, row += LANES) {
            double r2 = 0.0;
            for (int a = 0; a < 3 && *row < (uint32_t)bed->count; ++a) {
                double x = (double)(bed->axis[0][a][i] - bed->axis[0][a][*row]);
                r2 += x * x;
            }
            if (*row > (uint32_t)i && *row < (uint32_t)bed->count && r2 < d * d) {
                double overlap = 1.0 - sqrt(r2) / d;
                sum += overlap, most = overlap > most ? overlap : most, contacts++;
            }
        }
    }
    printf("%ld %.5f %.5f\n", contacts, contacts > 0 ? sum / (double)contacts : 0.0, most);
}

int main(int argc, char** argv)
{
    int frames = argc == 3 ? atoi(argv[2]) : 0;
    if (frames < 1 || frames > 100000) {
        fprintf(stderr, "usage: bare_p2 BED FRAMES\n");
        return 2;
    }
    Bed bed = {0};
    load(&bed, argv[1]);
    double* ms = allocate((size_t)frames * sizeof *ms);
    for (int i = -120; i < frames; ++i) { // two seconds to find its own rest
        double start = now_ms();
        frame(&bed);
        if (i >= 0) {
            ms[i] = now_ms() - start;
        }
    }
    qsort(ms, (size_t)frames, sizeof *ms, ascending);
    printf("%.4f %.4f ", ms[(frames - 1) / 2], ms[(int)(0.99 * (frames - 1))]);
    print_overlap(&bed);
    return 0;
}
