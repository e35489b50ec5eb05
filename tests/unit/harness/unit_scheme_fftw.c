/* SPDX-License-Identifier: Apache-2.0 */
#include "id.h"
#include "naming/filter.h"
#include "traits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Engines, whose stages are chosen by knobs, and schemes, the names published for some choices. */

static void assert_prints(const char *id, const char *printed)
{
    char text[NDFT_ID_MAX];
    ndft_candidate candidate;
    ndft_error err = {0};
    if (ndft_id_parse(id, &candidate, &err) != NDFT_OK) fail_msg("%s: %s", id, err.message);
    ndft_id_print(&candidate, text, sizeof text);
    assert_string_equal(text, printed);
}

static bool built_on_cuda(void)
{
    const ndft_registered *entry = ndft_registered_find("nufft.cuda", strlen("nufft.cuda"));
    if (!entry->variant) print_message("skipped: nufft.cuda is not built\n");
    return entry->variant;
}

static void published_ids_print_as_they_were(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "nufft_scatter.cpu:sigma=150,window=es,weights=table,width=6,field=segments,tile=32",
        "nufft_hybrid.cpu:sigma=200,window=kb,weights=polynomial,width=0,field=svd,tile=16",
        "nufft_output_driven.cpu:sigma=125,window=gaussian,weights=polynomial,width=0,field="
        "hanning,"
        "tile=0,np=128"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) assert_prints(ids[i], ids[i]);
    assert_prints("nufft_hybrid.cpu", "nufft_hybrid.cpu:sigma=200,window=kb,weights=polynomial,"
                                      "width=0,field=svd,tile=0");
}

/* Also where no stage of theirs is built. */
static void published_ids_on_cuda_print_as_they_were(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "nufft_scatter.cuda:sigma=150,window=es,weights=table,width=6,field=segments,"
        "fft=own,length=16,height=4,share=2",
        "nufft_subproblem.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
        "fft=vendor,length=0,height=8,samples=64",
        "nufft_hybrid.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
        "fft=auto,tile=4,most=0,trajectory=online",
        "nufft_gather.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
        "fft=auto,cells=8,most=128",
        "nufft_output_driven.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
        "fft=auto,tile=0,np=64,barrier=point,most=1024,padding=published",
        "nufft_interleaved.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
        "length=8,height=4,lanes=2",
        "nufft_gemm.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
        "fft=auto,samples=64"};
    if (!built_on_cuda()) skip();
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) assert_prints(ids[i], ids[i]);
    /* of before there was a choice of transforms */
    assert_prints("nufft_gemm.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
                  "samples=64",
                  ids[6]);
}

/* Grids of one layout go from one stage to the next, and a tile's rows go to them by pairs. */
static void settings_that_do_not_go_together_are_unsupported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"spread=output_driven,tile=9", "tile's edge must be an even number of cells"},
        {"interpolate=interleaved", "spread=interleaved or none would do"},
        {"spread=interleaved", "which interpolate=interleaved alone reads"},
        {"spread=interleaved,interpolate=interleaved", "transform=interleaved would do"},
        {"spread=none,interpolate=interleaved", "transform=cufft makes planar ones"},
        {"transform=interleaved", "which interpolate=interleaved alone reads"},
        {"spread=none", "spread=none is for interleaved grids alone"},
        {"spread=none,interpolate=subproblem", "spread=none is for interleaved grids alone"},
        {"spread=none,interpolate=rows", "spread=none is for interleaved grids alone"}};
    if (!built_on_cuda()) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char id[NDFT_ID_MAX];
        ndft_candidate candidate;
        ndft_error err = {0};
        const ndft_problem p = {.dim = 1};
        const ndft_device device = {.backend = "cuda"};
        snprintf(id, sizeof id, "nufft.cuda:%s", rows[i][0]);
        assert_int_equal(ndft_id_parse(id, &candidate, &err), NDFT_OK);
        const char *why = candidate.entry->variant->unsupported(&p, &device, candidate.knobs);
        assert_non_null(why);
        if (!strstr(why, rows[i][1])) fail_msg("%s: '%s'", id, why);
    }
}

