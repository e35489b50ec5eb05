/* SPDX-License-Identifier: Apache-2.0 */
#include "planar_shape.h"

#include "convolve/filter_shape.h"

#include <stddef.h>

static bool is_plane(const ndft_nufft_shape *shape)
{
    return shape->dim == 2 && shape->columns == 1;
}

/* The grids for which auto takes them have axes of usual lengths, of at most so many cells; in one
 * dimension those of planar_cluster.cuh. What they gain is in docs/performance/nufft-cuda.md. */
static int64_t longest_of(const ndft_nufft_shape *shape)
{
    static const int64_t longest[] = {0, NDFT_LINE_LONGEST, 512, 400};
    enum { OF_ONE_PLANE = 1024 };
    return is_plane(shape) ? OF_ONE_PLANE : longest[shape->dim];
}

ndft_status ndft_nufft_planar_fit(ndft_nufft_shape *shape, ndft_prec prec, ndft_error *error)
{
    const ndft_nufft_shape asked = *shape;
    NDFT_TRY(ndft_nufft_fit_lines(shape, prec, error));
    if (!is_plane(shape) || prec != NDFT_F32) return NDFT_OK;
    for (int d = 0; d < shape->dim; d++)
        if (asked.grid[d] <= NDFT_PLANE_LINE && shape->grid[d] > NDFT_PLANE_LINE)
            shape->grid[d] = NDFT_PLANE_LINE;
    shape->cells = shape->grid[0] * shape->grid[1];
    shape->column_bytes = (size_t)shape->cells * 2 * ndft_real_size(prec);
    return NDFT_OK;
}

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
    static const int usual[] = {NDFT_PLANE_LINES}, of_clusters[] = {NDFT_CLUSTER_LINES};
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
    return is_plane(asked) || (double)fit->cells <= most * (double)asked->cells;
}

static bool suits(const ndft_problem *p, const ndft_nufft_shape *asked)
{
    ndft_nufft_shape fit = *asked;
    if (ndft_nufft_planar_fit(&fit, p->prec, NULL) != NDFT_OK) return false;
    for (int d = 0; d < fit.dim; d++)
        if (fit.grid[d] > longest_of(&fit) || !is_usual(fit.dim, fit.grid[d])) return false;
    return is_worth_its_cells(asked, &fit);
}

bool ndft_nufft_planar_takes_own(const ndft_problem *p, const ndft_nufft_shape *shape,
                                 const int *knobs)
{
    if (knobs[NDFT_KNOB_FFT] != NDFT_FFT_AUTO) return knobs[NDFT_KNOB_FFT] == NDFT_FFT_OWN;
    return is_plain(p) && suits(p, shape);
}
