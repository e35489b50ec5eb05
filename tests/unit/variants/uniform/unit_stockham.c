/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_real_pass.h"
#include "support/turn.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Radices, places and turns that a plan gives its kernel make a transform. */

enum { LINES = 7 };

typedef double complex number;

static void test_every_smooth_length_has_radices(void **state)
{
    (void)state;
    for (int i = 2; i < 2 * NDFT_STOCKHAM_LONGEST + 4; i++) {
        const int n = i / 2, most = i % 2 ? 16 : 10;
        const ndft_stockham_shape shape = ndft_stockham_shape_of(n, most);
        int product = 1;
        for (int k = 0; k < shape.passes; k++) product *= shape.radix[k];
        if (stockham_is_smooth(n) && n <= NDFT_STOCKHAM_LONGEST)
            assert_int_equal(product, n);
        else
            assert_int_equal(shape.passes, 0);
    }
}

static void test_radices_are_few_and_alike(void **state)
{
    static const struct {
        int length, most, passes, radix[3];
    } wanted[] = {{16, 16, 1, {16}},         {16, 10, 2, {4, 4}},         {100, 16, 2, {10, 10}},
                  {1024, 16, 3, {16, 8, 8}}, {2016, 16, 3, {14, 12, 12}}, {25, 27, 1, {25}},
                  {288, 27, 3, {8, 6, 6}},   {2592, 27, 3, {18, 12, 12}}, {27, 27, 1, {27}},
                  {25, 20, 2, {5, 5}},       {30, 27, 2, {6, 5}},         {42, 27, 2, {7, 6}}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const ndft_stockham_shape shape = ndft_stockham_shape_of(wanted[i].length, wanted[i].most);
        assert_int_equal(shape.passes, wanted[i].passes);
        for (int k = 0; k < shape.passes; k++) assert_int_equal(shape.radix[k], wanted[i].radix[k]);
    }
}

/* One pass as a block makes it (stockham_called.cuh): from[] to to[], lines end to end or beside
 * each other before and after all passes; of an odd number of reals (folded) what is kept. */
static void pass(const ndft_stockham_line *line, int sign, int p, const double *turns,
                 const number *from, number *to)
{
    const int radix = line->shape.radix[p], last = p + 1 == line->shape.passes, wide = line->wide;
    const int kept = ndft_stockham_kept(line, p), apart = line->length / kept * wide;
    const bool to_reals = sign > 0;
    const int read = apart * (to_reals ? kept : radix), stored = apart * (to_reals ? radix : kept);
    int done = wide;
    for (int i = 0; i < p; i++) done *= ndft_stockham_kept(line, i);
    for (int i = 0; i < line->per * (line->length / kept); i++) {
        const int t = i % apart, row = i / apart, block = t / done, j = t % done;
        const int x = p ? row * line->row[p] + block * line->block[p] + j : row * read + t;
        const int y =
            last ? row * stored + j : row * line->row[p + 1] + block * line->block[p + 1] + j;
        const int step = p ? apart / done * line->block[p] : apart;
        for (int k = 0; k < (to_reals ? radix : kept); k++) {
            number sum = 0;
            for (int q = 0; q < radix; q++) {
                const int of = to_reals && q >= kept ? radix - q : q;
                const double *turn =
                    turns + 2 * (line->turns[p] + (of - 1) * (done / wide) + j / wide);
                const number w = p && of ? turn[0] + I * turn[1] : 1, z = from[x + of * step] * w;
                const double angle = sign * 2 * M_PI * (k * q % radix) / radix;
                sum += (of == q ? z : conj(z)) * cexp(I * angle);
            }
            assert_true(last || y + k * done < line->room);
            to[y + k * done] = sum;
        }
    }
}

