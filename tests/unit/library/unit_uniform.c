/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "descriptor.h"
#include "make/make.h"
#include "uniform.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The reference of uniform transforms, by what any such transform does. */

typedef double complex number;

/* A few descriptors with every domain's place for %s; f64, so that inputs are what they say. */
static const char *const shapes[] = {"1", "5*3", "3.8*2", "12", "2.6x5*2", "3x4x5", "2.7x1x4*3"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static ndft_transform transform_of(const char *head, const char *shape)
{
    char text[64];
    ndft_transform t;
    ndft_error err;
    snprintf(text, sizeof text, "%s%s", head, shape);
    if (ndft_descriptor_parse(text, &t, &err) != NDFT_OK) fail_msg("%s", err.message);
    return t;
}

static ndft_random drawn = {11};

static number draw(void)
{
    const double re = ndft_uniform(&drawn) - 0.5, im = ndft_uniform(&drawn) - 0.5;
    return re + I * im;
}

static number *vector(int64_t size) { return calloc((size_t)size, sizeof(number)); }

/* Tensors by element; of a real one the real parts. */
static number *apply(const ndft_transform *t, const number *x)
{
    double *in = calloc((size_t)ndft_tensor_room(&t->in), 2 * sizeof *in);
    for (int64_t e = 0; e < ndft_tensor_size(&t->in); e++) {
        const int64_t at = ndft_tensor_place(&t->in, e);
        in[t->in.real ? at : 2 * at] = creal(x[e]);
        if (!t->in.real) in[2 * at + 1] = cimag(x[e]);
    }
    const int64_t size = ndft_tensor_size(&t->out);
    number *y = vector(size);
    ndft_error err;
    assert_int_equal(ndft_uniform_reference(t, in, NULL, size, (double *)y, 2, &err), NDFT_OK);
    free(in);
    return y;
}

static number *random_input(const ndft_transform *t)
{
    number *x = vector(ndft_tensor_size(&t->in));
    for (int64_t e = 0; e < ndft_tensor_size(&t->in); e++)
        x[e] = t->in.real ? creal(draw()) : draw();
    return x;
}

static void expect_near(const number *a, const number *b, int64_t size)
{
    double apart = 0, norm = 0;
    for (int64_t e = 0; e < size; e++) {
        apart += cabs(a[e] - b[e]) * cabs(a[e] - b[e]);
        norm += cabs(a[e]) * cabs(a[e]);
    }
    if (!(sqrt(apart) <= 1e-15 * sqrt(norm))) fail_msg("%g of %g apart", sqrt(apart), sqrt(norm));
}

/* The sum as it is written, in long double. */
static void is_the_sum(void **state)
{
    (void)state;
    static const char *const heads[] = {"dcfo", "dcbo", "drfo"};
    const long double two_pi = 2 * acosl(-1);
    for (int i = 0; i < 3 * SHAPES; i++) {
        const ndft_transform t = transform_of(heads[i % 3], shapes[i / 3]);
        number *x = random_input(&t), *y = apply(&t, x), *sum = vector(ndft_tensor_size(&t.out));
        for (int64_t o = 0; o < ndft_tensor_size(&t.out); o++) {
            int64_t k[NDFT_MODES], n[NDFT_MODES];
            long double complex total = 0;
            ndft_tensor_index(&t.out, o, k);
            for (int64_t e = 0; e < ndft_tensor_size(&t.in); e++) {
                long double turns = 0;
                ndft_tensor_index(&t.in, e, n);
                if (n[NDFT_MODE_M] != k[NDFT_MODE_M] || n[NDFT_MODE_K] != k[NDFT_MODE_K]) continue;
                for (int d = 1; d <= 3; d++)
                    turns += (long double)(n[d] * k[d]) / (long double)t.shape[d];
                total += x[e] * cexpl(t.sign * two_pi * I * turns);
            }
            sum[o] = (number)total;
        }
        expect_near(sum, y, ndft_tensor_size(&t.out));
        free(x);
        free(y);
        free(sum);
    }
}

static void is_linear(void **state)
{
    (void)state;
    static const char *const heads[] = {"dcfo", "drfo", "drbo"};
    for (int i = 0; i < 3 * SHAPES; i++) {
        const ndft_transform t = transform_of(heads[i % 3], shapes[i / 3]);
        const int64_t in = ndft_tensor_size(&t.in), out = ndft_tensor_size(&t.out);
        number *a = random_input(&t), *b = random_input(&t), *both = vector(in);
        for (int64_t e = 0; e < in; e++) both[e] = 2 * a[e] - b[e];
        number *ya = apply(&t, a), *yb = apply(&t, b), *y = apply(&t, both);
        for (int64_t o = 0; o < out; o++) ya[o] = 2 * ya[o] - yb[o];
        expect_near(ya, y, out);
        number *all[] = {a, b, both, ya, yb, y};
        for (int v = 0; v < 6; v++) free(all[v]);
    }
}

/* An impulse at n becomes the wave exp(-2 pi i n k/N), and one at 0 ones, exactly. */
static void impulses_become_waves(void **state)
{
    (void)state;
    const ndft_transform t = transform_of("dcfo", "12");
    for (int64_t n = 0; n < 12; n++) {
        number x[12] = {0}, wave[12];
        x[n] = 1;
        for (int64_t k = 0; k < 12; k++) wave[k] = cexp(-2 * M_PI * I * (double)(n * k % 12) / 12);
        number *y = apply(&t, x);
        expect_near(wave, y, 12);
        for (int64_t k = 0; k < 12 && n % 3 == 0; k++) /* quarter turns */
            assert_true(creal(y[k]) == rint(creal(y[k])) && cimag(y[k]) == rint(cimag(y[k])));
        free(y);
    }
}

/* Shifted by one along N1: a wave beside the other's spectrum. */
static void shifts_become_phases(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const ndft_transform t = transform_of("dcfo", shapes[i]);
        const int64_t size = ndft_tensor_size(&t.in), n = t.shape[NDFT_MODE_N];
        number *x = random_input(&t), *shifted = vector(size), *y = apply(&t, x);
        for (int64_t e = 0; e < size; e++) {
            int64_t at[NDFT_MODES];
            ndft_tensor_index(&t.in, e, at);
            y[e] *= cexp(-2 * M_PI * I * (double)at[NDFT_MODE_N] / (double)n);
            at[NDFT_MODE_N] = (at[NDFT_MODE_N] + 1) % n;
            shifted[ndft_tensor_offset(&t.in, at)] = x[e];
        }
        number *ys = apply(&t, shifted);
        expect_near(y, ys, size);
        free(x);
        free(shifted);
        free(y);
        free(ys);
    }
}

