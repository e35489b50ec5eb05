/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include "base/memo.h"

#include <math.h>
#include <pthread.h>

/* What windows lose, what they make of rounding errors, and what is chosen by it. */

/* The weight of cell first + w at s, however it is come by; with is the means. */
typedef double weight_of(const ndft_window *, int w, double s, double with);

static double exact_weight(const ndft_window *window, int w, double s, double with)
{
    (void)with;
    return ndft_window_weight(window, w, s);
}

static double poly_weight(const ndft_window *window, int w, double s, double with)
{
    (void)with;
    return ndft_window_poly(window, w, s);
}

static double table_weight(const ndft_window *window, int w, double s, double density)
{
    const double at = 0.5 * (s + 1) * density, row = floor(at);
    const double below = ndft_window_weight(window, w, 2 * row / density - 1);
    const double above = ndft_window_weight(window, w, 2 * (row + 1) / density - 1);
    return below + (at - row) * (above - below);
}

enum { VOXELS = 32, PLACES = 24 };
enum { FEW = 64, MANY = 256, EDGE_PLACES = 12 }; /* voxels, and places, of edges */

/* What a loss looks at: of each voxel xi >= 0, the transform there, exp(2 pi i xi) of one cell, its
 * share in means, and whether -xi, where the error is the conjugate, has none. */
typedef struct lattice {
    int n;
    double xi[MANY / 2 + 1], hat[MANY / 2 + 1], re[MANY / 2 + 1], im[MANY / 2 + 1];
    double share[MANY / 2 + 1], alone[MANY / 2 + 1];
} lattice;

static void add_voxel(lattice *l, const ndft_window *window, double xi, double share, bool alone)
{
    const int x = l->n++;
    l->xi[x] = xi;
    l->hat[x] = ndft_window_hat(window, xi);
    l->re[x] = cos(2 * M_PI * xi);
    l->im[x] = sin(2 * M_PI * xi);
    l->share[x] = share;
    l->alone[x] = alone;
}

/* Voxels spread evenly along an axis. */
static void spread_evenly(const ndft_window *window, lattice *l)
{
    l->n = 0;
    for (int x = 0; x < VOXELS; x++)
        add_voxel(l, window, (x + 0.5) / VOXELS / (2 * window->sigma), 1.0 / VOXELS, false);
}

/* n voxels as they are, from the centre: of n even ones the one at the end has no opposite. */
static void spread_voxels(const ndft_window *window, int n, lattice *l)
{
    l->n = 0;
    for (int x = 0; x <= n / 2; x++) {
        const bool alone = x == 0 || 2 * x == n;
        add_voxel(l, window, x / (n * window->sigma), (alone ? 1.0 : 2.0) / n, alone);
    }
}

/* sum_w weights[w] exp(2 pi i xi w), by Horner's rule. */
static void add_cells(const lattice *l, int width, const double *weights, double *re, double *im)
{
    for (int x = 0; x < l->n; x++) re[x] = im[x] = 0;
    for (int w = width - 1; w >= 0; w--) {
#pragma omp simd
        for (int x = 0; x < l->n; x++) {
            const double old = re[x];
            re[x] = old * l->re[x] - im[x] * l->im[x] + weights[w];
            im[x] = old * l->im[x] + im[x] * l->re[x];
        }
    }
}

/*
 * (sum_w weight exp(-2 pi i xi z_w)/hat(xi) - 1) in square magnitude, the mean over voxels. Along
 * several axes errors add, of which the mean over all voxels is in step where samples are alike
 * along all axes; it is real but for voxels without an opposite.
 */
static double loss_at(const ndft_window *window, weight_of *weight, double with, double s,
                      const lattice *l, int axes)
{
    double weights[NDFT_MAX_WIDTH], re[MANY / 2 + 1], im[MANY / 2 + 1];
    double mean = 0, turned = 0, square = 0;
    for (int w = 0; w < window->width; w++) weights[w] = weight(window, w, s, with);
    add_cells(l, window->width, weights, re, im);
    for (int x = 0; x < l->n; x++) {
        const double angle = 2 * M_PI * l->xi[x] * ndft_window_distance(window, 0, s);
        const double c = cos(angle), d = sin(angle);
        const double along = (re[x] * c - im[x] * d) / l->hat[x] - 1;
        const double across = (re[x] * d + im[x] * c) / l->hat[x];
        mean += along * l->share[x];
        turned += across * l->share[x] * l->alone[x];
        square += (along * along + across * across) * l->share[x];
    }
    return axes * (square + (axes - 1) * (mean * mean + turned * turned));
}

/* The worst over positions between cells; but for that on a cell, where the window's ends are,
 * places are at no simple fraction of a table's rows. */
