/* SPDX-License-Identifier: Apache-2.0 */
#include "planar_shape.h"

#include "convolve/filter_shape.h"

#include <stddef.h>

/* The grids for which auto takes them have axes of usual lengths, of at most so many cells; in one
 * dimension those of planar_cluster.cuh. What they gain is in docs/performance/nufft-cuda.md. */
static const int64_t longest[] = {0, NDFT_LINE_LONGEST, 512, 400};

const char *ndft_nufft_lines_unsupported(const ndft_problem *p, const int *knobs)
{
    for (int d = 0; d < p->dim; d++)
        if (p->n[d] * knobs[NDFT_KNOB_SIGMA] > 100 * NDFT_LINE_LONGEST)
            return "an axis of its grid has more cells than a line in a block, 8192 at most";
    return NULL;
}

/* What the kernels of planar_lines.cuh, and in one dimension planar_cluster.cuh, are for; maps come
 * once there is a plan (coil_maps.h). */
static bool is_plain(const ndft_problem *p)
{
    return (p->prec == NDFT_F32 || p->dim == 1) && !p->voxel && p->maps_max == 0 &&
           !ndft_nufft_has_terms(p);
}

static bool is_usual(int dim, int64_t length)
{
    static const int usual[] = {NDFT_USUAL_LINES}, of_clusters[] = {NDFT_CLUSTER_LINES};
    const int *known = dim == 1 ? of_clusters : usual;
    const size_t count = (dim == 1 ? sizeof of_clusters : sizeof usual) / sizeof *known;
    for (size_t i = 0; i < count; i++)
        if (known[i] == length) return true;
    return false;
}

/* Few lines wait for launches, whatever they have; others for each of their cells. */
static bool is_worth_its_cells(const ndft_nufft_shape *asked, const ndft_nufft_shape *fit)
{
    static const double most = 1.4;
    return (asked->dim == 2 && asked->columns == 1) ||
           (double)fit->cells <= most * (double)asked->cells;
}

static bool suits(const ndft_problem *p, const ndft_nufft_shape *asked)
{
    ndft_nufft_shape fit = *asked;
    if (ndft_nufft_fit_lines(&fit, p->prec, NULL) != NDFT_OK) return false;
    for (int d = 0; d < fit.dim; d++)
        if (fit.grid[d] > longest[fit.dim] || !is_usual(fit.dim, fit.grid[d])) return false;
    return is_worth_its_cells(asked, &fit);
}

bool ndft_nufft_planar_takes_own(const ndft_problem *p, const ndft_nufft_shape *shape,
                                 const int *knobs)
{
    if (knobs[NDFT_KNOB_FFT] != NDFT_FFT_AUTO) return knobs[NDFT_KNOB_FFT] == NDFT_FFT_OWN;
    return is_plain(p) && suits(p, shape);
}
