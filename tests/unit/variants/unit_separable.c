/* SPDX-License-Identifier: Apache-2.0 */
#include "gemm/separable/separable_slabs.h"
#include "gemm/separable/separable_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* How separable_gemm.cuda cuts grid and samples: nothing is lost, nothing twice. */

static ndft_problem grid_of(int64_t nx, int64_t ny, int64_t nz)
{
    return (ndft_problem){.prec = NDFT_F64, .n = {nx, ny, nz}};
}

/* Counts the voxels of all warps' chunks. */
static void count_voxels(const ndft_slabs *s, int warps, unsigned char *seen)
{
    for (int64_t slab = 0; slab < s->count; slab++) {
        for (int i = 0; i < warps * NDFT_GROUP_ROWS * NDFT_RUN * NDFT_CHUNK_COLUMNS * 2; i++) {
            const int side = i % 2, column = i / 2 % NDFT_CHUNK_COLUMNS;
            const int part = i / 2 / NDFT_CHUNK_COLUMNS, warp = part / NDFT_GROUP_ROWS / NDFT_RUN;
            const int group = warp / s->runs;
            const int chunk = warp % s->runs * NDFT_RUN + part % NDFT_RUN;
            const int row = group * NDFT_GROUP_ROWS + part / NDFT_RUN % NDFT_GROUP_ROWS;
            if (group >= s->groups) continue;
            const int64_t voxel = ndft_slabs_voxel(s, slab, row, chunk, column, side);
            if (voxel >= 0) seen[voxel]++;
        }
    }
}

static void check_slabs(int64_t nx, int64_t ny, int64_t nz, int warps)
{
    const ndft_problem p = grid_of(nx, ny, nz);
    const ndft_slabs s = ndft_slabs_of(&p, warps);
    const size_t voxels = (size_t)(nx * ny * nz);
    unsigned char *seen = calloc(voxels, 1);
    assert_non_null(seen);
    assert_true(s.groups * s.runs <= warps && s.chunks <= NDFT_MOST_CHUNKS);
    count_voxels(&s, warps, seen);
    for (size_t v = 0; v < voxels; v++) assert_int_equal(seen[v], 1);
    free(seen);
}

/* Slabs of wgmma's kernels: every voxel once, and no group of rows in two planes. */
static void check_slabs_wgmma(int64_t nx, int64_t ny, int64_t nz, bool adjoint)
{
    const ndft_problem p = grid_of(nx, ny, nz);
    const ndft_slabs s = ndft_slabs_wgmma(&p, adjoint);
    unsigned char *seen = calloc((size_t)(nx * ny * nz), 1);
    assert_non_null(seen);
    assert_true(s.rows == 64 && s.chunks <= (adjoint ? NDFT_ADJOINT_CHUNKS : NDFT_FORWARD_CHUNKS));
    const int pairs = s.chunks * NDFT_CHUNK_COLUMNS;
    for (int64_t slab = 0; slab < s.count; slab++)
        for (int i = 0; i < s.rows * pairs * 2; i++) {
            const int row = i / 2 / pairs, column = i / 2 % pairs;
            const int64_t at = ndft_slabs_voxel(&s, slab, row, column / NDFT_CHUNK_COLUMNS,
                                                column % NDFT_CHUNK_COLUMNS, i % 2);
            if (at < 0) continue;
            seen[at]++;
            const int64_t r = slab / s.along_x * s.rows + row, group = r - r % NDFT_GROUP_ROWS;
            assert_int_equal(at / nx, r / s.plane_rows * ny + r % s.plane_rows);
            if (nz > 1) assert_int_equal(group / s.plane_rows, r / s.plane_rows);
        }
    for (int64_t v = 0; v < nx * ny * nz; v++) assert_int_equal(seen[v], 1);
    free(seen);
}

static void test_slabs_cover_the_grid(void **state)
{
    (void)state;
    static const int64_t grids[][3] = {{1, 1, 1},   {2, 9, 1},   {3, 5, 7},   {33, 47, 1},
                                       {64, 64, 3}, {97, 40, 1}, {160, 3, 1}, {256, 33, 1},
                                       {257, 8, 1}, {1021, 1, 1}};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        check_slabs(grids[i][0], grids[i][1], grids[i][2], 16);
        check_slabs(grids[i][0], grids[i][1], grids[i][2], 8);
        check_slabs_wgmma(grids[i][0], grids[i][1], grids[i][2], false);
        check_slabs_wgmma(grids[i][0], grids[i][1], grids[i][2], true);
    }
}

/* Both voxels of a pair lie at the same distance from the middle of their row. */
static void test_pairs_are_mirrored(void **state)
{
    (void)state;
    for (int64_t nx = 2; nx < 70; nx++) {
        const ndft_problem p = grid_of(nx, 1, 1);
        const ndft_slabs s = ndft_slabs_of(&p, 16);
        for (int q = 0; q < s.columns; q++) {
            const int chunk = q / NDFT_CHUNK_COLUMNS, column = q % NDFT_CHUNK_COLUMNS;
            const int64_t plus = ndft_slabs_voxel(&s, 0, 0, chunk, column, 0);
            const int64_t minus = ndft_slabs_voxel(&s, 0, 0, chunk, column, 1);
            const int64_t u2 = 2 * (plus - nx / 2) + (nx % 2 == 0); /* 2 u */
            assert_int_equal(u2, 2 * q + (nx % 2 == 0));
            if (minus >= 0) assert_int_equal(2 * (minus - nx / 2) + (nx % 2 == 0), -u2);
            assert_true(minus >= 0 || (nx % 2 == 1 && q == 0));
        }
    }
}

enum { SAMPLES = 1000, TIMES = 37 };

static void check_units(const ndft_problem *p, int size)
{
    ndft_timed *timed = ndft_sort_times(p);
    ndft_units units;
    bool seen[SAMPLES] = {false};
    assert_non_null(timed);
    assert_true(ndft_units_make(timed, SAMPLES, size, &units));
    assert_int_equal(units.n, ndft_count_units(timed, SAMPLES, size));
    const double *t = p->t;
    for (int64_t i = 0; i < units.n * size; i++) {
        const int32_t j = units.order[i], first = units.order[i / size * size];
        if (j < 0) continue;
        assert_true(first >= 0 && !seen[j]);
        assert_true(!p->dw || t[j] == t[first]);
        seen[j] = true;
    }
    for (int j = 0; j < SAMPLES; j++) assert_true(seen[j]);
    free(units.order);
    free(timed);
}

static void test_units_hold_one_time_each(void **state)
{
    (void)state;
    double t[SAMPLES], dw[1] = {1};
    for (int j = 0; j < SAMPLES; j++) t[j] = (double)(j * j % TIMES);
    ndft_problem p = {.prec = NDFT_F64, .n_samples = SAMPLES, .t = t, .dw = dw};
    for (int size = 16; size <= 48; size += 16) check_units(&p, size);
    p.dw = NULL; /* then time does not matter: one group */
    check_units(&p, 48);
    ndft_timed *timed = ndft_sort_times(&p);
    assert_int_equal(ndft_count_units(timed, SAMPLES, 48), (SAMPLES + 47) / 48);
    free(timed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slabs_cover_the_grid),
        cmocka_unit_test(test_pairs_are_mirrored),
        cmocka_unit_test(test_units_hold_one_time_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
