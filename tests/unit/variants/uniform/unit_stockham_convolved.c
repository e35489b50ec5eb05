/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/stockham/stockham_columns.h"
#include "uniform/stockham/stockham_convolved.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Tables that a plan gives its kernel make a convolution a transform. */

typedef double complex number;

static ndft_stockham_line line_of(int n, int sign, ndft_prec prec)
{
    const ndft_line_side side = {.count = n, .stride = 1, .step = {n}};
    const ndft_pass p = {.sign = sign,
                         .length = n,
                         .lines = 1001,
                         .modes = 1,
                         .shape = {1001},
                         .in = side,
                         .out = side};
    return ndft_stockham_line_of(&p, prec, (ndft_stockham_choice){0});
}

static void transform(const number *x, int n, int sign, number *y)
{
    for (int k = 0; k < n; k++) {
        y[k] = 0;
        for (int i = 0; i < n; i++)
            y[k] += x[i] * cexp(sign * 2 * M_PI * I * ((int64_t)i * k % n) / n);
    }
}

/* The product with the filter between both transforms. */
static void convolve(number *cells, int n, int sign, const number *filter, number held)
{
    number *spectrum = calloc((size_t)n, sizeof *spectrum);
    transform(cells, n, sign, spectrum);
    for (int k = 0; k < n; k++) spectrum[k] *= filter[k];
    spectrum[0] += held;
    transform(spectrum, n, -sign, cells);
    free(spectrum);
}

static int place_of(double at) { return (int)at - (1 << 23); }

static void check_convolution(const ndft_stockham_line *line, int sign, const number *table)
{
    const int cells = line->length, ordered = ndft_stockham_is_ordered(line), n = line->convolved;
    number *x = calloc((size_t)n, sizeof *x);
    number *y = calloc((size_t)n, sizeof *y), *found = calloc((size_t)n, sizeof *found);
    number *cell = calloc((size_t)cells, sizeof *cell);
    const number *along = table + line->along;
    assert_true(line->room >= line->held + (ordered ? line->per : 0));
    for (int i = 0; i < n; i++) x[i] = cos(i * i % 97) + I * sin(i * 1.7);
    for (int i = 0; i < (ordered ? cells : n); i++)
        cell[i] = ordered ? x[place_of(creal(along[i]))] : x[i] * along[i];
    if (ordered) found[0] = x[0];
    for (int i = 0; ordered && i < cells; i++) found[0] += cell[i];
    convolve(cell, cells, sign, table + line->filter, ordered ? x[0] : 0);
    for (int i = 0; i < (ordered ? cells : n); i++)
        if (ordered)
            found[place_of(cimag(along[i]))] = cell[i];
        else
            found[i] = cell[i] * along[i];
    transform(x, n, sign, y);
    for (int k = 0; k < n; k++) assert_true(cabs(y[k] - found[k]) < 1e-11 * n);
    free(x), free(y), free(found), free(cell);
}

static void check_line(int n, int sign, ndft_prec prec)
{
    const ndft_stockham_line line = line_of(n, sign, prec);
    number *table = calloc((size_t)line.table, sizeof *table);
    ndft_stockham_turns(&line, sign, (double *)table);
    assert_int_equal(line.convolved, n);
    check_convolution(&line, sign, table);
    free(table);
}

/* Of a line of a prime that is no radix and a product of radices. */
static void check_columns(int n, int prime, int sign, ndft_prec prec)
{
    const ndft_stockham_line line = line_of(n, sign, prec);
    const ndft_stockham_line columns = ndft_stockham_columns_of(&line, prec);
    number *table = calloc((size_t)line.table, sizeof *table);
    ndft_stockham_turns(&line, sign, (double *)table);
    assert_int_equal(line.prime, prime);
    assert_int_equal(line.shape.radix[0], prime);
    assert_int_equal(columns.convolved, prime);
    assert_int_equal(columns.per, line.per * (n / prime));
    assert_true(columns.held + columns.per <= line.room);
    assert_true(columns.held >= line.per * line.in_pitch);
    assert_true(columns.held >= line.per * line.row[1]);
    check_convolution(&columns, sign, table);
    free(table);
}

static void test_a_kernels_tables_convolve(void **state)
{
    static const int lengths[] = {37, 41, 47, 94, 149, 211, 307, 641, 1369, 907};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        check_line(lengths[i], -1, i % 2 ? NDFT_F64 : NDFT_F32);
        check_line(lengths[i], 1, i % 2 ? NDFT_F32 : NDFT_F64);
    }
}

static void test_columns_tables_convolve(void **state)
{
    static const struct {
        int length, prime;
    } wanted[] = {{74, 37}, {906, 151}, {2314, 89}, {3621, 71}, {6328, 113}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        check_columns(wanted[i].length, wanted[i].prime, -1, i % 2 ? NDFT_F64 : NDFT_F32);
        check_columns(wanted[i].length, wanted[i].prime, 1, i % 2 ? NDFT_F32 : NDFT_F64);
    }
    assert_int_equal(ndft_stockham_prime(211), 0);
    assert_int_equal(ndft_stockham_prime(2 * 47), 0);
    assert_int_equal(ndft_stockham_prime(2 * 37 * 41), 0);
    assert_int_equal(ndft_stockham_prime(1000), 0);
}

/* Of primes one less, where radices divide it; else at least twice as many but one. */
static void test_cells_of_a_convolution(void **state)
{
    static const int numbers[] = {211, 641, 1009, 4051, 8581}, longest = NDFT_STOCKHAM_LONGEST;
    (void)state;
    for (int n = 2; n < 9000; n += 1 + n / 1000) {
        const int cells = ndft_stockham_convolution(n, longest);
        assert_true(cells > 0 || n > 2000);
        if (cells && cells != n - 1) assert_in_range(cells, 2 * n - 1, 5 * n / 2);
        if (cells) assert_true(ndft_stockham_convolved_shape(cells).passes > 0);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal(ndft_stockham_convolution(numbers[i], longest), numbers[i] - 1);
    assert_int_equal(ndft_stockham_convolution(8581, 8192), 0);
}

/* The fewest passes, whose largest radix is the least. */
static void test_radices_of_a_convolution(void **state)
{
    static const struct {
        int cells, passes, radix[3];
    } wanted[] = {{18, 1, {18}},          {210, 2, {15, 14}},     {320, 2, {20, 16}},
                  {640, 3, {10, 8, 8}},   {1008, 3, {12, 12, 7}}, {600, 3, {10, 10, 6}},
                  {1872, 3, {13, 12, 12}}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const ndft_stockham_shape shape = ndft_stockham_convolved_shape(wanted[i].cells);
        assert_int_equal(shape.passes, wanted[i].passes);
        for (int k = 0; k < shape.passes; k++) assert_int_equal(shape.radix[k], wanted[i].radix[k]);
    }
}

/* Numbers are anywhere in a line in Rader's order: it is in shared memory; a chirp's need not. */
static void test_what_is_copied(void **state)
{
    (void)state;
    const ndft_stockham_line ordered = line_of(211, -1, NDFT_F32),
                             chirp = line_of(907, -1, NDFT_F32);
    assert_true(ordered.in_whole && ordered.out_whole && ordered.bulk && ordered.per % 2 == 0);
    assert_false(chirp.loads || chirp.stores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_kernels_tables_convolve),
                                       cmocka_unit_test(test_columns_tables_convolve),
                                       cmocka_unit_test(test_cells_of_a_convolution),
                                       cmocka_unit_test(test_radices_of_a_convolution),
                                       cmocka_unit_test(test_what_is_copied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
