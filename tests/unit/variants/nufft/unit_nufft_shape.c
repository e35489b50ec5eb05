/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/transform/interleaved_shape.h"
#include "support/nufft_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What follows from a problem and the family's knobs. */

static void test_width(void **state)
{
    (void)state;
    float dw[1] = {0};
    for (int dim = 1; dim <= 3; dim++) {
        const ndft_problem p = problem_of(dim, 64, NDFT_F32, 1e-4);
        assert_int_equal(ndft_nufft_width(&p, preset), dim < 3 ? 5 : 6);
        assert_true(ndft_nufft_error(&p, preset) <= 1e-4);
    }
    ndft_problem p = problem_of(2, 64, NDFT_F32, 1e-4);
    p.dw = dw;
    assert_int_equal(ndft_nufft_width(&p, preset), 5);
    assert_true(hypot(ndft_nufft_error(&p, preset), ndft_nufft_field_share * p.tol) <= p.tol);
    p = problem_of(3, 64, NDFT_F64, 1e-12);
    assert_int_equal(ndft_nufft_width(&p, preset), 14);
    const int given[] = {125, NDFT_WINDOW_ES, NDFT_WEIGHTS_TABLE, 9, NDFT_FIELD_SVD};
    assert_int_equal(ndft_nufft_width(&p, given), 9);
}

static void test_grid(void **state)
{
    (void)state;
    const ndft_problem p = {.dim = 2,
                            .prec = NDFT_F32,
                            .coils = 1,
                            .tol = 1e-4,
                            .n = {1, 1021, 1},
                            .n_voxels = 1021,
                            .n_samples = 9999};
    const ndft_nufft_shape s = shape_of(&p, preset, 1);
    assert_int_equal(s.grid[0], 10);   /* twice the width */
    assert_int_equal(s.grid[1], 2048); /* 2042 = 2 * 1021 */
    assert_int_equal(s.grid[2], 1);
    assert_int_equal(s.cells, 20480);
    assert_int_equal(s.column_bytes, 20480 * 8);
}

/* Lines in a block: no shorter than the grid was, at most twice as long, and of few exchanges where
 * that costs little. */
static void test_lines(void **state)
{
    (void)state;
    static const struct {
        int64_t voxels;
        int sigma, cells;
    } known[] = {{256, 200, 512}, {256, 150, 400}, {256, 125, 320}, {180, 200, 400}, {8, 150, 16}};
    ndft_error error;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const ndft_problem p = problem_of(2, known[i].voxels, NDFT_F32, 1e-2);
        const int knobs[] = {known[i].sigma, NDFT_WINDOW_KB, NDFT_WEIGHTS_POLYNOMIAL, 0,
                             NDFT_FIELD_SVD};
        ndft_nufft_shape shape = shape_of(&p, knobs, 1);
        assert_int_equal(ndft_nufft_fit_lines(&shape, p.prec, &error), NDFT_OK);
        assert_int_equal(shape.grid[0], known[i].cells);
        assert_int_equal(shape.cells, shape.grid[0] * shape.grid[1]);
        assert_int_equal(shape.column_bytes, 8 * shape.cells);
    }
    for (int64_t n = 16; n <= 4096; n += 16) {
        const ndft_problem p = problem_of(1, n, NDFT_F32, 1e-4);
        const ndft_nufft_shape before = shape_of(&p, preset, 1);
        ndft_nufft_shape shape = before;
        assert_int_equal(ndft_nufft_fit_lines(&shape, p.prec, &error), NDFT_OK);
        assert_in_range(shape.grid[0], before.grid[0], 2 * before.grid[0]);
    }
    const ndft_problem p = problem_of(1, 4100, NDFT_F32, 1e-4);
    ndft_nufft_shape shape = shape_of(&p, preset, 1);
    assert_int_equal(ndft_nufft_fit_lines(&shape, p.prec, &error), NDFT_EUNSUPPORTED);
    assert_non_null(strstr(error.message, "beyond the longest, 8192"));
}

