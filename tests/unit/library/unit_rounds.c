/* SPDX-License-Identifier: Apache-2.0 */
#include "rounds.h"

#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Who wins where times are known: of rivals that a machine slows down together, by up to a factor
 * of three, and each for itself by a few percent. */

enum { N = 4 };

typedef struct contest {
    ndft_rival rival[N];
    int rounds;
    bool settled;
} contest;

static contest run(const double seconds[N], double noise, uint64_t seed)
{
    contest c = {.rounds = 0};
    ndft_random random = {.state = seed};
    for (; !c.settled && c.rounds < NDFT_MOST_ROUNDS; c.rounds++) {
        const double weather = 1 + 2 * ndft_uniform(&random);
        for (int i = 0; i < N; i++)
            c.rival[i].row[c.rounds] =
                seconds[i] * weather * (1 + noise * (ndft_uniform(&random) - 0.5));
        c.settled = ndft_rounds_settle(c.rival, N, c.rounds + 1);
    }
    return c;
}

static void the_fastest_wins_whatever_the_weather(void **state)
{
    (void)state;
    const double seconds[N] = {1.2, 1.06, 1, 3};
    for (uint64_t seed = 0; seed < 200; seed++) {
        const contest c = run(seconds, 0.04, seed);
        assert_true(c.settled);
        assert_int_equal(ndft_rounds_winner(c.rival, N, c.rounds), 2);
        assert_true(c.rival[0].out && c.rival[3].out);
    }
}

static void few_rounds_tell_far_ones_apart(void **state)
{
    (void)state;
    const double seconds[N] = {2, 1, 2, 3};
    assert_int_equal(run(seconds, 0.1, 1).rounds, 5);
}

static void a_tie_is_the_first(void **state)
{
    (void)state;
    int first = 0, worst = 0;
    const double seconds[N] = {2, 1, 1, 1};
    for (uint64_t seed = 0; seed < 200; seed++) {
        const contest c = run(seconds, 0.2, seed);
        const int winner = ndft_rounds_winner(c.rival, N, c.rounds);
        first += winner == 1;
        worst += winner == 0;
    }
    assert_true(first > 120); /* a third of 200 by chance */
    assert_int_equal(worst, 0);
}

/* A host queues both in 1 s: the second, 4 % faster by luck, is not taken for that, 6 % it is. */
static void what_the_host_queues_is_told_apart_by_the_order(void **state)
{
    (void)state;
    ndft_rival rival[2] = {{.queued = 8}, {.queued = 8}};
    for (int slower = 4; slower <= 6; slower += 2) {
        for (int i = 0; i < 8; i++) {
            rival[0].row[i] = 1 + slower / 100.0;
            rival[1].row[i] = 1;
        }
        assert_int_equal(ndft_rounds_winner(rival, 2, 8), slower > 5);
    }
    rival[0].queued = 4; /* of the device it is known */
    for (int i = 0; i < 8; i++) rival[0].row[i] = 1.04;
    assert_int_equal(ndft_rounds_winner(rival, 2, 8), 1);
}

static void ratios_have_a_lower_bound(void **state)
{
    (void)state;
    ndft_rival a, b;
    for (int i = 0; i < 16; i++) {
        a.row[i] = 2 + i;
        b.row[i] = 1;
    }
    assert_true(ndft_rounds_ratio(&a, &b, 16).median == 9.5);
    assert_true(ndft_rounds_ratio(&a, &b, 16).low == 6); /* four are below it: 4 % */
    assert_true(ndft_rounds_ratio(&a, &b, 5).low == 2);
    assert_true(ndft_rounds_ratio(&a, &b, 1).median == 2);
}

static void of_nobody_nobody_leads(void **state)
{
    (void)state;
    ndft_rival rival[N];
    for (int i = 0; i < N; i++) rival[i].out = true;
    assert_int_equal(ndft_rounds_leader(rival, N, 0), -1);
    assert_int_equal(ndft_rounds_winner(rival, N, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_wins_whatever_the_weather),
        cmocka_unit_test(few_rounds_tell_far_ones_apart),
        cmocka_unit_test(a_tie_is_the_first),
        cmocka_unit_test(what_the_host_queues_is_told_apart_by_the_order),
        cmocka_unit_test(ratios_have_a_lower_bound),
        cmocka_unit_test(of_nobody_nobody_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
