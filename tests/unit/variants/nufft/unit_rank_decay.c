/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/field/rank_decay.h"
#include "support/rank_errors.h"
#include "support/turn.h"

#include <stdint.h>

/* Terms of decay and field map together: what is predicted of their errors, how many they are, and
 * what is refused. */

static void errors_are_as_predicted(void **state)
{
    (void)state;
    static const double spans[] = {0, 20, 200, 800}, rates[] = {1e-3, 40, 400, 4000};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            if (!has_turn(i + k)) continue;
            const bool bell = (i + k) % 2;
            check(decaying(problem_of(spans[i], bell, 0, NDFT_F32), 0, rates[k]), NDFT_RANK_SVD,
                  1e-2);
            check(decaying(problem_of(spans[i], bell, 0, NDFT_F32), 0, rates[k]), NDFT_RANK_SVD,
                  1e-4);
            check(decaying(problem_of(spans[i], bell, 0, NDFT_F64), 0, rates[k]), NDFT_RANK_SVD,
                  1e-8);
            check(decaying(problem_of(spans[i], bell, 0, NDFT_F64), 0, rates[k]), NDFT_RANK_SVD,
                  1e-12);
        }
}

/* A rate that all voxels have is a factor of each time, and of a narrow range little is added. */
static void few_more_than_of_the_field(void **state)
{
    (void)state;
    static const double tols[] = {1e-2, 1e-4, 1e-6};
    for (int i = 0; i < 3; i++) {
        small *s = problem_of(400, false, 0, NDFT_F64);
        const int field = ndft_rank_choose(&s->p, NDFT_RANK_SVD, tols[i]).terms;
        free(s);
        s = decaying(problem_of(400, false, 0, NDFT_F64), 50, 50);
        const ndft_rank_choice same = ndft_rank_choose(&s->p, NDFT_RANK_SVD, tols[i]);
        decaying(s, 0, 100);
        const ndft_rank_choice wide = ndft_rank_choose(&s->p, NDFT_RANK_SVD, tols[i]);
        print_message("tol=%g: %d terms of the field, %d and %d with decay\n", tols[i], field,
                      same.nodes, wide.nodes);
        assert_true(same.terms == 1 && wide.terms == 1);
        assert_in_range(same.nodes, 1, field + 3);
        assert_in_range(wide.nodes, same.nodes, field + 5);
        free(s);
    }
}

static void decay_alone(void **state)
{
    (void)state;
    small *s = problem_of(200, false, 0, NDFT_F64);
    s->p.dw = NULL;
    memset(s->dw, 0, sizeof s->dw);
    s->p.dw_max = 0;
    check(decaying(s, 0, 60), NDFT_RANK_SVD, 1e-9);
    s = problem_of(200, false, 0, NDFT_F64); /* one time */
    for (int j = 0; j < SAMPLES; j++) s->t[j] = 0.013;
    check(decaying(s, 0, 60), NDFT_RANK_SVD, 1e-11);
    s = problem_of(200, false, 0, NDFT_F32); /* nothing decays, and nothing can */
    const int terms = ndft_rank_choose(&s->p, NDFT_RANK_SVD, 1e-5).terms;
    decaying(s, 0, 0);
    assert_int_equal(ndft_rank_choose(&s->p, NDFT_RANK_SVD, 1e-5).terms, terms);
    decaying(s, 0, 100);
    s->p.t_max = 0;
    memset(s->t32, 0, sizeof s->t32);
    ndft_rank rank = made_of(s, NDFT_RANK_SVD, 1e-5);
    assert_true(rank.plain);
    ndft_rank_release(&rank);
    free(s);
}

static void gradients_too(void **state)
{
    (void)state;
    check(decaying(problem_of(100, false, 5, NDFT_F32), 10, 90), NDFT_RANK_SVD, 1e-3);
    check(decaying(problem_of(60, true, 20, NDFT_F32), 0, 300), NDFT_RANK_SVD, 1e-2);
    check(decaying(problem_of(60, false, 2, NDFT_F64), 0, 50), NDFT_RANK_SVD, 1e-8);
}

static void what_is_refused(void **state)
{
    (void)state;
    static const char *const words[] = {"more than 100 turns", "exp(-300)", "field=svd alone"};
    static const double spans[] = {5000, 100, 100}, rates[] = {40, 2e4, 40};
    static const ndft_rank_method methods[] = {NDFT_RANK_SVD, NDFT_RANK_SVD, NDFT_RANK_SEGMENTS};
    for (int i = 0; i < 3; i++) {
        small *s = decaying(problem_of(spans[i], false, 0, NDFT_F64), 0, rates[i]);
        ndft_rank rank;
        ndft_error err = {0};
        assert_int_equal(ndft_rank_make(&s->p, methods[i], 1e-6, &err, &rank), NDFT_EUNSUPPORTED);
        assert_non_null(strstr(err.message, words[i]));
        assert_null(rank.place);
        free(s);
    }
}

/* Interpolation at the terms' times: 1 at its own, 0 at the others', and what is bounded holds at
 * random places of the rectangle and of the clock. */
static void interpolates(void **state)
{
    (void)state;
    const ndft_decay_range range = {0.02, 0.015, 900, 5, 350};
    ndft_decay_terms t;
    double h[2 * NDFT_DECAY_TERMS], worst = 0;
    uint64_t seed = 3;
    assert_true(ndft_decay_search(&range, 1e-7, &t));
    for (int m = 0; m < t.terms; m++) {
        ndft_decay_h(&t, t.time[m], h);
        for (int l = 0; l < t.terms; l++)
            assert_true(hypot(h[2 * l] - (l == m), h[2 * l + 1]) < 1e-6);
    }
    for (int i = 0; i < 20000; i++) {
        const double at = range.t_mid + range.t_half * (2 * in_unit(&seed) - 1);
        const double rate = 5 + 345 * (i % 3 ? in_unit(&seed) : i % 2);
        const double w = 900 * (i % 5 ? 2 * in_unit(&seed) - 1 : 2 * (i % 2) - 1);
        double exact[2], sum[2] = {0, 0};
        ndft_decay_h(&t, at, h);
        ndft_decay_entry(rate, w, at, exact);
        for (int l = 0; l < t.terms; l++) {
            double value[2];
            ndft_decay_entry(rate, w, t.time[l], value);
            sum[0] += h[2 * l] * value[0] - h[2 * l + 1] * value[1];
            sum[1] += h[2 * l] * value[1] + h[2 * l + 1] * value[0];
        }
        worst = fmax(worst, hypot(sum[0] - exact[0], sum[1] - exact[1]));
    }
    print_message("%d terms: %g of %g\n", t.terms, worst, t.worst);
    assert_true(t.worst <= 1e-7 && worst <= t.worst && worst >= t.worst / 4);
    ndft_decay_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_as_predicted),
        cmocka_unit_test(few_more_than_of_the_field),
        cmocka_unit_test(decay_alone),
        cmocka_unit_test(gradients_too),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(interpolates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
