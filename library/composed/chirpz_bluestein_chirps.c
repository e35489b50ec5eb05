/* SPDX-License-Identifier: Apache-2.0 */
#include "composed/chirpz_bluestein.h"

#include <string.h>

/* Chirps by the logarithm of their magnitude and the phase, which is reduced as a product of an
 * integer: n^2/2 times W's turns is n^2 times half of them. */

static bool is_smooth(int64_t n)
{
    for (int factor = 2; factor <= 5; factor++)
        while (n % factor == 0) n /= factor;
    return n == 1;
}

int64_t ndft_chirpz_cells(const ndft_chirpz_problem *c)
{
    int64_t cells = c->problem.n[0] + c->problem.n_samples - 1;
    while (!is_smooth(cells)) cells++;
    return cells;
}

/* Logarithms of magnitudes: A^-n W^(n^2/2), W^(-j^2/2), W^(k^2/2). */
static double log_before(const ndft_chirpz_problem *c, int64_t n)
{
    return (double)n * ((double)n / 2 * log(c->w.modulus) - log(c->a.modulus));
}

static double log_square(const ndft_chirpz_problem *c, int64_t k)
{
    return (double)k * (double)k / 2 * log(c->w.modulus);
}

/* A logarithm that is largest at the vertex of a parabola or at an end. */
static double log_before_max(const ndft_chirpz_problem *c)
{
    const int64_t last = c->problem.n[0] - 1;
    const double vertex = log(c->a.modulus) / log(c->w.modulus);
    double most = fmax(0, log_before(c, last));
    if (vertex > 0 && vertex < (double)last) {
        most = fmax(most, log_before(c, (int64_t)vertex));
        most = fmax(most, log_before(c, (int64_t)vertex + 1));
    }
    return most;
}

static int64_t longest(const ndft_chirpz_problem *c)
{
    const int64_t n = c->problem.n[0], m = c->problem.n_samples;
    return (n > m ? n : m) - 1;
}

static double log_kernel_max(const ndft_chirpz_problem *c)
{
    return fmax(0, -log_square(c, longest(c)));
}

static void put(double magnitude_log, double turns, double z[2])
{
    const double angle = 2 * M_PI * (turns - rint(turns)), magnitude = exp(magnitude_log);
    z[0] = magnitude * cos(angle);
    z[1] = magnitude * sin(angle);
}

static double square_turns(const ndft_chirpz_problem *c, int64_t k)
{
    return ndft_whole_turns_off((double)k * (double)k, c->w.turns / 2);
}

void ndft_chirpz_fill(const ndft_chirpz_problem *c, int64_t cells, const ndft_chirps *chirps)
{
    const int64_t n = c->problem.n[0], m = c->problem.n_samples;
    const double before = log_before_max(c), kernel = log_kernel_max(c);
    for (int64_t i = 0; i < n; i++)
        put(log_before(c, i) - before,
            square_turns(c, i) - ndft_whole_turns_off((double)i, c->a.turns),
            chirps->before + 2 * i);
    memset(chirps->kernel, 0, (size_t)cells * 2 * sizeof *chirps->kernel);
    for (int64_t j = 1 - n; j < m; j++)
        put(-log_square(c, j) - kernel, -square_turns(c, j),
            chirps->kernel + 2 * (j < 0 ? j + cells : j));
    for (int64_t k = 0; k < m; k++)
        put(log_square(c, k) + before + kernel, square_turns(c, k), chirps->after + 2 * k);
}

/* log of a sum of exponentials, one more. */
static double log_add(double sum, double term)
{
    return fmax(sum, term) + log1p(exp(-fabs(sum - term)));
}

/* log sum_k exp(step k), k = 0..count-1, a geometric series. */
static double log_series(double step, double count)
{
    const double size = fabs(step);
    const double decaying =
        size * count < 1e-9 ? log(count) : log(expm1(-size * count) / expm1(-size));
    return decaying + (step > 0 ? step * (count - 1) : 0);
}

/* log |chirp|_2^2 of both scaled chirps, of the last one, and of all entries. */
typedef struct squares {
    double before, kernel, after, entries;
} squares;

static squares squares_of(const ndft_chirpz_problem *c)
{
    const int64_t n = c->problem.n[0], m = c->problem.n_samples;
    const double before = log_before_max(c), kernel = log_kernel_max(c), log_w = log(c->w.modulus);
    squares s = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < n; i++) {
        s.before = log_add(s.before, 2 * (log_before(c, i) - before));
        s.entries = log_add(s.entries, log_series(2 * (double)i * log_w, (double)m) -
                                           2 * (double)i * log(c->a.modulus));
    }
    for (int64_t j = 1 - n; j < m; j++)
        s.kernel = log_add(s.kernel, 2 * (-log_square(c, j) - kernel));
    for (int64_t k = 0; k < m; k++)
        s.after = log_add(s.after, 2 * (log_square(c, k) + before + kernel));
    return s;
}

ndft_chirpz_growth ndft_chirpz_growth_of(const ndft_chirpz_problem *c, int64_t cells)
{
    const double terms = (double)(c->problem.n[0] + c->problem.n_samples - 1);
    if (c->w.modulus == 1 && c->a.modulus == 1)
        return (ndft_chirpz_growth){sqrt(terms / (double)cells), sqrt(terms)};
    const squares s = squares_of(c);
    const double last = log_square(c, c->problem.n_samples - 1);
    const double after = fmax(0, last) + log_before_max(c) + log_kernel_max(c);
    return (ndft_chirpz_growth){
        exp((s.before + s.kernel + s.after - s.entries - log((double)cells)) / 2),
        exp(s.kernel / 2 + after - ndft_chirpz_log_max(c, NULL))};
}

double ndft_chirpz_exponents(const ndft_chirpz_problem *c)
{
    const double shift = (double)c->problem.n[0] * fabs(log(c->a.modulus));
    return 2 * fabs(log_square(c, longest(c))) + shift + log_before_max(c) + log_kernel_max(c);
}
