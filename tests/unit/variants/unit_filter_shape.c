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
    ndft_filter_shape shape = {144 * 4096, 144, 4096, 16, 0};
    assert_int_equal(ndft_filter_exchanges(&shape), 3);
    shape.in_place = 1;
    assert_int_equal(ndft_filter_exchanges(&shape), 3);
    const ndft_filter_shape line = {20480, 1, 20480, 16, 1};
    assert_int_equal(ndft_filter_exchanges(&line), 3);
}

static void has_what_kernels_have(void **state)
{
    (void)state;
    for (int64_t least = 1; least <= 20000; least++) check_least(least);
    for (int64_t least = 20001; least <= 1 << 24; least += least / 97) check_least(least);
    check_least(1 << 24);
}

/* 16 times one or two radices of 2 to 16 times 16. */
static int is_line_in_place(int length)
{
    const int between = length / 256;
    int outer = 1;
    while (outer <= 16 && (between % outer || between / outer > 16)) outer++;
    return length % 256 == 0 && between > 1 && outer <= 16;
}

static void check_in_place(int64_t least, ndft_prec prec, int longest)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    const int count = ndft_filter_shapes_in_place(least, prec, shapes);
    int lines = 0;
    assert_true(count + ndft_filter_shapes(least, shapes + count) <= NDFT_FILTER_SHAPES);
    for (int i = 0; i < count; i++) {
        assert_true(shapes[i].in_place && shapes[i].share == 16);
        assert_true(shapes[i].cells >= least);
        assert_int_equal(shapes[i].cells, shapes[i].column * shapes[i].row);
        assert_true(is_line_in_place(shapes[i].row));
        if (i > 0) assert_true(shapes[i].cells >= shapes[i - 1].cells);
        lines += shapes[i].column == 1;
        if (shapes[i].column == 1)
            assert_true(shapes[i].row <= longest && shapes[i].cells < 2 * least);
        else
            assert_true(is_line(shapes[i].column, 16) &&
                        (shapes[i].row == 4096 || shapes[i].row == 8192));
    }
    assert_int_equal(lines, least > 2048 && least <= longest);
}

static void has_lines_in_place(void **state)
{
    (void)state;
    for (int64_t least = 1; least <= 30000; least++) {
        check_in_place(least, NDFT_F32, NDFT_IN_PLACE_LONGEST);
        check_in_place(least, NDFT_F64, NDFT_LINE_LONGEST);
    }
    for (int64_t least = 30001; least <= 1 << 24; least += least / 97)
        check_in_place(least, NDFT_F32, NDFT_IN_PLACE_LONGEST);
}

/* Rows of 8192 rather than 4096, where a column of the family is short enough. */
static void has_long_rows_in_place(void **state)
{
    (void)state;
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    assert_true(ndft_filter_shapes_in_place(2 * 1000003 - 1, NDFT_F32, shapes) >= 1);
    assert_int_equal(shapes[0].column, 256);
    assert_int_equal(shapes[0].row, 8192);
    assert_true(ndft_filter_shapes_in_place(1 << 20, NDFT_F64, shapes) >= 1);
    assert_int_equal(shapes[0].column, 256);
    assert_int_equal(shapes[0].row, 4096);
}

/* 64 x 1024 and 256 x 256 cells: which is faster depends on how many signals there are. */
static void has_squares_of_65536(void **state)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    const int count = ndft_filter_shapes(2 * 31627 - 1, shapes);
    int columns = 0;
    (void)state;
    for (int i = 0; i < count; i++)
        if (shapes[i].cells == 1 << 16 && shapes[i].share == 8) columns |= shapes[i].column;
    assert_int_equal(columns, 64 | 256);
}

static void has_nothing_beyond(void **state)
{
    (void)state;
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    assert_int_equal(ndft_filter_shapes((1 << 24) + 1, shapes), 0);
    assert_int_equal(ndft_filter_shapes((int64_t)1 << 41, shapes), 0);
    assert_int_equal(ndft_filter_shapes_in_place((1 << 24) + 1, NDFT_F32, shapes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_what_kernels_have),  cmocka_unit_test(has_lines_in_place),
        cmocka_unit_test(has_long_rows_in_place), cmocka_unit_test(has_squares_of_65536),
        cmocka_unit_test(has_nothing_beyond),     cmocka_unit_test(counts_exchanges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
