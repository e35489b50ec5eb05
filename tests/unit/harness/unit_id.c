/* SPDX-License-Identifier: Apache-2.0 */
#include "id.h"
#include "naming/filter.h"
#include "traits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const words[] = {"hardware", "libm", NULL};
static const ndft_knob knobs[] = {{.name = "tile", .preset = 256},
                                  {.name = "sincos", .words = words, .preset = 1}};
static const ndft_variant variant = {.name = "toy", .backend = "cpu", .knobs = knobs, .n_knobs = 2};
static const ndft_registered toy = {"toy", "cpu",           &variant, "",   NULL,
                                    NULL,  NDFT_NONUNIFORM, "",       false};

static void assert_id(const ndft_candidate *candidate, const char *id)
{
    char text[NDFT_ID_MAX];
    ndft_id_print(candidate, text, sizeof text);
    assert_string_equal(text, id);
}

static void knobs_print_in_declared_order(void **state)
{
    (void)state;
    ndft_error err;
    ndft_candidate candidate = ndft_candidate_of(&toy);
    assert_id(&candidate, "toy.cpu:tile=256,sincos=libm");
    assert_int_equal(ndft_knobs_parse(&candidate, "sincos=hardware,tile=8", &err), NDFT_OK);
    assert_id(&candidate, "toy.cpu:tile=8,sincos=hardware");
}

static void bad_knobs_are_named(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"tile=8,sincos=libm,tile=16", "'tile=16': knob tile is given twice"},
        {"tyle=3", "toy.cpu has no knob 'tyle'; nearest: tile"},
        {"tile=x", "knob tile cannot be 'x'"},
        {"tile=-1", "knob tile cannot be '-1'"},
        {"tile=99999999999", "knob tile cannot be '99999999999'"},
        {"tile=", "knob tile cannot be ''"},
        {"tile= 8", "knob tile cannot be ' 8'"},
        {"tile", "'tile' is no knob setting"},
        {"sincos=libn", "knob sincos cannot be 'libn'; nearest: libm"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ndft_error err;
        ndft_candidate candidate = ndft_candidate_of(&toy);
        assert_int_equal(ndft_knobs_parse(&candidate, rows[i][0], &err), NDFT_EINVAL);
        if (!strstr(err.message, rows[i][1])) fail_msg("'%s'", err.message);
    }
    assert_true(ndft_knobs_known(&toy, "tile=1,sincos=libm"));
    assert_false(ndft_knobs_known(&toy, "tile=1,outputs=2"));
}

static void round_trips(int (*print)(const ndft_candidate *, char *, size_t),
                        const ndft_candidate *before)
{
    ndft_error err;
    char text[NDFT_ID_MAX];
    ndft_candidate after;
    assert_true(print(before, text, sizeof text) < NDFT_ID_MAX);
    assert_int_equal(ndft_id_parse(text, &after, &err), NDFT_OK);
    assert_memory_equal(before, &after, sizeof after);
}

/* Whole and short. */
static void registered_ids_round_trip(void **state)
{
    (void)state;
    assert_true(ndft_registry_size > 0);
    for (int i = 0; i < ndft_registry_size; i++) {
        ndft_candidate c = ndft_candidate_of(&ndft_registry[i]);
        const ndft_variant *v = ndft_registry[i].variant;
        round_trips(ndft_id_print_short, &c);
        for (int k = 0; v && k < v->n_knobs; k++)
            if (ndft_knob_open(c.entry, k) && v->knobs[k].n_candidates)
                c.knobs[k] = v->knobs[k].candidates[0];
        if (v) ndft_knobs_settle(c.entry, c.knobs);
        round_trips(ndft_id_print, &c);
        round_trips(ndft_id_print_short, &c);
    }
}

static void short_ids_leave_presets_out(void **state)
{
    (void)state;
    char text[NDFT_ID_MAX];
    ndft_candidate candidate = ndft_candidate_of(&toy);
    ndft_id_print_short(&candidate, text, sizeof text);
    assert_string_equal(text, "toy.cpu");
    candidate.knobs[1] = 0;
    ndft_id_print_short(&candidate, text, sizeof text);
    assert_string_equal(text, "toy.cpu:sincos=hardware");
}

static void unknown_variants_have_neighbours(void **state)
{
    (void)state;
    ndft_error err;
    ndft_candidate candidate;
    assert_int_equal(ndft_id_parse("naiv.cpu", &candidate, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "'naiv.cpu'; nearest: naive.cpu"));
    assert_int_equal(ndft_id_parse("naive.cpux:a=1", &candidate, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "'naive.cpux'"));
}

static void filters_are_anchored(void **state)
{
    (void)state;
    ndft_error err;
    ndft_filter filter;
    assert_int_equal(ndft_filter_open("naive.*|toy[.]cpu", &filter, &err), NDFT_OK);
    assert_true(ndft_filter_match(&filter, &(ndft_registered){"naive", "cpu", NULL, "", NULL, NULL,
                                                              NDFT_NONUNIFORM, "", false}));
    assert_true(ndft_filter_match(&filter, &toy));
    assert_false(ndft_filter_match(&filter, &(ndft_registered){"toy", "cpus", NULL, "", NULL, NULL,
                                                               NDFT_NONUNIFORM, "", false}));
    assert_false(ndft_filter_match(&filter, &(ndft_registered){"toytoy", "cpu", NULL, "", NULL,
                                                               NULL, NDFT_NONUNIFORM, "", false}));
    ndft_filter_close(&filter);
    const char *const named[] = {"naive[.]cpu|(tiled|tiled_no_trig)[.]cpu", ".*", "tiled.*"};
    const ndft_registered ablation = {"tiled_no_trig", "cpu",           NULL, "",   "tiled",
                                      "trigonometry",  NDFT_NONUNIFORM, "",   false};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ndft_filter_open(named[i], &filter, &err), NDFT_OK);
        assert_true(ndft_filter_match(&filter, &ablation) == (i == 0));
        ndft_filter_close(&filter);
    }
    assert_int_equal(ndft_filter_open_all("tiled_n.*", &filter, &err), NDFT_OK);
    assert_true(ndft_filter_match(&filter, &ablation));
    ndft_filter_close(&filter);
    assert_int_equal(ndft_filter_open("tiled_n.*", &filter, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "ablations do where their names are spelled out"));
    assert_int_equal(ndft_filter_open("naive", &filter, &err), NDFT_EINVAL); /* no backend */
    assert_non_null(strstr(err.message, "no variant matches 'naive'; nearest: naive.cpu"));
    assert_int_equal(ndft_filter_open("naive(", &filter, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "no regular expression"));
    assert_int_equal(ndft_filter_open("n+*+aive.*", &filter, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "'n+*+aive.*' repeats a repetition"));
    assert_int_equal(ndft_filter_open("(((((((((n*)*)*)*)*)*)*)*)*)*", &filter, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "repeats more than 255 times"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knobs_print_in_declared_order),
        cmocka_unit_test(bad_knobs_are_named),
        cmocka_unit_test(registered_ids_round_trip),
        cmocka_unit_test(short_ids_leave_presets_out),
        cmocka_unit_test(unknown_variants_have_neighbours),
        cmocka_unit_test(filters_are_anchored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
