/* SPDX-License-Identifier: Apache-2.0 */
#include "problem/kinds.h"
#include "uniform.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Where load and store functions come from, and what the reference makes of them. */

static ndft_made made_of(const char *format, ...)
{
    char text[NDFT_CASE_MAX];
    ndft_case c;
    ndft_made made = {.image = NULL};
    ndft_error err;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (ndft_case_parse(text, &c, &err) != NDFT_OK ||
        ndft_uniform_kind.make(&c, &made, &err) != NDFT_OK)
        fail_msg("%s: %s", text, err.message);
    return made;
}

/* All outputs, re and im each, of this input in double. */
static double *apply(const ndft_transform *t, const double *in)
{
    const int64_t size = ndft_tensor_size(&t->out);
    double *result = calloc((size_t)size, 2 * sizeof *result);
    ndft_error err;
    assert_int_equal(ndft_uniform_reference(t, in, NULL, size, result, 2, &err), NDFT_OK);
    return result;
}

static ndft_transform plain(const ndft_made *made)
{
    ndft_transform t = made->uniform.transform;
    t.load = t.store = NULL;
    return t;
}

/* What is not read is NaN, and the same as zeros that are. */
static void padding_is_zeros(void **state)
{
    (void)state;
    ndft_made made = made_of("uniform:dcfo2.7x5*2 load=zero_pad:4x3");
    const ndft_transform *t = &made.uniform.transform, without = plain(&made);
    double *in = made.image, zeros[2 * 2 * 7 * 5 * 2];
    for (int64_t e = 0; e < 140; e++) {
        const int64_t x = e / 2 % 7, y = e / 14 % 5;
        const bool kept = x < 4 && y < 3;
        for (int part = 0; part < 2; part++) {
            assert_int_equal(kept, !isnan(in[2 * e + part]));
            zeros[2 * e + part] = kept ? in[2 * e + part] : 0;
        }
    }
    double *padded = apply(t, in), *all = apply(&without, zeros);
    assert_memory_equal(padded, all, sizeof zeros);
    free(padded);
    free(all);
    ndft_made_free(&made);
}

static void cropping_leaves_the_rest(void **state)
{
    (void)state;
    ndft_made made = made_of("uniform:drfo2.7x5*2 store=crop:3x2");
    const ndft_transform *t = &made.uniform.transform, without = plain(&made);
    double *cropped = apply(t, made.image), *all = apply(&without, made.image);
    for (int64_t e = 0; e < 2 * 4 * 5 * 2; e++) {
        const bool kept = e / 2 % 4 < 3 && e / 8 % 5 < 2;
        assert_true(kept ? cropped[2 * e] == all[2 * e] : isnan(cropped[2 * e]));
        assert_int_equal(ndft_uniform_kind.writes(&made.problem, 2 * e + 1), kept);
    }
    free(cropped);
    free(all);
    ndft_made_free(&made);
}

/* I0 by its series. */
static double bessel(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 60; k++) sum += term *= x * x / (4.0 * k * k);
    return sum;
}

/* The Kaiser-Bessel window's transform by Simpson's rule. */
static double window_hat(double width, double cycles)
{
    const double beta = M_PI * sqrt(width * width / 4 * 2.25 - 0.8);
    const int steps = 2000;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
        const double u = -1 + 2.0 * i / steps;
        const double value =
            bessel(beta * sqrt(fmax(0, 1 - u * u))) * cos(M_PI * width * u * cycles);
        sum += value * (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2);
    }
    return sum;
}

static void deapodising_divides_by_the_windows_transform(void **state)
{
    (void)state;
    ndft_made made = made_of("uniform:dcbo6x5 store=deapodise:5");
    const ndft_transform *t = &made.uniform.transform, without = plain(&made);
    double *divided = apply(t, made.image), *all = apply(&without, made.image);
    for (int64_t e = 0; e < 30; e++) {
        const double kx = e % 6 < 3 ? e % 6 : 6 - e % 6, ky = e / 6 < 3 ? e / 6 : 5 - e / 6;
        const double hat =
            window_hat(5, kx / 6) * window_hat(5, ky / 5) / (window_hat(5, 0) * window_hat(5, 0));
        for (int part = 0; part < 2; part++)
            assert_true(fabs(divided[2 * e + part] * hat - all[2 * e + part]) <
                        1e-9 * fabs(all[2 * e + part]));
    }
    free(divided);
    free(all);
    ndft_made_free(&made);
}

