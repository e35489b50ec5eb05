/* SPDX-License-Identifier: Apache-2.0 */
#include "chirpz_sums.h"

#include "turns.h"

#include <stdlib.h>

/* A logarithm as an unevaluated sum of two doubles. */
static ndft_pair_sum log_of(double modulus)
{
    const long double all = logl((long double)modulus);
    const double hi = (double)all;
    return (ndft_pair_sum){hi, (double)(all - hi)};
}

/* exp(count log), the product's rounding made up for. */
static double power(ndft_pair_sum log, double count)
{
    const double product = count * log.hi, error = fma(count, log.hi, -product) + count * log.lo;
    return exp(product) * (1 + error);
}

/* z A^-n W^(n k) is added to a sum of [re, im], each with its error. The two magnitudes apart may
 * overflow where their product does not. */
static void add_term(const ndft_chirpz_problem *c, ndft_pair_sum step, double n, double k,
                     const double z[2], double sum[2][2])
{
    double cosine, sine;
    const double turns = ndft_fraction(c->w.turns, 0, n * k) - ndft_fraction(c->a.turns, 0, n);
    const double size = power(step, n);
    ndft_cos_sin(turns, &cosine, &sine);
    const double re = size * cosine, im = size * sine;
    ndft_add(&sum[0][0], &sum[0][1], fma(re, z[0], -im * z[1]));
    ndft_add(&sum[1][0], &sum[1][1], fma(re, z[1], im * z[0]));
}

/* log |W^k / A|, whose n-th power an entry is. */
static ndft_pair_sum step_of(ndft_pair_sum log_w, ndft_pair_sum log_a, double k)
{
    const double product = k * log_w.hi, error = fma(k, log_w.hi, -product) + k * log_w.lo;
    double hi = product, lo = 0;
    ndft_add(&hi, &lo, -log_a.hi);
    return (ndft_pair_sum){hi, lo + error - log_a.lo};
}

static void sum_output(const ndft_chirpz_problem *c, ndft_pair_sum step, double k, const void *in,
                       int64_t first, double result[2])
{
    const ndft_problem *p = &c->problem;
    double sum[2][2] = {{0, 0}, {0, 0}};
    for (int64_t n = 0; n < p->n[0]; n++) {
        const int64_t at = 2 * (first + n);
        const double z[] = {ndft_real_at(in, p->prec, at), ndft_real_at(in, p->prec, at + 1)};
        add_term(c, step, (double)n, k, z, sum);
    }
    for (int part = 0; part < 2; part++) result[part] = sum[part][0] + sum[part][1];
}

ndft_status ndft_chirpz_reference(const ndft_chirpz_problem *c, const void *in,
                                  const int64_t *outputs, int64_t n_outputs, double *result,
                                  int threads, ndft_error *err)
{
    const ndft_problem *p = &c->problem;
    const ndft_pair_sum log_w = log_of(c->w.modulus), log_a = log_of(c->a.modulus);
    (void)err;
#pragma omp parallel for collapse(2) num_threads(threads) schedule(static)
    for (int64_t i = 0; i < n_outputs; i++)
        for (int b = 0; b < p->coils; b++) {
            const double k = (double)(outputs ? outputs[i] : i);
            sum_output(c, step_of(log_w, log_a, k), k, in, b * p->n[0],
                       result + 2 * (i * p->coils + b));
        }
    return NDFT_OK;
}

ndft_difference ndft_chirpz_compare(const ndft_chirpz_problem *c, const void *in, const void *out,
                                    const int64_t *outputs, int64_t n_outputs, const double *ref)
{
    const double largest = exp(ndft_chirpz_log_max(c, NULL));
    ndft_difference d = ndft_compare(&c->problem, NDFT_FORWARD, in, out, outputs, n_outputs, ref);
    d.max_err /= largest;
    return d;
}
