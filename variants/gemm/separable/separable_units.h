/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_UNITS_H
#define NDFT_SEPARABLE_UNITS_H

#include "base/problem.h"

#include <stdlib.h>

/*
 * Samples in units of `size`, all of one readout time: sorted by time, and each time's last unit
 * filled up. Without field map and decay time does not matter, and all samples have one.
 */

typedef struct ndft_units {
    int size;
    int64_t n;
    int32_t *order; /* [n size] sample at each place, -1: none */
} ndft_units;

typedef struct ndft_timed {
    double t;
    int32_t sample;
} ndft_timed;

static inline int ndft_compare_timed(const void *a, const void *b)
{
    const ndft_timed *x = (const ndft_timed *)a, *y = (const ndft_timed *)b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return (x->sample > y->sample) - (x->sample < y->sample);
}

/* All samples sorted by time; NULL: no memory. */
static inline ndft_timed *ndft_sort_times(const ndft_problem *p)
{
    ndft_timed *timed = (ndft_timed *)malloc((size_t)p->n_samples * sizeof *timed);
    if (!timed) return NULL;
    for (int64_t j = 0; j < p->n_samples; j++) {
        timed[j].t = ndft_is_timed(p) ? ndft_real_at(p->t, p->prec, j) : 0;
        timed[j].sample = (int32_t)j;
    }
    qsort(timed, (size_t)p->n_samples, sizeof *timed, ndft_compare_timed);
    return timed;
}

/* Samples from the first on, that have its time. */
static inline int64_t ndft_same_time(const ndft_timed *timed, int64_t first, int64_t end)
{
    int64_t next = first + 1;
    while (next < end && timed[next].t == timed[first].t) next++;
    return next - first;
}

/* Units of this size that m sorted samples take. */
static inline int64_t ndft_count_units(const ndft_timed *timed, int64_t m, int size)
{
    int64_t units = 0;
    for (int64_t j = 0, same; j < m; j += same) {
        same = ndft_same_time(timed, j, m);
        units += (same + size - 1) / size;
    }
    return units;
}

/* Fills the units; false: no memory. */
static inline bool ndft_units_make(const ndft_timed *timed, int64_t m, int size, ndft_units *units)
{
    units->size = size;
    units->n = ndft_count_units(timed, m, size);
    units->order = (int32_t *)malloc((size_t)(units->n * size) * sizeof *units->order);
    if (!units->order) return false;
    int64_t place = 0;
    for (int64_t j = 0, same; j < m; j += same) {
        same = ndft_same_time(timed, j, m);
        const int64_t end = place + (same + size - 1) / size * size;
        for (int64_t i = 0; place < end; i++, place++)
            units->order[place] = i < same ? timed[j + i].sample : -1;
    }
    return true;
}

#endif