/* |y|^2 = N |x|^2, and backward after forward gives N x. */
static void energy_stays_and_there_is_a_way_back(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const ndft_transform t = transform_of("dcfo", shapes[i]),
                             b = transform_of("dcbo", shapes[i]);
        const int64_t size = ndft_tensor_size(&t.in), n = ndft_transform_length(&t);
        number *x = random_input(&t), *y = apply(&t, x), *back = apply(&b, y);
        double before = 0, after = 0;
        for (int64_t e = 0; e < size; e++) {
            before += cabs(x[e]) * cabs(x[e]);
            after += cabs(y[e]) * cabs(y[e]);
            x[e] *= (double)n;
        }
        assert_true(fabs(after - (double)n * before) <= 1e-14 * after);
        expect_near(x, back, size);
        free(x);
        free(y);
        free(back);
    }
}

/* Half a spectrum is the half of the complex transform of the same numbers, whose other half is its
 * conjugate mirrored; and to reals it leads back to N x. */
static void real_signals_have_half_a_spectrum(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const ndft_transform r = transform_of("drfo", shapes[i]),
                             c = transform_of("dcfo", shapes[i]),
                             b = transform_of("drbo", shapes[i]);
        const int64_t size = ndft_tensor_size(&r.in);
        number *x = random_input(&r), *half = apply(&r, x), *whole = apply(&c, x);
        number *back = apply(&b, half), *mirrored = vector(size);
        for (int64_t e = 0; e < size; e++) {
            int64_t k[NDFT_MODES];
            ndft_tensor_index(&c.out, e, k);
            if (k[NDFT_MODE_N] < r.out.shape[NDFT_MODE_N])
                assert_true(cabs(whole[e] - half[ndft_tensor_offset(&r.out, k)]) <= 1e-13);
            for (int d = 1; d <= 3; d++) k[d] = (c.shape[d] - k[d]) % c.shape[d];
            mirrored[ndft_tensor_offset(&c.out, k)] = conj(whole[e]);
            x[e] *= (double)ndft_transform_length(&r);
        }
        expect_near(whole, mirrored, size);
        expect_near(x, back, size);
        number *all[] = {x, half, whole, back, mirrored};
        for (int v = 0; v < 5; v++) free(all[v]);
    }
}

