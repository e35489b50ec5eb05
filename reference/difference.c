/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include "turns.h"

/* Errors of vectors in double, sums compensated. */

static double modulus(const ndft_problem *p, const void *vector, int64_t at)
{
    return hypot(ndft_real_at(vector, p->prec, 2 * at), ndft_real_at(vector, p->prec, 2 * at + 1));
}

/* Sums of squares of numbers of any size: they are counted in units of a power of two near the
 * largest, which takes nothing from them. */
static double unit_of(double largest)
{
    if (!(largest > 0) || isinf(largest)) return 1;
    return ldexp(1, (int)fmax(-1021, logb(largest)));
}

static double largest_of(ndft_prec prec, const void *vector, int64_t reals)
{
    double largest = 0;
    for (int64_t i = 0; i < reals; i++)
        largest = fmax(largest, fabs(ndft_real_at(vector, prec, i)));
    return largest;
}

/* |in|_1 of one coil in units; with coil maps, which mix coils, of all, times the largest. */
static double input_norm(const ndft_problem *p, ndft_op op, const void *in, int coil, double unit)
{
    const ndft_placement columns = ndft_input_placement(p, op);
    const int first = p->maps ? 0 : coil, past = p->maps ? columns.coils : coil + 1;
    const double gain = !p->maps ? 1 : op == NDFT_NORMAL ? p->power_max : p->maps_max;
    double sum = 0, error = 0;
    for (int c = first; c < past; c++)
        for (int64_t e = 0; e < columns.length; e++)
            ndft_add(&sum, &error, modulus(p, in, c * columns.coil + e * columns.element) / unit);
    return gain * (sum + error);
}

/* 0/0 is no difference. */
static double ratio(double a, double b) { return a == 0 ? 0 : a / b; }

static double infinite_if_nan(double x) { return isnan(x) ? INFINITY : x; }

void ndft_norms_add(ndft_norms *n, double re, double im, const double ref[2])
{
    const double unit = n->unit;
    re = (re - ref[0]) / unit;
    im = (im - ref[1]) / unit;
    const double x = ref[0] / unit, y = ref[1] / unit;
    ndft_add(&n->difference[0], &n->difference[1], fma(re, re, im * im));
    ndft_add(&n->reference[0], &n->reference[1], fma(x, x, y * y));
}

double ndft_norms_ratio(const ndft_norms *n)
{
    const double difference = sqrt(n->difference[0] + n->difference[1]);
    return infinite_if_nan(ratio(difference, sqrt(n->reference[0] + n->reference[1])));
}

ndft_norms ndft_norms_begin(const double *ref, int64_t count)
{
    return (ndft_norms){.unit = unit_of(largest_of(NDFT_F64, ref, 2 * count))};
}

/* A coil's outputs against the reference, and its largest error over |in|_1. */
static void compare_coil(ndft_difference *result, ndft_norms *norms, const ndft_problem *p,
                         ndft_op op, const void *in, const void *out, const int64_t *outputs,
                         int64_t n_outputs, const double *ref, int coil, double in_unit)
{
    const ndft_placement columns = ndft_output_placement(p, op);
    const int64_t element = columns.element, first = coil * columns.coil;
    double norm = input_norm(p, op, in, coil, in_unit);
    if (op == NDFT_NORMAL) norm *= (double)p->n_samples;
    for (int64_t i = 0; i < n_outputs; i++) {
        const int64_t output = outputs ? outputs[i] : i, at = first + output * element;
        const double re = ndft_real_at(out, p->prec, 2 * at);
        const double im = ndft_real_at(out, p->prec, 2 * at + 1);
        const double *r = ref + 2 * (i * columns.coils + coil);
        ndft_norms_add(norms, re, im, r);
        const double err = infinite_if_nan(ratio(hypot(re - r[0], im - r[1]) / in_unit, norm));
        if (err <= result->max_err) continue;
        result->max_err = err;
        result->worst = output;
    }
}

