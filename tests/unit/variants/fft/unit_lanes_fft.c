/* SPDX-License-Identifier: Apache-2.0 */
#include "fft/lanes_fft.h"

#include "device/processor.h"
#include "heap_arena.h"
#include "nufft/host/host_nufft.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Lines side by side against sums as they are written: every instruction set that this processor
 * has, either precision and direction, every radix and their products, in place in a wider array
 * and from there to lines without gaps. Cells between the lines are left alone. */

enum { MOST = 560, GAP = 3, STEP = 2 * (NDFT_FFT_LANES + GAP) };

typedef void fft_loop(const ndft_lanes_fft *, ndft_lanes from, ndft_lanes to, void *scratch);
NDFT_LOOPS(loops, fft_loop, lanes_fft);

static double complex at(const void *cells, ndft_prec prec, int64_t step, int64_t i, int lane)
{
    return ndft_real_at(cells, prec, i * step + 2 * lane) +
           I * ndft_real_at(cells, prec, i * step + 2 * lane + 1);
}

/* The largest error of an output, in units of the largest output that there can be. */
static double worst(const double complex *before, int64_t cells, int sign, ndft_lanes to,
                    ndft_prec prec)
{
    double most = 0;
    for (int lane = 0; lane < NDFT_FFT_LANES; lane++) {
        for (int64_t k = 0; k < cells; k++) {
            double complex sum = 0;
            for (int64_t i = 0; i < cells; i++)
                sum += before[i * NDFT_FFT_LANES + lane] *
                       cexp(sign * 2 * acos(-1) * I * (double)(i * k % cells) / (double)cells);
            most = fmax(most, cabs(at(to.cells, prec, to.step, k, lane) - sum));
        }
    }
    return most / sqrt((double)cells);
}

static void check(ndft_isa isa, ndft_prec prec, int sign, int64_t cells, bool in_place)
{
    static double memory[MOST * STEP], packed[MOST * 2 * NDFT_FFT_LANES];
    static double complex before[MOST * NDFT_FFT_LANES];
    ndft_exec exec = {.alloc = heap_alloc, .release = heap_release};
    ndft_arena arena = {.exec = &exec};
    ndft_lanes_fft fft;
    assert_int_equal(ndft_lanes_fft_plan(&arena, prec, sign, cells, &fft), NDFT_OK);
    srand((unsigned)cells);
    for (int64_t i = 0; i < cells * STEP; i++)
        ndft_put_real(memory, prec, i, (double)rand() / RAND_MAX - 0.5);
    for (int64_t i = 0; i < cells * NDFT_FFT_LANES; i++)
        before[i] = at(memory, prec, STEP, i / NDFT_FFT_LANES, (int)(i % NDFT_FFT_LANES));
    const double gap = ndft_real_at(memory, prec, STEP - 1);
    void *scratch = malloc(ndft_lanes_fft_scratch(cells, 2 * ndft_real_size(prec)));
    assert_non_null(scratch);
    const ndft_lanes from = {memory, STEP}, apart = {packed, 2 * NDFT_FFT_LANES};
    const ndft_lanes to = in_place ? from : apart;
    loops[isa][prec](&fft, from, to, scratch);
    assert_true(worst(before, cells, sign, to, prec) < (prec == NDFT_F32 ? 2e-6 : 4e-15));
    assert_true(gap == ndft_real_at(memory, prec, STEP - 1));
    if (!in_place) assert_true(at(memory, prec, STEP, 1, 0) == before[NDFT_FFT_LANES]);
    free(scratch);
    ndft_arena_release(&arena);
}

static void test_lines_are_transformed(void **state)
{
    static const int64_t lengths[] = {2,  3,  4,  5,  6,  7,   8,   10,  12,  14, 16,
                                      18, 30, 32, 49, 64, 128, 210, 256, 420, 560};
    (void)state;
    const ndft_isa most = ndft_device_cpu(1).isa;
    for (int isa = 0; isa <= (int)most; isa++)
        for (int prec = 0; prec < 2; prec++)
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
                for (int which = 0; which < 4; which++)
                    check((ndft_isa)isa, (ndft_prec)prec, which % 2 ? 1 : -1, lengths[i],
                          which / 2);
}

typedef void turn_loop(const ndft_host_grid *, void *const row[], void *lines, bool blocks);
NDFT_LOOPS(to_lines, turn_loop, nufft_rows_to_lines);
NDFT_LOOPS(to_rows, turn_loop, nufft_lines_to_rows);

/* Rows of a grid to lines side by side (ndft_turn_block) and back: every number of them differs. */
static void check_turn(ndft_isa isa, ndft_prec prec)
{
    enum { CELLS = 3 * NDFT_FFT_LANES, REALS = 2 * CELLS * NDFT_FFT_LANES };
    const ndft_host_grid grid = {.dim = 2, .cells = {CELLS, NDFT_FFT_LANES, 1}};
    double rows[REALS], lines[REALS], back[REALS] = {0};
    void *row[NDFT_FFT_LANES], *row_back[NDFT_FFT_LANES];
    for (int i = 0; i < REALS; i++) ndft_put_real(rows, prec, i, i);
    for (int r = 0; r < NDFT_FFT_LANES; r++) {
        const size_t at = (size_t)r * 2 * CELLS * ndft_real_size(prec);
        row[r] = (char *)rows + at;
        row_back[r] = (char *)back + at;
    }
    to_lines[isa][prec](&grid, row, lines, false);
    for (int i = 0; i < REALS; i++) {
        const int cell = i / 2 / NDFT_FFT_LANES, lane = i / 2 % NDFT_FFT_LANES;
        assert_true(ndft_real_at(lines, prec, i) == 2 * (lane * CELLS + cell) + i % 2);
    }
    to_rows[isa][prec](&grid, row_back, lines, false);
    for (int i = 0; i < REALS; i++) assert_true(ndft_real_at(back, prec, i) == i);
}

static void test_rows_become_lines_and_rows_again(void **state)
{
    (void)state;
    const ndft_isa most = ndft_device_cpu(1).isa;
    for (int isa = 0; isa <= (int)most; isa++)
        for (int prec = 0; prec < 2; prec++) check_turn((ndft_isa)isa, (ndft_prec)prec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines_are_transformed),
                                       cmocka_unit_test(test_rows_become_lines_and_rows_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
