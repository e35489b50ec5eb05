/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_VALUES_H
#define NDFT_NUFFT_HOST_VALUES_H

#include "host_batch.h"
#include "nufft/field/rank.h"

/* A batch's values, from the operation's vectors and to them, and what a field map weighs them by.
 */

/* The weights of rank.h, one column at a time, in loops of one precision. */

/* weight = factor times voxel v's. */
NDFT_INLINE void ndft_rank_voxel(const ndft_rank *rank, int64_t n_voxels, int64_t v, int column,
                                 ndft_real factor, ndft_real weight[2])
{
    const int node = column / rank->terms, l = column % rank->terms, powers = rank->degree + 1;
    const ndft_real *place = (const ndft_real *)rank->place + 4 * (node * n_voxels + v);
    const ndft_real *a =
        (const ndft_real *)rank->c + ((int64_t)place[0] * rank->terms + l) * powers;
    ndft_real c = a[0];
    for (int d = 1; d < powers; d++) c = c * place[1] + a[d];
    weight[0] = factor * c * place[2];
    weight[1] = factor * c * place[3];
}

/* weight = sample j's. */
NDFT_INLINE void ndft_rank_sample(const ndft_rank *rank, int64_t j, int column, ndft_real weight[2])
{
    const int node = column / rank->terms, l = column % rank->terms;
    const ndft_real *b = (const ndft_real *)rank->b + 2 * ((int64_t)rank->row[j] * rank->terms + l);
    weight[0] = b[0];
    weight[1] = b[1];
    if (!rank->turn) return;
    const ndft_real *turn = (const ndft_real *)rank->turn + 2 * (j * rank->nodes + node);
    weight[0] = b[0] * turn[0] - b[1] * turn[1];
    weight[1] = b[0] * turn[1] + b[1] * turn[0];
}

static inline int64_t ndft_sample_of(const ndft_batch *b, int j)
{
    return b->sample ? b->sample[j] : b->first + j;
}

/* Where a coil's value of a sample stands in the operation's vectors. */
static inline int64_t ndft_value_at(const ndft_batch *b, int c, int j)
{
    const ndft_host_nufft *plan = b->plan;
    return 2 * ((b->job->coil + c) * plan->sample_coil + ndft_sample_of(b, j) * plan->element);
}

/* Values as they are, to the batch or from it; element: between samples. */
NDFT_INLINED void ndft_copy_plain(const ndft_batch *b, const bool to_batch, const int64_t element)
{
    typedef ndft_real complex
        __attribute__((vector_size(2 * sizeof(ndft_real)), aligned(sizeof(ndft_real)), may_alias));
    const int32_t *sample = b->sample;
    for (int c = 0; c < b->job->coils; c++) {
        const int64_t at = (b->job->coil + c) * b->plan->sample_coil;
        complex *own = (complex *)b->value + c * b->plan->batch;
        complex *others = (complex *)(to_batch ? (ndft_real *)b->job->in : b->job->out) + at;
        for (int j = 0; j < b->count; j++) {
            complex *other = others + (sample ? sample[j] : b->first + j) * element;
            if (to_batch)
                own[j] = *other;
            else
                *other = own[j];
        }
    }
}

/* Without a field map. */
NDFT_INLINED void ndft_move_plain(const ndft_batch *b, const bool to_batch)
{
    if (b->plan->element == 1)
        ndft_copy_plain(b, to_batch, 1);
    else
        ndft_copy_plain(b, to_batch, b->plan->element);
}

/* Values of sorted samples that do not stay in the second cache, before they are taken or put. */
NDFT_INLINED void ndft_fetch_values(const ndft_batch *b, const bool put)
{
    enum { STAY = 1 << 20 }; /* bytes of the coils that go together */
    const ndft_host_job *job = b->job;
    const ndft_real *values = put ? job->out : job->in;
    const int64_t bytes = job->coils * b->plan->samples * 2 * (int64_t)sizeof(ndft_real);
    if (bytes < STAY || !b->sample) return;
    for (int c = 0; c < job->coils; c++)
        for (int j = 0; j < b->count; j++) {
            const ndft_real *value = values + ndft_value_at(b, c, j);
            if (put)
                __builtin_prefetch(value, 1);
            else
                __builtin_prefetch(value, 0);
        }
}

/* Adjoint: the values to be spread, weighted by the conjugates. */
static inline void ndft_take_values(const ndft_batch *b)
{
    const ndft_host_job *job = b->job;
    const ndft_host_nufft *plan = b->plan;
    const ndft_real *in = job->in;
    if (plan->rank.plain) {
        ndft_move_plain(b, true);
        return;
    }
    for (int j = 0; j < b->count; j++) {
        ndft_real w[2];
        ndft_rank_sample(&plan->rank, ndft_sample_of(b, j), job->term, w);
        for (int c = 0; c < job->coils; c++) {
            const ndft_real *from = in + ndft_value_at(b, c, j);
            ndft_real *to = b->value + 2 * (c * plan->batch + j);
            to[0] = from[0] * w[0] + from[1] * w[1];
            to[1] = from[1] * w[0] - from[0] * w[1];
        }
    }
}

/* Forward: weighs the values interpolated and adds them up over terms. */
static inline void ndft_put_values(const ndft_batch *b)
{
    const ndft_host_job *job = b->job;
    const ndft_host_nufft *plan = b->plan;
    ndft_real *out = job->out;
    if (plan->rank.plain) {
        ndft_move_plain(b, false);
        return;
    }
    for (int j = 0; j < b->count; j++) {
        ndft_real w[2];
        ndft_rank_sample(&plan->rank, ndft_sample_of(b, j), job->term, w);
        for (int c = 0; c < job->coils; c++) {
            ndft_real *to = out + ndft_value_at(b, c, j);
            const ndft_real *from = b->value + 2 * (c * plan->batch + j);
            const ndft_real before = job->term ? 1 : 0;
            const ndft_real re = from[0] * w[0] - from[1] * w[1];
            const ndft_real im = from[0] * w[1] + from[1] * w[0];
            to[0] = before ? to[0] + re : re;
            to[1] = before ? to[1] + im : im;
        }
    }
}

#endif
