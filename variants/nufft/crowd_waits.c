/* SPDX-License-Identifier: Apache-2.0 */
#include "crowd_waits.h"
#include "window/window.h"

#include <math.h>

/* 0: there is no window. */
static double crowd_of(const ndft_problem *p, const ndft_nufft_work *w)
{
    if (w->shape.window.width < 1) return 0;
    return ndft_nufft_mean_crowd(p, w->shape.window.width, w->shape.grid);
}

double ndft_nufft_products_wait(const ndft_problem *p, const ndft_nufft_work *w)
{
    enum { STEP = 8 };
    static const double edge[] = {16, 4, 4}, most[] = {128, 128, 512}; /* of a tile, of a list */
    const int i = w->shape.dim - 1;
    const double reach = (edge[i] + w->width - 1) / fmax(1, w->width);
    return 0.15 / STEP * fmin(most[i], crowd_of(p, w) * pow(reach, w->shape.dim));
}

double ndft_nufft_sums_wait(const ndft_problem *p, const ndft_nufft_work *w)
{
    return 0.03 * crowd_of(p, w);
}
