/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_real_pass.h"
#include "support/turn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* How real lines are cut into blocks and threads. */

enum { LINES = 5000 };

/* Half spectra that are copied as they are have one number more than their lines cells. */
static void test_spectra_have_room(void **state)
{
    (void)state;
    for (int n = 2; n <= 2 * NDFT_STOCKHAM_LONGEST; n += 2) {
        if (!has_turn(n / 2)) continue;
        const ndft_pass p = stockham_real_pass(NDFT_C2R, n, LINES);
        const ndft_stockham_line line =
            ndft_stockham_line_of(&p, n % 4 ? NDFT_F32 : NDFT_F64, (ndft_stockham_choice){0});
        if (line.shape.passes == 0) continue;
        assert_true(line.loads == (line.mirrored < 0));
        if (!line.loads) continue;
        assert_in_range(line.in_pitch, line.length + line.spectra, line.room / line.per);
        if (n > 2048) assert_true(line.spectra);
    }
}

/* The pass beside a half spectrum has the smallest radix, since a thread has two sums of it, and
 * enough threads for them; nothing is copied there. */
static void test_mirrored_sums_have_threads(void **state)
{
    int mirrored = 0;
    (void)state;
    for (int i = 4; i <= 4 * NDFT_STOCKHAM_LONGEST; i++) {
        const int n = i / 2, to_reals = i % 2;
        if (!has_turn(n / 2)) continue;
        const ndft_pass p = stockham_real_pass(to_reals ? NDFT_C2R : NDFT_R2C, n, LINES);
        const ndft_stockham_line line =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        if (line.shape.passes == 0 || line.mirrored < 0) continue;
        const int last = line.shape.passes - 1, radix = line.shape.radix[line.mirrored];
        mirrored++;
        assert_true(line.halved && last > 0);
        assert_int_equal(line.mirrored, to_reals ? 0 : last);
        assert_int_equal(to_reals ? line.loads : line.stores, !to_reals && line.sectors);
        for (int k = 0; k <= last; k++) assert_true(radix <= line.shape.radix[k]);
        const int sums = line.length / radix, shares = ndft_stockham_shares(&line, line.mirrored);
        assert_int_equal(shares, (sums + 1) / 2);
        const int each = (line.per * shares + line.threads - 1) / line.threads;
        assert_in_range(each * ndft_stockham_cells(&line, line.mirrored), 2,
                        38); /* 31 and a quarter */
    }
    assert_in_range(mirrored, 100, 2 * NDFT_STOCKHAM_LONGEST);
}

