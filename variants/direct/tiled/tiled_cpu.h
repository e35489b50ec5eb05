/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILED_CPU_H
#define NDFT_TILED_CPU_H

#include "direct/sum_plan.h"

/* What tiled.cpu and its ablations share: knobs, of which ablations have all but the last, and how
 * a plan is made. */

enum { TILE, OUTPUTS, THREADS, SINCOS, N_KNOBS }; /* in order */
enum { SINCOS_AUTO, SINCOS_POLYNOMIAL, SINCOS_LIBM };

static const char *const sincos_words[] = {"auto", "polynomial", "libm", NULL};

static const ndft_knob knobs[] = {
    {"tile",
     "inputs",
     "inputs staged around one centre",
     NULL,
     256,
     6,
     {32, 64, 128, 256, 512, 1024}},
    {"outputs",
     "vectors",
     "vectors of outputs that a thread takes at a time",
     NULL,
     4,
     4,
     {1, 2, 4, 8}},
    {"threads", "", "threads; 0 is all", NULL, 0, 3, {0, 1, 2}},
    {"sincos",
     "",
     "sine and cosine; auto is polynomial",
     sincos_words,
     SINCOS_AUTO,
     3,
     {SINCOS_AUTO, SINCOS_POLYNOMIAL, SINCOS_LIBM}},
};

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)p;
    (void)device;
    if (k[TILE] < NDFT_ROWS || k[TILE] > 4096 || k[TILE] % NDFT_ROWS)
        return "tile must be a multiple of 8 up to 4096";
    if (k[OUTPUTS] < 1 || k[OUTPUTS] > 8) return "outputs must be 1 to 8";
    if (k[THREADS] > NDFT_THREADS_MAX) return "threads must be at most 1024";
    if (k[SINCOS] > SINCOS_LIBM) return "sincos must be auto, polynomial or libm";
    return NULL;
}

static inline ndft_status create(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                                 ndft_sum_loop *const loops[3][2], void **out)
{
    const ndft_recipe recipe = {.compact = NDFT_COMPACT_INPUTS,
                                .lanes = ndft_lanes(p, k[OUTPUTS]),
                                .tile = k[TILE],
                                .threads = k[THREADS],
                                .split = 1};
    return ndft_sum_create(p, ops, exec, &recipe, loops[exec->device.isa][p->prec], out);
}

#endif
