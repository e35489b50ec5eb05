/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve/filter_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Every shape is one that the kernels have, and the shortest with its odd factor. */

static int is_line(int cells)
{
    const int radix = ndft_line_radix(cells);
    while (cells > radix) {
        if (cells % 8) return 0;
        cells /= 8;
    }
    return radix == 2 || radix == 3 || radix == 4 || radix == 5 || radix == 8;
}

static int is_power(int cells) { return cells > 0 && (cells & (cells - 1)) == 0; }

static void check_shape(const ndft_filter_shape *shape, int64_t least)
{
    assert_true(shape->cells >= least);
    assert_int_equal(shape->cells, shape->column * shape->row);
    assert_true(shape->row >= 16 && shape->row <= NDFT_LINE_LONGEST && is_line(shape->row));
    if (shape->column == 1) return;
    assert_true(shape->cells > NDFT_LINE_LONGEST);
    assert_true(is_power(shape->row));
    assert_true(shape->column >= 64 && shape->column <= NDFT_LINE_LONGEST);
    assert_true(is_line(shape->column));
}

static void check_least(int64_t least)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    const int count = ndft_filter_shapes(least, shapes);
    int powers = 0;
    assert_true(count >= 1 && count <= NDFT_FILTER_SHAPES);
    for (int i = 0; i < count; i++) {
        check_shape(&shapes[i], least);
        if (i > 0) assert_true(shapes[i].cells > shapes[i - 1].cells);
        powers += is_power(shapes[i].cells);
    }
    assert_int_equal(powers, 1);
    if (least > NDFT_LINE_LONGEST && least < 10 << 20) assert_true(3 * shapes[0].cells < 4 * least);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
