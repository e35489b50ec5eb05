/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"
#include "uniform.h"
#include "uniform/axes.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Transforms axis by axis are those of the reference, wherever their tensors lie. */

typedef double complex number;

static ndft_transform transform_of(const char *text)
{
    ndft_transform t;
    ndft_error err;
    if (ndft_descriptor_parse(text, &t, &err) != NDFT_OK) fail_msg("%s", err.message);
    return t;
}

static number get(const ndft_line_side *side, const double *from, int64_t at)
{
    return side->real ? from[at] : from[2 * at] + I * from[2 * at + 1];
}

static void put(const ndft_line_side *side, double *to, int64_t at, number z)
{
    to[side->real ? at : 2 * at] = creal(z);
    if (!side->real) to[2 * at + 1] = cimag(z);
}

static void transform_line(const ndft_pass *p, int64_t line, const double *from, double *to)
{
    number x[64];
    const int64_t in = ndft_line_at(p, &p->in, line), out = ndft_line_at(p, &p->out, line);
    assert_true(p->in.count <= 64);
    for (int64_t n = 0; n < p->in.count; n++)
        x[n] = ndft_line_weight(p, n) * get(&p->in, from, in + n * p->in.stride);
    for (int64_t k = 0; k < p->out.count; k++) {
        number y = 0;
        for (int64_t n = 0; n < p->in.count; n++)
            y += x[n] * cexp(2 * M_PI * I * p->sign * (double)(n * k) / (double)p->length);
        put(&p->out, to, out + k * p->out.stride, y);
    }
}

static void transform(const ndft_axes *a, const double *in, double *out)
{
    if (a->copies) memcpy(a->work[0], in, (size_t)a->room[0] * sizeof(number));
    for (int i = 0; i < a->passes; i++)
        for (int64_t line = 0; line < a->pass[i].lines; line++)
            transform_line(&a->pass[i], line, ndft_pass_from(a, i, in), ndft_pass_to(a, i, out));
}

static void check(const char *text, bool whole_lines)
{
    const ndft_transform t = transform_of(text);
    const int64_t outputs = ndft_tensor_size(&t.out), n_in = ndft_tensor_room(&t.in);
    const int64_t room = n_in > ndft_tensor_room(&t.out) ? n_in : ndft_tensor_room(&t.out);
    double *in = calloc((size_t)room, sizeof(number)), *out = calloc((size_t)room, sizeof(number));
    double *expected = calloc((size_t)outputs, sizeof(number));
    ndft_axes a = ndft_axes_of(&t, whole_lines);
    ndft_error err;
    for (int64_t i = 0; i < 2 * n_in; i++) in[i] = (double)(i * i % 17) - 8;
    for (int i = 0; i < 2; i++)
        a.work[i] = a.room[i] > 0 ? calloc((size_t)a.room[i], sizeof(number)) : NULL;
    assert_int_equal(ndft_uniform_reference(&t, in, NULL, outputs, expected, 1, &err), NDFT_OK);
    transform(&a, in, t.in_place ? in : out);
    const double *got = t.in_place ? in : out;
    for (int64_t e = 0; e < outputs; e++) {
        const int64_t at = ndft_tensor_place(&t.out, e);
        const number difference = (t.out.real ? got[at] : got[2 * at] + I * got[2 * at + 1]) -
                                  (expected[2 * e] + I * expected[2 * e + 1]);
        if (cabs(difference) > 1e-9) fail_msg("%s: output %d", text, (int)e);
    }
    for (int i = 0; i < 2; i++) free(a.work[i]);
    free(in);
    free(out);
    free(expected);
}

static void every_layout_is_the_reference(void **state)
{
    (void)state;
    static const char *const texts[] = {"dcfo1",
                                        "dcfi5*3",
                                        "dcbi3.8*2",
                                        "dcfo2.6x5*2",
                                        "dcbi3x4x5",
                                        "dcfo2.7x1x4*3",
                                        "dcfo3.4x5*2",
                                        "dcfi3.4x5*2",
                                        "drfo5*3",
                                        "drfi5*3",
                                        "drfi3.8*2",
                                        "drbi3.8*2",
                                        "drbo2.6x5*2",
                                        "drbi2.7x3x4*3",
                                        "drfi2.7x3x4*3",
                                        "drfo1.8x3i1,1,9,27",
                                        "drbi6x5",
                                        "dcfo9*3i1,1,12o1,1,11",
                                        "dcfi4x3*2i1,1,5,16o1,1,5,16",
                                        "drfi9*3i1,5,2o1,5,1",
                                        "drbi9*3i1,5,1o1,5,2",
                                        "drfi9*3i1,2,40o1,2,20"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check(texts[i], false);
        check(texts[i], true);
    }
}

static void modes_that_lie_like_one_are_one(void **state)
{
    (void)state;
    const ndft_transform t = transform_of("scfo4.5x6x7*3");
    const ndft_axes a = ndft_axes_of(&t, true);
    assert_int_equal(a.passes, 3);
    assert_int_equal(a.pass[0].modes, 2); /* M; the others */
    assert_int_equal(a.pass[0].shape[1], 6 * 7 * 3);
    assert_int_equal(a.pass[2].modes, 2); /* all before N3; K */
    assert_int_equal(a.pass[2].shape[0], 4 * 5 * 6);
}

static void copies_only_what_would_be_lost(void **state)
{
    (void)state;
    const ndft_transform complex_one = transform_of("scfi3.8*2"),
                         beside = transform_of("srfi3.8*2");
    const ndft_transform between = transform_of("srfi8*3i1,5,2o1,5,1");
    const ndft_transform real_one = transform_of("srfi8*2"), two = transform_of("srfi3.8x3*2");
    assert_false(ndft_axes_of(&complex_one, true).copies);
    assert_true(ndft_axes_of(&complex_one, false).copies);
    assert_true(ndft_axes_of(&beside, true).copies);
    assert_false(ndft_axes_of(&real_one, true).copies);
    assert_true(ndft_axes_of(&between, true).copies);
    assert_false(ndft_axes_of(&two, false).copies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_is_the_reference),
        cmocka_unit_test(modes_that_lie_like_one_are_one),
        cmocka_unit_test(copies_only_what_would_be_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
