/* SPDX-License-Identifier: Apache-2.0 */
#include "chirp_z_loop.h"

/* Cells become the sums of their points; points the values of their cells. */
chirp_z_loop NDFT_LOOP(chirp_z_spread), NDFT_LOOP(chirp_z_gather);

/* Where points come into an array and out of it: threads over what is written. */

/* A sum, and what its last addition rounded (W. Kahan, Comm. ACM 8 (1965) 40): however many numbers
 * there are, and however alike, it errs by two roundings. */
typedef struct sum {
    ndft_real value, rounded;
} sum;

static inline void add(sum *s, ndft_real x)
{
    const ndft_real more = x - s->rounded, value = s->value + more;
    s->rounded = (value - s->value) - more;
    s->value = value;
}

void NDFT_LOOP(chirp_z_spread)(const chirp_z_move *m, const void *points, void *cells)
{
    const ndft_places *p = m->places;
#pragma omp parallel for collapse(2) num_threads(m->threads) schedule(static)
    for (int c = 0; c < m->coils; c++) {
        for (int64_t cell = 0; cell < p->cells; cell++) {
            const ndft_real *from = (const ndft_real *)points + 2 * c * m->coil;
            sum re = {0}, im = {0};
            for (int32_t i = p->first[cell]; i < p->first[cell + 1]; i++) {
                add(&re, from[2 * m->element * p->order[i]]);
                add(&im, from[2 * m->element * p->order[i] + 1]);
            }
            ((ndft_real *)cells)[2 * (c * p->cells + cell)] = re.value;
            ((ndft_real *)cells)[2 * (c * p->cells + cell) + 1] = im.value;
        }
    }
}

void NDFT_LOOP(chirp_z_gather)(const chirp_z_move *m, const void *cells, void *points)
{
    const ndft_places *p = m->places;
#pragma omp parallel for collapse(2) num_threads(m->threads) schedule(static)
    for (int c = 0; c < m->coils; c++) {
        for (int64_t i = 0; i < p->points; i++) {
            const ndft_real *from = (const ndft_real *)cells + 2 * (c * p->cells + p->cell[i]);
            ndft_real *to = (ndft_real *)points + 2 * (c * m->coil + i * m->element);
            to[0] = from[0];
            to[1] = from[1];
        }
    }
}