/* docs/callback.cu, built as a shared object. */
static void files_hold_functions(void **state)
{
    (void)state;
    ndft_made made = made_of("uniform:dcfo6x4 load=file:%s:centred store=file:%s:half_of_even_rows",
                             NDFT_CALLBACK_MODULE, NDFT_CALLBACK_MODULE);
    const ndft_transform *t = &made.uniform.transform, without = plain(&made);
    assert_non_null(strstr(t->load->source, "centred"));
    double *shifted = apply(t, made.image), *all = apply(&without, made.image);
    for (int64_t e = 0; e < 24; e++) {
        const int64_t from = (e % 6 + 3) % 6 + 6 * ((e / 6 + 2) % 4);
        if (e / 6 % 2)
            assert_true(isnan(shifted[2 * e]));
        else
            assert_true(fabs(2 * shifted[2 * e] - all[2 * from]) < 1e-13);
    }
    free(shifted);
    free(all);
    ndft_made_free(&made);
}

/* An object without its source is for the CPU alone. */
static void sources_may_be_missing(void **state)
{
    (void)state;
    unlink("unit_callback_object.so");
    assert_int_equal(symlink(NDFT_CALLBACK_MODULE ".so", "unit_callback_object.so"), 0);
    ndft_made made = made_of("uniform:scfo6 load=file:unit_callback_object:centred");
    assert_null(ndft_unsupported_callbacks_c(&made.problem));
    assert_non_null(ndft_unsupported_callbacks_cuda(&made.problem));
    ndft_made_free(&made);
    unlink("unit_callback_object.so");
}

static void expect_unmade(const char *text, ndft_status status, const char *reason)
{
    ndft_case c;
    ndft_made made;
    ndft_error err = {0};
    assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_OK);
    assert_int_equal(ndft_uniform_kind.make(&c, &made, &err), status);
    if (!strstr(err.message, reason)) fail_msg("'%s' lacks '%s'", err.message, reason);
}

static void what_files_lack_is_named(void **state)
{
    (void)state;
    expect_unmade("uniform:scfo8 load=file:no/such:f", NDFT_EIO, "no/such.so");
    expect_unmade("uniform:scfo8 load=file:" NDFT_CALLBACK_MODULE ":centered", NDFT_EINVAL,
                  "has no function centered");
}

static void what_is_not_given_is_unsupported(void **state)
{
    (void)state;
    ndft_made made = made_of("uniform:scfo9 load=zero_pad:7 store=crop:4");
    const ndft_problem *p = &made.problem;
    ndft_callback c_alone = *made.uniform.transform.store, cuda_alone = c_alone;
    assert_null(ndft_unsupported_callbacks_c(p));
    assert_null(ndft_unsupported_callbacks_cuda(p));
    assert_string_equal(ndft_unsupported_callbacks(p), "it has no callbacks");
    c_alone.source = NULL;
    cuda_alone.store = NULL;
    made.uniform.transform.store = &c_alone;
    assert_null(ndft_unsupported_callbacks_c(p));
    assert_non_null(strstr(ndft_unsupported_callbacks_cuda(p), "not given in CUDA C"));
    made.uniform.transform.store = &cuda_alone;
    assert_null(ndft_unsupported_callbacks_cuda(p));
    assert_non_null(strstr(ndft_unsupported_callbacks_c(p), "not given in C"));
    ndft_made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(padding_is_zeros),
        cmocka_unit_test(cropping_leaves_the_rest),
        cmocka_unit_test(deapodising_divides_by_the_windows_transform),
        cmocka_unit_test(files_hold_functions),
        cmocka_unit_test(sources_may_be_missing),
        cmocka_unit_test(what_files_lack_is_named),
        cmocka_unit_test(what_is_not_given_is_unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