/* Lanes hold every column, powers of two of them, as few as half for nothing. */
static void test_lanes(void **state)
{
    (void)state;
    for (int coils = 1; coils <= 40; coils++)
        for (int terms = 1; terms <= 20; terms++)
            for (int most = 2; most <= 8; most *= 2) {
                const ndft_nufft_lanes l = ndft_nufft_lanes_of(coils, terms, 2, most);
                assert_in_range(l.count, 2, most);
                assert_int_equal(l.count & (l.count - 1), 0);
                assert_int_equal(l.count, l.coils * l.terms);
                assert_in_range(l.coils * l.coil_groups, coils, 2 * coils);
                assert_in_range(l.terms * l.term_groups, terms, 2 * terms);
                assert_int_equal(l.groups, l.coil_groups * l.term_groups);
            }
    assert_int_equal(ndft_nufft_lanes_of(16, 16, 2, 8).coils, 8);
    assert_int_equal(ndft_nufft_lanes_of(9, 1, 2, 8).count, 2);
    assert_int_equal(ndft_nufft_lanes_of(12, 1, 2, 8).count, 4);
    assert_int_equal(ndft_nufft_lanes_of(43, 1, 2, 8).coils, 8);
    assert_int_equal(ndft_nufft_lanes_of(43, 5, 2, 8).coils, 8);
    assert_int_equal(ndft_nufft_lanes_of(3, 16, 2, 8).terms, 8);
    assert_int_equal(ndft_nufft_lanes_of(1, 6, 2, 8).terms, 2);
    assert_int_equal(ndft_nufft_lanes_of(1, 28, 2, 8).terms, 4);
    assert_int_equal(ndft_nufft_lanes_of(1, 24, 2, 8).terms, 8);
}

static void test_chunks(void **state)
{
    (void)state;
    const ndft_problem p = problem_of(1, 64, NDFT_F32, 1e-4);
    ndft_nufft_shape s = shape_of(&p, preset, 7);
    const size_t column = s.column_bytes;
    assert_int_equal(s.columns, 42);
    assert_int_equal(s.chunk, 42);
    static const int held[][2] = {{100, 42}, {42, 42}, {41, 24}, {24, 24}, {17, 12}, /* terms */
                                  {6, 6},    {5, 3},   {2, 2},   {1, 1},   {0, 1}};  /* coils */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        ndft_nufft_chunk(&s, p.coils, column * (size_t)held[i][0] + column / 2);
        assert_int_equal(s.chunk, held[i][1]);
    }
    static const int prime[][2] = {{31, 31}, {30, 16}, {16, 16}, {15, 11}, {2, 2}, {1, 1}};
    for (size_t i = 0; i < sizeof prime / sizeof *prime; i++) {
        ndft_nufft_chunk(&s, 31, column * (size_t)prime[i][0]);
        assert_int_equal(s.chunk, prime[i][1]);
    }
}

static void test_sentences(void **state)
{
    (void)state;
    ndft_error error = {0};
    ndft_nufft_shape s;
    ndft_problem p = problem_of(2, 64, NDFT_F32, 1e-9);
    assert_null(ndft_nufft_unsupported(&p, &device, preset));
    assert_int_equal(ndft_nufft_shape_make(&p, preset, 1, &error, &s), NDFT_EUNSUPPORTED);
    assert_non_null(strstr(error.message, "tol=1e-09 is below what f32 can give: at best "));
    p = problem_of(3, 800, NDFT_F32, 1e-4);
    assert_non_null(strstr(ndft_nufft_unsupported(&p, &device, preset), "2^31 cells"));
    assert_int_equal(ndft_nufft_shape_make(&p, preset, 1, &error, &s), NDFT_EUNSUPPORTED);
    assert_non_null(strstr(error.message, "1600x1600x1600 cells"));
    p = problem_of(3, 256, NDFT_F32, 1e-4);
    const ndft_device small = {.memory_bytes = 1000000};
    assert_non_null(strstr(ndft_nufft_unsupported(&p, &small, preset), "device's memory"));
    const int wide[] = {200, 0, 0, 17, 0}, dense[] = {100, 0, 0, 0, 0};
    assert_non_null(strstr(ndft_nufft_unsupported(&p, &device, wide), "2 to 16"));
    assert_non_null(strstr(ndft_nufft_unsupported(&p, &device, dense), "sigma"));
}

/* The position that first and s stand for, against k n/N in long double. */
static void test_places(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int width = 2 + (int)(seed >> 60);
        const int64_t voxels = 1 + (int64_t)(seed >> 33) % 1000, n = 2 * voxels + 2 * width;
        const float k = (float)(((double)(seed >> 11) * 0x1p-53 - 0.5) * 3 * (double)voxels);
        const ndft_grid_position at = ndft_grid_place(k, voxels, n, width);
        const long double u = at.first + 0.5L * width - 0.5L * ((long double)at.s + 1);
        const long double off = u * (long double)voxels - (long double)k * (long double)n;
        assert_true(at.first >= 0 && at.first < n && at.s >= -1 && at.s < 1);
        assert_true(fabsl(remainderl(off, (long double)(n * voxels))) <
                    4e-16L * (long double)voxels);
    }
    assert_int_equal(ndft_grid_cell(-3, 10), 7);
    assert_int_equal(ndft_grid_cell(3, 10), 3);
}

