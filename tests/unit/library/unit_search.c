/* SPDX-License-Identifier: Apache-2.0 */
#include "search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Searches over a made-up variant whose speed is a known function of its knobs. */

static const char *const words[] = {"plain", "wide", NULL};
static const ndft_knob knobs[] = {
    {.name = "tile", .preset = 256, .n_candidates = 6, .candidates = {32, 64, 128, 256, 512, 1024}},
    {.name = "outputs", .preset = 1, .n_candidates = 4, .candidates = {1, 2, 4, 8}},
    {.name = "loads", .words = words, .n_candidates = 2, .candidates = {0, 1}},
};
static const ndft_variant variant = {.name = "made_up", .knobs = knobs, .n_knobs = 3};
static const ndft_registered entry = {"made_up", "cpu",           &variant, "0",  NULL,
                                      NULL,      NDFT_NONUNIFORM, "",       false};

enum { TILE, OUTPUTS, LOADS };

typedef ndft_setting world(const int *k);

static ndft_setting pass(double seconds) { return (ndft_setting){.seconds = seconds}; }

static ndft_setting bad(bool failed) { return (ndft_setting){.seconds = NAN, .failed = failed}; }

/* Best at tile=160, outputs=4, wide loads, 1 s; the knobs depend on each other. */
static ndft_setting valley(const int *k)
{
    double tile = log2(k[TILE] / 160.0), outputs = log2(k[OUTPUTS] / 4.0);
    return pass(1 + tile * tile + outputs * outputs + 0.3 * tile * outputs + 0.1 * !k[LOADS]);
}

static ndft_setting flat(const int *k) { return pass(1 + 1e-4 * (k[TILE] % 7)); }

static ndft_setting walled(const int *k)
{
    if (k[TILE] == 512) return bad(true);
    return k[OUTPUTS] == 2 ? bad(false) : pass(1.0 / k[TILE] / k[OUTPUTS]);
}

static ndft_setting broken(const int *k) { return bad(k[TILE] <= 64); }

static ndft_search run(world *outcome)
{
    ndft_search s;
    ndft_candidate next[NDFT_SEARCH_STEP];
    ndft_error err;
    const ndft_candidate presets = ndft_candidate_of(&entry);
    ndft_search_begin(&s, &presets);
    for (int n; (n = ndft_search_next(&s, next));)
        for (int i = 0; i < n; i++) {
            ndft_setting setting = outcome(next[i].knobs);
            setting.candidate = next[i];
            assert_int_equal(ndft_search_take(&s, &setting, &err), NDFT_OK);
        }
    return s;
}

static bool tried(const ndft_search *s, int knob, int value)
{
    for (int i = 0; i < s->n; i++)
        if (s->tried[i].candidate.knobs[knob] == value) return true;
    return false;
}

static void finds_the_bottom_of_a_valley(void **state)
{
    (void)state;
    ndft_search s = run(valley);
    const int *best = s.best.candidate.knobs;
    assert_in_range(best[TILE], 144, 176); /* between two candidates */
    assert_int_equal(best[TILE] % 32, 0);
    assert_int_equal(best[OUTPUTS], 4);
    assert_int_equal(best[LOADS], 1);
    assert_in_range(s.n, 10, 40); /* of 256 on the grid of the search */
    ndft_search_end(&s);
}

static void tries_nothing_twice(void **state)
{
    (void)state;
    ndft_search s = run(valley);
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(s.tried[i].candidate.knobs, s.tried[j].candidate.knobs,
                                    sizeof s.tried[i].candidate.knobs);
    ndft_search_end(&s);
}

static void the_preset_stays_among_equals(void **state)
{
    (void)state;
    ndft_search s = run(flat);
    assert_int_equal(s.best.candidate.knobs[TILE], 256);
    assert_int_equal(s.best.candidate.knobs[OUTPUTS], 1);
    ndft_search_end(&s);
}

/* A failed check is a wall: 1024 would be the fastest, but 512 is wrong. An unsupported value is
 * not. */
static void never_goes_past_a_failed_check(void **state)
{
    (void)state;
    ndft_search s = run(walled);
    assert_true(tried(&s, TILE, 512));
    assert_false(tried(&s, TILE, 1024));
    assert_true(s.best.candidate.knobs[TILE] < 512);
    assert_int_equal(s.best.candidate.knobs[OUTPUTS], 8);
    ndft_search_end(&s);
}

static void ends_where_nothing_passes(void **state)
{
    (void)state;
    ndft_search s = run(broken);
    assert_true(isnan(s.best.seconds));
    assert_true(tried(&s, TILE, 64)); /* crashed, so */
    assert_false(tried(&s, TILE, 32));
    ndft_search_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_bottom_of_a_valley),
        cmocka_unit_test(tries_nothing_twice),
        cmocka_unit_test(the_preset_stays_among_equals),
        cmocka_unit_test(never_goes_past_a_failed_check),
        cmocka_unit_test(ends_where_nothing_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
