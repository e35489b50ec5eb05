/* SPDX-License-Identifier: Apache-2.0 */
#include "fft/line_fft.h"

#include "device/processor.h"
#include "heap_arena.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* A line as a matrix against sums as they are written: every instruction set that this processor
 * has, either precision and direction, sides alike and not. */

enum { MOST = 1344 };

typedef void down_loop(const ndft_line_fft *, void *line, int64_t block, void *scratch);
typedef void along_loop(const ndft_line_fft *, void *line, void *to, int64_t block, void *scratch);
NDFT_LOOPS(down, down_loop, line_fft_down);
NDFT_LOOPS(along, along_loop, line_fft_along);

static void check(ndft_isa isa, ndft_prec prec, int sign, int64_t cells)
{
    static double line[2 * MOST], to[2 * MOST];
    static double complex before[MOST];
    ndft_exec exec = {.alloc = heap_alloc, .release = heap_release};
    ndft_arena arena = {.exec = &exec};
    ndft_line_fft fft;
    assert_int_equal(ndft_line_fft_plan(&arena, prec, sign, cells, &fft), NDFT_OK);
    srand((unsigned)cells);
    for (int64_t i = 0; i < 2 * cells; i++)
        ndft_put_real(line, prec, i, (double)rand() / RAND_MAX - 0.5);
    for (int64_t i = 0; i < cells; i++)
        before[i] = ndft_real_at(line, prec, 2 * i) + I * ndft_real_at(line, prec, 2 * i + 1);
    void *scratch = malloc(ndft_line_fft_scratch(cells, 2 * ndft_real_size(prec)));
    assert_non_null(scratch);
    const int64_t rows = ndft_line_fft_rows(cells), columns = cells / rows;
    for (int64_t i = 0; i < columns / NDFT_FFT_LANES; i++) down[isa][prec](&fft, line, i, scratch);
    for (int64_t i = 0; i < rows / NDFT_FFT_LANES; i++)
        along[isa][prec](&fft, line, to, i, scratch);
    for (int64_t k = 0; k < cells; k++) {
        double complex sum = -ndft_real_at(to, prec, 2 * k) - I * ndft_real_at(to, prec, 2 * k + 1);
        for (int64_t i = 0; i < cells; i++)
            sum +=
                before[i] * cexp(sign * 2 * acos(-1) * I * (double)(i * k % cells) / (double)cells);
        assert_true(cabs(sum) / sqrt((double)cells) < (prec == NDFT_F32 ? 2e-6 : 4e-15));
    }
    free(scratch);
    ndft_arena_release(&arena);
}

static void test_a_line_is_transformed(void **state)
{
    static const int64_t lengths[] = {64, 128, 640, 1024, MOST};
    (void)state;
    const ndft_isa most = ndft_device_cpu(1).isa;
    for (int isa = 0; isa <= (int)most; isa++)
        for (int prec = 0; prec < 2; prec++)
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
                for (int sign = -1; sign < 2; sign += 2)
                    check((ndft_isa)isa, (ndft_prec)prec, sign, lengths[i]);
}

static void test_rows(void **state)
{
    (void)state;
    assert_int_equal(ndft_line_fft_rows(64), 8);
    assert_int_equal(ndft_line_fft_rows(81920), 256);
    assert_int_equal(ndft_line_fft_rows(98304), 256);
    assert_int_equal(ndft_line_fft_rows(131072), 256);
    assert_int_equal(ndft_line_fft_rows(96), 0);
    assert_int_equal(ndft_line_fft_rows(56), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_line_is_transformed),
                                       cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
