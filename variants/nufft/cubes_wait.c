/* SPDX-License-Identifier: Apache-2.0 */
#include "cubes_wait.h"

#include "window/cubes.h"

/* A warp waits 0.7 us for the cells of one forward, 0.3 us for sums of another adjoint; there are a
 * thousand warps. */
double ndft_nufft_cubes_wait(const ndft_problem *p, const ndft_nufft_work *w)
{
    enum { EDGE = 8 };
    const int step = EDGE + 1 - w->shape.window.width;
    const double cubes = w->samples * ndft_nufft_cubes(p, step > 1 ? step : 1, w->shape.grid);
    return (w->op == NDFT_FORWARD ? 5e-4 : 1.6e-4) * cubes * w->columns;
}
