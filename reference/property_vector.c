/* SPDX-License-Identifier: Apache-2.0 */
#include "property_fixture.h"

#include "reference.h"
#include "turns.h"

#include <string.h>

/* A fixture's vectors: drawing them, the way through the implementation and back, and how far apart
 * they are. */

void ndft_property_fixture_draw(ndft_property_fixture *t, ndft_complex *x, int64_t length)
{
    for (int64_t i = 0; i < length * t->problem.coils; i++) {
        double radius = sqrt(-log(1 - ndft_uniform(&t->random)));
        double angle = 2 * M_PI * ndft_uniform(&t->random);
        x[i] = (float)(radius * cos(angle)) + I * (float)(radius * sin(angle));
    }
}

void ndft_property_fixture_draw_integers(ndft_property_fixture *t, ndft_complex *x, int64_t length)
{
    for (int64_t i = 0; i < length * t->problem.coils; i++) {
        double re = 2 * floor(8 * ndft_uniform(&t->random)) - 7;
        x[i] = re + I * (2 * floor(8 * ndft_uniform(&t->random)) - 7);
    }
}

static void pack(ndft_prec prec, const ndft_placement *in, const ndft_complex *x, void *vector)
{
    for (int64_t c = 0; c < in->coils; c++) {
        for (int64_t e = 0; e < in->length; e++) {
            const int64_t at = 2 * (c * in->coil + e * in->element);
            ndft_put(vector, prec, at, creal(x[c * in->length + e]));
            ndft_put(vector, prec, at + 1, cimag(x[c * in->length + e]));
        }
    }
}

static void unpack(ndft_prec prec, const ndft_placement *out, const void *vector, ndft_complex *x)
{
    for (int64_t c = 0; c < out->coils; c++) {
        for (int64_t e = 0; e < out->length; e++) {
            const int64_t at = 2 * (c * out->coil + e * out->element);
            x[c * out->length + e] =
                ndft_complex_of(ndft_real_at(vector, prec, at), ndft_real_at(vector, prec, at + 1));
        }
    }
}

static size_t bytes_of(ndft_prec prec, const ndft_placement *columns)
{
    return (size_t)columns->coils * (size_t)columns->length * 2 * ndft_real_size(prec);
}

ndft_status ndft_property_fixture_apply(ndft_property_fixture *t, const ndft_problem *p, ndft_op op,
                                        const ndft_complex *in, ndft_complex *out)
{
    const ndft_placement from = ndft_input_placement(p, op), to = ndft_output_placement(p, op);
    size_t before = t->used;
    void *packed = ndft_property_fixture_take(t, bytes_of(p->prec, &from));
    void *result = ndft_property_fixture_take(t, bytes_of(p->prec, &to));
    pack(p->prec, &from, in, packed);
    memset(result, 0xff, bytes_of(p->prec, &to)); /* NaN: outputs left out are found */
    ndft_status status =
        t->operation->apply(t->operation->context, p, op, packed, result, t->error);
    unpack(p->prec, &to, result, out);
    t->used = before;
    return status;
}

double ndft_property_fixture_claim(const ndft_property_fixture *t, const ndft_problem *p,
                                   ndft_op op)
{
    return t->operation->claim(t->operation->context, p, op);
}

void ndft_keep_worse(ndft_measured *worst, double discrepancy, double bound)
{
    if (worst->bound > 0 && discrepancy / bound <= worst->discrepancy / worst->bound) return;
    if (isnan(worst->discrepancy)) return;
    *worst = (ndft_measured){discrepancy, bound};
}

void ndft_rotate(const ndft_problem *p, ndft_complex *x, const double *turns, int sign)
{
    for (int64_t c = 0; c < p->coils; c++) {
        for (int64_t j = 0; j < p->n_samples; j++) {
            double re, im;
            ndft_cos_sin(sign * turns[j], &re, &im);
            x[c * p->n_samples + j] *= ndft_complex_of(re, im);
        }
    }
}

double ndft_norm(const ndft_complex *x, int64_t count)
{
    double square[2];
    ndft_inner(NDFT_F64, x, x, count, square);
    return sqrt(square[0]);
}

double ndft_distance(const ndft_complex *x, const ndft_complex *y, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum = hypot(sum, cabs(x[i] - y[i]));
    return sum;
}

ndft_status ndft_property_fixture_equal(ndft_property_fixture *t, const ndft_problem *a,
                                        const ndft_problem *b, ndft_op op, ndft_measured *worst)
{
    int64_t count = ndft_output_length(a, op) * a->coils;
    ndft_complex *x = ndft_property_fixture_vector(t), *y = ndft_property_fixture_vector(t),
                 *z = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, ndft_input_length(a, op));
    NDFT_TRY(ndft_property_fixture_apply(t, a, op, x, y));
    NDFT_TRY(ndft_property_fixture_apply(t, b, op, x, z));
    double bound = ndft_property_fixture_claim(t, a, op) + ndft_property_fixture_claim(t, b, op);
    bound += 2 * ndft_roundoff(a->prec) * (a->dw_max * a->t_max + a->higher.most);
    ndft_keep_worse(worst, ndft_distance(y, z, count) / ndft_norm(z, count), bound);
    return NDFT_OK;
}
