/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_GEMM_WORK_H
#define NDFT_SEPARABLE_GEMM_WORK_H

#include "direct/phasor_rows.h"
#include "separable_gemm_loop.h"

/* What a thread of separable_gemm works with in both directions: its operands, the planes of a pair
 * and the field's phasors. */

enum { NDFT_SEPARABLE_CHUNK = NDFT_SEPARABLE_CHUNK_BYTES / sizeof(ndft_real) }; /* columns */
enum { NDFT_SEPARABLE_LANES = 2 * NDFT_SEPARABLE_CHUNK };

/* One thread's operands, of one time group, chunk of columns and group of coils. */
typedef struct ndft_separable_work {
    const ndft_separable *of;
    int coil, coils;
    ndft_real *table;  /* forward [sample][cos, sin of rows]; adjoint [cos, sin of rows][sample] */
    ndft_real *folded; /* [even, odd][rows][NDFT_SEPARABLE_LANES] pairs of planes */
    ndft_real *turn; /* [rows][after, before][cos, sin][NDFT_SEPARABLE_CHUNK] the field's phasors */
    ndft_real *sums; /* [coil][sample][NDFT_SEPARABLE_LANES] sums over the folded axis */
    ndft_real *sample; /* [coil][sample][re, im] */
    ndft_real *c, *s;  /* [NDFT_SEPARABLE_CHUNK] */
} ndft_separable_work;

static inline ndft_separable_work ndft_separable_work_of(const ndft_separable *s, int thread)
{
    const size_t most = (size_t)s->most, coils = (size_t)s->coils_of_group;
    ndft_separable_work w = {.of = s,
                             .table = (ndft_real *)s->work + (size_t)thread * s->work_reals};
    w.folded = w.table + 2 * (size_t)s->pairs * most;
    w.turn = w.folded + 2 * NDFT_SEPARABLE_ROWS * NDFT_SEPARABLE_LANES;
    w.sums = w.turn + NDFT_SEPARABLE_ROWS * 2 * NDFT_SEPARABLE_LANES;
    w.c = w.sums + coils * most * NDFT_SEPARABLE_LANES;
    w.s = w.c + NDFT_SEPARABLE_CHUNK;
    w.sample = w.s + NDFT_SEPARABLE_CHUNK;
    return w;
}

static inline void ndft_separable_take_coils(ndft_separable_work *w, int64_t group)
{
    const int left = w->of->coils - (int)group * w->of->coils_of_group;
    w->coil = (int)group * w->of->coils_of_group;
    w->coils = left < w->of->coils_of_group ? left : w->of->coils_of_group;
}

/* Pairs of the block that starts at pair i. */
static inline int ndft_separable_rows(const ndft_separable *s, int i)
{
    return s->pairs - i < s->rows ? s->pairs - i : s->rows;
}

/* The planes of pair i: after the middle and before it, the same where the middle is a plane. */
static inline int64_t ndft_plane_after(const ndft_separable *s, int i) { return s->planes / 2 + i; }

static inline int64_t ndft_plane_before(const ndft_separable *s, int i)
{
    return (s->planes - 1) / 2 - i;
}

/* Real part of a coil's plane in an image; the imaginary one lies planes * width on. */
static inline ndft_real *ndft_separable_plane(const ndft_separable *s, void *image, int coil,
                                              int64_t plane)
{
    return (ndft_real *)image + (2 * coil * s->planes + plane) * s->width;
}

/* One plane of the image, zero where there are no voxels. */
static inline void ndft_separable_load(const ndft_separable *s, int coil, int64_t plane,
                                       const ndft_real *in)
{
    ndft_real *re = ndft_separable_plane(s, s->image, coil, plane), *im = re + s->planes * s->width;
    ndft_clear(re, (size_t)s->width);
    ndft_clear(im, (size_t)s->width);
    for (int64_t v = s->plane_first[plane]; v < s->plane_first[plane + 1]; v++) {
        const ndft_real *z = in + 2 * (coil * s->in_coil + v * s->element);
        const int64_t column = (s->voxel ? s->voxel[v] : v) - plane * s->plane;
        re[column] = z[0];
        im[column] = z[1];
    }
}

/* The same plane, back. */
static inline void ndft_separable_store(const ndft_separable *s, int coil, int64_t plane,
                                        ndft_real *out)
{
    const ndft_real *re = ndft_separable_plane(s, s->image, coil, plane),
                    *im = re + s->planes * s->width;
    for (int64_t v = s->plane_first[plane]; v < s->plane_first[plane + 1]; v++) {
        const int64_t column = (s->voxel ? s->voxel[v] : v) - plane * s->plane;
        ndft_put_complex(out + 2 * (coil * s->out_coil + v * s->element), re[column], im[column]);
    }
}

/* Multiplies a chunk's phasors by what decay leaves at the group's time. */
static inline void ndft_decay_plane(const ndft_separable *s, int64_t group, int64_t plane,
                                    int64_t column, ndft_real *restrict turn)
{
    const ndft_real *restrict rate = (const ndft_real *)s->decay + plane * s->width + column;
    const ndft_real t = ((const ndft_real *)s->when)[group];
#pragma omp simd
    for (int l = 0; l < NDFT_SEPARABLE_CHUNK; l++) {
        const ndft_real left = ndft_decay(rate[l], t);
        turn[l] *= left;
        turn[NDFT_SEPARABLE_CHUNK + l] *= left;
    }
}

/* turn: the field's phasors of one plane's chunk, as long as decay leaves them. */
static inline void ndft_turn_plane(const ndft_separable_work *w, int64_t group, int64_t plane,
                                   int64_t column, ndft_real *turn)
{
    const ndft_separable *s = w->of;
    const ndft_real *const dw[4] = {(const ndft_real *)s->field + plane * s->width};
    ndft_phasors_of(dw, column, NDFT_SEPARABLE_CHUNK, (const ndft_scaled *)s->time + group, turn,
                    turn + NDFT_SEPARABLE_CHUNK, 1);
    if (s->decay) ndft_decay_plane(s, group, plane, column, turn);
}

/* The field's phasors of the block of pairs from i on. */
static inline void ndft_turn_rows(const ndft_separable_work *w, int64_t group, int i,
                                  int64_t column)
{
    const ndft_separable *s = w->of;
    if (!s->field) return;
    for (int r = 0; r < ndft_separable_rows(s, i); r++) {
        ndft_turn_plane(w, group, ndft_plane_after(s, i + r), column,
                        w->turn + 2 * r * NDFT_SEPARABLE_LANES);
        ndft_turn_plane(w, group, ndft_plane_before(s, i + r), column,
                        w->turn + (2 * r + 1) * NDFT_SEPARABLE_LANES);
    }
}

#endif
