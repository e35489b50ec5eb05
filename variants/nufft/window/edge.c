/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include "base/memo.h"

#include <complex.h>

/*
 * ndft_window_error takes voxels for spread evenly along an axis. Of n even ones the first is at
 * its very end, xi = -1/(2 sigma), where there are most aliases: up to 30 times the mean of their
 * squares, for a window that is chosen for its mean.
 */

enum { FEW = 64, MANY = 256, PLACES = 12 };

/* e(xi) of the sum over cells with its deapodisation, less 1. */
static double complex lost(const ndft_window *window, double xi, double hat, double s)
{
    const double complex step = cexp(-2 * M_PI * I * xi);
    double complex sum = 0;
    for (int w = window->width - 1; w >= 0; w--)
        sum = sum * step + ndft_window_value(window, w + 0.5 * (s + 1 - window->width));
    return sum * cexp(-M_PI * I * xi * (s + 1 - window->width)) / hat - 1;
}

/* As of ndft_window_error's, of n voxels at place s: e(-xi) is the conjugate of e(xi). */
static double loss_at(const ndft_window *window, const double *hat, int n, double s, int axes)
{
    double square = 0;
    double complex mean = 0;
    for (int x = 0; x <= n / 2; x++) {
        const double complex e = lost(window, -x / (n * window->sigma), hat[x], s);
        const bool alone = x == 0 || 2 * x == n;
        square += (alone ? 1 : 2) * creal(e * conj(e)) / n;
        mean += (alone ? e : 2 * creal(e)) / n;
    }
    return axes * (square + (axes - 1) * creal(mean * conj(mean)));
}

static double edge(const ndft_window *window, int axes, int n)
{
    double hat[MANY / 2 + 1], worst = 0;
    for (int x = 0; x <= n / 2; x++) hat[x] = ndft_window_hat(window, x / (n * window->sigma));
    for (int place = 0; place <= PLACES; place++) {
        const double s = place ? 2 * (place - 0.618034) / PLACES - 1 : -1;
        worst = fmax(worst, loss_at(window, hat, n, s, axes));
    }
    return ndft_window_fit * sqrt(worst) / ndft_window_error(window, axes);
}

/* Of more voxels the one at the end weighs less: some lengths stand for those above. */
static int standing_for(int64_t voxels)
{
    if (voxels < FEW) return (int)voxels;
    return voxels < 2 * FEW ? FEW : voxels < MANY ? 2 * FEW : MANY;
}

double ndft_window_edge(const ndft_window *window, int axes, int64_t voxels)
{
    const int n = standing_for(voxels);
    const ndft_question question = {
        "edge", {window->kind, window->width, window->sigma, axes * 2 * MANY + n}};
    double found;
    if (ndft_memo_recall(ndft_window_shapes(), question, &found, sizeof found)) return found;
    found = fmax(1, edge(window, axes, n));
    ndft_memo_remember(ndft_window_shapes(), question, &found, sizeof found);
    return found;
}
