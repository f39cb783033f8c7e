// base_simd - eight floats at a time, the same bits with SSE2 and with AVX2.
//
// Does:     wrap the intrinsics that the kernels use. A file named *_simd.c is compiled once for
//           each instruction set; SIMD_NAME(f) gives its functions their suffix.
// Does not: offer approximate reciprocals, fused multiply-add or horizontal sums: the first two
//           differ between CPUs, the last invites an order that depends on the width.
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#include <immintrin.h>
#include <stdint.h>

#define SIMD_JOIN2(a, b) a##_##b
#define SIMD_JOIN(a, b)  SIMD_JOIN2(a, b)
#define SIMD_NAME(f)     SIMD_JOIN(f, SIMD_ISA)

#define SIMD_WIDTH  8
#define SIMD_ROW    4 // what f8_load_rows() wants the number of a row multiplied with
#define SIMD_INLINE static inline __attribute__((always_inline))

// One line per wrapper: it reads as the table that it is.
// clang-format off
#ifdef __AVX2__

typedef __m256 F8;
typedef __m256i I8;

SIMD_INLINE F8 f8_load(const float* p) { return _mm256_load_ps(p); }
SIMD_INLINE F8 f8_loadu(const float* p) { return _mm256_loadu_ps(p); }
SIMD_INLINE void f8_store(float* p, F8 a) { _mm256_store_ps(p, a); }
SIMD_INLINE void f8_storeu(float* p, F8 a) { _mm256_storeu_ps(p, a); }
SIMD_INLINE F8 f8_set(float x) { return _mm256_set1_ps(x); }
SIMD_INLINE F8 f8_zero(void) { return _mm256_setzero_ps(); }
SIMD_INLINE F8 f8_add(F8 a, F8 b) { return _mm256_add_ps(a, b); }
SIMD_INLINE F8 f8_sub(F8 a, F8 b) { return _mm256_sub_ps(a, b); }
SIMD_INLINE F8 f8_mul(F8 a, F8 b) { return _mm256_mul_ps(a, b); }
SIMD_INLINE F8 f8_div(F8 a, F8 b) { return _mm256_div_ps(a, b); }
SIMD_INLINE F8 f8_sqrt(F8 a) { return _mm256_sqrt_ps(a); }
SIMD_INLINE F8 f8_min(F8 a, F8 b) { return _mm256_min_ps(a, b); }
SIMD_INLINE F8 f8_max(F8 a, F8 b) { return _mm256_max_ps(a, b); }
SIMD_INLINE F8 f8_and(F8 a, F8 b) { return _mm256_and_ps(a, b); }
SIMD_INLINE F8 f8_or(F8 a, F8 b) { return _mm256_or_ps(a, b); }
SIMD_INLINE F8 f8_andnot(F8 a, F8 b) { return _mm256_andnot_ps(a, b); } // ~a & b
SIMD_INLINE F8 f8_lt(F8 a, F8 b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
SIMD_INLINE F8 f8_le(F8 a, F8 b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
SIMD_INLINE F8 f8_select(F8 mask, F8 yes, F8 no) { return _mm256_blendv_ps(no, yes, mask); }
SIMD_INLINE int f8_mask(F8 a) { return _mm256_movemask_ps(a); }
SIMD_INLINE F8 f8_from_i8(I8 a) { return _mm256_cvtepi32_ps(a); }
SIMD_INLINE F8 f8_bits(I8 a) { return _mm256_castsi256_ps(a); }
SIMD_INLINE I8 i8_bits(F8 a) { return _mm256_castps_si256(a); }
SIMD_INLINE I8 i8_loadu(const void* p) { return _mm256_loadu_si256((const __m256i*)p); }
SIMD_INLINE void i8_storeu(void* p, I8 a) { _mm256_storeu_si256((__m256i*)p, a); }
SIMD_INLINE I8 i8_set(int x) { return _mm256_set1_epi32(x); }
SIMD_INLINE I8 i8_ascending(void) { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
SIMD_INLINE I8 i8_and(I8 a, I8 b) { return _mm256_and_si256(a, b); }
SIMD_INLINE I8 i8_or(I8 a, I8 b) { return _mm256_or_si256(a, b); }
SIMD_INLINE I8 i8_add(I8 a, I8 b) { return _mm256_add_epi32(a, b); }
SIMD_INLINE I8 i8_sub(I8 a, I8 b) { return _mm256_sub_epi32(a, b); }
SIMD_INLINE I8 i8_eq(I8 a, I8 b) { return _mm256_cmpeq_epi32(a, b); }
SIMD_INLINE I8 i8_shr(I8 a, int n) { return _mm256_srli_epi32(a, n); }
SIMD_INLINE I8 i8_truncate(F8 a) { return _mm256_cvttps_epi32(a); }

// Look each lane up in a table of eight floats; index 0..7.
SIMD_INLINE F8 f8_lookup(F8 table, I8 index) { return _mm256_permutevar8x32_ps(table, index); }

// Rows of eight floats, one per lane, become columns: lane k of c[m] is float m of row k. `row` holds
// SIMD_ROW times the row's number, which spares the address its shift.
SIMD_INLINE __m256 f8_two_halves(const float* base, uint32_t low, uint32_t high)
{
    __m256 half = _mm256_castps128_ps256(_mm_load_ps(base + 2 * (size_t)low));
    return _mm256_insertf128_ps(half, _mm_load_ps(base + 2 * (size_t)high), 1);
}

SIMD_INLINE void f8_load_quarter(const float* base, const uint32_t* row, F8* c)
{
    __m256 r0 = f8_two_halves(base, row[0], row[4]), r1 = f8_two_halves(base, row[1], row[5]);
    __m256 r2 = f8_two_halves(base, row[2], row[6]), r3 = f8_two_halves(base, row[3], row[7]);
    __m256 a0 = _mm256_unpacklo_ps(r0, r1), a1 = _mm256_unpackhi_ps(r0, r1);
    __m256 a2 = _mm256_unpacklo_ps(r2, r3), a3 = _mm256_unpackhi_ps(r2, r3);
    c[0] = _mm256_shuffle_ps(a0, a2, 0x44), c[1] = _mm256_shuffle_ps(a0, a2, 0xee);
    c[2] = _mm256_shuffle_ps(a1, a3, 0x44), c[3] = _mm256_shuffle_ps(a1, a3, 0xee);
}

SIMD_INLINE void f8_load_rows(const float* base, const uint32_t* row, F8 c[8])
{
    f8_load_quarter(base, row, c);
    f8_load_quarter(base + 4, row, c + 4);
}

// The way back: eight columns become eight consecutive rows at `base`.
SIMD_INLINE void f8_store_rows(float* base, const F8 c[8])
{
    __m256 a0 = _mm256_unpacklo_ps(c[0], c[1]), a1 = _mm256_unpackhi_ps(c[0], c[1]);
    __m256 a2 = _mm256_unpacklo_ps(c[2], c[3]), a3 = _mm256_unpackhi_ps(c[2], c[3]);
    __m256 a4 = _mm256_unpacklo_ps(c[4], c[5]), a5 = _mm256_unpackhi_ps(c[4], c[5]);
    __m256 a6 = _mm256_unpacklo_ps(c[6], c[7]), a7 = _mm256_unpackhi_ps(c[6], c[7]);
    __m256 b0 = _mm256_shuffle_ps(a0, a2, 0x44), b1 = _mm256_shuffle_ps(a0, a2, 0xee);
    __m256 b2 = _mm256_shuffle_ps(a1, a3, 0x44), b3 = _mm256_shuffle_ps(a1, a3, 0xee);
    __m256 b4 = _mm256_shuffle_ps(a4, a6, 0x44), b5 = _mm256_shuffle_ps(a4, a6, 0xee);
    __m256 b6 = _mm256_shuffle_ps(a5, a7, 0x44), b7 = _mm256_shuffle_ps(a5, a7, 0xee);
    _mm256_store_ps(base + 0, _mm256_permute2f128_ps(b0, b4, 0x20));
    _mm256_store_ps(base + 8, _mm256_permute2f128_ps(b1, b5, 0x20));
    _mm256_store_ps(base + 16, _mm256_permute2f128_ps(b2, b6, 0x20));
    _mm256_store_ps(base + 24, _mm256_permute2f128_ps(b3, b7, 0x20));
    _mm256_store_ps(base + 32, _mm256_permute2f128_ps(b0, b4, 0x31));
    _mm256_store_ps(base + 40, _mm256_permute2f128_ps(b1, b5, 0x31));
    _mm256_store_ps(base + 48, _mm256_permute2f128_ps(b2, b6, 0x31));
    _mm256_store_ps(base + 56, _mm256_permute2f128_ps(b3, b7, 0x31));
}

#else // two halves of SSE2, which every x86-64 has

typedef struct F8 {
    __m128 lo, hi;
} F8;
typedef struct I8 {
    __m128i lo, hi;
} I8;

#define SIMD_BOTH(f, a, b) ((F8){f((a).lo, (b).lo), f((a).hi, (b).hi)})
#define SIMD_BOTH_INT(f, a, b) ((I8){f((a).lo, (b).lo), f((a).hi, (b).hi)})

SIMD_INLINE F8 f8_load(const float* p) { return (F8){_mm_load_ps(p), _mm_load_ps(p + 4)}; }
SIMD_INLINE F8 f8_loadu(const float* p) { return (F8){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)}; }
SIMD_INLINE void f8_store(float* p, F8 a)
{
    _mm_store_ps(p, a.lo);
    _mm_store_ps(p + 4, a.hi);
}
SIMD_INLINE void f8_storeu(float* p, F8 a)
{
    _mm_storeu_ps(p, a.lo);
    _mm_storeu_ps(p + 4, a.hi);
}
SIMD_INLINE F8 f8_set(float x) { return (F8){_mm_set1_ps(x), _mm_set1_ps(x)}; }
SIMD_INLINE F8 f8_zero(void) { return (F8){_mm_setzero_ps(), _mm_setzero_ps()}; }
SIMD_INLINE F8 f8_add(F8 a, F8 b) { return SIMD_BOTH(_mm_add_ps, a, b); }
SIMD_INLINE F8 f8_sub(F8 a, F8 b) { return SIMD_BOTH(_mm_sub_ps, a, b); }
SIMD_INLINE F8 f8_mul(F8 a, F8 b) { return SIMD_BOTH(_mm_mul_ps, a, b); }
SIMD_INLINE F8 f8_div(F8 a, F8 b) { return SIMD_BOTH(_mm_div_ps, a, b); }
SIMD_INLINE F8 f8_sqrt(F8 a) { return (F8){_mm_sqrt_ps(a.lo), _mm_sqrt_ps(a.hi)}; }
SIMD_INLINE F8 f8_min(F8 a, F8 b) { return SIMD_BOTH(_mm_min_ps, a, b); }
SIMD_INLINE F8 f8_max(F8 a, F8 b) { return SIMD_BOTH(_mm_max_ps, a, b); }
SIMD_INLINE F8 f8_and(F8 a, F8 b) { return SIMD_BOTH(_mm_and_ps, a, b); }
SIMD_INLINE F8 f8_or(F8 a, F8 b) { return SIMD_BOTH(_mm_or_ps, a, b); }
SIMD_INLINE F8 f8_andnot(F8 a, F8 b) { return SIMD_BOTH(_mm_andnot_ps, a, b); } // ~a & b
SIMD_INLINE F8 f8_lt(F8 a, F8 b) { return SIMD_BOTH(_mm_cmplt_ps, a, b); }
SIMD_INLINE F8 f8_le(F8 a, F8 b) { return SIMD_BOTH(_mm_cmple_ps, a, b); }
SIMD_INLINE F8 f8_select(F8 mask, F8 yes, F8 no) { return f8_or(f8_and(mask, yes), f8_andnot(mask, no)); }
SIMD_INLINE int f8_mask(F8 a) { return _mm_movemask_ps(a.lo) | _mm_movemask_ps(a.hi) << 4; }
SIMD_INLINE F8 f8_from_i8(I8 a) { return (F8){_mm_cvtepi32_ps(a.lo), _mm_cvtepi32_ps(a.hi)}; }
SIMD_INLINE F8 f8_bits(I8 a) { return (F8){_mm_castsi128_ps(a.lo), _mm_castsi128_ps(a.hi)}; }
SIMD_INLINE I8 i8_bits(F8 a) { return (I8){_mm_castps_si128(a.lo), _mm_castps_si128(a.hi)}; }
SIMD_INLINE I8 i8_loadu(const void* p)
{
    return (I8){_mm_loadu_si128((const __m128i*)p), _mm_loadu_si128((const __m128i*)p + 1)};
}
SIMD_INLINE void i8_storeu(void* p, I8 a)
{
    _mm_storeu_si128((__m128i*)p, a.lo);
    _mm_storeu_si128((__m128i*)p + 1, a.hi);
}
SIMD_INLINE I8 i8_set(int x) { return (I8){_mm_set1_epi32(x), _mm_set1_epi32(x)}; }
SIMD_INLINE I8 i8_ascending(void) { return (I8){_mm_setr_epi32(0, 1, 2, 3), _mm_setr_epi32(4, 5, 6, 7)}; }
SIMD_INLINE I8 i8_and(I8 a, I8 b) { return SIMD_BOTH_INT(_mm_and_si128, a, b); }
SIMD_INLINE I8 i8_or(I8 a, I8 b) { return SIMD_BOTH_INT(_mm_or_si128, a, b); }
SIMD_INLINE I8 i8_add(I8 a, I8 b) { return SIMD_BOTH_INT(_mm_add_epi32, a, b); }
SIMD_INLINE I8 i8_sub(I8 a, I8 b) { return SIMD_BOTH_INT(_mm_sub_epi32, a, b); }
SIMD_INLINE I8 i8_eq(I8 a, I8 b) { return SIMD_BOTH_INT(_mm_cmpeq_epi32, a, b); }
SIMD_INLINE I8 i8_shr(I8 a, int n) { return (I8){_mm_srli_epi32(a.lo, n), _mm_srli_epi32(a.hi, n)}; }
SIMD_INLINE I8 i8_truncate(F8 a) { return (I8){_mm_cvttps_epi32(a.lo), _mm_cvttps_epi32(a.hi)}; }

// Look each lane up in a table of eight floats; index 0..7.
SIMD_INLINE F8 f8_lookup(F8 table, I8 index)
{
    float t[8], out[8] __attribute__((aligned(16)));
    int32_t k[8];
    _mm_storeu_ps(t, table.lo), _mm_storeu_ps(t + 4, table.hi);
    _mm_storeu_si128((__m128i*)k, index.lo), _mm_storeu_si128((__m128i*)k + 1, index.hi);
    for (int lane = 0; lane < 8; ++lane) {
        out[lane] = t[k[lane] & 7];
    }
    return f8_load(out);
}

SIMD_INLINE void f8_half_rows(const float* base, const uint32_t* row, __m128* c)
{
    __m128 r0 = _mm_load_ps(base + 2 * (size_t)row[0]), r1 = _mm_load_ps(base + 2 * (size_t)row[1]);
    __m128 r2 = _mm_load_ps(base + 2 * (size_t)row[2]), r3 = _mm_load_ps(base + 2 * (size_t)row[3]);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    c[0] = r0, c[1] = r1, c[2] = r2, c[3] = r3;
}

// As above: rows become columns, `row` holds SIMD_ROW times the row's number.
SIMD_INLINE void f8_load_rows(const float* base, const uint32_t* row, F8 c[8])
{
    __m128 q[4][4];
    f8_half_rows(base, row, q[0]);
    f8_half_rows(base, row + 4, q[1]);
    f8_half_rows(base + 4, row, q[2]);
    f8_half_rows(base + 4, row + 4, q[3]);
    for (int m = 0; m < 4; ++m) {
        c[m] = (F8){q[0][m], q[1][m]};
        c[m + 4] = (F8){q[2][m], q[3][m]};
    }
}

// The way back: eight columns become eight consecutive rows at `base`.
SIMD_INLINE void f8_store_rows(float* base, const F8 c[8])
{
    for (int half = 0; half < 2; ++half) {
        __m128 r0 = c[4 * half].lo, r1 = c[4 * half + 1].lo, r2 = c[4 * half + 2].lo, r3 = c[4 * half + 3].lo;
        __m128 s0 = c[4 * half].hi, s1 = c[4 * half + 1].hi, s2 = c[4 * half + 2].hi, s3 = c[4 * half + 3].hi;
        _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
        _MM_TRANSPOSE4_PS(s0, s1, s2, s3);
        float* out = base + 4 * half;
        _mm_store_ps(out, r0), _mm_store_ps(out + 8, r1), _mm_store_ps(out + 16, r2), _mm_store_ps(out + 24, r3);
        _mm_store_ps(out + 32, s0), _mm_store_ps(out + 40, s1), _mm_store_ps(out + 48, s2), _mm_store_ps(out + 56, s3);
    }
}

#endif

// clang-format on

// Columns become rows again, each stored where `row` says.
SIMD_INLINE void f8_store_rows_at(float* base, const uint32_t* row, const F8 c[8])
{
    float rows[64] __attribute__((aligned(32)));
    f8_store_rows(rows, c);
    for (int k = 0; k < 8; ++k) {
        f8_store(base + 2 * (size_t)row[k], f8_load(rows + 8 * k));
    }
}

SIMD_INLINE F8 f8_abs(F8 a)
{
    return f8_and(a, f8_bits(i8_set(0x7fffffff)));
}

#endif
