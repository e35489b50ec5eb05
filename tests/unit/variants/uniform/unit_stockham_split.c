/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/stockham/stockham_line.h"
#include "uniform/stockham/stockham_split.h"

#include "descriptor.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* A line in two passes: what a plan gives its kernels makes a transform. */

typedef double complex number;

static number *turns_of(int64_t whole, int sign)
{
    number *turn = calloc((size_t)whole, sizeof *turn);
    for (int64_t i = 0; i < whole; i++)
        turn[i] = cexp(sign * 2 * M_PI * I * (double)i / (double)whole);
    return turn;
}

/* Number k of a line's transform. */
static number sum_of(const number *x, int64_t stride, int64_t length, int64_t k, const number *turn)
{
    number sum = 0;
    for (int64_t n = 0; n < length; n++) sum += x[n * stride] * turn[n * k % length];
    return sum;
}

/* Turn m as stockham_pass.cuh has it of its table. */
static number twist(const ndft_stockham_line *line, const double *table, int64_t m)
{
    const double *near = table + 2 * (line->twists + m % NDFT_STOCKHAM_LOW);
    const double *far = table + 2 * (line->twists + NDFT_STOCKHAM_LOW + m / NDFT_STOCKHAM_LOW);
    return (near[0] + I * near[1]) * (far[0] + I * far[1]);
}

static void pass(const ndft_pass *p, ndft_prec prec, int64_t whole, const number *x, number *y)
{
    ndft_stockham_line line = ndft_stockham_line_of(p, prec, (ndft_stockham_choice){0});
    assert_true(line.shape.passes > 0);
    if (whole) ndft_stockham_set_twists(&line, whole);
    double *table = calloc(2 * (size_t)line.table, sizeof *table);
    ndft_stockham_turns(&line, p->sign, table);
    number *turn = turns_of(p->length, p->sign);
    for (int64_t l = 0; l < p->lines; l++)
        for (int64_t k = 0; k < p->length; k++) {
            const number *from = x + ndft_line_at(p, &p->in, l);
            number sum = sum_of(from, p->in.stride, p->length, k, turn);
            if (whole) sum *= twist(&line, table, l % p->shape[0] * k);
            y[ndft_line_at(p, &p->out, l) + k * p->out.stride] = sum;
        }
    free(table), free(turn);
}

static void expect_transform(const char *descriptor)
{
    ndft_transform t;
    ndft_error error;
    int64_t split;
    assert_int_equal(ndft_descriptor_parse(descriptor, &t, &error), NDFT_OK);
    const ndft_axes axes = ndft_stockham_axes_of(&t, &split);
    const ndft_pass whole = ndft_axes_of(&t, true).pass[0];
    assert_int_equal(split, whole.length);
    assert_int_equal(axes.passes, 2);
    assert_int_equal(axes.room[0], whole.length * whole.lines);
    const size_t room = (size_t)(ndft_tensor_extent(&t.in) + ndft_tensor_extent(&t.out));
    number *x = calloc(room, sizeof *x), *y = calloc(room, sizeof *y);
    number *turn = turns_of(whole.length, whole.sign);
    number *work = calloc((size_t)axes.room[0], sizeof *work);
    for (size_t i = 0; i < room; i++) x[i] = cos((double)(i * i % 97)) + I * sin((double)i * 1.7);
    pass(&axes.pass[0], t.prec, split, x, work);
    pass(&axes.pass[1], t.prec, 0, work, y);
    for (int64_t l = 0; l < whole.lines; l++)
        for (int64_t k = 0; k < whole.length; k += 1 + whole.length / 20) {
            const number *from = x + ndft_line_at(&whole, &whole.in, l);
            const number sum = sum_of(from, whole.in.stride, whole.length, k, turn);
            const number found = y[ndft_line_at(&whole, &whole.out, l) + k * whole.out.stride];
            assert_true(cabs(sum - found) < 1e-9 * (double)whole.length);
        }
    free(x), free(y), free(work), free(turn);
}

static void test_a_long_line_is_two_passes(void **state)
{
    static const char *const lines[] = {"scfo16800", "dcbo8575*2", "scfo2.17010", "scbi3.20000*2",
                                        "scfo19683*2i1,2,40000o1,3,60000"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) expect_transform(lines[i]);
}

/* Halves of a line are lines that a kernel serves, alike where they can be. */
static void test_halves(void **state)
{
    static const struct {
        const char *descriptor;
        int64_t column;
    } wanted[] = {{"scfo1000000", 1000}, {"scfo1048576", 1024}, {"scfo16777216", 4096},
                  {"scfo4096", 64},      {"scfo4096*9", 0},     {"scfo16384*32", 128},
                  {"scfo16384*33", 0},   {"scfo3920", 0},       {"dcfo16384*99", 128},
                  {"scfo648270", 882},   {"scfo78125", 125},    {"srfo1000000", 0},
                  {"scfo1000000x2", 0},  {"scfo3700000", 0},    {"scfo33554432", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ndft_transform t;
        ndft_error error;
        int64_t split;
        assert_int_equal(ndft_descriptor_parse(wanted[i].descriptor, &t, &error), NDFT_OK);
        const ndft_axes axes = ndft_stockham_axes_of(&t, &split);
        assert_int_equal(split > 0 ? axes.pass[0].length : 0, wanted[i].column);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_long_line_is_two_passes),
                                       cmocka_unit_test(test_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