ndft_difference ndft_compare(const ndft_problem *p, ndft_op op, const void *in, const void *out,
                             const int64_t *outputs, int64_t n_outputs, const double *ref)
{
    ndft_difference result = {.worst = outputs && n_outputs > 0 ? outputs[0] : 0};
    const int coils = ndft_output_coils(p, op);
    ndft_norms norms = ndft_norms_begin(ref, n_outputs * coils);
    const int64_t inputs = ndft_input_length(p, op) * ndft_input_coils(p, op);
    const double in_unit = unit_of(largest_of(p->prec, in, 2 * inputs));
    for (int c = 0; c < coils; c++)
        compare_coil(&result, &norms, p, op, in, out, outputs, n_outputs, ref, c, in_unit);
    result.rel_l2 = ndft_norms_ratio(&norms);
    return result;
}

/* (sum, error) += x y with the product's own error (Ogita, Rump, Oishi 2005: Dot2). */
static void add_product(double sum[2], double x, double y)
{
    double product = x * y;
    ndft_add(&sum[0], &sum[1], product);
    sum[1] += fma(x, y, -product);
}

/* A vector and the unit that its elements are counted in. */
typedef struct scaled {
    ndft_prec prec;
    const void *vector;
    int64_t count;
    double unit;
} scaled;

static scaled scale(ndft_prec prec, const void *vector, int64_t count)
{
    return (scaled){prec, vector, count, unit_of(largest_of(prec, vector, 2 * count))};
}

static double real_at(const scaled *v, int64_t i)
{
    return ndft_real_at(v->vector, v->prec, i) / v->unit;
}

/* <a, b> in both units. */
static void inner(const scaled *a, const scaled *b, double result[2])
{
    double re[2] = {0, 0}, im[2] = {0, 0};
    for (int64_t i = 0; i < a->count; i++) {
        const double a_re = real_at(a, 2 * i), a_im = real_at(a, 2 * i + 1);
        const double b_re = real_at(b, 2 * i), b_im = real_at(b, 2 * i + 1);
        add_product(re, a_re, b_re);
        add_product(re, a_im, b_im);
        add_product(im, a_im, b_re);
        add_product(im, -a_re, b_im);
    }
    result[0] = re[0] + re[1];
    result[1] = im[0] + im[1];
}

void ndft_inner(ndft_prec prec, const void *a, const void *b, int64_t count, double result[2])
{
    const scaled x = scale(prec, a, count), y = scale(prec, b, count);
    inner(&x, &y, result);
    for (int part = 0; part < 2; part++) result[part] *= x.unit * y.unit;
}

static double norm2(const scaled *v)
{
    double square[2];
    inner(v, v, square);
    return sqrt(square[0]);
}

static double norm1(const scaled *v)
{
    double sum = 0, error = 0;
    for (int64_t i = 0; i < v->count; i++)
        ndft_add(&sum, &error, hypot(real_at(v, 2 * i), real_at(v, 2 * i + 1)));
    return sum + error;
}

double ndft_adjointness(const ndft_problem *p, const void *x, const void *ax, const void *y,
                        const void *ahy)
{
    const int64_t samples = p->n_samples * p->coils, voxels = p->n_voxels * ndft_image_coils(p);
    const scaled image = scale(p->prec, x, voxels), back = scale(p->prec, ahy, voxels);
    const scaled forth = scale(p->prec, ax, samples), data = scale(p->prec, y, samples);
    const double units = image.unit / forth.unit * (back.unit / data.unit);
    double left[2], right[2];
    inner(&forth, &data, left);
    inner(&image, &back, right);
    const double apart = hypot(left[0] - units * right[0], left[1] - units * right[1]);
    return ratio(apart, norm2(&forth) * norm2(&data));
}

double ndft_adjointness_any(const ndft_problem *p, const void *x, const void *ax, const void *y)
{
    const int64_t samples = p->n_samples * p->coils, voxels = p->n_voxels * ndft_image_coils(p);
    const double gain = p->maps ? p->maps_max : 1;
    const scaled image = scale(p->prec, x, voxels), forth = scale(p->prec, ax, samples);
    const scaled data = scale(p->prec, y, samples);
    return ratio(gain * norm1(&image) * norm1(&data),
                 norm2(&forth) * norm2(&data) * (forth.unit / image.unit));
}
