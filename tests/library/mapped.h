/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_MAPPED_H
#define NDFT_TEST_MAPPED_H

#include "outside.h"

/* The small problem with coil maps, and its sums. */

static double complex maps[COILS][GRID], other[COILS][GRID];
static double complex image[GRID], samples[COILS * SAMPLES], back[GRID];

/* A voxel that no coil sees, and maps of which one is weak. */
static inline void draw_maps(double complex all[COILS][GRID], int seed)
{
    for (int c = 0; c < COILS; c++)
        for (int v = 0; v < GRID; v++)
            all[c][v] = v == 30 ? 0 : (c == 1 ? 1e-3 : 1) * mixed(5 * v + 17 * c + seed);
}

static inline void make(small *s, int seed)
{
    small_make(s, seed);
    draw_maps(maps, seed);
    s->desc.maps = maps;
    for (int v = 0; v < s->voxels; v++) image[v] = mixed(3 * v + seed);
}

/* Where sample j of coil c is. */
static inline int at(const small *s, int c, int j)
{
    return s->desc.layout == NDFT_PLANAR ? c * SAMPLES + j : j * COILS + c;
}

static inline void expect_forward(const small *s, const double complex all[COILS][GRID])
{
    for (int c = 0; c < COILS; c++)
        for (int j = 0; j < SAMPLES; j++) {
            double complex sum = 0;
            for (int v = 0; v < s->voxels; v++)
                sum += all[c][s->voxel[v]] * image[v] * small_entry(s, j, v);
            if (!(cabs(samples[at(s, c, j)] - sum) < 1e-8))
                fail_msg("coil %d, sample %d is off by %g", c, j, cabs(samples[at(s, c, j)] - sum));
        }
}

/* back is the adjoint of what is in samples. */
static inline void expect_adjoint(const small *s, const double complex all[COILS][GRID],
                                  double most)
{
    for (int v = 0; v < s->voxels; v++) {
        double complex sum = 0;
        for (int c = 0; c < COILS; c++)
            for (int j = 0; j < SAMPLES; j++)
                sum += conj(all[c][s->voxel[v]] * small_entry(s, j, v)) * samples[at(s, c, j)];
        if (!(cabs(back[v] - sum) < most))
            fail_msg("voxel %d is off by %g", v, cabs(back[v] - sum));
    }
}

static inline void expect(const small *s, ndft_plan *plan, const double complex all[COILS][GRID])
{
    memset(samples, 0xff, sizeof samples);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    expect_forward(s, all);
    memset(back, 0xff, sizeof back);
    must(ndft_execute_host(plan, NDFT_ADJOINT, samples, back));
    expect_adjoint(s, all, 1e-6);
    memset(back, 0xff, sizeof back);
    if (ndft_execute_host(plan, NDFT_NORMAL, image, back) == NDFT_OK) expect_adjoint(s, all, 1e-6);
}

enum { ALL = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL };

#endif
