/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_basis.h"
#include "rank_higher_sides.h"

#include <stdlib.h>
#include <string.h>

/* The arrays of a rank (rank.h) with a phase of higher order: h of every sample, and the entries of
 * the samples that terms stand for. */

static bool fill_samples(const ndft_problem *p, const ndft_higher_sides *s,
                         const ndft_higher_sum *sum, void *turn)
{
    enum { LANES = NDFT_HIGHER_SAMPLES };
    const int64_t reals = 2 * (int64_t)sum->terms;
    bool failed = false;
#pragma omp parallel
    {
        double *h = malloc(sizeof *h * (size_t)reals * LANES);
#pragma omp for
        for (int64_t j = 0; j < p->n_samples; j += LANES) {
            const int64_t left = p->n_samples - j, lanes = left < LANES ? left : LANES;
            int64_t sample[LANES];
            if (!h) continue;
            for (int64_t i = 0; i < lanes; i++) sample[i] = j + i;
            ndft_higher_h(s, sum, sample, (int)lanes, h);
            for (int64_t i = 0; i < lanes * reals; i++)
                ndft_put_real(turn, p->prec, j * reals + i, h[i % reals * LANES + i / reals]);
        }
        if (!h) {
#pragma omp atomic write
            failed = true;
        }
        free(h);
    }
    return !failed;
}

static void fill_voxels(const ndft_problem *p, const ndft_higher_sides *s,
                        const ndft_higher_sum *sum, void *place)
{
    for (int l = 0; l < sum->terms; l++)
#pragma omp parallel for
        for (int64_t v = 0; v < p->n_voxels; v++) {
            const int64_t at = 4 * (l * p->n_voxels + v);
            double re, im;
            ndft_higher_entry(s, sum->sample[l], v, &re, &im);
            ndft_put_real(place, p->prec, at, 0);
            ndft_put_real(place, p->prec, at + 1, 0);
            ndft_put_real(place, p->prec, at + 2, re);
            ndft_put_real(place, p->prec, at + 3, im);
        }
}

bool ndft_rank_fill_higher(const ndft_problem *p, const ndft_rank_tables *t, ndft_rank *rank)
{
    const ndft_higher_sum *sum = &t->parts->higher;
    ndft_higher_sides sides;
    if (!ndft_higher_sides_make(p, &sides)) return false;
    const bool made = fill_samples(p, &sides, sum, rank->turn);
    fill_voxels(p, &sides, sum, rank->place);
    ndft_higher_sides_release(&sides);
    memset(rank->row, 0, (size_t)p->n_samples * sizeof *rank->row);
    ndft_put_real(rank->b, p->prec, 0, 1);
    ndft_put_real(rank->b, p->prec, 1, 0);
    ndft_put_real(rank->c, p->prec, 0, 1);
    return made;
}
