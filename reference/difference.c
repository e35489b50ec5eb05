/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include "turns.h"

/* Errors of vectors in double, sums compensated. */

static double modulus(const ndft_problem *p, const void *vector, int64_t at)
{
    return hypot(ndft_real_at(vector, p->prec, 2 * at), ndft_real_at(vector, p->prec, 2 * at + 1));
}

/* |in|_1 of one coil. */
static double input_norm(const ndft_problem *p, ndft_op op, const void *in, int coil)
{
    int64_t length = ndft_input_length(p, op), element = ndft_element_stride(p);
    int64_t first = coil * ndft_coil_stride(p, length);
    double sum = 0, error = 0;
    for (int64_t e = 0; e < length; e++)
        ndft_add(&sum, &error, modulus(p, in, first + e * element));
    return sum + error;
}

typedef struct squares {
    double difference[2], reference[2]; /* sums of squares with their errors */
} squares;

/* |out - ref| of one output of one coil, added to the sums. */
static double add_output(squares *s, const ndft_problem *p, const void *out, int64_t at,
                         const double *ref)
{
    double re = ndft_real_at(out, p->prec, 2 * at) - ref[0];
    double im = ndft_real_at(out, p->prec, 2 * at + 1) - ref[1];
    ndft_add(&s->difference[0], &s->difference[1], fma(re, re, im * im));
    ndft_add(&s->reference[0], &s->reference[1], fma(ref[0], ref[0], ref[1] * ref[1]));
    return hypot(re, im);
}

/* 0/0 is no difference. */
static double ratio(double a, double b) { return a == 0 ? 0 : a / b; }

static double infinite_if_nan(double x) { return isnan(x) ? INFINITY : x; }

static void compare_coil(ndft_difference *result, squares *sums, const ndft_problem *p, ndft_op op,
                         const void *in, const void *out, const int64_t *outputs, int64_t n_outputs,
                         const double *ref, int coil)
{
    int64_t element = ndft_element_stride(p);
    int64_t first = coil * ndft_coil_stride(p, ndft_output_length(p, op));
    double norm = input_norm(p, op, in, coil);
    for (int64_t i = 0; i < n_outputs; i++) {
        int64_t output = outputs ? outputs[i] : i;
        double err =
            add_output(sums, p, out, first + output * element, ref + 2 * (i * p->coils + coil));
        err = infinite_if_nan(ratio(err, norm));
        if (err <= result->max_err) continue;
        result->max_err = err;
        result->worst = output;
    }
}

ndft_difference ndft_compare(const ndft_problem *p, ndft_op op, const void *in, const void *out,
                             const int64_t *outputs, int64_t n_outputs, const double *ref)
{
    ndft_difference result = {.worst = outputs && n_outputs > 0 ? outputs[0] : 0};
    squares sums = {0};
    for (int c = 0; c < p->coils; c++)
        compare_coil(&result, &sums, p, op, in, out, outputs, n_outputs, ref, c);
    double difference = sqrt(sums.difference[0] + sums.difference[1]);
    double reference = sqrt(sums.reference[0] + sums.reference[1]);
    result.rel_l2 = infinite_if_nan(ratio(difference, reference));
    return result;
}

/* (sum, error) += x y with the product's own error (Ogita, Rump, Oishi 2005: Dot2). */
static void add_product(double sum[2], double x, double y)
{
    double product = x * y;
    ndft_add(&sum[0], &sum[1], product);
    sum[1] += fma(x, y, -product);
}

void ndft_inner(ndft_prec prec, const void *a, const void *b, int64_t count, double result[2])
{
    double re[2] = {0, 0}, im[2] = {0, 0};
    for (int64_t i = 0; i < count; i++) {
        double a_re = ndft_real_at(a, prec, 2 * i), a_im = ndft_real_at(a, prec, 2 * i + 1);
        double b_re = ndft_real_at(b, prec, 2 * i), b_im = ndft_real_at(b, prec, 2 * i + 1);
        add_product(re, a_re, b_re);
        add_product(re, a_im, b_im);
        add_product(im, a_im, b_re);
        add_product(im, -a_re, b_im);
    }
    result[0] = re[0] + re[1];
    result[1] = im[0] + im[1];
}

static double norm(ndft_prec prec, const void *a, int64_t count)
{
    double square[2];
    ndft_inner(prec, a, a, count, square);
    return sqrt(square[0]);
}

double ndft_adjointness(const ndft_problem *p, const void *x, const void *ax, const void *y,
                        const void *ahy)
{
    int64_t samples = p->n_samples * p->coils, voxels = p->n_voxels * p->coils;
    double left[2], right[2];
    ndft_inner(p->prec, ax, y, samples, left);
    ndft_inner(p->prec, x, ahy, voxels, right);
    double apart = hypot(left[0] - right[0], left[1] - right[1]);
    return ratio(apart, norm(p->prec, ax, samples) * norm(p->prec, y, samples));
}
