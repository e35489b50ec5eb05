/* SPDX-License-Identifier: Apache-2.0 */
#include "problem/kinds.h"
#include "support/two_devices.h"
#include "uniform/callback/callback_inner.h"

#include "registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What every built variant declares of load and store functions. Nothing runs, and no device is
 * needed. */

static const char *const cases[] = {
    "scfo9x8*3 load=zero_pad:5x4 store=crop:3x2",  "dcbo4.31*5 load=zero_pad:17 store=deapodise:6",
    "srfo9x6*3 load=zero_pad:5x4 store=crop:5x3",  "drbo8x6x5 load=zero_pad:3x6x5 store=crop:8x3x2",
    "scfo1009*3 load=zero_pad:700 store=crop:900",
};

typedef void on_variant(const ndft_registered *, const int *knobs, const ndft_uniform_problem *);

static const char *reason(const ndft_registered *entry, const int *knobs,
                          const ndft_uniform_problem *u)
{
    const ndft_device *device = &devices[!strcmp(entry->backend, "cuda")];
    return entry->variant->unsupported(&u->problem, device, knobs);
}

/* What it does not serve without functions is asked of none. */
static bool is_its_own(const ndft_registered *entry, const int *knobs, ndft_uniform_problem u)
{
    u.transform.load = u.transform.store = NULL;
    return !reason(entry, knobs, &u);
}

static bool is_asked(const ndft_registered *entry)
{
    return entry->variant && entry->kind == NDFT_UNIFORM && !entry->peer;
}

/* Each in one case at least. */
static void on_every_variant(on_variant *look)
{
    enum { MOST = 512 };
    bool looked[MOST] = {false};
    assert_in_range(ndft_registry_size, 1, MOST);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[128];
        ndft_case parsed;
        ndft_made made;
        ndft_error err = {0};
        snprintf(text, sizeof text, "uniform:%s", cases[c]);
        assert_int_equal(ndft_case_parse(text, &parsed, &err), NDFT_OK);
        assert_int_equal(ndft_uniform_kind.make(&parsed, &made, &err), NDFT_OK);
        for (int v = 0; v < ndft_registry_size; v++) {
            const ndft_registered *entry = &ndft_registry[v];
            const ndft_candidate usual = ndft_candidate_of(entry);
            if (!is_asked(entry) || !is_its_own(entry, usual.knobs, made.uniform)) continue;
            look(entry, usual.knobs, &made.uniform);
            looked[v] = true;
        }
        ndft_made_free(&made);
    }
    for (int v = 0; v < ndft_registry_size; v++)
        if (is_asked(&ndft_registry[v]) && !looked[v])
            fail_msg("%s.%s serves no case", ndft_registry[v].name, ndft_registry[v].backend);
}

static void is_served(const ndft_registered *entry, const int *knobs, const ndft_uniform_problem *u)
{
    const char *why = reason(entry, knobs, u);
    if (why) fail_msg("%s.%s: %s", entry->name, entry->backend, why);
}

static void functions_are_served_by_all(void **state)
{
    (void)state;
    on_every_variant(is_served);
}

/* Of the language of the variant's backend. */
static void says_what_is_missing(const ndft_registered *entry, const int *knobs,
                                 const ndft_uniform_problem *u)
{
    ndft_uniform_problem lacking = *u;
    ndft_callback load = *u->transform.load;
    const char *language = strcmp(entry->backend, "cuda") ? "given in C" : "given in CUDA C";
    load.load = NULL;
    load.source = NULL;
    lacking.transform.load = &load;
    const char *why = reason(entry, knobs, &lacking);
    if (!why || !strstr(why, language))
        fail_msg("%s.%s: %s", entry->name, entry->backend, why ? why : "served");
}

static void one_that_is_not_given_is_missed(void **state)
{
    (void)state;
    on_every_variant(says_what_is_missing);
}

/* Passes for both functions: none where its own kernels call them; -1: not told. */
static int passes_of(const ndft_registered *entry)
{
    const bool cuda = !strcmp(entry->backend, "cuda");
    if (!strcmp(entry->name, "stockham")) return 0;
    if (!strcmp(entry->name, "uniform_naive")) return -1;
    if (cuda) return strcmp(entry->name, "uniform_vendor") ? 2 : -1;
    return strncmp(entry->name, "bluestein", 9) ? 2 : -1;
}

static double bytes_of(const ndft_tensor *t, ndft_prec prec)
{
    return (double)ndft_tensor_size(t) * (t->real ? 1 : 2) * (double)ndft_real_size(prec);
}

static void has_costs(const ndft_registered *entry, const int *knobs, const ndft_uniform_problem *u)
{
    ndft_uniform_problem plain = *u;
    plain.transform.load = plain.transform.store = NULL;
    const int passes = passes_of(entry);
    if (passes < 0) return;
    const ndft_variant *v = entry->variant;
    const ndft_cost called = v->cost(&u->problem, NDFT_FORWARD, knobs);
    const ndft_cost alone = v->cost(&plain.problem, NDFT_FORWARD, knobs);
    const double bytes = bytes_of(&u->transform.in, u->transform.prec) +
                         bytes_of(&u->transform.out, u->transform.prec);
    if (called.launches != alone.launches + passes)
        fail_msg("%s.%s: %g launches, of which %g are the transform's", entry->name, entry->backend,
                 called.launches, alone.launches);
    if (called.dram_bytes != alone.dram_bytes + passes * bytes)
        fail_msg("%s.%s: %g bytes, of which %g are the transform's", entry->name, entry->backend,
                 called.dram_bytes, alone.dram_bytes);
}

/* Tensors are packed and out of place, so that all else is as without functions. */
static void each_function_costs_a_pass_or_nothing(void **state)
{
    (void)state;
    on_every_variant(has_costs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_served_by_all),
        cmocka_unit_test(one_that_is_not_given_is_missed),
        cmocka_unit_test(each_function_costs_a_pass_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
