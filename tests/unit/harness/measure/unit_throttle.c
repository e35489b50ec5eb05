/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/throttle.h"
#include "support/toy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Which samples are said to be throttled, and by which rule. */

enum { HIGHEST = 1 << NDFT_THROTTLED_BY_HIGHEST, ROUND = 1 << NDFT_THROTTLED_BY_ROUND };

/* Three samples, one a round. */
static ndft_timing clocked(double a, double b, double c)
{
    return (ndft_timing){.n = 3, .clocks = {a, b, c}, .rounds = {0, 1, 2}};
}

static void expect(const ndft_timing *t, int a, int b, int c)
{
    assert_int_equal(t->throttled[0], a);
    assert_int_equal(t->throttled[1], b);
    assert_int_equal(t->throttled[2], c);
}

/* Alone and evenly slow, as by its own median no sample ever was. */
static void the_highest_clock_judges(void **state)
{
    (void)state;
    ndft_timing t = clocked(1800, 1882, 1880);
    ndft_throttle_judge(&t, 1, 1980);
    expect(&t, HIGHEST, 0, HIGHEST);
    t = clocked(1800, 1882, 1500);
    ndft_throttle_judge(&t, 1, NAN); /* the highest of these */
    expect(&t, 0, 0, HIGHEST);
    t = clocked(NAN, NAN, NAN);
    ndft_throttle_judge(&t, 1, 1980);
    expect(&t, 0, 0, 0);
}

static void a_device_without_work_is_not_throttled(void **state)
{
    (void)state;
    ndft_timing t = clocked(1200, 1200, 1980);
    t.idle[0] = true;
    ndft_throttle_judge(&t, 1, 1980);
    expect(&t, 0, HIGHEST, 0);
}

/* The others of the same round, and no others. */
static void round_mates_judge(void **state)
{
    (void)state;
    ndft_timing all[] = {clocked(1980, 1975, 1800), clocked(1970, 1860, 1700),
                         clocked(1975, 1970, 1690)};
    all[1].n = 2; /* it has stopped */
    ndft_throttle_judge(all, 3, 2000);
    expect(&all[0], 0, 0, HIGHEST);
    expect(&all[1], 0, HIGHEST | ROUND, 0);
    expect(&all[2], 0, 0, HIGHEST | ROUND);
}

/* All samples of a block have the same round. */
static void blocks_are_rounds(void **state)
{
    (void)state;
    ndft_timing all[] = {clocked(1500, 1510, 1900), clocked(1900, 1900, 1900)};
    for (int i = 0; i < 2; i++) all[i].rounds[1] = 0;
    ndft_throttle_judge(all, 2, 1500);
    expect(&all[0], ROUND, ROUND, 0);
    expect(&all[1], 0, 0, 0);
}

static void violations_beyond_noise_count(void **state)
{
    (void)state;
    assert_false(ndft_throttle_violated(0, 1));
    assert_false(ndft_throttle_violated(0.049, 1));
    assert_true(ndft_throttle_violated(0.051, 1));
}

/* Every reading finds an hour of heat: more than has passed. */
static void violations_flag_what_was_taken_meanwhile(void **state)
{
    (void)state;
    static toy t;
    toy_plan plan = {.letter = 'a', .cost = 0.02};
    const ndft_timing_options burst = {.budget_s = 1, .min_samples = 3};
    const ndft_timing_options steady = {.min_samples = 3, .min_time_s = 0.2};
    const ndft_timing_options *options[] = {&burst, &steady};
    for (int k = 0; k < 2; k++) {
        ndft_timing timing;
        t = (toy){.clock_mhz = 1500, .violated_each = k == 0 ? 3600 : 0};
        assert_int_equal(toy_measure(&t, &plan, 1, options[k], &timing), NDFT_OK);
        for (int i = 0; i < timing.n; i++)
            assert_int_equal(timing.throttled[i], k == 0 ? 1 << NDFT_THROTTLED_BY_VIOLATION : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_clock_judges),
        cmocka_unit_test(a_device_without_work_is_not_throttled),
        cmocka_unit_test(round_mates_judge),
        cmocka_unit_test(blocks_are_rounds),
        cmocka_unit_test(violations_beyond_noise_count),
        cmocka_unit_test(violations_flag_what_was_taken_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
