/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"
#include "base/now.h"
#include "case/case.h"
#include "device/processor.h"
#include "problem/kinds.h"
#include "rank.h"
#include "search.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What a choice by estimate takes, the first time for a problem and again, the memory that it
 * leaves taken; and that it is among the settings that engines tell apart. */

static const char *const cases[] = {
    "forward 2d n=192x192 m=16740 traj=spiral:54 t=5ms field=smooth:300Hz coils=20",
    "adjoint 2d n=192x192 m=16740 traj=spiral:54 t=5ms field=smooth:300Hz coils=20",
    "adjoint 2d n=91x71 m=13068 t=3ms field=smooth:49Hz grad=field tol=1e-3",
    "forward 2d n=255x173 m=60000 traj=radial:200 coils=8",
    "normal 2d n=210x118 m=32640 traj=golden:102 t=8ms field=random:60Hz",
    "forward 2d n=96x142 m=48138 traj=epi:2 t=25ms mask=disk coils=32 layout=interleaved",
    "forward 3d n=35x26x23 m=19770 t=3ms field=smooth:283Hz coils=5",
    "adjoint 3d n=32x35x22 m=29952 traj=sos:234x2 tol=3e-6",
    "forward 3d n=43x37x10 m=31556 traj=kooshball:98 prec=f64 tol=1e-9",
    "forward 1d n=4801 m=9000 coils=3",
    "forward 2d n=100x100 m=262144 traj=radial:1024 tol=1e-3 tol_kind=any",
    "uniform:scfo563*41",
    "uniform:drfo107x8*13",
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct taken {
    double first_s, again_s;
    size_t bytes;
} taken;

static size_t allocated(void) { return mallinfo2().uordblks; }

static double rank(const ndft_made *made, const ndft_kind *kind, ndft_op op)
{
    ndft_ranked *ranked;
    ndft_error err = {.status = NDFT_OK};
    const ndft_device device = ndft_device_cpu(2);
    const double begin = ndft_now_s();
    const int n = ndft_rank(kind->problems, &made->problem, op, &device, false, &ranked, &err);
    const double seconds = ndft_now_s() - begin;
    assert_true(n > 0);
    free(ranked);
    return seconds;
}

static taken choose(const char *text)
{
    enum { TIMES = 20 };
    ndft_case c;
    ndft_made made;
    ndft_error err = {.status = NDFT_OK};
    taken t = {.again_s = 1};
    if (ndft_case_parse(text, &c, &err) != NDFT_OK) fail_msg("%s", err.message);
    const ndft_kind *kind = ndft_kind_of(&c);
    assert_int_equal(kind->make(&c, &made, &err), NDFT_OK);
    const size_t before = allocated();
    made.problem.memo = ndft_memo_create();
    t.first_s = rank(&made, kind, c.op);
    t.bytes = allocated() - before;
    for (int i = 0; i < TIMES; i++) {
        const double s = rank(&made, kind, c.op);
        t.again_s = s < t.again_s ? s : t.again_s;
    }
    ndft_memo_destroy(made.problem.memo);
    ndft_made_free(&made);
    return t;
}

/* The first of a process reads the models, too. */
static void what_estimates_take(void **state)
{
    (void)state;
    enum { MOST_BYTES = 2 << 20 };
    size_t bytes = 0;
    for (int i = 0; i < CASES; i++) {
        const taken t = choose(cases[i]);
        print_message("%8.0f us, again %6.0f us, %7zu bytes: %s\n", 1e6 * t.first_s,
                      1e6 * t.again_s, t.bytes, cases[i]);
        bytes = t.bytes > bytes ? t.bytes : bytes;
    }
    assert_true(bytes < MOST_BYTES);
}

/* Its oversampling is none of the candidates, of 25 % steps from 125 to 200. */
static bool is_between(const ndft_candidate *c)
{
    for (int k = 0; k < c->entry->variant->n_knobs; k++)
        if (!strcmp(c->entry->variant->knobs[k].name, "sigma") && c->knobs[k] == 175) return true;
    return false;
}

/* Each engine is ranked by its fastest setting, others than presets among them. */
static void the_fastest_setting_is_taken(void **state)
{
    const ndft_device device = ndft_device_cpu(2);
    ndft_case c;
    ndft_made made;
    ndft_error err = {.status = NDFT_OK};
    ndft_ranked *ranked;
    int others = 0, between = 0;
    (void)state;
    assert_int_equal(ndft_case_parse(cases[0], &c, &err), NDFT_OK);
    assert_int_equal(ndft_kind_of(&c)->make(&c, &made, &err), NDFT_OK);
    const ndft_problem *p = &made.problem;
    const int n = ndft_rank(NDFT_NONUNIFORM, p, c.op, &device, false, &ranked, &err);
    for (int i = 0; i < n; i++) {
        const ndft_registered *entry = ranked[i].candidate.entry;
        ndft_candidate all[NDFT_MOST_SETTINGS];
        const int settings = ndft_settings(entry, false, all);
        for (int s = 0; s < settings; s++) {
            const bool serves = ndft_serves(&all[s], p, c.op, &device, false, &err);
            const double seconds = serves ? ndft_estimate_all(&all[s], p, c.op, &device) : INFINITY;
            assert_true(seconds >= ranked[i].seconds);
            between += is_between(&all[s]);
        }
        others += memcmp(ranked[i].candidate.knobs, all[0].knobs, sizeof all[0].knobs) != 0;
    }
    assert_true(n > 5 && others > 0 && between > 0);
    free(ranked);
    ndft_made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_estimates_take),
                                       cmocka_unit_test(the_fastest_setting_is_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
