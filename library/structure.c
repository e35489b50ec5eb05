/* SPDX-License-Identifier: Apache-2.0 */
#include "structure.h"

#include "base/bounds.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many samples from first on, at most count, an array is uniform. In double, the differences
 * and multiples of float values are exact. */
static int64_t uniform(const void *array, ndft_prec prec, int64_t first, int64_t count)
{
    if (count < NDFT_SHORTEST_LINE) return count;
    double start = ndft_real_at(array, prec, first);
    double step = ndft_real_at(array, prec, first + 1) - start;
    int64_t i = 2;
    while (i < count && ndft_real_at(array, prec, first + i) == start + (double)i * step) i++;
    return i;
}

/* The clock last: where there is none it is uniform all along. */
static int64_t line_from(const ndft_problem *p, int64_t first, int64_t count)
{
    for (int d = 0; d < p->dim; d++) count = uniform(p->k[d], p->prec, first, count);
    return uniform(p->t, p->prec, first, count);
}

/* The first line ends where it is no longer uniform; all others must be as long. */
static int64_t line_length(const ndft_problem *p)
{
    int64_t m = p->n_samples, length = line_from(p, 0, m);
    if (length < NDFT_SHORTEST_LINE) return 0;
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

/* Of one period; a clock that never runs back is in order as it is. */
static ndft_status count_times(ndft_problem *p, ndft_error *err)
{
    const int64_t n = ndft_period(p->t, p->prec, p->n_samples);
    bool ascending = true;
    double *t = malloc((size_t)n * sizeof *t);
    if (!t) return ndft_fail(err, NDFT_ENOMEM, "no memory for %lld sorted times", (long long)n);
    for (int64_t j = 0; j < n; j++) {
        t[j] = ndft_real_at(p->t, p->prec, j);
        ascending = ascending && (j == 0 || t[j] >= t[j - 1]);
    }
    if (!ascending) qsort(t, (size_t)n, sizeof *t, compare);
    p->structure.distinct_times = 1;
    for (int64_t j = 1; j < n; j++) p->structure.distinct_times += t[j] != t[j - 1];
    free(t);
    return NDFT_OK;
}

enum { PICKED = 512, SLOTS = 2 * PICKED };

typedef struct place {
    uint64_t at[4]; /* the cell of its k, and of its time where it matters */
    int samples;
} place;

/* Of an eighth of a turn across the image, about 0. */
static uint64_t cell_of(double turns)
{
    return (uint64_t)(int64_t)rint(fmax(-0x1p60, fmin(8 * turns, 0x1p60)));
}

/* By how much voxels' offsets differ, root mean square, in Hz: of some of them where there are
 * many, and little where few voxels have one of their own. */
static double spread_of_field(const ndft_problem *p)
{
    enum { SEEN = 4096 };
    const int64_t step = p->n_voxels / SEEN + 1;
    double sum = 0, squares = 0, n = 0;
    if (!p->dw) return 0;
    for (int64_t v = 0; v < p->n_voxels; v += step) {
        const double hz = ndft_real_at(p->dw, p->prec, v) / (2 * M_PI);
        sum += hz;
        squares += hz * hz;
        n++;
    }
    return sqrt(fmax(0, squares / n - sum / n * (sum / n)));
}

/* How fast maps change what samples see, in turns a second. */
static double rate_of(const ndft_problem *p)
{
    return spread_of_field(p) + p->decay_max + p->g_max[0] + p->g_max[1] + p->g_max[2];
}

static place place_of(const ndft_problem *p, double rate, int64_t j)
{
    place found = {.samples = 1};
    for (int d = 0; d < p->dim; d++) found.at[d] = cell_of(ndft_real_at(p->k[d], p->prec, j));
    found.at[3] = cell_of(ndft_real_at(p->t, p->prec, j) * rate);
    return found;
}

/* Those found so far, and where each can be looked up. */
typedef struct found_places {
    int n;
    place place[PICKED];
    uint16_t slot[SLOTS]; /* the place's number and 1; 0: none */
} found_places;

/* Its own, with one sample more. */
static place *add_place(found_places *f, const place *of)
{
    static const uint64_t odd[] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb,
                                   0xd6e8feb86659fd93};
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) sum += odd[i] * of->at[i];
    for (uint64_t i = ndft_mix(sum) % SLOTS;; i = (i + 1) % SLOTS) {
        if (!f->slot[i]) {
            f->place[f->n] = *of;
            f->slot[i] = (uint16_t)++f->n;
            return &f->place[f->n - 1];
        }
        place *there = &f->place[f->slot[i] - 1];
        if (memcmp(there->at, of->at, sizeof of->at)) continue;
        there->samples++;
        return there;
    }
}

/* Of samples that are picked, one of each run of equal length, wherever in it. */
static double count_repeats(const ndft_problem *p)
{
    const int64_t picked = p->n_samples < PICKED ? p->n_samples : PICKED;
    const double count = (double)picked, of = (double)p->n_samples, rate = rate_of(p);
    found_places found;
    double squares = 0;
    found.n = 0;
    memset(found.slot, 0, sizeof found.slot);
    for (int64_t i = 0, first = 0; i < picked; i++) {
        const int64_t next = (i + 1) * p->n_samples / picked;
        const uint64_t within = ndft_mix((uint64_t)i + 1) >> 32; /* in step with no scan's turns */
        const place at =
            place_of(p, rate, first + (int64_t)((uint64_t)(next - first) * within >> 32));
        squares += 2 * add_place(&found, &at)->samples - 1;
        first = next;
    }
    return fmin(of, 1 + (squares / count - 1) * of / count);
}

bool ndft_positions_are_grid(const ndft_problem *p, ndft_prec prec, const void *const position[3])
{
    for (int64_t v = 0; v < p->n_voxels; v++) {
        int64_t x[3];
        ndft_voxel_coord(p, v, x);
        for (int d = 0; d < p->dim; d++)
            if (ndft_real_at(position[d], prec, p->voxel ? p->voxel[v] : v) != (double)x[d])
                return false;
    }
    return true;
}

ndft_status ndft_structure_find(ndft_problem *p, const ndft_problem *before, ndft_error *err)
{
    if (before && before->t == p->t && before->n_samples == p->n_samples)
        p->structure.distinct_times = before->structure.distinct_times;
    else
        NDFT_TRY(count_times(p, err));
    p->structure.line_length = line_length(p);
    ndft_structure_count(p);
    return NDFT_OK;
}

void ndft_structure_count(ndft_problem *p) { p->structure.repeats = count_repeats(p); }
