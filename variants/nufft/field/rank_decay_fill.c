/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The arrays of a rank (rank.h) with decay: weights of samples by interpolation at the times of the
 * terms, those of voxels by what is left of them then. */

/* h of every distinct time, and the phase of the field's middle: complex [rows][terms]. */
static double *table_times(const ndft_rank_tables *t)
{
    const ndft_decay_terms *decay = &t->parts->decay;
    const int terms = decay->terms;
    double *table = malloc(sizeof *table * 2 * (size_t)t->rows * (size_t)terms);
    for (int64_t r = 0; table && r < t->rows; r++) {
        const double angle = t->parts->range.w_mid * t->time[r], c = cos(angle), s = -sin(angle);
        double *h = table + 2 * r * terms;
        ndft_decay_h(decay, t->time[r], h);
        for (int l = 0; l < terms; l++) {
            const double re = h[2 * l], im = h[2 * l + 1];
            h[2 * l] = re * c - im * s;
            h[2 * l + 1] = re * s + im * c;
        }
    }
    return table;
}

static void fill_turn(const ndft_problem *p, const ndft_rank_tables *t, const int32_t *row,
                      const double *table, void *turn)
{
    const ndft_quadrature *quadrature = &t->parts->quadrature;
    const int terms = t->parts->decay.terms;
    double mu[2 * NDFT_QUADRATURE_NODES] = {1, 0};
    int64_t at = 0;
    for (int64_t j = 0; j < p->n_samples; j++) {
        const double *h = table + 2 * row[j] * (int64_t)terms;
        if (ndft_has_gradients(p)) ndft_quadrature_weights(quadrature, p, j, mu);
        for (int q = 0; q < quadrature->nodes; q++)
            for (int l = 0; l < terms; l++) {
                const double re = mu[2 * q] * h[2 * l] - mu[2 * q + 1] * h[2 * l + 1];
                const double im = mu[2 * q] * h[2 * l + 1] + mu[2 * q + 1] * h[2 * l];
                ndft_put_real(turn, p->prec, at++, re);
                ndft_put_real(turn, p->prec, at++, im);
            }
    }
}

static void fill_node(const ndft_problem *p, const ndft_rank_tables *t, int node, void *place)
{
    const int terms = t->parts->decay.terms;
    const double time = t->parts->decay.time[node % terms], w_mid = t->parts->range.w_mid;
    double u[3], value[2];
    ndft_quadrature_node(&t->parts->quadrature, node / terms, u);
    for (int64_t v = 0; v < p->n_voxels; v++) {
        const int64_t at = 4 * (node * p->n_voxels + v);
        ndft_decay_entry(ndft_real_at(p->decay, p->prec, v), ndft_rank_offset(p, v, u) - w_mid,
                         time, value);
        ndft_put_real(place, p->prec, at, 0);
        ndft_put_real(place, p->prec, at + 1, 0);
        ndft_put_real(place, p->prec, at + 2, value[0]);
        ndft_put_real(place, p->prec, at + 3, value[1]);
    }
}

bool ndft_rank_fill_decay(const ndft_problem *p, const ndft_rank_tables *t, ndft_rank *rank)
{
    double *table = table_times(t);
    if (!table) return false;
    ndft_rank_fill_rows(p, t, rank->row);
    fill_turn(p, t, rank->row, table, rank->turn);
    free(table);
    memset(rank->row, 0, (size_t)p->n_samples * sizeof *rank->row);
    ndft_put_real(rank->b, p->prec, 0, 1);
    ndft_put_real(rank->b, p->prec, 1, 0);
    ndft_put_real(rank->c, p->prec, 0, 1);
    for (int node = 0; node < rank->nodes; node++) fill_node(p, t, node, rank->place);
    return true;
}
