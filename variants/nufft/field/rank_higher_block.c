/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_higher_sides.h"

/*
 * The loops over samples or voxels side by side, which are what looking at pairs takes: compiled
 * for processors with AVX2, and for all others.
 */

#define INLINE static inline __attribute__((always_inline))

enum { LANES = NDFT_HIGHER_SAMPLES, VOXELS = NDFT_HIGHER_VOXELS };

/* What lies beyond the count is of no voxel. */
INLINE void put_row(const ndft_higher_sides *s, int64_t j, const int64_t *voxel, int count,
                    double *row)
{
    double half_turns[VOXELS] = {0};
    double *restrict re = row, *restrict im = row + VOXELS;
    for (int a = 0; a < s->axes; a++) {
        const double c = s->c[a * s->samples + j], *b = s->b + a * s->voxels;
        for (int v = 0; v < count; v++) half_turns[v] += c * b[voxel[v]];
    }
#pragma omp simd
    for (int v = 0; v < VOXELS; v++) {
        double sine, cosine;
        ndft_sincospi_poly_f64(half_turns[v], &sine, &cosine);
        re[v] = cosine;
        im[v] = -sine;
    }
    for (int v = 0; s->t && v < count; v++) {
        const double left = exp(-s->rate[voxel[v]] * s->t[j]);
        re[v] *= left;
        im[v] *= left;
    }
}

/* x -= a (b[0] + i b[1]), a and x of all lanes: [re, im][LANES]. */
INLINE void subtract_lanes(const double *a, const double b[2], double *x)
{
    for (int i = 0; i < LANES; i++) {
        x[i] -= a[i] * b[0] - a[LANES + i] * b[1];
        x[LANES + i] -= a[i] * b[1] + a[LANES + i] * b[0];
    }
}

INLINE void divide_lanes(const double b[2], double *x)
{
    const double size = b[0] * b[0] + b[1] * b[1], re = b[0] / size, im = b[1] / size;
    for (int i = 0; i < LANES; i++) {
        const double y = x[i];
        x[i] = y * re + x[LANES + i] * im;
        x[LANES + i] = x[LANES + i] * re - y * im;
    }
}

INLINE void put_entries(const ndft_higher_sides *s, const int64_t *sample, int count, int64_t voxel,
                        double *x)
{
    for (int i = 0; i < LANES; i++)
        ndft_higher_entry(s, sample[i < count ? i : 0], voxel, &x[i], &x[LANES + i]);
}

/* u, by elimination at the terms' voxels; then h, from the last term to the first. */
INLINE void put_h(const ndft_higher_sides *s, const ndft_higher_sum *sum, const int64_t *sample,
                  int count, double *h)
{
    const int terms = sum->terms;
    for (int l = 0; l < terms; l++) {
        const double *v = sum->v + 2 * l * terms;
        double x[2 * LANES];
        put_entries(s, sample, count, sum->voxel[l], x);
        for (int m = 0; m < l; m++) subtract_lanes(h + 2 * m * LANES, v + 2 * m, x);
        divide_lanes(v + 2 * l, x);
        for (int i = 0; i < 2 * LANES; i++) h[2 * l * LANES + i] = x[i];
    }
    for (int l = terms - 1; l >= 0; l--) {
        double x[2 * LANES];
        for (int i = 0; i < 2 * LANES; i++) x[i] = h[2 * l * LANES + i];
        for (int m = l + 1; m < terms; m++)
            subtract_lanes(h + 2 * m * LANES, sum->u + 2 * (m * terms + l), x);
        for (int i = 0; i < 2 * LANES; i++) h[2 * l * LANES + i] = x[i];
    }
}

INLINE void subtract_terms(int terms, const double *h, int lane, const double *rows, double *row)
{
    double *restrict re = row, *restrict im = row + VOXELS;
    for (int t = 0; t < terms; t++) {
        const double a = h[2 * t * LANES + lane], b = h[(2 * t + 1) * LANES + lane];
        const double *restrict x = rows + 2 * t * VOXELS, *restrict y = x + VOXELS;
#pragma omp simd
        for (int v = 0; v < VOXELS; v++) {
            re[v] -= a * x[v] - b * y[v];
            im[v] -= a * y[v] + b * x[v];
        }
    }
}

#define WITH_AVX2 __attribute__((target("avx2,fma")))

WITH_AVX2 static void row_avx2(const ndft_higher_sides *s, int64_t j, const int64_t *voxel,
                               int count, double *row)
{
    put_row(s, j, voxel, count, row);
}

WITH_AVX2 static void h_avx2(const ndft_higher_sides *s, const ndft_higher_sum *sum,
                             const int64_t *sample, int count, double *h)
{
    put_h(s, sum, sample, count, h);
}

WITH_AVX2 static void subtract_avx2(int terms, const double *h, int lane, const double *rows,
                                    double *row)
{
    subtract_terms(terms, h, lane, rows, row);
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

void ndft_higher_row(const ndft_higher_sides *s, int64_t sample, const int64_t *voxel, int count,
                     double *row)
{
    (has_avx2() ? row_avx2 : put_row)(s, sample, voxel, count, row);
}

void ndft_higher_h(const ndft_higher_sides *s, const ndft_higher_sum *sum, const int64_t *sample,
                   int count, double *h)
{
    (has_avx2() ? h_avx2 : put_h)(s, sum, sample, count, h);
}

void ndft_higher_subtract(int terms, const double *h, int lane, const double *rows, double *row)
{
    (has_avx2() ? subtract_avx2 : subtract_terms)(terms, h, lane, rows, row);
}
