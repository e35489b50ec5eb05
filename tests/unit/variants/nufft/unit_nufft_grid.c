/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/host/host_nufft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Which columns of a CPU's grid are transformed: all that have voxels, none twice. How far apart
 * its rows lie. What becomes of a line by parts. */

static ndft_host_grid grid_of(int64_t voxels, int64_t cells, int width, ndft_prec prec)
{
    const ndft_nufft_shape shape = {
        .window.width = width, .dim = 2, .n = {voxels, 9, 1}, .grid = {cells, 18, 1}};
    return ndft_host_grid_of(&shape, prec);
}

static void check_blocks(const ndft_host_grid *g)
{
    unsigned char *seen = calloc((size_t)g->held[0], 1);
    assert_non_null(seen);
    for (int64_t b = 0; b < ndft_blocks(g); b++) {
        const int64_t start = ndft_block_start(g, b);
        assert_int_equal(start % 2, 0); /* FFTW's alignment */
        assert_true(start + NDFT_LINES <= g->held[0]);
        for (int i = 0; i < NDFT_LINES; i++) assert_int_equal(seen[start + i]++, 0);
    }
    for (int64_t v = 0; v < g->n[0]; v++) {
        const int64_t cell = ndft_cell_of_voxel(g, 0, v);
        assert_int_equal(ndft_voxel_of_cell(g, 0, cell), v);
        assert_int_equal(seen[cell], 1);
    }
    int64_t voxels = 0;
    for (int64_t cell = 0; cell < g->held[0]; cell++)
        if (ndft_voxel_of_cell(g, 0, cell) >= 0) voxels++;
    assert_int_equal(voxels, g->n[0]);
    free(seen);
}

static void test_blocks_cover_the_voxels_once(void **state)
{
    (void)state;
    for (int64_t voxels = 1; voxels < 70; voxels++) {
        for (int64_t cells = voxels + voxels % 2; cells <= 2 * voxels + 4; cells += 2) {
            const ndft_host_grid single = grid_of(voxels, cells, 7, NDFT_F32);
            const ndft_host_grid twice = grid_of(voxels, cells, 4, NDFT_F64);
            check_blocks(&single);
            check_blocks(&twice);
        }
    }
}

/* Bytes from a row of a window to the next: no multiple of 4096, within a row's length. */
static void check_apart(int64_t bytes, int64_t row)
{
    const int64_t beyond = bytes % 4096, short_of = 4096 - beyond;
    assert_true(beyond > row && short_of > row);
}

static void check_rows(int64_t cells, int width, ndft_prec prec)
{
    const ndft_nufft_shape shape = {
        .window.width = width, .dim = 3, .n = {3, 3, 3}, .grid = {cells, cells, cells}};
    const ndft_host_grid g = ndft_host_grid_of(&shape, prec);
    const int64_t complex = 2 * (int64_t)ndft_real_size(prec);
    const int64_t row = ndft_row_reals(width, prec) / 2 * complex;
    check_apart(g.step[1] * complex, row);
    check_apart((g.step[2] - (width - 1) * g.step[1]) * complex, row);
    for (int d = 1; d < 3; d++) {
        const int64_t spare = (g.step[d] - g.held[d - 1] * g.step[d - 1]) * complex;
        assert_true(g.step[d] * complex / 64 % 2 == 1 && g.step[d] * complex % 64 == 0);
        assert_true(spare >= 0 && spare <= 2 * row + 192);
    }
}

static void test_rows_lie_apart(void **state)
{
    (void)state;
    for (int64_t cells = 32; cells <= 1100; cells += 2) {
        for (int width = 2; width <= NDFT_MAX_WIDTH; width++) {
            check_rows(cells, width, NDFT_F32);
            check_rows(cells, width, NDFT_F64);
        }
    }
}

enum { VOXELS = 21, CELLS = 33 };

/* What so many parts make of a line that was not zeroed, and of an image. */
static void share_line(const ndft_host_nufft *plan, int parts, float line[2 * CELLS],
                       float image[2 * VOXELS])
{
    float in[2 * VOXELS];
    for (int i = 0; i < 2 * VOXELS; i++) in[i] = (float)(i + 1);
    for (int i = 0; i < 2 * CELLS; i++) line[i] = -1;
    for (int i = 0; i < 2 * VOXELS; i++) image[i] = -1;
    const ndft_host_job job = {.plan = plan, .coils = 1, .in = in, .out = image};
    for (int part = 0; part < parts; part++) {
        const ndft_host_lines lines = {.memory = line, .part = part, .parts = parts};
        nufft_pad_v2_f32(&job, &lines);
    }
    for (int part = 0; part < parts; part++) {
        const ndft_host_lines lines = {.memory = line, .part = part, .parts = parts};
        nufft_crop_v2_f32(&job, &lines);
    }
}

/* In 1D threads share a line: every cell is written, and every voxel that there is. */
static void test_lines_are_shared(void **state)
{
    (void)state;
    const ndft_nufft_shape shape = {
        .window.width = 5, .dim = 1, .n = {VOXELS, 1, 1}, .grid = {CELLS, 1, 1}};
    float factor[VOXELS], one[2 * CELLS], line[2 * CELLS], images[2][2 * VOXELS];
    int32_t element[VOXELS];
    for (int i = 0; i < VOXELS; i++) {
        factor[i] = 1 + (float)i / 8;
        element[i] = i % 3 ? i : -1;
    }
    for (int masked = 0; masked < 2; masked++) {
        const ndft_host_nufft plan = {.grid = ndft_host_grid_of(&shape, NDFT_F32),
                                      .rank.plain = true,
                                      .deapodise = {factor},
                                      .voxel = masked ? element : NULL,
                                      .element = 1};
        share_line(&plan, 1, one, images[0]);
        for (int parts = 2; parts <= 40; parts++) {
            share_line(&plan, parts, line, images[1]);
            assert_memory_equal(line, one, sizeof one);
            assert_memory_equal(images[1], images[0], sizeof images[0]);
        }
        for (int i = 0; i < 2 * CELLS; i++) assert_true(one[i] >= 0);
        for (int i = 0; i < 2 * VOXELS; i++)
            assert_int_equal(images[0][i] < 0, masked && i / 2 % 3 == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks_cover_the_voxels_once),
                                       cmocka_unit_test(test_rows_lie_apart),
                                       cmocka_unit_test(test_lines_are_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