static void check_line(const ndft_stockham_line *line)
{
    const int n = line->length, all = line->per * n, room = line->room > all ? line->room : all;
    number *x = calloc((size_t)room, sizeof *x), *y = calloc((size_t)room, sizeof *y);
    double *turns = calloc(2 * (size_t)line->table + 2, sizeof *turns);
    ndft_stockham_turns(line, -1, turns);
    for (int i = 0; i < all; i++) x[i] = cos(i * i % 97) + I * sin(i * 1.7);
    number *given = malloc((size_t)all * sizeof *given);
    memcpy(given, x, (size_t)all * sizeof *given);
    for (int p = 0; p < line->shape.passes; p++) {
        pass(line, -1, p, turns, x, y);
        number *read = x;
        x = y, y = read;
    }
    const int cell = line->wide;
    for (int l = 0; l < line->per; l++)
        for (int k = 0; k < n; k += 1 + n / 50) {
            const int first = l / cell * cell * n + l % cell;
            number sum = 0;
            for (int i = 0; i < n; i++)
                sum += given[first + i * cell] * cexp(-2 * M_PI * I * ((int64_t)i * k % n) / n);
            assert_true(cabs(sum - x[first + k * cell]) < 1e-9 * n);
        }
    free(x), free(y), free(turns), free(given);
}

static void test_a_kernels_places_and_turns_transform(void **state)
{
    static const int lengths[] = {1,   2,   7,   16,  23,   46,   74,   60,
                                  100, 343, 598, 906, 1000, 2187, 2016, 4096};
    (void)state;
    for (int c = 0; c < 4 * (int)(sizeof lengths / sizeof *lengths); c++) {
        const int n = lengths[c / 4], beside = c % 2;
        const ndft_line_side side = {
            .count = n, .stride = beside ? LINES : 1, .step = {beside ? 1 : n}};
        const ndft_pass p = {.sign = -1,
                             .length = n,
                             .lines = LINES,
                             .modes = 1,
                             .shape = {LINES},
                             .in = side,
                             .out = side};
        const ndft_stockham_line line = ndft_stockham_line_of(
            &p, c / 2 % 2 ? NDFT_F64 : NDFT_F32, (ndft_stockham_choice){.threads = c % 3 * 64});
        assert_true(line.threads > 0 && line.threads <= 1024);
        check_line(&line);
    }
}

/* A few lines beside each other, behind them as many more. */
static void test_groups_of_lines_transform(void **state)
{
    static const struct {
        int length, beside, wide, groups;
    } wanted[] = {{162, 3, 3, 2}, {60, 2, 2, 4},   {24, 7, 7, 8},   {1000, 7, 7, 1},
                  {7, 5, 16, 1},  {60, 16, 16, 1}, {1200, 7, 7, 1}, {2000, 7, 4, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const int n = wanted[i].length, beside = wanted[i].beside;
        const ndft_line_side side = {.count = n, .stride = beside, .step = {1, beside * n}};
        const ndft_pass p = {.sign = -1,
                             .length = n,
                             .lines = 10000 * beside,
                             .modes = 2,
                             .shape = {beside, 10000},
                             .in = side,
                             .out = side};
        const ndft_stockham_line line =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        assert_int_equal(line.wide, wanted[i].wide);
        assert_int_equal(line.per, wanted[i].groups * line.wide);
        assert_true(line.threads <= 1024);
        check_line(&line);
    }
}

/* Number of an odd line's half spectrum that cell c becomes, or the one whose conjugate it is. */
static int number_of(const ndft_stockham_line *line, int c)
{
    const int kept = ndft_stockham_kept(line, line->folded);
    return c / kept * line->shape.radix[line->folded] + c % kept;
}

/* Half spectra of x(0..n-1) to cells and back to x, or cells of x and their numbers. */
static void check_folded(int n, bool to_reals)
{
    const ndft_pass p = stockham_real_pass(to_reals ? NDFT_C2R : NDFT_R2C, n, LINES);
    ndft_stockham_line line = ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
    number *x = calloc((size_t)line.room + 2 * (size_t)n, sizeof *x);
    number *y = calloc((size_t)line.room + 2 * (size_t)n, sizeof *y);
    number *spectrum = calloc((size_t)n, sizeof *spectrum);
    double *turns = calloc(2 * (size_t)line.table + 2, sizeof *turns), *real = calloc((size_t)n, 8);
    assert_int_equal(line.folded, to_reals ? line.shape.passes - 1 : 0);
    assert_true(2 * line.length <= 4 * n / 3 + 2);
    line.per = 1;
    ndft_stockham_turns(&line, p.sign, turns);
    for (int i = 0; i < n; i++) real[i] = cos(i * i % 97);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            spectrum[k] += real[i] * cexp(-2 * M_PI * I * ((int64_t)i * k % n) / n);
    for (int i = 0; i < n; i++)
        x[i] = !to_reals ? real[i] : i < line.length ? spectrum[number_of(&line, i)] : 0;
    for (int i = 0; i < line.shape.passes; i++) {
        pass(&line, p.sign, i, turns, x, y);
        number *read = x;
        x = y, y = read;
    }
    for (int i = 0; i < (to_reals ? n : line.length); i++) {
        const number wanted = to_reals ? n * real[i] : spectrum[number_of(&line, i)];
        assert_true(cabs(wanted - x[i]) < 1e-9 * n * n);
    }
    free(x), free(y), free(spectrum), free(turns), free(real);
}

static void test_half_of_an_odd_number_of_reals(void **state)
{
    static const int lengths[] = {3, 15, 25, 45, 49, 105, 375, 675, 945};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int to_reals = 0; to_reals < 2; to_reals++) check_folded(lengths[i], to_reals);
}

