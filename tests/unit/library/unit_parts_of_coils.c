/* SPDX-License-Identifier: Apache-2.0 */
#include "coils/coil_maps.h"
#include "group/part.h"

#include <ndft.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Parts by coils of maps: each coil sees a place of its own, so that all see evenly what some do
 * not. */

enum { N = 8, COILS = 4, SAMPLES = 5 };

typedef struct scan {
    float k[2][SAMPLES], maps[COILS][N * N][2];
    ndft_problem_desc d;
} scan;

static void scan_make(scan *s, ndft_tol_kind kind)
{
    for (int c = 0; c < COILS; c++)
        for (int v = 0; v < N * N; v++) s->maps[c][v][0] = v / (N * N / COILS) == c ? 1 : 0.01F;
    for (int j = 0; j < SAMPLES; j++) s->k[0][j] = s->k[1][j] = (float)j - 2;
    s->d = (ndft_problem_desc){.struct_size = sizeof s->d,
                               .dim = 2,
                               .n = {N, N},
                               .prec = NDFT_F32,
                               .coils = COILS,
                               .tol = 1e-4,
                               .tol_kind = kind,
                               .n_samples = SAMPLES,
                               .k = {s->k[0], s->k[1]},
                               .maps = s->maps};
}

static double bare_tol(const ndft_problem *p)
{
    ndft_problem bare;
    return ndft_problem_without_maps(p, &bare)->tol;
}

static void expect_the_same_engine(ndft_tol_kind kind)
{
    static scan s;
    ndft_device *cpu;
    ndft_problem *all, *part;
    scan_make(&s, kind);
    assert_int_equal(ndft_device_open("cpu", NULL, &cpu), NDFT_OK);
    assert_int_equal(ndft_problem_create(cpu, &s.d, &all), NDFT_OK);
    for (int first = 0; first < COILS; first++) {
        assert_int_equal(ndft_part_create(cpu, all, NDFT_CUT_COILS, first, first + 1, &part),
                         NDFT_OK);
        assert_true(fabs(bare_tol(part) / bare_tol(all) - 1) < 1e-6);
        if (kind == NDFT_TOL_TYPICAL) assert_true(part->tol > 1.5 * all->tol);
        ndft_problem_destroy(part);
    }
    assert_int_equal(ndft_part_create(cpu, all, NDFT_CUT_SAMPLES, 0, 2, &part), NDFT_OK);
    assert_true(part->tol == all->tol);
    ndft_problem_destroy(part);
    ndft_problem_destroy(all);
    ndft_device_close(cpu);
}

static void engines_err_as_that_of_all_coils(void **state)
{
    (void)state;
    expect_the_same_engine(NDFT_TOL_TYPICAL);
    expect_the_same_engine(NDFT_TOL_ANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(engines_err_as_that_of_all_coils)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