static double worst_loss(const ndft_window *window, weight_of *weight, double with, int places,
                         const lattice *l, int axes)
{
    double worst = loss_at(window, weight, with, -1, l, axes);
    for (int place = 1; place <= places; place++) {
        const double s = 2 * (place - 0.618034) / places - 1;
        worst = fmax(worst, loss_at(window, weight, with, s, l, axes));
    }
    return sqrt(worst);
}

static double loss(const ndft_window *window, weight_of *weight, double with, int axes)
{
    lattice l;
    spread_evenly(window, &l);
    return worst_loss(window, weight, with, PLACES, &l, axes);
}

/* What follows from a window's shape alone is found once in a process: of no problem. */
static ndft_problem nobody;

static void remember_shapes(void) { nobody.memo = ndft_memo_create(); }

static const ndft_problem *shapes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, remember_shapes);
    return &nobody;
}

/* Of so many axes and, where they matter, of n voxels: both are one number. */
static ndft_question of_shape(const char *name, const ndft_window *window, int axes, int n)
{
    return (ndft_question){name, {window->kind, window->width, window->sigma, axes * 2 * MANY + n}};
}

static bool known(ndft_question question, double *found)
{
    return ndft_memo_recall(shapes(), question, found, sizeof *found);
}

static double remember(ndft_question question, double found)
{
    ndft_memo_remember(shapes(), question, &found, sizeof found);
    return found;
}

double ndft_window_error_on_cells(const ndft_window *window, int axes)
{
    const ndft_question question = of_shape("error on cells", window, axes, 0);
    double found;
    if (known(question, &found)) return found;
    lattice l;
    spread_evenly(window, &l);
    return remember(question, sqrt(loss_at(window, exact_weight, 0, -1, &l, axes)));
}

double ndft_window_error(const ndft_window *window, int axes)
{
    const ndft_question question = of_shape("error", window, axes, 0);
    double found;
    if (known(question, &found)) return found;
    return remember(question, ndft_window_fit * loss(window, exact_weight, 0, axes));
}

static double noise(const ndft_window *window)
{
    double voxels = 0, cells = 0;
    for (int x = 0; x < VOXELS; x++) {
        const double hat = ndft_window_hat(window, (x + 0.5) / VOXELS / (2 * window->sigma));
        voxels += 1 / (hat * hat) / VOXELS;
    }
    for (int place = 0; place < PLACES; place++) {
        for (int w = 0; w < window->width; w++) {
            const double weight = ndft_window_weight(window, w, 2 * (place + 0.5) / PLACES - 1);
            cells += weight * weight / PLACES;
        }
    }
    return sqrt(voxels * cells);
}

double ndft_window_noise(const ndft_window *window)
{
    const ndft_question question = of_shape("noise", window, 1, 0);
    double found;
    return known(question, &found) ? found : remember(question, noise(window));
}

double ndft_window_poly_error(const ndft_window *window) { return loss(window, poly_weight, 0, 1); }

double ndft_window_table_error(const ndft_window *window, int density, int axes)
{
    return loss(window, table_weight, density, axes);
}

/*
 * ndft_window_error takes voxels for spread evenly along an axis. Of n even ones the first is at
 * its very end, xi = -1/(2 sigma), where there are most aliases: up to 30 times the mean of their
 * squares, for a window that is chosen for its mean.
 */

static double edge(const ndft_window *window, int axes, int n)
{
    lattice l;
    spread_voxels(window, n, &l);
    const double worst = worst_loss(window, exact_weight, 0, EDGE_PLACES, &l, axes);
    return fmax(1, ndft_window_fit * worst / ndft_window_error(window, axes));
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
    const ndft_question question = of_shape("edge", window, axes, n);
    double found;
    return known(question, &found) ? found : remember(question, edge(window, axes, n));
}

/* What is chosen by it. */

static ndft_window make(ndft_window_kind kind, int width, double sigma)
{
    ndft_window window = ndft_window_shape(kind, width, sigma);
    const double allowed = ndft_window_error(&window, 1);
    window.degree = width > 3 ? width - 2 : 1;
    do {
        window.degree++;
        ndft_window_interpolate(&window);
    } while (window.degree < NDFT_MAX_DEGREE && ndft_window_poly_error(&window) > allowed);
    return window;
}

ndft_window ndft_window_make(ndft_window_kind kind, int width, double sigma)
{
    const ndft_question question = {"window", {kind, width, sigma}};
    ndft_window window;
    if (ndft_memo_recall(shapes(), question, &window, sizeof window)) return window;
    window = make(kind, width, sigma);
    ndft_memo_remember(shapes(), question, &window, sizeof window);
    return window;
}

int ndft_window_density(const ndft_window *window)
{
    const double allowed = 1.1 * ndft_window_error(window, 1);
    int density = 16;
    while (density < 4096 && ndft_window_table_error(window, density, 1) > allowed) density *= 2;
    return density;
}
