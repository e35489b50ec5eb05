/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include <math.h>

/* The modified Bessel function of order 0: its series has no cancellation. */
static double bessel_i0(double x)
{
    const double quarter = 0.25 * x * x;
    double term = 1, sum = 1;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= quarter / ((double)k * k);
        sum += term;
    }
    return sum;
}

/*
 * The published parameter, and a factor with which the worst position between cells loses least.
 * The Gaussian's lets aliases and truncation lose alike.
 */
static double shape_parameter(ndft_window_kind kind, int width, double sigma)
{
    static const double factor[][5] = {
        {1.24, 1.07, 1.015, 1.02, 1.005}, {0}, {0.9, 0.93, 0.96, 0.98, 1}};
    const double ratio = width * (1 - 0.5 / sigma);
    if (kind == NDFT_WINDOW_GAUSSIAN) return M_PI * ratio;
    const double own = width > 6 ? 1 : factor[kind][width - NDFT_MIN_WIDTH];
    if (kind == NDFT_WINDOW_ES) return own * 0.976 * M_PI * ratio;
    return own * M_PI * sqrt(ratio * ratio - 0.8);
}

/* What Kaiser-Bessel loses all over: half of its value at its ends. Of a sample that lies on a cell
 * one end would be seen and the other not. */
static const double sunk = 0.5;

double ndft_window_value(const ndft_window *window, double z)
{
    const double v = 2 * z / window->width, square = 1 - v * v;
    if (square < 0) return 0;
    switch (window->kind) {
    case NDFT_WINDOW_GAUSSIAN:
        return exp(-0.5 * window->beta * v * v);
    case NDFT_WINDOW_ES:
        return exp(window->beta * (sqrt(square) - 1));
    case NDFT_WINDOW_KB:
        break;
    }
    return (bessel_i0(window->beta * sqrt(square)) - sunk) / window->peak;
}

double ndft_legendre_node(int i, int n, double *node)
{
    double x = cos(M_PI * (i + 0.75) / (n + 0.5)), slope = 1, last = 2;
    for (int step = 0; step < 8 && x != last; step++) {
        double before = 1, at = x;
        for (int k = 2; k <= n; k++) {
            const double next = ((2 * k - 1) * x * at - (k - 1) * before) / k;
            before = at;
            at = next;
        }
        slope = n * (before - x * at) / (1 - x * x);
        last = x;
        x -= at / slope;
    }
    *node = x;
    return 2 / ((1 - x * x) * slope * slope);
}

static void place_nodes(ndft_window *window)
{
    const double quarter = 0.25 * window->width;
    for (int i = 0; i < NDFT_WINDOW_NODES; i++) {
        double x;
        const double weight = ndft_legendre_node(i, NDFT_WINDOW_NODES, &x);
        window->node[i] = quarter * (1 + x);
        window->mass[i] = 2 * quarter * weight * ndft_window_value(window, window->node[i]);
    }
}

double ndft_window_hat(const ndft_window *window, double xi)
{
    if (window->kind == NDFT_WINDOW_KB) {
        const double turns = M_PI * window->width * xi;
        const double square = window->beta * window->beta - turns * turns;
        const double root = sqrt(fabs(square));
        const double ratio =
            root < 1e-4 ? 1 + square / 6 : (square > 0 ? sinh(root) : sin(root)) / root;
        const double box = turns == 0 ? 1 : sin(turns) / turns;
        return window->width * (ratio - sunk * box) / window->peak;
    }
    double sum = 0;
    for (int i = 0; i < NDFT_WINDOW_NODES; i++)
        sum += window->mass[i] * cos(2 * M_PI * xi * window->node[i]);
    return sum;
}

double ndft_window_distance(const ndft_window *window, int w, double s)
{
    return w + 0.5 * (s + 1) - 0.5 * window->width;
}

double ndft_window_weight(const ndft_window *window, int w, double s)
{
    return ndft_window_value(window, ndft_window_distance(window, w, s));
}

double ndft_window_poly(const ndft_window *window, int w, double s)
{
    double sum = 0;
    for (int q = window->degree; q >= 0; q--) sum = sum * s + window->poly[w][q];
    return sum;
}

/* Chebyshev interpolation of the weight of cell w, then powers of s by
 * T_{j+1} = 2 s T_j - T_{j-1}. part[j][i]: of the value at node i in the coefficient of T_j. */
static void fit(ndft_window *window, int w, double part[][NDFT_MAX_DEGREE + 1])
{
    const int count = window->degree + 1;
    double *poly = window->poly[w], before[NDFT_MAX_DEGREE + 1] = {0};
    double at[NDFT_MAX_DEGREE + 1] = {1}, value[NDFT_MAX_DEGREE + 1];
    for (int i = 0; i < count; i++)
        value[i] = ndft_window_weight(window, w, cos(M_PI * (i + 0.5) / count));
    for (int q = 0; q < count; q++) poly[q] = 0;
    for (int j = 0; j < count; j++) {
        double coefficient = 0;
        for (int i = 0; i < count; i++) coefficient += value[i] * part[j][i];
        for (int q = 0; q <= j; q++) poly[q] += coefficient * at[q];
        for (int q = count - 1; q >= 0; q--) {
            const double next = (j == 0 ? 1 : 2) * (q ? at[q - 1] : 0) - before[q];
            before[q] = at[q];
            at[q] = next;
        }
    }
}

/* The window is even. */
void ndft_window_interpolate(ndft_window *window)
{
    const int count = window->degree + 1, last = window->width - 1;
    double part[NDFT_MAX_DEGREE + 1][NDFT_MAX_DEGREE + 1];
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++)
            part[j][i] = (j ? 2.0 : 1.0) / count * cos(M_PI * j * (i + 0.5) / count);
    for (int w = 0; w <= last / 2; w++) {
        fit(window, w, part);
        for (int q = 0; q < count && w < last - w; q++)
            window->poly[last - w][q] = (q % 2 ? -1 : 1) * window->poly[w][q];
    }
}

ndft_window ndft_window_shape(ndft_window_kind kind, int width, double sigma)
{
    ndft_window window = {
        .kind = kind, .width = width, .sigma = sigma, .beta = shape_parameter(kind, width, sigma)};
    if (kind == NDFT_WINDOW_KB)
        window.peak = bessel_i0(window.beta) - sunk;
    else
        place_nodes(&window);
    return window;
}

void ndft_window_put_poly(const ndft_window *window, ndft_prec prec, int stride, void *out)
{
    for (int q = 0; q <= window->degree; q++)
        for (int w = 0; w < stride; w++)
            ndft_put_real(out, prec, (int64_t)q * stride + w,
                          w < window->width ? window->poly[w][q] : 0);
}

void ndft_window_put_table(const ndft_window *window, int density, ndft_prec prec, int stride,
                           void *out)
{
    for (int row = 0; row <= density + 1; row++) {
        const double s = row < density ? 2.0 * row / density - 1 : 1;
        for (int w = 0; w < stride; w++)
            ndft_put_real(out, prec, (int64_t)row * stride + w,
                          w < window->width ? ndft_window_weight(window, w, s) : 0);
    }
}
