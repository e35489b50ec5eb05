/* SPDX-License-Identifier: Apache-2.0 */
#include "operands.h"

#include "base/memory.h"
#include "turns.h"

#include <stdlib.h>

int64_t ndft_padded(int64_t length) { return (length + NDFT_BLOCK - 1) / NDFT_BLOCK * NDFT_BLOCK; }

static double *take(double **memory, int64_t padded)
{
    double *array = *memory;
    *memory += padded;
    return array;
}

static void fill_samples(const ndft_problem *p, ndft_operands *s)
{
    for (int64_t j = 0; j < p->n_samples; j++) {
        for (int d = 0; d < p->dim; d++) {
            ndft_pair_sum k = ndft_quotient(ndft_real_at(p->k[d], p->prec, j), (double)p->n[d]);
            s->k_hi[d][j] = k.hi;
            s->k_lo[d][j] = k.lo;
        }
        s->t[j] = ndft_real_at(p->t, p->prec, j);
    }
}

static void fill_voxels(const ndft_problem *p, ndft_operands *s)
{
    for (int64_t v = 0; v < p->n_voxels; v++) {
        int64_t x[3];
        ndft_voxel_coord(p, v, x);
        for (int d = 0; d < p->dim; d++) {
            s->x[d][v] = (double)x[d];
            if (s->gradients) s->g[d][v] = ndft_real_at(p->g[d], p->prec, v);
        }
        if (!s->field) continue;
        ndft_pair_sum f = ndft_cycles(ndft_real_at(p->dw, p->prec, v));
        s->f_hi[v] = f.hi;
        s->f_lo[v] = f.lo;
    }
}

ndft_status ndft_operands_make(const ndft_problem *p, ndft_operands *s, ndft_error *error)
{
    *s = (ndft_operands){.dim = p->dim,
                         .field = p->dw != NULL,
                         .gradients = ndft_has_gradients(p),
                         .samples = ndft_padded(p->n_samples),
                         .voxels = ndft_padded(p->n_voxels)};
    int64_t per_sample = 2 * p->dim + 1, per_voxel = 2 * p->dim + 2;
    int64_t reals = per_sample * s->samples + per_voxel * s->voxels;
    size_t bytes = (size_t)reals * sizeof(double), available = ndft_memory_available();
    double *memory = s->memory = bytes <= available ? calloc(1, bytes) : NULL;
    if (!memory)
        return ndft_fail(error, NDFT_ENOMEM,
                         "the reference needs %zu bytes for coordinates, %zu are free", bytes,
                         available);
    s->t = take(&memory, s->samples);
    s->f_hi = take(&memory, s->voxels);
    s->f_lo = take(&memory, s->voxels);
    for (int d = 0; d < p->dim; d++) {
        s->k_hi[d] = take(&memory, s->samples);
        s->k_lo[d] = take(&memory, s->samples);
        s->x[d] = take(&memory, s->voxels);
        s->g[d] = take(&memory, s->voxels);
    }
    fill_samples(p, s);
    fill_voxels(p, s);
    return NDFT_OK;
}

void ndft_operands_free(ndft_operands *s) { free(s->memory); }

double *ndft_split(const ndft_problem *p, const void *vector, int64_t length)
{
    int64_t padded = ndft_padded(length), element = ndft_element_stride(p);
    double *split = calloc((size_t)(2 * p->coils * padded), sizeof *split);
    if (!split) return NULL;
    for (int c = 0; c < p->coils; c++) {
        int64_t first = c * ndft_coil_stride(p, length);
        double *re = split + 2 * c * padded, *im = re + padded;
        for (int64_t e = 0; e < length; e++) {
            re[e] = ndft_real_at(vector, p->prec, 2 * (first + e * element));
            im[e] = ndft_real_at(vector, p->prec, 2 * (first + e * element) + 1);
        }
    }
    return split;
}
