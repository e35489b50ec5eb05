/* SPDX-License-Identifier: Apache-2.0 */
#include "wisdom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Wisdom of one problem is not that of another: decay, phase and voxels off the grid are part of
 * the shape, and where there is none the shape is what it was before there was any. */

static const double k[] = {0, 1, 2, 3}, t[] = {0, 1e-3, 2e-3, 3e-3}, rate[] = {1, 2, 40, 5};

static ndft_problem problem_of(double most, double phase)
{
    return (ndft_problem){.dim = 1,
                          .prec = NDFT_F64,
                          .coils = 1,
                          .tol = 1e-4,
                          .n = {4, 1, 1},
                          .n_voxels = 4,
                          .n_samples = 4,
                          .k = {k},
                          .t = t,
                          .k_max = {3},
                          .t_max = 3e-3,
                          .decay = most > 0 ? rate : NULL,
                          .decay_max = most,
                          .higher = {.terms = phase > 0, .most = phase}};
}

static void shape_of_problem(const ndft_problem *p, char text[NDFT_SHAPE_MAX])
{
    const ndft_device device = {.slug = "toy", .units = 1};
    ndft_wisdom_shape(NDFT_NONUNIFORM, p, NDFT_FORWARD, &device, false, text);
}

static void shape_of(double most, double phase, char text[NDFT_SHAPE_MAX])
{
    const ndft_problem p = problem_of(most, phase);
    shape_of_problem(&p, text);
}

static void decay_has_its_own(void **state)
{
    (void)state;
    char none[NDFT_SHAPE_MAX], some[NDFT_SHAPE_MAX], more[NDFT_SHAPE_MAX];
    shape_of(0, 0, none);
    shape_of(40, 0, some);
    shape_of(4000, 0, more);
    assert_null(strstr(none, "decay"));
    assert_non_null(strstr(some, " decay="));
    assert_string_not_equal(none, some);
    assert_string_not_equal(some, more);
}

static void phase_has_its_own(void **state)
{
    (void)state;
    char none[NDFT_SHAPE_MAX], some[NDFT_SHAPE_MAX], more[NDFT_SHAPE_MAX];
    shape_of(0, 0, none);
    shape_of(0, 3, some);
    shape_of(0, 300, more);
    assert_null(strstr(none, "phase"));
    assert_non_null(strstr(some, " phase=1/"));
    assert_string_not_equal(some, more);
}

static void voxels_off_the_grid_have_their_own(void **state)
{
    (void)state;
    char on[NDFT_SHAPE_MAX], off[NDFT_SHAPE_MAX];
    ndft_problem p = problem_of(0, 0);
    shape_of_problem(&p, on);
    p.x[0] = k;
    shape_of_problem(&p, off);
    assert_null(strstr(on, "grid"));
    assert_non_null(strstr(off, " off_grid"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decay_has_its_own),
                                       cmocka_unit_test(phase_has_its_own),
                                       cmocka_unit_test(voxels_off_the_grid_have_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