/* Rows of cells have none of their own. */
static void interpolation_by_rows_goes_with_the_knobs_of_spreading(void **state)
{
    (void)state;
    if (!built_on_cuda()) skip();
    assert_prints("nufft.cuda:spread=hybrid,interpolate=rows",
                  "nufft.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
                  "spread=hybrid,interpolate=rows,transform=cufft,fft=auto,tile=0,most=0,"
                  "trajectory=memory");
}

/* Interpolation by products has those of spreading so, beside the others' own. */
static void interpolation_by_products_has_a_knob(void **state)
{
    (void)state;
    if (!built_on_cuda()) skip();
    assert_prints("nufft.cuda:interpolate=gemm",
                  "nufft.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
                  "spread=scatter,interpolate=gemm,transform=cufft,fft=auto,length=32,height=2,"
                  "share=0,samples=256");
}

/* Knobs of two stages that share a name share a value, which stands once. */
static void stages_share_knobs_of_one_name(void **state)
{
    (void)state;
    if (!built_on_cuda()) skip();
    assert_prints("nufft.cuda:spread=hybrid,interpolate=output_driven,tile=8",
                  "nufft.cuda:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
                  "spread=hybrid,interpolate=output_driven,transform=cufft,fft=auto,tile=8,most=0,"
                  "trajectory=memory,np=32,barrier=auto,padding=least");
}

static void knobs_that_do_not_matter_are_not_printed(void **state)
{
    (void)state;
    const char *hybrid = "nufft.cpu:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
                         "spread=hybrid,interpolate=sorted,tile=0";
    assert_prints("nufft.cpu:spread=hybrid", hybrid);
    assert_prints("nufft.cpu:np=128,spread=hybrid", hybrid);
    assert_prints("nufft.cpu:np=128,spread=output_driven,interpolate=unsorted",
                  "nufft.cpu:sigma=200,window=kb,weights=polynomial,width=0,field=svd,"
                  "spread=output_driven,interpolate=unsorted,tile=0,np=128");
}

static void what_a_scheme_fixes_is_no_knob_of_its(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"nufft_hybrid.cpu:spread=scatter", "nufft_hybrid.cpu has no knob 'spread'"},
        {"nufft_scatter.cpu:np=64", "nufft_scatter.cpu has no knob 'np'"},
        {"nufft.cpu:spread=hybird", "knob spread cannot be 'hybird'; nearest: hybrid"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ndft_candidate candidate;
        ndft_error err = {0};
        assert_int_equal(ndft_id_parse(rows[i][0], &candidate, &err), NDFT_EINVAL);
        if (!strstr(err.message, rows[i][1])) fail_msg("'%s'", err.message);
    }
}

static void engines_take_part_by_name(void **state)
{
    (void)state;
    ndft_filter filter;
    ndft_error err = {0};
    const ndft_registered *engine = ndft_registered_find("nufft.cpu", strlen("nufft.cpu"));
    assert_true(ndft_is_engine(engine));
    static const char *const expressions[] = {"nufft[.]cpu", ".*", "nufft_.*"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ndft_filter_open(expressions[i], &filter, &err), NDFT_OK);
        assert_true(ndft_filter_match(&filter, engine) == (i == 0));
        ndft_filter_close(&filter);
    }
}

/* A change of one stage leaves the records of schemes without it standing. */
static void build_ids_are_those_of_the_stages(void **state)
{
    (void)state;
    static const char *const names[] = {"nufft.cpu", "nufft_scatter.cpu", "nufft_hybrid.cpu",
                                        "nufft_output_driven.cpu"};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(ndft_registered_find(names[i], strlen(names[i]))->build_id,
                                    ndft_registered_find(names[j], strlen(names[j]))->build_id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_ids_print_as_they_were),
        cmocka_unit_test(published_ids_on_cuda_print_as_they_were),
        cmocka_unit_test(settings_that_do_not_go_together_are_unsupported),
        cmocka_unit_test(interpolation_by_rows_goes_with_the_knobs_of_spreading),
        cmocka_unit_test(interpolation_by_products_has_a_knob),
        cmocka_unit_test(stages_share_knobs_of_one_name),
        cmocka_unit_test(knobs_that_do_not_matter_are_not_printed),
        cmocka_unit_test(what_a_scheme_fixes_is_no_knob_of_its),
        cmocka_unit_test(engines_take_part_by_name),
        cmocka_unit_test(build_ids_are_those_of_the_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
