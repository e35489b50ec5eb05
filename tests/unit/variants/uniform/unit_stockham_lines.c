/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_real_pass.h"
#include "support/turn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* How complex lines are cut, end to end or with something between them. */

static ndft_stockham_line lines_apart(int n, int64_t stride, int64_t step)
{
    enum { MANY = 100000 };
    const ndft_line_side in = {.count = n, .stride = stride, .step = {step}};
    const ndft_line_side out = {.count = n, .stride = 1, .step = {n}};
    const ndft_pass p = {
        .sign = -1, .length = n, .lines = MANY, .modes = 1, .shape = {MANY}, .in = in, .out = out};
    return ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
}

/* Lines end to end, complex: what is stored in whole sectors is stored straight, and no more than
 * one side of two passes is copied. */
static void test_short_lines(void **state)
{
    static const struct {
        int length, passes, radix[2], threads, teams, per;
        bool loads, stores;
    } wanted[] = {
        {3, 1, {3}, 32, 4, 32, true, true},        {9, 1, {9}, 32, 2, 32, true, true},
        {24, 1, {24}, 128, 1, 64, true, true},     {25, 1, {25}, 32, 2, 32, true, true},
        {30, 1, {30}, 32, 2, 32, true, true},      {28, 2, {4, 7}, 128, 1, 18, true, false},
        {42, 2, {7, 6}, 32, 4, 4, false, true},    {45, 2, {9, 5}, 128, 1, 12, false, true},
        {49, 2, {7, 7}, 32, 4, 4, false, true},    {50, 2, {10, 5}, 128, 1, 12, false, true},
        {56, 2, {8, 7}, 128, 1, 16, true, false},  {63, 2, {9, 7}, 128, 1, 12, false, true},
        {70, 2, {10, 7}, 128, 1, 12, false, true}, {72, 2, {8, 9}, 64, 1, 7, false, false},
        {75, 2, {15, 5}, 128, 1, 8, false, true}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const int n = wanted[i].length;
        const ndft_stockham_line line = lines_apart(n, 1, n);
        stockham_expect_cut(line, wanted[i]);
        assert_int_equal(line.loads, wanted[i].loads);
        assert_int_equal(line.stores, wanted[i].stores);
    }
}

/* Lines with something between them are cut as those end to end, but for the longest of a thread
 * each; there and where numbers have it, too, a block is no single thread. */
static void test_lines_with_something_between(void **state)
{
    (void)state;
    for (int n = 2; n <= NDFT_STOCKHAM_LONGEST; n++) {
        if (!has_turn(n / 2) || !stockham_is_smooth(n)) continue;
        const ndft_stockham_line whole = lines_apart(n, 1, n), padded = lines_apart(n, 1, n + 7),
                                 strided = lines_apart(n, 2, 2 * n + 3);
        assert_true(strided.threads * strided.teams > 16); /* most of a warp */
        assert_true(padded.threads * padded.teams > 16);
        if (n > 24 && n <= NDFT_STOCKHAM_MOST) continue;
        assert_int_equal(padded.shape.passes, whole.shape.passes);
        assert_memory_equal(padded.shape.radix, whole.shape.radix, sizeof whole.shape.radix);
        assert_int_equal(padded.threads, whole.threads);
        assert_int_equal(padded.teams, whole.teams);
        assert_int_equal(padded.per, whole.per);
    }
}

/* Of two alike passes and a smaller one the smaller one is between them where threads would idle
 * before memory, and four for three where most would idle in two of them, three by wide radices for
 * four of the longest, two blocks a multiprocessor; odd lines that go to memory are stored as whole
 * sectors by blocks that are small. */
static void test_long_lines(void **state)
{
    static const struct {
        int length, passes, radix[4], threads, teams, per;
        int sectors;
    } wanted[] = {{343, 3, {7, 7, 7}, 98, 1, 2, 4},       {525, 3, {15, 7, 5}, 105, 1, 3, 4},
                  {567, 3, {9, 7, 9}, 126, 1, 2, 4},      {1000, 3, {10, 10, 10}, 100, 1, 1, 0},
                  {1296, 3, {12, 9, 12}, 144, 1, 1, 0},   {1323, 4, {9, 7, 7, 3}, 189, 1, 1, 0},
                  {1575, 3, {15, 15, 7}, 105, 1, 1, 4},   {1764, 3, {14, 14, 9}, 126, 1, 1, 0},
                  {2700, 3, {15, 12, 15}, 225, 1, 1, 0},  {1024, 3, {16, 8, 8}, 64, 1, 1, 0},
                  {1458, 3, {18, 9, 9}, 81, 1, 1, 0},     {7500, 3, {25, 20, 15}, 375, 1, 1, 0},
                  {10000, 3, {25, 20, 20}, 500, 1, 1, 0}, {8192, 4, {8, 16, 8, 8}, 512, 1, 1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const ndft_stockham_line line = lines_apart(wanted[i].length, 1, wanted[i].length);
        stockham_expect_cut(line, wanted[i]);
        assert_int_equal(line.sectors, wanted[i].sectors);
        assert_true(!line.sectors || (line.bulk && line.out_whole));
        assert_true(wanted[i].length < 7500 || line.blocks == 2);
    }
}

/* Of numbers that are not side by side: where a block's output is copied, it is one piece. */
static void test_output_of_lines_apart(void **state)
{
    (void)state;
    for (int n = 2; n <= 4096; n++) {
        if (!has_turn(n / 2) || !stockham_is_smooth(n)) continue;
        const ndft_stockham_line line = lines_apart(n, 3, 3 * n + 5);
        assert_true(!line.stores || (line.bulk && line.out_whole && line.sectors));
    }
}

/* Few lines beside each other are in more blocks, of whole sectors; not where that is slower. */
static void test_few_lines_beside_each_other(void **state)
{
    static const struct {
        int length, per;
    } wanted[] = {{256, 16}, {320, 4}, {512, 4}, {1000, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const int n = wanted[i].length;
        const ndft_line_side side = {.count = n, .stride = n, .step = {1}};
        const ndft_pass p = {
            .sign = -1, .length = n, .lines = n, .modes = 1, .shape = {n}, .in = side, .out = side};
        const ndft_stockham_line line =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        assert_int_equal(line.per, wanted[i].per);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_lines),
        cmocka_unit_test(test_lines_with_something_between),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_output_of_lines_apart),
        cmocka_unit_test(test_few_lines_beside_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
