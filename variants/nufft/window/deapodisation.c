/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include <math.h>

/* One over the transform of a window at the voxels of an axis. Of long ones it is interpolated
 * between few of them: the transform of a window is smooth, and takes Bessel's functions. */

enum { NODES = 10, PIECES = 256, LONG = 1 << 14 };

/* The polynomial through the nodes, by Newton's divided differences, over x in [-2, 2]. */
typedef struct piece {
    double node[NODES], difference[NODES];
} piece;

static double deapodised(const ndft_window *window, int64_t cells, double voxel)
{
    return 1 / ndft_window_hat(window, voxel / (double)cells);
}

/* Chebyshev's nodes, the farthest from those before next, which keeps differences small. */
static const int order[NODES] = {0, 9, 5, 2, 7, 4, 1, 8, 3, 6};

static piece piece_of(const ndft_window *window, int64_t cells, double middle, double half)
{
    piece p;
    for (int i = 0; i < NODES; i++) {
        p.node[i] = 2 * cos(M_PI * (order[i] + 0.5) / NODES);
        p.difference[i] = deapodised(window, cells, middle + 0.5 * p.node[i] * half);
    }
    for (int level = 1; level < NODES; level++)
        for (int i = NODES - 1; i >= level; i--)
            p.difference[i] =
                (p.difference[i] - p.difference[i - 1]) / (p.node[i] - p.node[i - level]);
    return p;
}

static double value_at(const piece *p, double x)
{
    double value = p->difference[NODES - 1];
    for (int i = NODES - 2; i >= 0; i--) value = value * (x - p->node[i]) + p->difference[i];
    return value;
}

/* Even about the middle voxel. */
static void put(ndft_prec prec, void *out, int64_t n, int64_t i, double value)
{
    ndft_put_real(out, prec, n / 2 - i, value);
    if (n / 2 + i < n) ndft_put_real(out, prec, n / 2 + i, value);
}

void ndft_window_put_deapodisation(const ndft_window *window, int64_t n, int64_t cells,
                                   ndft_prec prec, void *out)
{
    const int64_t all = n / 2 + 1;
    for (int64_t i = 0; i < all && all < LONG; i++)
        put(prec, out, n, i, deapodised(window, cells, (double)i));
    for (int64_t part = 0; part < PIECES && all >= LONG; part++) {
        const int64_t first = all * part / PIECES, end = all * (part + 1) / PIECES;
        const double half = 0.5 * (double)(end - first), middle = (double)first + half;
        const piece p = piece_of(window, cells, middle, half);
        for (int64_t i = first; i < end; i++)
            put(prec, out, n, i, value_at(&p, 2 * ((double)i - middle) / half));
    }
}
