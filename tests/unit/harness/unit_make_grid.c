/* SPDX-License-Identifier: Apache-2.0 */
#include "support/own_files.h"

#include <math.h>

/* Voxels off the grid: of files, with a mask, and what is refused. */

enum { NX = 6, NY = 5, N = NX * NY };

static void fill_grid(double x[N][2])
{
    for (int v = 0; v < N; v++) {
        x[v][0] = v % NX - NX / 2;
        x[v][1] = v / NX - NY / 2;
    }
}

static void scatter(double x[N][2])
{
    for (int v = 0; v < N; v++) {
        x[v][0] = 4 * sin(v + 0.1);
        x[v][1] = 9 * cos(2.3 * v);
    }
}

static ndft_case of_file(double x[N][2])
{
    ndft_case c = a_case(2, NX, NY, 1, 20);
    write_npy("x.npy", NDFT_ELEMENT_F64, x, 2, (int64_t[]){N, 2});
    use(&c.grid, "x.npy");
    return c;
}

static void positions_are_rounded_once_and_measured(void **state)
{
    (void)state;
    double x[N][2], most = 0;
    scatter(x);
    const ndft_case c = of_file(x);
    ndft_made made = made_of(&c);
    const ndft_problem *p = &made.problem;
    for (int v = 0; v < N; v++) {
        double at[3];
        ndft_voxel_at(p, v, at);
        assert_true(at[0] == (float)x[v][0] && at[1] == (float)x[v][1] && at[2] == 0);
        most = fmax(most, fabs(at[1]));
    }
    assert_true(ndft_is_off_grid(p) && p->x_max[1] == most && ndft_reach(p, 1) == most);
    assert_true(ndft_reach(p, 2) == 0);
    const double phase = p->k_max[0] * p->x_max[0] / NX + p->k_max[1] * p->x_max[1] / NY;
    assert_true(fabs(p->phi_max - 2 * M_PI * phase) < 1e-12 * p->phi_max);
    ndft_made_free(&made);
}

/* Of the mask's voxels, and a hash of their own. */
static void a_mask_takes_its_own(void **state)
{
    (void)state;
    double x[N][2];
    scatter(x);
    ndft_case c = of_file(x);
    c.mask.kind = NDFT_MASK_DISK;
    ndft_made made = made_of(&c);
    for (int64_t v = 0; v < made.problem.n_voxels; v++)
        assert_true(((const float *)made.problem.x[1])[v] == (float)x[made.problem.voxel[v]][1]);
    x[made.problem.voxel[3]][0] += 0.5;
    c = of_file(x);
    c.mask.kind = NDFT_MASK_DISK;
    ndft_made other = made_of(&c);
    assert_memory_not_equal(made.hash, other.hash, sizeof made.hash);
    ndft_made_free(&made);
    ndft_made_free(&other);
}

static void the_grids_own_are_the_grid(void **state)
{
    (void)state;
    double x[N][2];
    fill_grid(x);
    ndft_case c = of_file(x);
    ndft_made given = made_of(&c);
    c.grid.kind = NDFT_SOURCE_NONE;
    ndft_made grid = made_of(&c);
    assert_false(ndft_is_off_grid(&given.problem));
    assert_memory_equal(given.hash, grid.hash, sizeof grid.hash);
    ndft_made_free(&given);
    ndft_made_free(&grid);
    x[0][1] += 1e-6; /* a corner, which a disk leaves out */
    c = of_file(x);
    given = made_of(&c);
    assert_true(ndft_is_off_grid(&given.problem));
    ndft_made_free(&given);
    c.mask.kind = NDFT_MASK_DISK;
    given = made_of(&c);
    assert_false(ndft_is_off_grid(&given.problem));
    ndft_made_free(&given);
}

static void files_are_told_where_they_are_wrong(void **state)
{
    (void)state;
    double x[N][2];
    scatter(x);
    ndft_case c = of_file(x);
    write_npy("x.npy", NDFT_ELEMENT_F64, x, 2, (int64_t[]){N - 2, 2});
    REFUSED(&c, NDFT_EINVAL, "grid=file:x.npy: wanted shape (voxels,d) = (30,2), found (28,2)");
    write_npy("x.npy", NDFT_ELEMENT_F64, x, 2, (int64_t[]){N, 1});
    REFUSED(&c, NDFT_EINVAL, "(30,2), found (30,1)");
    x[7][1] = NAN;
    c = of_file(x);
    REFUSED(&c, NDFT_EINVAL, "grid=file:x.npy: element (7,1) is nan");
    x[7][1] = INFINITY;
    c = of_file(x);
    REFUSED(&c, NDFT_EINVAL, "grid=file:x.npy: element (7,1) is inf");
    x[7][1] = 1e300;
    c = of_file(x);
    REFUSED(&c, NDFT_EINVAL, "voxel positions: 1e+300 is beyond float; prec=f64 holds it");
    use(&c.grid, "missing.npy");
    REFUSED(&c, NDFT_EIO, "missing.npy");
}

/* BART's have three axes always. */
static void a_cfl_file_stays_in_its_plane(void **state)
{
    (void)state;
    float z[N][3][2] = {{{0}}};
    ndft_error err;
    ndft_array a = {.element = NDFT_ELEMENT_C64, .rank = 2, .shape = {N, 3}, .data = z};
    ndft_case c = a_case(2, NX, NY, 1, 20);
    for (int v = 0; v < N; v++) z[v][0][0] = z[v][1][0] = 0.3F * (float)v;
    use(&c.grid, "x.cfl");
    assert_int_equal(ndft_cfl_write("x.cfl", &a, &err), NDFT_OK);
    ndft_made made = made_of(&c);
    assert_true(((const float *)made.problem.x[1])[5] == 1.5F);
    ndft_made_free(&made);
    z[4][2][0] = 2;
    assert_int_equal(ndft_cfl_write("x.cfl", &a, &err), NDFT_OK);
    REFUSED(&c, NDFT_EINVAL, "grid=file:x.cfl: z = 2 at [4], beyond 2d");
}

/* What is exported reads back as the same problem. */
static void an_export_has_it(void **state)
{
    (void)state;
    double x[N][2];
    scatter(x);
    ndft_case c = of_file(x);
    c.prec = NDFT_F64;
    exports_its(&c.grid, "out/grid.npy", &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_rounded_once_and_measured),
        cmocka_unit_test(a_mask_takes_its_own),
        cmocka_unit_test(the_grids_own_are_the_grid),
        cmocka_unit_test(files_are_told_where_they_are_wrong),
        cmocka_unit_test(a_cfl_file_stays_in_its_plane),
        cmocka_unit_test(an_export_has_it),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