/* A part of the outputs is the same as all of them, and a difference is found where it is. */
static void listed_outputs_and_differences(void **state)
{
    (void)state;
    const ndft_transform t = transform_of("dcfo", "2.6x5*2i1,2,14,80o1,3,20,110");
    const int64_t size = ndft_tensor_size(&t.out);
    number *x = random_input(&t);
    x[91] = 30 - 40 * I; /* by far the largest */
    number *y = apply(&t, x);
    double *in = calloc((size_t)ndft_tensor_room(&t.in), 2 * sizeof *in);
    double *out = calloc((size_t)ndft_tensor_room(&t.out), 2 * sizeof *out);
    for (int64_t e = 0; e < size; e++) {
        memcpy(in + 2 * ndft_tensor_place(&t.in, e), &x[e], sizeof(number));
        memcpy(out + 2 * ndft_tensor_place(&t.out, e), &y[e], sizeof(number));
    }
    const int64_t some[] = {0, 17, size - 1};
    number part[3];
    ndft_error err;
    assert_int_equal(ndft_uniform_reference(&t, in, some, 3, (double *)part, 1, &err), NDFT_OK);
    for (int i = 0; i < 3; i++) assert_memory_equal(&part[i], &y[some[i]], sizeof(number));
    ndft_difference d = ndft_uniform_compare(&t, in, out, NULL, size, (double *)y);
    assert_true(d.rel_l2 == 0 && d.max_err == 0);
    double sum = 0; /* element 17's transform: every other of the first half */
    for (int e = 1; e < 60; e += 2) sum += cabs(x[e]);
    out[2 * ndft_tensor_place(&t.out, 17) + 1] += 0.5;
    d = ndft_uniform_compare(&t, in, out, NULL, size, (double *)y);
    assert_true(d.rel_l2 > 0 && fabs(d.max_err * sum - 0.5) < 1e-12);
    assert_int_equal(d.worst, 17);
    out[2 * ndft_tensor_place(&t.out, 5)] = NAN;
    d = ndft_uniform_compare(&t, in, out, some, 3, (double *)part);
    assert_false(isinf(d.rel_l2));
    d = ndft_uniform_compare(&t, in, out, NULL, size, (double *)y);
    assert_true(isinf(d.rel_l2) && d.worst == 5);
    free(x);
    free(y);
    free(in);
    free(out);
}

static void few_outputs_of_many_are_checked(void **state)
{
    (void)state;
    int64_t *outputs;
    ndft_transform t = transform_of("dcfo", "1009*200");
    assert_int_equal(ndft_uniform_sample(&t, 1, &outputs), 1009 * 200);
    assert_null(outputs);
    t = transform_of("dcfo", "1000003*256");
    const int64_t n = ndft_uniform_sample(&t, 1, &outputs);
    assert_in_range(n, 1024, 1100);
    assert_int_equal(outputs[0], 0);
    assert_int_equal(outputs[n - 1], 1000003LL * 256 - 1);
    free(outputs);
}

/* A spectrum that is made belongs to a real signal, and what lies beside the input is NaN. */
static void inputs_are_what_they_should_be(void **state)
{
    (void)state;
    static const char *const heads[] = {"uniform:drbo2.8x5*3", "uniform:drbo7x4x3",
                                        "uniform:drbi6x5", "uniform:drfi5x3"};
    for (int i = 0; i < 4; i++) {
        ndft_case c;
        ndft_made made;
        ndft_error err;
        assert_int_equal(ndft_case_parse(heads[i], &c, &err), NDFT_OK);
        assert_int_equal(ndft_make_uniform(&c, &made, &err), NDFT_OK);
        const ndft_tensor *in = &c.transform.in;
        const int64_t reals = 2 * made.problem.n_voxels;
        int64_t numbers = 0;
        for (int64_t r = 0; r < reals; r++) numbers += !isnan(((double *)made.image)[r]);
        assert_int_equal(numbers, ndft_tensor_size(in) * (in->real ? 1 : 2));
        for (int64_t e = 0; e < ndft_tensor_size(in) && !in->real; e++) {
            int64_t k[NDFT_MODES];
            const double *z = (double *)made.image + 2 * ndft_tensor_place(in, e);
            ndft_tensor_index(in, e, k);
            if (k[NDFT_MODE_N] && 2 * k[NDFT_MODE_N] != c.transform.shape[NDFT_MODE_N]) continue;
            for (int d = 2; d <= 3; d++) k[d] = (in->shape[d] - k[d]) % in->shape[d];
            const double *w = (double *)made.image + 2 * ndft_tensor_offset(in, k);
            assert_true(z[0] == w[0] && z[1] == -w[1]);
        }
        ndft_made_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_sum),
        cmocka_unit_test(is_linear),
        cmocka_unit_test(impulses_become_waves),
        cmocka_unit_test(shifts_become_phases),
        cmocka_unit_test(energy_stays_and_there_is_a_way_back),
        cmocka_unit_test(real_signals_have_half_a_spectrum),
        cmocka_unit_test(listed_outputs_and_differences),
        cmocka_unit_test(few_outputs_of_many_are_checked),
        cmocka_unit_test(inputs_are_what_they_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
