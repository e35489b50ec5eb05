/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve/filter_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Every shape is one that the kernels have, and the shortest with its odd factor. */

/* A thread's cells are the radix of all passes but the first ones, a 2, 4 or 8 and then 4. */
static int is_line(int length, int share)
{
    const ndft_line_passes passes = ndft_line_passes_of(length, share);
    const int first = passes.first, most = passes.cells == 16 ? 8 : 4;
    int done = first;
    while (done < passes.rest) done *= 4;
    if (done != passes.rest || first > most || (first & (first - 1))) return 0;
    while (done < length) done *= passes.cells;
    return done == length && length / passes.cells <= 512;
}

static int is_power(int cells) { return cells > 0 && (cells & (cells - 1)) == 0; }

static void check_shape(const ndft_filter_shape *shape, int64_t least)
{
    assert_true(shape->cells >= least);
    assert_int_equal(shape->cells, shape->column * shape->row);
    assert_true(shape->share == 8 || shape->share == 16);
    assert_true(shape->row >= 16 && shape->row <= NDFT_LINE_LONGEST);
    assert_true(is_line(shape->row, shape->share));
    if (shape->column == 1) return;
    assert_true(is_power(shape->row));
    assert_true(shape->column >= 64 && shape->column <= NDFT_LINE_LONGEST);
    assert_true(is_line(shape->column, shape->share));
}

static void check_least(int64_t least)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    const int count = ndft_filter_shapes(least, shapes);
    int powers = 0, lines = 0;
    assert_true(count >= 1 && count <= NDFT_FILTER_SHAPES);
    for (int i = 0; i < count; i++) {
        check_shape(&shapes[i], least);
        if (i > 0) assert_true(shapes[i].cells >= shapes[i - 1].cells);
        powers += is_power(shapes[i].cells);
        lines += shapes[i].column == 1;
    }
    assert_true(powers >= 1);
    assert_int_equal(lines > 0, least <= NDFT_LINE_LONGEST);
    if (least > NDFT_LINE_LONGEST && least < 10 << 20) assert_true(3 * shapes[0].cells < 4 * least);
}

/* Cells go through shared memory once less often than there are passes. */
static void counts_exchanges(void **state)
{
    (void)state;
    assert_int_equal(ndft_line_passes_of(16, 16).exchanges, 0);
    assert_int_equal(ndft_line_passes_of(4096, 16).exchanges, 2);
    assert_int_equal(ndft_line_passes_of(4096, 8).exchanges, 3);
    assert_int_equal(ndft_line_passes_of(8192, 16).exchanges, 3);
    assert_int_equal(ndft_line_passes_of(144, 8).exchanges, 1);
    assert_int_equal(ndft_line_passes_of(192, 8).exchanges, 2);
    assert_int_equal(ndft_line_passes_of(6400, 8).exchanges, 3);
    const ndft_filter_shape shape = {144 * 4096, 144, 4096, 16};
    assert_int_equal(ndft_filter_exchanges(&shape), 3);
}

static void has_what_kernels_have(void **state)
{
    (void)state;
    for (int64_t least = 1; least <= 20000; least++) check_least(least);
    for (int64_t least = 20001; least <= 1 << 24; least += least / 97) check_least(least);
    check_least(1 << 24);
}

static void has_nothing_beyond(void **state)
{
    (void)state;
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    assert_int_equal(ndft_filter_shapes((1 << 24) + 1, shapes), 0);
    assert_int_equal(ndft_filter_shapes((int64_t)1 << 41, shapes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_what_kernels_have),
        cmocka_unit_test(has_nothing_beyond),
        cmocka_unit_test(counts_exchanges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