static void test_deapodisation(void **state)
{
    (void)state;
    const ndft_problem p = problem_of(1, 33, NDFT_F64, 1e-4);
    const ndft_nufft_shape s = shape_of(&p, preset, 1);
    double table[33];
    ndft_nufft_put_deapodisation(&s, 0, NDFT_F64, table);
    assert_true(table[16] == 1 / ndft_window_hat(&s.window, 0));
    assert_true(table[0] == table[32] && table[0] > table[16]);
}

/* Of a long axis it is interpolated; the transform of a wide window is rounded by some 60 units. */
static void test_long_deapodisation(void **state)
{
    (void)state;
    enum { LONGEST = 50001 };
    double *table = test_calloc(LONGEST, sizeof *table);
    for (int width = 2; width <= NDFT_MAX_WIDTH; width += 7)
        for (int n = LONGEST - 1; n <= LONGEST; n++) {
            const ndft_window window = ndft_window_shape(NDFT_WINDOW_KB, width, 1.25);
            ndft_window_put_deapodisation(&window, n, 5 * n / 4, NDFT_F64, table);
            for (int i = 0; i < n; i++) {
                const double xi = abs(i - n / 2) / (double)(5 * n / 4);
                assert_true(fabs(table[i] * ndft_window_hat(&window, xi) - 1) < 150 * 0x1p-53);
            }
        }
    test_free(table);
}

/* How often F with 2m and 2m degrees of freedom lies above f: the tail of Beta(m, m). */
static double tail(int m, double f)
{
    double term = pow(1 + f, 1 - 2 * m), sum = 0; /* binomial(2m - 1, k) f^k / (1 + f)^(2m - 1) */
    for (int k = 0; k < m; k++) {
        sum += term;
        term *= f * (2 * m - 1 - k) / (k + 1);
    }
    return sum;
}

/* What is predicted are root mean squares, of which few samples are no fair draw. */
static void test_few_samples(void **state)
{
    (void)state;
    const int knobs[NDFT_NUFFT_KNOBS] = {[NDFT_KNOB_SIGMA] = 200, [NDFT_KNOB_WIDTH] = 5};
    ndft_problem p = problem_of(2, 64, NDFT_F32, 1e-4);
    const double many = ndft_nufft_error(&p, knobs);
    static const int few[] = {1, 2, 3, 5, 10, 37, 100, 300};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        p.n_samples = few[i];
        const double chance = ndft_nufft_chance(&p);
        assert_true(tail(few[i], chance * chance) > 1e-5);
        assert_true(tail(few[i], chance * chance) < 1.1e-4);
        assert_true(fabs(ndft_nufft_error(&p, knobs) / (chance * many) - 1) < 1e-12);
    }
    p.n_samples = 5000;
    assert_true(ndft_nufft_error(&p, knobs) == many);
}

/* Rounding of cells' long sums, as three axes amplify it: samples at the centre, where the adjoint
 * was measured to err by up to 4e-4, and as many apart. */
static void test_dense_centre(void **state)
{
    (void)state;
    enum { EDGE = 21, SAMPLES = EDGE * EDGE * EDGE };
    static float dense[SAMPLES], apart[3][SAMPLES];
    int knobs[NDFT_NUFFT_KNOBS];
    memcpy(knobs, preset, sizeof knobs);
    knobs[NDFT_KNOB_SIGMA] = 125;
    knobs[NDFT_KNOB_WIDTH] = 8;
    ndft_problem p = problem_of(3, 32, NDFT_F32, 1e-2);
    p.n_samples = SAMPLES;
    for (int i = 0; i < SAMPLES; i++) {
        apart[0][i] = (float)(1.5 * (i % EDGE));
        apart[1][i] = (float)(1.5 * (i / EDGE % EDGE));
        apart[2][i] = (float)(1.5 * (i / EDGE / EDGE));
    }
    for (int d = 0; d < 3; d++) p.k[d] = apart[d];
    const double few = ndft_nufft_sums(&p, NDFT_ADJOINT, knobs);
    for (int d = 0; d < 3; d++) p.k[d] = dense;
    const double many = ndft_nufft_sums(&p, NDFT_ADJOINT, knobs);
    assert_true(few < 5e-5 && many > 4e-4);
    assert_true(ndft_nufft_sums(&p, NDFT_FORWARD, knobs) == 0);
    assert_true(ndft_nufft_sums(&p, NDFT_NORMAL, knobs) == many);
    p.prec = NDFT_F64;
    assert_true(ndft_nufft_sums(&p, NDFT_ADJOINT, knobs) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_deapodisation),
        cmocka_unit_test(test_long_deapodisation),
        cmocka_unit_test(test_few_samples),
        cmocka_unit_test(test_dense_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
