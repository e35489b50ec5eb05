/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include "base/peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* How transforms are asked of VkFFT: its adapter with a library of sums, on the processor. The path
 * comes from the build. */

extern const ndft_variant ndft_vkfft_cuda;

static const ndft_registered vkfft = {
    "vkfft", "cpu", &ndft_vkfft_cuda, "0123456789abcdef", NULL, NULL, NDFT_UNIFORM, "", false};

static void take(void *context, const ndft_result *result)
{
    *(ndft_check *)context = result->check;
}

static ndft_check checked(const char *text, int threads)
{
    ndft_case c;
    ndft_check check;
    ndft_error err;
    const ndft_candidate candidate = {.entry = &vkfft, .knobs = {0, threads}};
    const ndft_group_options options = {.timing = ndft_timing_defaults};
    if (ndft_case_parse(text, &c, &err) != NDFT_OK) fail_msg("%s", err.message);
    assert_int_equal(ndft_run_group(ndft_kind_of(&c), &c, &ndft_backend_cpu, &candidate, 1,
                                    &options, &(ndft_sink){take, &check}, &err),
                     NDFT_OK);
    return check;
}

static void layouts_arrive(void **state)
{
    static const char *const all[] = {
        "uniform:scfo30", "uniform:dcbo7*3", "uniform:scfi12*5", "uniform:scbo8x6*2",
        "uniform:dcfi5x6x7", "uniform:scfo3x4x5*2", "uniform:srfo12*3", "uniform:drfo9x4*2",
        "uniform:srfo6x5x4", "uniform:drbo12*3", "uniform:srbo9x4", "uniform:drbo7x5x3*2",
        "uniform:srfi10*4", "uniform:drfi9x4*2", "uniform:drbi8x6*2", "uniform:srbi5x3x4",
        /* M, both batches, and gaps along N1 */
        "uniform:scfo5.9", "uniform:dcbo3.8*4", "uniform:scfo2.5x6*3", "uniform:dcfi3.4x3x5",
        "uniform:scfo16*4i1,1,20", "uniform:scfo16*4i1,2,40o1,1,16", "uniform:dcfo2.6*2o1,3,19",
        "uniform:scfo9*3i1,1,12o1,1,11", "uniform:scfo8x5*2i1,1,10,60o1,1,9,50",
        "uniform:drbi8x6*2i1,1,7,50o1,1,14,100", "uniform:drfo9x3*2i1,1,11,40o1,1,6,20"};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const ndft_check check = checked(all[i], 0);
        if (check.verdict != NDFT_PASS)
            fail_msg("%s: %s, %s", all[i], ndft_verdict_name(check.verdict), check.reason);
        assert_true(check.plan_s > 0 && check.setpts_s == 0);
    }
}

static void refuses(const char *text, const char *why)
{
    const ndft_check check = checked(text, 0);
    if (check.verdict != NDFT_UNSUPPORTED || !strstr(check.reason, why))
        fail_msg("%s: %s, %s", text, ndft_verdict_name(check.verdict), check.reason);
}

static void what_it_does_not_serve_is_unsupported(void **state)
{
    (void)state;
    refuses("uniform:srfo2.8", "no M");
    refuses("uniform:srfo8*2i1,2,20", "no M");
    refuses("uniform:srfo8*3i1,1,9", "even places");
    refuses("uniform:srfo1x8", "real transform of one number");
    refuses("uniform:scfo1*4", "no transform of one number");
    refuses("uniform:scfo9 load=zero_pad:5", "no callbacks");
    refuses("uniform:scfo9 tol=1e-8", "above tol");
}

static void what_it_refuses_is_unsupported(void **state)
{
    (void)state;
    const ndft_check check = checked("uniform:scfo30", 512);
    assert_int_equal(check.verdict, NDFT_UNSUPPORTED);
    assert_non_null(strstr(check.reason, "VKFFT_ERROR_UNSUPPORTED_FFT_LENGTH"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_arrive),
        cmocka_unit_test(what_it_does_not_serve_is_unsupported),
        cmocka_unit_test(what_it_refuses_is_unsupported),
    };
    setenv("NDFT_VKFFT", NDFT_FAKE_VKFFT, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
