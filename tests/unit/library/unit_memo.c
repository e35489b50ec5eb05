/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Answers that are remembered: for the problem, the name and the numbers, and for nothing else. */

static bool knows(const ndft_problem *p, const char *name, double number, int wanted)
{
    int answer = -1;
    const bool known = ndft_memo_recall(p, (ndft_question){name, {number}}, &answer, sizeof answer);
    assert_int_equal(answer, known ? wanted : -1);
    return known;
}

static void answers(void **state)
{
    (void)state;
    ndft_problem p = {.dim = 1, .tol = 1e-4, .memo = ndft_memo_create()};
    for (int i = 0; i < 9; i++)
        ndft_memo_remember(&p, (ndft_question){i % 2 ? "odd" : "even", {i}}, &i, sizeof i);
    char name[] = "even"; /* the same letters elsewhere */
    assert_true(knows(&p, name, 8, 8));
    assert_true(knows(&p, "odd", 1, 1));
    assert_false(knows(&p, "odd", 8, 0));
    assert_false(knows(&p, "even", 1, 0));
    ndft_problem half = p;
    half.tol /= 2;
    assert_false(knows(&half, "odd", 1, 1));
    half.tol = p.tol;
    assert_true(knows(&half, "odd", 1, 1));
    ndft_memo_destroy(p.memo);
}

static void nothing_is_remembered_without(void **state)
{
    (void)state;
    const ndft_problem p = {.dim = 1};
    const int one = 1;
    ndft_memo_remember(&p, (ndft_question){"odd", {1}}, &one, sizeof one);
    assert_false(knows(&p, "odd", 1, 1));
    ndft_memo_destroy(NULL);
}

static int released;

static void release(void *object)
{
    released++;
    free(object);
}

/* What was asked without k is known of another problem with the same clock and maps, what was asked
 * with it, or with another k_max, is not; what is kept lives as long as one of both. */
static void clock_and_maps_are_inherited(void **state)
{
    (void)state;
    const float k[2] = {1, 2}, t[2] = {3, 4}, t_too[2] = {3, 4}, dw[1] = {5}, dw_too[1] = {5};
    const int one = 1, two = 2;
    ndft_problem from = {
        .dim = 1, .k = {k}, .t = t, .dw = dw, .n_samples = 2, .memo = ndft_memo_create()};
    ndft_problem to = from, old = from, far, new;
    to.t = t_too;
    to.dw = dw_too;
    to.memo = ndft_memo_create();
    old.k[0] = NULL;
    far = old;
    far.k_max[0] = 2;
    to.k_max[0] = 3;
    new = to;
    new.k[0] = NULL;
    new.k_max[0] = 0;
    ndft_memo_remember(&from, (ndft_question){"all", {0}}, &one, sizeof one);
    ndft_memo_remember(&old, (ndft_question){"maps", {0}}, &two, sizeof two);
    void *object = malloc(1);
    assert_true(ndft_memo_keep(&old, (ndft_question){"object", {0}}, object, release));
    ndft_memo_remember(&far, (ndft_question){"reach", {0}}, &one, sizeof one);
    ndft_memo_inherit(&to, &from);
    assert_false(knows(&to, "all", 0, 1));
    far.t = to.t;
    far.dw = to.dw;
    far.memo = to.memo;
    assert_false(knows(&far, "reach", 0, 1));
    assert_true(knows(&new, "maps", 0, 2));
    ndft_memo_destroy(from.memo);
    assert_int_equal(released, 0);
    assert_ptr_equal(ndft_memo_kept(&new, (ndft_question){"object", {0}}), object);
    ndft_memo_destroy(to.memo);
    assert_int_equal(released, 1);
}

enum { ASKED = 500 };

static void many_ask_at_once(void **state)
{
    (void)state;
    const ndft_problem p = {.dim = 1, .memo = ndft_memo_create()};
    int wrong = 0;
#pragma omp parallel for num_threads(8) reduction(+ : wrong)
    for (int i = 0; i < 8 * ASKED; i++) {
        const int number = i % ASKED;
        const ndft_question question = {"number", {number}};
        int answer = number;
        if (!ndft_memo_recall(&p, question, &answer, sizeof answer))
            ndft_memo_remember(&p, question, &answer, sizeof answer);
        wrong += answer != number;
    }
    assert_int_equal(wrong, 0);
    for (int i = 0; i < ASKED; i++) assert_true(knows(&p, "number", i, i));
    ndft_memo_destroy(p.memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(nothing_is_remembered_without),
        cmocka_unit_test(clock_and_maps_are_inherited),
        cmocka_unit_test(many_ask_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
