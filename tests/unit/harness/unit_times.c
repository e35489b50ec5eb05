/* SPDX-License-Identifier: Apache-2.0 */
#include "support/own_files.h"

#include "make/structure_of_case.h"

#include <math.h>

/* times=file: a clock of one's own, beside any trajectory. */

enum { SAMPLES = 12 };

static ndft_case timed_case(const char *path)
{
    ndft_case c = a_case(2, 5, 4, 1, SAMPLES);
    use(&c.times, path);
    return c;
}

static void write_times(const char *path, double *t)
{
    write_npy(path, NDFT_ELEMENT_F64, t, 1, (int64_t[]){SAMPLES});
}

static void times_are_taken_as_they_are(void **state)
{
    (void)state;
    double t[SAMPLES];
    for (int j = 0; j < SAMPLES; j++) t[j] = 0.1 - 0.02 * sqrt(j);
    write_times("t.npy", t);
    ndft_case c = timed_case("t.npy");
    ndft_made made = made_of(&c);
    for (int j = 0; j < SAMPLES; j++)
        assert_true(((const float *)made.problem.t)[j] == (float)t[j]);
    assert_true(made.problem.t_max == (float)0.1);
    assert_int_equal(made.problem.structure.distinct_times, SAMPLES);
    ndft_made_free(&made);
}

static void every_trajectory_takes_them(void **state)
{
    (void)state;
    static const ndft_source_kind kinds[] = {NDFT_TRAJ_RADIAL, NDFT_TRAJ_GOLDEN, NDFT_TRAJ_SPIRAL,
                                             NDFT_TRAJ_VDSPIRAL, NDFT_TRAJ_EPI};
    double t[SAMPLES];
    for (int j = 0; j < SAMPLES; j++) t[j] = -0.5 + j / 2 * 0x1p-4;
    write_times("t.npy", t);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ndft_case c = timed_case("t.npy");
        c.traj = (ndft_source){.kind = kinds[i], .a = 2};
        ndft_made made = made_of(&c);
        for (int j = 0; j < SAMPLES; j++)
            assert_true(((const float *)made.problem.t)[j] == (float)t[j]);
        assert_int_equal(made.problem.structure.distinct_times, SAMPLES / 2);
        ndft_made_free(&made);
    }
}

/* BART: one number, samples, shots. */
static void cfl_has_samples_and_shots(void **state)
{
    (void)state;
    float values[2 * SAMPLES] = {0};
    for (int j = 0; j < SAMPLES; j++) values[2 * j] = 0.25F * (float)j;
    ndft_array a = {.element = NDFT_ELEMENT_C64, .rank = 3, .shape = {3, 4, 1}, .data = values};
    ndft_error err;
    assert_int_equal(ndft_cfl_write("t.cfl", &a, &err), NDFT_OK);
    ndft_case c = timed_case("t.cfl");
    ndft_made made = made_of(&c);
    for (int j = 0; j < SAMPLES; j++)
        assert_true(((const float *)made.problem.t)[j] == values[2 * j]);
    ndft_made_free(&made);
}

/* Lines are lines only where the clock, too, is uniform in each, wherever it starts. */
static void lines_are_found_in_the_clock(void **state)
{
    (void)state;
    double t[SAMPLES];
    for (int j = 0; j < SAMPLES; j++) t[j] = 0.125 + j % 4 * 0x1p-10 + j / 4;
    ndft_case c = timed_case("t.npy");
    c.traj = (ndft_source){.kind = NDFT_TRAJ_RADIAL, .a = 3};
    write_times("t.npy", t);
    ndft_made made = made_of(&c);
    assert_int_equal(made.problem.structure.line_length, 4);
    assert_int_equal(made.problem.structure.distinct_times, SAMPLES);
    ndft_made_free(&made);
    t[5] += 0x1p-20;
    write_times("t.npy", t);
    made = made_of(&c);
    assert_int_equal(made.problem.structure.line_length, 0);
    ndft_made_free(&made);
    const ndft_structure unread = ndft_structure_of_case(&c);
    assert_int_equal(unread.line_length, 0);
    assert_int_equal(unread.distinct_times, 0);
}

static void what_is_no_clock_is_named(void **state)
{
    (void)state;
    double t[SAMPLES] = {0};
    const ndft_case c = timed_case("t.npy");
    t[7] = NAN;
    write_times("t.npy", t);
    REFUSED(&c, NDFT_EINVAL, "times=file:t.npy", "element (7) is nan");
    t[7] = -INFINITY;
    write_times("t.npy", t);
    REFUSED(&c, NDFT_EINVAL, "times=file:t.npy", "element (7) is -inf");
    write_npy("t.npy", NDFT_ELEMENT_F64, t, 1, (int64_t[]){SAMPLES - 1});
    REFUSED(&c, NDFT_EINVAL, "times=file:t.npy", "(m) = (12), found (11)");
    write_npy("t.npy", NDFT_ELEMENT_C128, (double[2 * SAMPLES]){0}, 1, (int64_t[]){SAMPLES});
    REFUSED(&c, NDFT_EINVAL, "times=file:t.npy", "float32, float64");
    unlink("t.npy");
    REFUSED(&c, NDFT_EIO, "t.npy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_taken_as_they_are),
        cmocka_unit_test(every_trajectory_takes_them),
        cmocka_unit_test(cfl_has_samples_and_shots),
        cmocka_unit_test(lines_are_found_in_the_clock),
        cmocka_unit_test(what_is_no_clock_is_named),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
