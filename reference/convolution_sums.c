/* SPDX-License-Identifier: Apache-2.0 */
#include "convolution_sums.h"

#include "turns.h"

#include <stdlib.h>

static const double most_pairs = 0x1p36; /* of a normal operator, which needs all of A x */

/* Sums of one direction: everything in double, [re, im]. */
typedef struct summation {
    const int64_t *from, *to, *cells; /* boxes of the input, of the output, of the kernel */
    const double *kernel, *in;        /* in: [batch][from] */
    bool adjoint;
    int batch;
} summation;

static double *widened(const void *values, ndft_prec prec, int64_t count)
{
    double *wide = malloc((size_t)count * 2 * sizeof *wide);
    for (int64_t i = 0; wide && i < 2 * count; i++) wide[i] = ndft_real_at(values, prec, i);
    return wide;
}

/* to - from in the period, either way around. */
static int64_t between(int64_t from, int64_t to, int64_t cells, bool adjoint)
{
    const int64_t distance = adjoint ? from - to : to - from;
    return distance < 0 ? distance + cells : distance;
}

/* Adds the terms of one row of the input. */
static void add_row(const summation *s, const double *kernel, const double *in, int64_t to,
                    double sum[2][2])
{
    const double sign = s->adjoint ? -1 : 1;
    for (int64_t x = 0; x < s->from[0]; x++) {
        const double *k = kernel + 2 * between(x, to, s->cells[0], s->adjoint);
        const double *z = in + 2 * x, im = sign * k[1];
        ndft_add(&sum[0][0], &sum[0][1], fma(k[0], z[0], -im * z[1]));
        ndft_add(&sum[1][0], &sum[1][1], fma(k[0], z[1], im * z[0]));
    }
}

/* Output number e of one of the batch. */
static void sum_output(const summation *s, int64_t e, int b, double result[2])
{
    const int64_t *n = s->from, *c = s->cells,
                  at[] = {e % s->to[0], e / s->to[0] % s->to[1], e / s->to[0] / s->to[1]};
    const double *in = s->in + 2 * b * ndft_box_size(n);
    double sum[2][2] = {{0, 0}, {0, 0}};
    for (int64_t row = 0; row < n[1] * n[2]; row++, in += 2 * n[0]) {
        const int64_t z = between(row / n[1], at[2], c[2], s->adjoint);
        const int64_t y = between(row % n[1], at[1], c[1], s->adjoint);
        add_row(s, s->kernel + 2 * (z * c[1] + y) * c[0], in, at[0], sum);
    }
    for (int part = 0; part < 2; part++) result[part] = sum[part][0] + sum[part][1];
}

/* element, batch: how far apart results lie. */
static void sum_all(const summation *s, const int64_t *outputs, int64_t n_outputs, int64_t element,
                    int64_t batch, double *result, int threads)
{
#pragma omp parallel for collapse(2) num_threads(threads) schedule(static)
    for (int64_t i = 0; i < n_outputs; i++)
        for (int b = 0; b < s->batch; b++)
            sum_output(s, outputs ? outputs[i] : i, b, result + 2 * (i * element + b * batch));
}

static ndft_status sum(const ndft_convolution_problem *c, ndft_op op, const double *kernel,
                       const double *in, const int64_t *outputs, int64_t n_outputs, double *result,
                       int threads, ndft_error *err)
{
    const ndft_problem *p = &c->problem;
    const summation forward = {p->n, c->outputs, c->cells, kernel, in, false, p->coils};
    summation adjoint = {c->outputs, p->n, c->cells, kernel, in, true, p->coils};
    if (op != NDFT_NORMAL) {
        sum_all(op == NDFT_FORWARD ? &forward : &adjoint, outputs, n_outputs, p->coils, 1, result,
                threads);
        return NDFT_OK;
    }
    if (ndft_coil_pairs(p, NDFT_FORWARD) > most_pairs)
        return ndft_fail(err, NDFT_EUNSUPPORTED, "the reference sums at most 2^36 pairs");
    double *between_both = malloc((size_t)(p->n_samples * p->coils) * 2 * sizeof *between_both);
    if (!between_both) return ndft_fail(err, NDFT_ENOMEM, "the reference has no memory for A x");
    sum_all(&forward, NULL, p->n_samples, 1, p->n_samples, between_both, threads);
    adjoint.in = between_both;
    sum_all(&adjoint, outputs, n_outputs, p->coils, 1, result, threads);
    free(between_both);
    return NDFT_OK;
}

ndft_status ndft_convolution_reference(const ndft_convolution_problem *c, ndft_op op,
                                       const void *in, const int64_t *outputs, int64_t n_outputs,
                                       double *result, int threads, ndft_error *err)
{
    const ndft_problem *p = &c->problem;
    double *kernel = widened(c->kernel, p->prec, ndft_box_size(c->cells));
    double *input = widened(in, p->prec, ndft_input_length(p, op) * p->coils);
    const ndft_status status =
        kernel && input
            ? sum(c, op, kernel, input, outputs, n_outputs, result, threads, err)
            : ndft_fail(err, NDFT_ENOMEM, "the reference has no memory for its input in double");
    free(kernel);
    free(input);
    return status;
}

static double norm(const void *values, ndft_prec prec, int64_t first, int64_t count, bool squares)
{
    double sum = 0, error = 0;
    for (int64_t i = first; i < first + count; i++) {
        const double z =
            hypot(ndft_real_at(values, prec, 2 * i), ndft_real_at(values, prec, 2 * i + 1));
        ndft_add(&sum, &error, squares ? z * z : z);
    }
    return squares ? sqrt(sum + error) : sum + error;
}

static double magnitude(const void *out, ndft_prec prec, int64_t at, const double ref[2])
{
    return hypot(ndft_real_at(out, prec, 2 * at) - ref[0],
                 ndft_real_at(out, prec, 2 * at + 1) - ref[1]);
}

/* 0/0 is no difference, and what is no number an infinite one. */
static double over(double error, double scale)
{
    const double ratio = error == 0 ? 0 : error / scale;
    return isnan(ratio) ? INFINITY : ratio;
}

ndft_difference ndft_convolution_compare(const ndft_convolution_problem *c, ndft_op op,
                                         const void *in, const void *out, const int64_t *outputs,
                                         int64_t n_outputs, const double *ref)
{
    const ndft_problem *p = &c->problem;
    const int64_t inputs = ndft_input_length(p, op), length = ndft_output_length(p, op);
    const double gain = op == NDFT_NORMAL ? c->spectrum_max * c->spectrum_max : c->spectrum_max;
    ndft_difference d = {.worst = outputs && n_outputs ? outputs[0] : 0};
    double squares = 0;
    for (int b = 0; b < p->coils; b++) {
        const double norm1 = norm(in, p->prec, b * inputs, inputs, false);
        for (int64_t i = 0; i < n_outputs; i++) {
            const int64_t e = outputs ? outputs[i] : i;
            const double err =
                magnitude(out, p->prec, b * length + e, ref + 2 * (i * p->coils + b));
            const double relative = over(err, gain * norm1);
            squares += err * err;
            if (relative <= d.max_err) continue;
            d.max_err = relative;
            d.worst = e;
        }
    }
    const double scale = gain * norm(in, p->prec, 0, inputs * p->coils, true);
    d.rel_l2 = over(sqrt(squares * (double)length / (double)n_outputs), scale);
    return d;
}
