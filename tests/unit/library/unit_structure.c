/* SPDX-License-Identifier: Apache-2.0 */
#include "structure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* So many samples of so many places and times, which lie spacing apart. */
static double spaced(int samples, int places, int times, float spacing)
{
    static float k[200000], t[200000], dw[2] = {6.2831853f, -6.2831853f};
    ndft_problem p = {
        .dim = 1, .n = {64, 1, 1}, .n_samples = samples, .k = {k}, .t = t, .n_voxels = 2};
    ndft_error err;
    for (int j = 0; j < samples; j++) {
        k[j] = j % places ? spacing * (float)(j % places) : j % 2 ? 0.0f : -0.0f;
        t[j] = spacing * (float)(j % times);
    }
    if (times > 1) p.dw = dw;
    assert_int_equal(ndft_structure_find(&p, NULL, &err), NDFT_OK);
    return p.structure.repeats;
}

static double repeats_of(int samples, int places, int times)
{
    return spaced(samples, places, times, 1);
}

/* Of all samples, or of some where there are many. */
static void what_repeats_is_counted(void **state)
{
    (void)state;
    assert_true(repeats_of(1, 1, 1) == 1);
    assert_true(repeats_of(400, 400, 1) == 1);
    assert_true(repeats_of(400, 50, 1) == 8);
    assert_true(repeats_of(400, 1, 1) == 400);
    assert_true(repeats_of(400, 50, 3) == 2.75);
    assert_true(repeats_of(200000, 200000, 1) == 1);
    assert_true(fabs(repeats_of(200000, 20, 1) - 10000) < 1000);
    assert_true(fabs(repeats_of(200000, 1001, 1) - 200) < 100);
}

/* What differs in k or by the turns of the maps, by more than an eighth. */
static void what_hardly_differs_repeats(void **state)
{
    (void)state;
    assert_true(spaced(400, 400, 1, 1e-6f) == 400);
    assert_true(spaced(400, 400, 1, 0.25f) == 1);
    assert_true(spaced(400, 1, 400, 1e-6f) == 400);
    assert_true(spaced(400, 1, 400, 0.25f) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_repeats_is_counted),
                                       cmocka_unit_test(what_hardly_differs_repeats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
