/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHUNK_H
#define NDFT_CHUNK_H

#include "core/loop.h"
#include "sum.h"

#include <omp.h>

/*
 * The skeleton of the vectorised loops. A thread takes a chunk of outputs, one per lane, and goes
 * through all tiles of inputs; within a tile it evaluates the phasors of NDFT_ROWS inputs times all
 * lanes into a block that stays in the first-level cache, then adds value times phasor for every
 * coil. A tile has its own sums, joined to the chunk's totals at its end, so that no sum is long.
 */

typedef struct ndft_chunk {
    const ndft_sum *sum;
    int64_t first;           /* its first output */
    ndft_real *c, *s;        /* [NDFT_ROWS][NDFT_STRIDE] a block's phasors; c first holds phases */
    ndft_real *turn;         /* [re, im][lanes or tile] a centre's phasors */
    ndft_real *part, *total; /* [coils][re, im][lanes] sums of a tile, of all tiles so far */
    ndft_real *rotated;      /* [coils][re, im][tile] values turned to the chunk's centre */
} ndft_chunk;

static inline ndft_chunk ndft_chunk_of(const ndft_sum *s, int thread)
{
    const size_t lanes = (size_t)s->lanes, coils = (size_t)s->coils, tile = (size_t)s->tile;
    ndft_chunk k = {.sum = s, .c = (ndft_real *)s->work + (size_t)thread * s->work_reals};
    k.s = k.c + NDFT_ROWS * NDFT_STRIDE;
    k.part = k.s + NDFT_ROWS * NDFT_STRIDE;
    k.total = k.part + 2 * coils * lanes;
    k.turn = k.total + 2 * coils * lanes;
    k.rotated = k.turn + 2 * (lanes > tile ? lanes : tile);
    return k;
}

static inline void ndft_clear(ndft_real *restrict reals, size_t count)
{
    for (size_t i = 0; i < count; i++) reals[i] = 0;
}

static inline void ndft_put_complex(ndft_real *z, ndft_real re, ndft_real im)
{
    z[0] = re;
    z[1] = im;
}

/* The staged values of tile t. */
static inline const ndft_real *ndft_tile_values(const ndft_sum *s, int64_t t)
{
    return (const ndft_real *)s->values + t * s->coils * 2 * s->tile;
}

/* Inputs of tile t, rounded up to whole blocks. */
static inline int ndft_tile_count(const ndft_sum *s, int64_t t)
{
    const int64_t left = s->inputs - t * s->tile;
    if (left >= s->tile) return s->tile;
    return (int)((left + NDFT_ROWS - 1) / NDFT_ROWS * NDFT_ROWS);
}

static inline void ndft_stage_tile(const ndft_sum *s, int64_t t, const ndft_real *in)
{
    ndft_real *to = (ndft_real *)s->values + t * s->coils * 2 * s->tile;
    for (int c = 0; c < s->coils; c++, to += 2 * s->tile) {
        for (int i = 0; i < s->tile; i++) {
            const int64_t at = t * s->tile + i;
            to[i] = to[s->tile + i] = 0;
            if (at >= s->inputs) continue;
            const int64_t element = s->in_order ? s->in_order[at] : at;
            const ndft_real *z = in + 2 * (c * s->in_coil + element * s->in_element);
            to[i] = z[0];
            to[s->tile + i] = z[1];
        }
    }
}

/* part += values of inputs i.. of the tile times the block's phasors. */
static inline void ndft_accumulate(const ndft_chunk *k, const ndft_real *values, int i)
{
    const int lanes = k->sum->lanes;
    for (int coil = 0; coil < k->sum->coils; coil++) {
        const ndft_real *restrict ur = values + 2 * coil * k->sum->tile + i;
        const ndft_real *restrict ui = ur + k->sum->tile;
        const ndft_real *restrict c = k->c, *restrict s = k->s;
        ndft_real *restrict re = k->part + 2 * coil * lanes, *restrict im = re + lanes;
#pragma omp simd
        for (int l = 0; l < lanes; l++) {
            ndft_real cr = 0, si = 0, sr = 0, ci = 0;
            for (int b = 0; b < NDFT_ROWS; b++) {
                cr += c[b * NDFT_STRIDE + l] * ur[b];
                si += s[b * NDFT_STRIDE + l] * ui[b];
                sr += s[b * NDFT_STRIDE + l] * ur[b];
                ci += c[b * NDFT_STRIDE + l] * ui[b];
            }
            re[l] += cr - si;
            im[l] += sr + ci;
        }
    }
}

/* total += part */
static inline void ndft_join(const ndft_chunk *k)
{
    const int count = 2 * k->sum->coils * k->sum->lanes;
    const ndft_real *restrict part = k->part;
    ndft_real *restrict total = k->total;
#pragma omp simd
    for (int i = 0; i < count; i++) total[i] += part[i];
}

/* total += turn part, a phasor per lane */
static inline void ndft_join_turned(const ndft_chunk *k)
{
    const int lanes = k->sum->lanes;
    const ndft_real *restrict c = k->turn, *restrict s = c + lanes;
    for (int coil = 0; coil < k->sum->coils; coil++) {
        const ndft_real *restrict pr = k->part + 2 * coil * lanes, *restrict pi = pr + lanes;
        ndft_real *restrict re = k->total + 2 * coil * lanes, *restrict im = re + lanes;
#pragma omp simd
        for (int l = 0; l < lanes; l++) {
            re[l] += c[l] * pr[l] - s[l] * pi[l];
            im[l] += s[l] * pr[l] + c[l] * pi[l];
        }
    }
}

/* Writes the chunk's totals, [coils][re, im][lanes], to the output. */
static inline void ndft_store(const ndft_sum *s, int64_t first, const ndft_real *total,
                              ndft_real *out)
{
    for (int c = 0; c < s->coils; c++, total += 2 * s->lanes) {
        for (int l = 0; l < s->lanes && first + l < s->outputs; l++) {
            const int64_t element = s->out_order ? s->out_order[first + l] : first + l;
            ndft_put_complex(out + 2 * (c * s->out_coil + element * s->out_element), total[l],
                             total[s->lanes + l]);
        }
    }
}

/* Adds one tile to the chunk's totals. */
typedef void ndft_add_tile(const ndft_chunk *, int64_t tile);

/* total: the sum over tiles begin..end - 1. */
static inline void ndft_sum_tiles(const ndft_chunk *k, int64_t begin, int64_t end,
                                  ndft_add_tile *add)
{
    const size_t reals = 2 * (size_t)k->sum->coils * (size_t)k->sum->lanes;
    ndft_clear(k->total, reals);
    for (int64_t t = begin; t < end; t++) {
        ndft_clear(k->part, reals);
        add(k, t);
    }
}

/* The whole operator: threads over chunks of outputs. */
static inline void ndft_sum_chunks(const ndft_sum *s, const ndft_real *in, ndft_real *out,
                                   ndft_add_tile *add)
{
#pragma omp parallel num_threads(s->threads)
    {
        ndft_chunk k = ndft_chunk_of(s, omp_get_thread_num());
#pragma omp for schedule(static)
        for (int64_t t = 0; t < s->tiles; t++) ndft_stage_tile(s, t, in);
#pragma omp for schedule(dynamic)
        for (int64_t chunk = 0; chunk < s->chunks; chunk++) {
            k.first = chunk * s->lanes;
            ndft_sum_tiles(&k, 0, s->tiles, add);
            ndft_store(s, k.first, k.total, out);
        }
    }
}

#endif