/* Lines end to end, of many: what warps have by themselves, what is one piece, which radices. */
static void test_real_lines(void **state)
{
    static const struct {
        int domain, length, passes, radix[3], threads, teams, per;
        bool in_whole, out_whole, bulk;
        int sectors;
    } wanted[] = {
        {NDFT_R2C, 28, 1, {14}, 32, 4, 32, true, true, true, 0},
        {NDFT_C2R, 60, 1, {30}, 32, 2, 32, true, true, false, 0},
        {NDFT_R2C, 96, 2, {8, 6}, 64, 1, 16, true, true, true, 4},
        {NDFT_R2C, 120, 2, {10, 6}, 192, 1, 32, true, true, true, 4},
        {NDFT_C2R, 120, 2, {6, 10}, 96, 1, 16, true, true, false, 0},
        {NDFT_R2C, 150, 2, {15, 5}, 32, 4, 4, true, true, true, 4},
        {NDFT_R2C, 180, 2, {15, 6}, 32, 4, 4, true, true, true, 4},
        {NDFT_R2C, 300, 2, {15, 10}, 32, 4, 2, true, true, true, 0},
        {NDFT_C2R, 300, 2, {10, 15}, 32, 4, 2, true, true, false, 0},
        {NDFT_R2C, 320, 2, {16, 10}, 32, 4, 2, false, true, true, 4},
        {NDFT_R2C, 450, 2, {15, 15}, 32, 4, 2, true, true, false, 0},
        {NDFT_R2C, 768, 3, {12, 8, 4}, 96, 1, 2, false, true, true, 4},
        {NDFT_R2C, 1024, 3, {16, 8, 4}, 64, 1, 2, false, true, true, 4},
        {NDFT_C2R, 1176, 3, {7, 7, 12}, 147, 1, 3, false, true, true, 4},
        {NDFT_R2C, 1944, 3, {18, 9, 6}, 81, 1, 1, false, true, true, 4},
        {NDFT_R2C, 3000, 3, {10, 15, 10}, 100, 1, 1, false, true, true, 4},
        {NDFT_C2R, 3600, 3, {8, 15, 15}, 120, 1, 1, false, false, false, 0},
        {NDFT_R2C, 45, 2, {9, 5}, 160, 1, 32, false, true, true, 4},
        {NDFT_R2C, 375, 2, {25, 15}, 105, 1, 7, false, true, true, 4},
        {NDFT_C2R, 375, 2, {15, 25}, 105, 1, 7, true, true, true, 8},
        {NDFT_C2R, 735, 3, {7, 7, 15}, 112, 1, 2, true, false, false, 0},
        {NDFT_C2R, 945, 3, {9, 7, 15}, 126, 1, 2, true, false, false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const ndft_pass p =
            stockham_real_pass((ndft_domain)wanted[i].domain, wanted[i].length, 100000);
        const ndft_stockham_line line =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        stockham_expect_cut(line, wanted[i]);
        assert_int_equal(line.in_whole, wanted[i].in_whole);
        assert_int_equal(line.out_whole, wanted[i].out_whole);
        assert_int_equal(line.bulk, wanted[i].bulk);
        assert_int_equal(line.sectors, wanted[i].sectors);
    }
}

/* Where that was faster, lines with something between them are cut as those end to end. */
static void test_padded_lines(void **state)
{
    static const struct {
        ndft_domain domain;
        int length, in, out;
        bool alike;
    } wanted[] = {{NDFT_R2C, 200, 8, 0, true},
                  {NDFT_R2C, 216, 8, 0, true},
                  {NDFT_C2R, 300, 0, 26, true},
                  {NDFT_C2R, 420, 7, 8, true},
                  {NDFT_R2C, 90, 0, 7, false}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ndft_pass p = stockham_real_pass(wanted[i].domain, wanted[i].length, 8000);
        const ndft_stockham_line whole =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        p.in.step[0] += wanted[i].in;
        p.out.step[0] += wanted[i].out;
        const ndft_stockham_line padded =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        assert_int_equal(padded.threads == whole.threads && padded.per == whole.per &&
                             padded.teams == whole.teams,
                         wanted[i].alike);
    }
}

/* In batches that were slower so output is not stored as whole sectors. */
static void test_sectors_of_batches(void **state)
{
    static const struct {
        int length, lines, sectors;
    } wanted[] = {
        {96, 13024, 0},  {96, 52080, 4},  {140, 1142, 4},  {180, 6952, 4},  {600, 1600, 0},
        {600, 8328, 4},  {1024, 1224, 0}, {1024, 4880, 4}, {3600, 352, 0},  {3600, 1384, 4},
        {3888, 1999, 0}, {3456, 3323, 4}, {21, 60000, 0},  {21, 238088, 4}, {21, 477595, 0},
        {60, 20833, 4},  {3600, 611, 0},  {480, 10416, 0}, {378, 13224, 0}, {512, 2448, 0},
        {512, 4296, 4},  {25, 400000, 0}, {25, 200000, 4}, {2058, 4331, 0}, {225, 5560, 0},
        {225, 22216, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const ndft_pass p = stockham_real_pass(NDFT_R2C, wanted[i].length, wanted[i].lines);
        const ndft_stockham_line line =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        assert_int_equal(line.sectors, wanted[i].sectors);
        assert_true(line.bulk || !line.sectors);
    }
}

/* A line has a whole sector wherever it begins in one, so that no copy is empty, and a block has
 * room from there on. */
static void test_lines_have_a_whole_sector(void **state)
{
    enum { MANY = 300000 };
    int to_reals = 0, others = 0;
    (void)state;
    for (int i = 4; i < 2400; i++) {
        const ndft_pass p = stockham_real_pass(i % 2 ? NDFT_C2R : NDFT_R2C, i / 2, MANY);
        const ndft_stockham_line line =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        if (line.shape.passes == 0 || !line.sectors) continue;
        assert_true(line.out_numbers >= 2 * line.sectors - 1);
        const int numbers_of_a_cell = line.sectors / 4; /* reals are half of one */
        assert_true(numbers_of_a_cell * line.room >=
                    line.per * line.out_numbers + line.sectors - 1);
        *(i % 2 ? &to_reals : &others) += 1;
    }
    assert_true(to_reals > 5 && others > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_lines),
        cmocka_unit_test(test_padded_lines),
        cmocka_unit_test(test_sectors_of_batches),
        cmocka_unit_test(test_lines_have_a_whole_sector),
        cmocka_unit_test(test_spectra_have_room),
        cmocka_unit_test(test_mirrored_sums_have_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