/* Pieces of 16 bytes are copied to where they may lie, all of a block's cells by its threads. */
static void expect_block(const ndft_stockham_line *line, int64_t lines, bool real)
{
    const int n = line->length, bytes = 8 * line->room;
    assert_in_range(line->threads, 1, 1024);
    assert_in_range(line->per, 1, lines);
    assert_true(line->teams == 1 || (line->teams <= 32 && line->threads == 32));
    assert_true(line->teams * bytes <= 227 << 10);
    for (int side = 0; side < 2; side++) {
        const int pitch = side ? line->out_pitch : line->in_pitch;
        if (!(side ? line->out_whole : line->in_whole)) continue;
        assert_true(side ? line->stores : line->loads);
        const int numbers = side ? line->out_numbers : line->in_numbers;
        const bool sectors = side && line->sectors > 0; /* they begin anywhere in one */
        assert_true(sectors || line->per * numbers % 2 == 0);
        assert_true(pitch == numbers || (pitch > numbers && pitch % 2 == 0 && numbers % 2 == 0));
        assert_true(line->per * pitch + (sectors ? line->sectors - 1 : 0) <= line->room);
    }
    if (line->bulk) { /* copies are of whole sectors, of half spectra of halves of them */
        const int unit = real ? 2 : 4;
        assert_true(line->stores && line->out_pitch == line->out_numbers);
        assert_true(line->sectors || line->per * line->out_numbers % unit == 0 ||
                    line->per == lines);
    }
    if (!real && n >= 16 && line->shape.passes == 1)
        assert_true(line->in_whole || n % 2 || line->convolved);
}

static void test_blocks_of_every_length(void **state)
{
    static const int64_t counts[] = {1, 3, 1001, 100000};
    (void)state;
    for (int i = 0; i < 8 * NDFT_STOCKHAM_LONGEST; i++) {
        const int n = i / 8 + 1, real = i % 2;
        const int64_t lines = counts[i / 2 % 4];
        if (!has_turn(n / 2) || (!stockham_is_smooth(n) && n % 50)) continue; /* few convolutions */
        const ndft_line_side in = {.real = real, .count = n, .stride = 1, .step = {n}};
        const ndft_line_side out = {
            .count = real ? n / 2 + 1 : n, .stride = 1, .step = {real ? n / 2 + 1 : n}};
        const ndft_pass p = {.domain = real ? NDFT_R2C : NDFT_C2C,
                             .sign = -1,
                             .length = n,
                             .lines = lines,
                             .modes = lines > 1,
                             .shape = {lines},
                             .in = in,
                             .out = out};
        const ndft_stockham_line line =
            ndft_stockham_line_of(&p, NDFT_F32, (ndft_stockham_choice){0});
        if (line.shape.passes) expect_block(&line, lines, real);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_of_every_length),
        cmocka_unit_test(test_half_of_an_odd_number_of_reals),
        cmocka_unit_test(test_every_smooth_length_has_radices),
        cmocka_unit_test(test_radices_are_few_and_alike),
        cmocka_unit_test(test_a_kernels_places_and_turns_transform),
        cmocka_unit_test(test_groups_of_lines_transform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
