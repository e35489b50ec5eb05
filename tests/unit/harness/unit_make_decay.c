/* SPDX-License-Identifier: Apache-2.0 */
#include "support/own_files.h"

#include "make/export.h"

#include <math.h>

/* Maps of R2*: made, of a file, and what is refused. */

static void rates_lie_between_0_and_the_one_asked_for(void **state)
{
    (void)state;
    const ndft_source_kind kinds[] = {NDFT_FIELD_CONST, NDFT_FIELD_LINEAR, NDFT_FIELD_SMOOTH,
                                      NDFT_SOURCE_RANDOM};
    for (size_t i = 0; i < 4; i++) {
        ndft_case c = field_case(NDFT_FIELD_SMOOTH, 50);
        c.decay = (ndft_source){.kind = kinds[i], .largest = 40};
        ndft_made made = made_of(&c);
        const ndft_problem *p = &made.problem;
        double least = 40, most = 0;
        for (int64_t v = 0; v < p->n_voxels; v++) {
            least = fmin(least, double_at(p->decay, v));
            most = fmax(most, double_at(p->decay, v));
        }
        assert_true(least >= 0 && most <= 40 && most > (i < 3 ? 40 - 1e-9 : 39));
        assert_true(kinds[i] == NDFT_FIELD_CONST ? least == 40 : least < 8);
        assert_true(p->decay_max == most);
        ndft_made_free(&made);
    }
}

/* Other streams of random numbers, and a hash of its own. */
static void decay_changes_nothing_else(void **state)
{
    (void)state;
    ndft_case c = field_case(NDFT_FIELD_SMOOTH, 50);
    c.mask.kind = NDFT_MASK_DISK;
    ndft_made without = made_of(&c);
    c.decay = (ndft_source){.kind = NDFT_FIELD_SMOOTH, .largest = 40};
    ndft_made with = made_of(&c);
    const size_t bytes = (size_t)with.problem.n_voxels * sizeof(double);
    assert_int_equal(with.problem.n_voxels, without.problem.n_voxels);
    assert_memory_equal(with.problem.dw, without.problem.dw, bytes);
    assert_memory_equal(with.image, without.image, 2 * bytes);
    assert_memory_not_equal(with.problem.dw, with.problem.decay, bytes);
    assert_memory_not_equal(with.hash, without.hash, sizeof with.hash);
    assert_null(without.problem.decay);
    c.mask.kind = NDFT_SOURCE_NONE;
    ndft_made whole = made_of(&c);
    for (int64_t v = 0; v < with.problem.n_voxels; v++)
        assert_true(double_at(with.problem.decay, v) ==
                    double_at(whole.problem.decay, with.problem.voxel[v]));
    ndft_made_free(&with);
    ndft_made_free(&without);
    ndft_made_free(&whole);
}

static void a_file_is_told_where_it_is_wrong(void **state)
{
    (void)state;
    enum { N = 12, M = 5 };
    double rate[N] = {3, 0, 2, 0.5, 7}, t[M] = {0, 1e-3, 2e-3, 3e-3, 4e-3};
    ndft_case c = a_case(1, N, 1, 1, M);
    use(&c.decay, "r.npy");
    use(&c.times, "t.npy");
    write_npy("r.npy", NDFT_ELEMENT_F64, rate, 1, (int64_t[]){N});
    write_npy("t.npy", NDFT_ELEMENT_F64, t, 1, (int64_t[]){M});
    ndft_made made = made_of(&c);
    for (int v = 0; v < N; v++)
        assert_true(((const float *)made.problem.decay)[v] == (float)rate[v]);
    ndft_made_free(&made);
    rate[4] = -0.25;
    write_npy("r.npy", NDFT_ELEMENT_F64, rate, 1, (int64_t[]){N});
    REFUSED(&c, NDFT_EINVAL, "decay=file:r.npy: -0.25 1/s at [0,0,4]; R2* is at least 0");
    rate[4] = NAN;
    write_npy("r.npy", NDFT_ELEMENT_F64, rate, 1, (int64_t[]){N});
    REFUSED(&c, NDFT_EINVAL, "decay=file:r.npy", "nan");
    rate[4] = 0;
    write_npy("r.npy", NDFT_ELEMENT_F64, rate, 1, (int64_t[]){N});
    t[3] = -1e-3;
    write_npy("t.npy", NDFT_ELEMENT_F64, t, 1, (int64_t[]){M});
    REFUSED(&c, NDFT_EINVAL, "times=file:t.npy: -0.001 s at [3]; with decay= times are at least 0");
    c.decay = (ndft_source){.kind = NDFT_SOURCE_NONE};
    made = made_of(&c);
    ndft_made_free(&made);
}

/* What is exported reads back as the same problem. */
static void an_export_has_it(void **state)
{
    (void)state;
    ndft_error err;
    ndft_case c = a_case(2, 8, 6, 1, 40);
    c.t = 0.02;
    c.prec = NDFT_F64;
    c.mask.kind = NDFT_MASK_DISK;
    c.decay = (ndft_source){.kind = NDFT_FIELD_SMOOTH, .largest = 40};
    ndft_made made = made_of(&c);
    assert_int_equal(ndft_export(&c, &made, "out", &err), NDFT_OK);
    use(&c.decay, "out/decay.npy");
    ndft_made again = made_of(&c);
    assert_memory_equal(made.problem.decay, again.problem.decay,
                        (size_t)made.problem.n_voxels * sizeof(double));
    assert_memory_equal(made.hash, again.hash, sizeof made.hash);
    ndft_made_free(&made);
    ndft_made_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_lie_between_0_and_the_one_asked_for),
        cmocka_unit_test(decay_changes_nothing_else),
        cmocka_unit_test(a_file_is_told_where_it_is_wrong),
        cmocka_unit_test(an_export_has_it),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
