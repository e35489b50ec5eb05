/* SPDX-License-Identifier: Apache-2.0 */
#include "planar_shape.h"

#include "convolve/filter_shape.h"

/* The grids for which auto takes them: of at most so many columns, and of axes of at most so many
 * cells. What they gain is in docs/performance/nufft-cuda.md. */
enum { MOST_COLUMNS = 1, LONGEST = 512 };

const char *ndft_nufft_lines_unsupported(const ndft_problem *p, const int *knobs)
{
    for (int d = 0; d < p->dim; d++)
        if (p->n[d] * knobs[NDFT_KNOB_SIGMA] > 100 * NDFT_LINE_LONGEST)
            return "an axis of its grid has more cells than a line in a block, 8192 at most";
    return NULL;
}

/* What the kernels of planar_lines.cuh for short lines are for. */
static bool is_plain(const ndft_problem *p)
{
    return p->prec == NDFT_F32 && !p->voxel && !p->maps && !p->dw && !p->decay && !p->g[0];
}

bool ndft_nufft_planar_takes_own(const ndft_problem *p, const ndft_nufft_shape *shape,
                                 const int *knobs)
{
    if (knobs[NDFT_KNOB_FFT] != NDFT_FFT_AUTO) return knobs[NDFT_KNOB_FFT] == NDFT_FFT_OWN;
    return shape->dim == 2 && shape->columns <= MOST_COLUMNS && shape->grid[0] <= LONGEST &&
           shape->grid[1] <= LONGEST && is_plain(p);
}
