/* SPDX-License-Identifier: Apache-2.0 */
#include "structure.h"

#include "trajectory.h"

#include <stdlib.h>

enum { SHORTEST_LINE = 3 }; /* two points always lie on a line */

/* How many samples from first on, at most count, an array is uniform. In double, the differences
 * and multiples of float values are exact. */
static int64_t uniform(const void *array, ndft_prec prec, int64_t first, int64_t count)
{
    if (count < SHORTEST_LINE) return count;
    double start = ndft_real_at(array, prec, first);
    double step = ndft_real_at(array, prec, first + 1) - start;
    int64_t i = 2;
    while (i < count && ndft_real_at(array, prec, first + i) == start + (double)i * step) i++;
    return i;
}

static int64_t line_from(const ndft_problem *p, int64_t first, int64_t count)
{
    count = uniform(p->t, p->prec, first, count);
    for (int d = 0; d < p->dim; d++) count = uniform(p->k[d], p->prec, first, count);
    return count;
}

/* The first line ends where it is no longer uniform; all others must be as long. */
static int64_t line_length(const ndft_problem *p)
{
    int64_t m = p->n_samples, length = line_from(p, 0, m);
    if (length < SHORTEST_LINE) return 0;
    for (int64_t first = length; first < m; first += length) {
        int64_t count = m - first < length ? m - first : length;
        if (line_from(p, first, count) < count) return 0;
    }
    return length;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

ndft_status ndft_structure_find(ndft_problem *p, ndft_arena *scratch, ndft_error *err)
{
    int64_t m = p->n_samples;
    double *t = ndft_arena_alloc(scratch, "sorted times", m, sizeof *t, err);
    if (!t) return NDFT_ENOMEM;
    for (int64_t j = 0; j < m; j++) t[j] = ndft_real_at(p->t, p->prec, j);
    qsort(t, (size_t)m, sizeof *t, compare);
    p->structure.distinct_times = 1;
    for (int64_t j = 1; j < m; j++) p->structure.distinct_times += t[j] != t[j - 1];
    p->structure.line_length = line_length(p);
    return NDFT_OK;
}

/* Shots are whole lines of one length, or one shot whose last line is cut short, or none. */
static int64_t line_of_case(const ndft_case *c, int64_t length)
{
    int64_t line = 0;
    if (c->times.kind == NDFT_SOURCE_FILE) return 0;
    switch (c->traj.kind) {
    case NDFT_TRAJ_RADIAL:
    case NDFT_TRAJ_GOLDEN:
    case NDFT_TRAJ_SOS:
    case NDFT_TRAJ_KOOSHBALL:
        line = length;
        break;
    case NDFT_TRAJ_EPI:
        line = (length - 1) / ndft_epi_train(c, length) + 1;
        break;
    default:
        return 0;
    }
    return line >= SHORTEST_LINE && (length % line == 0 || length >= c->m) ? line : 0;
}

ndft_structure ndft_structure_of_case(const ndft_case *c)
{
    const int64_t length = (c->m - 1) / ndft_case_shots(c) + 1;
    const bool own_clock = c->times.kind == NDFT_SOURCE_FILE;
    const bool unread = own_clock || (c->traj.kind == NDFT_SOURCE_FILE && c->t != 0);
    const int64_t distinct = c->t == 0 ? 1 : length;
    return (ndft_structure){.line_length = line_of_case(c, length),
                            .distinct_times = unread ? 0 : distinct};
}
