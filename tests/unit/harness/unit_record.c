/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/timing_version.h"
#include "records/libraries.h"
#include "records/record.h"
#include "support/planted.h"

#include "base/host_fft.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] =
    "forward 2d n=5x4 m=17 traj=random:1 t=0 field=none grad=none mask=none coils=1 layout=planar "
    "prec=f32 tol=1e-4 data=random seed=1";

static const ndft_candidate candidate = {&planted, {PLANTED_NONE}};

static const char *text_of(const json_t *record, const char *name)
{
    return json_string_value(json_object_get(record, name));
}

static json_t *record_of(const ndft_check *check, const ndft_timing *timing)
{
    ndft_case problem;
    ndft_error err;
    const ndft_device device = {.backend = "cpu", .slug = "toy-1c"};
    const ndft_run run = {.id = "run-1"};
    assert_int_equal(ndft_case_parse(text, &problem, &err), NDFT_OK);
    const ndft_result result = {.problem = &problem,
                                .candidate = &candidate,
                                .device = &device,
                                .threads = 2,
                                .how.mode = "batch",
                                .check = *check,
                                .timing = timing,
                                .cost = {.fma = 1, .issue_slots = 2},
                                .coil_pairs = 340};
    return ndft_record_case(&run, &result);
}

static void a_record_tells_its_reference(void **state)
{
    (void)state;
    ndft_check check = ndft_check_blank();
    json_t *none = record_of(&check, NULL);
    assert_true(json_is_null(json_object_get(none, "reference")));
    assert_true(json_is_null(json_object_get(none, "reference_outputs")));
    assert_true(json_is_null(json_object_get(none, "reference_note")));
    check.reference = "sample";
    check.outputs = 1050;
    snprintf(check.reference_note, sizeof check.reference_note, "no memory");
    json_t *sampled = record_of(&check, NULL);
    assert_string_equal(text_of(sampled, "reference"), "sample");
    assert_int_equal(json_integer_value(json_object_get(sampled, "reference_outputs")), 1050);
    assert_string_equal(text_of(sampled, "reference_note"), "no memory");
    json_decref(none);
    json_decref(sampled);
}

static void a_pass_has_every_field(void **state)
{
    (void)state;
    ndft_check check = ndft_check_blank();
    check.rel_l2 = 1e-7;
    ndft_timing timing = {.n = 2, .samples = {1, 3}, .stop = "ci", .clock_mhz = NAN};
    timing.stats = ndft_stats_of(timing.samples, 2);
    json_t *record = record_of(&check, &timing);
    assert_string_equal(text_of(record, "case"), text);
    assert_string_equal(text_of(record, "variant"), "planted.cpu:fault=none");
    assert_string_equal(text_of(json_object_get(record, "knobs"), "fault"), "none");
    assert_string_equal(text_of(record, "verdict"), "pass");
    assert_string_equal(text_of(record, "mode"), "batch");
    assert_string_equal(text_of(record, "build_id"), planted.build_id);
    assert_true(json_is_null(json_object_get(record, "reason")));
    assert_true(json_is_null(json_object_get(record, "ci_lo_s"))); /* too few samples */
    assert_true(json_is_null(json_object_get(record, "sm_clock_mhz")));
    assert_true(json_real_value(json_object_get(record, "mad_s")) == 1);
    assert_true(json_real_value(json_object_get(record, "median_s")) == 2);
    assert_true(json_real_value(json_object_get(record, "coil_pairs_per_s")) == 170);
    assert_true(json_number_value(json_object_get(json_object_get(record, "cost"), "fma")) == 1);
    assert_int_equal(json_array_size(json_object_get(record, "samples_s")), 2);
    json_decref(record);
}

static void assert_json(const json_t *record, const char *field, const char *expected)
{
    json_t *value = json_loads(expected, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    assert_true(json_equal(value, json_object_get(record, field)));
    json_decref(value);
}

static void a_timing_has_every_field(void **state)
{
    (void)state;
    ndft_check check = ndft_check_blank();
    ndft_timing timing = {
        .n = 2,
        .samples = {1, 3},
        .clocks = {1500, NAN},
        .throttled = {0, 1 << NDFT_THROTTLED_BY_REASON | 1 << NDFT_THROTTLED_BY_HIGHEST},
        .repetitions = 7,
        .stop = "noise",
        .order = "abba",
        .pinned = -1,
        .step_names = (const char *[]){"fft", "convolution", NULL},
        .steps = {1, 2},
        .state = {300, 50, NAN, NDFT_SW_POWER_CAP | NDFT_HW_SLOWDOWN, 0.5}};
    json_t *record = record_of(&check, &timing);
    assert_json(record, "samples_s", "[1.0, 3.0]");
    assert_json(record, "clocks_mhz", "[1500.0, null]");
    assert_json(record, "throttled", "[1]");
    assert_json(record, "repetitions", "7");
    assert_json(record, "order", "\"abba\"");
    assert_json(record, "stop", "\"noise\"");
    assert_json(record, "phases_s", "{\"fft\": 1.0, \"convolution\": 2.0}");
    assert_json(record, "state",
                "{\"power_w\": 300.0, \"temperature_c\": 50.0, \"memory_clock_mhz\": null, "
                "\"throttle\": [\"sw_power_cap\", \"hw_slowdown\"], \"away_s\": 0.5}");
    assert_json(record, "throttled_by",
                "{\"reason\": [1], \"highest\": [1], \"round\": [], \"violation\": []}");
    assert_json(record, "blocks", "null");
    assert_json(record, "window", "null");
    assert_json(record, "pinned", "null");
    json_decref(record);
    timing.step_names = NULL;
    timing.state = ndft_state_blank();
    record = record_of(&check, &timing);
    assert_json(record, "phases_s", "null");
    assert_json(record, "state", "null");
    json_decref(record);
}

static void a_steady_timing_has_its_window(void **state)
{
    (void)state;
    ndft_check check = ndft_check_blank();
    ndft_timing timing = {.n = 3,
                          .samples = {1, 1, 3},
                          .rounds = {0, 0, 1},
                          .dry = {0, 1, 0},
                          .regime = "steady",
                          .min_time_s = 0.5,
                          .warm_up_s = 1.5,
                          .settled = true,
                          .clock = {1500, 1400, 1600},
                          .power = {NAN, NAN, NAN},
                          .energy_j = 0.25,
                          .call_s = NAN,
                          .working_set_bytes = 3e9,
                          .two_modes = true,
                          .mode_medians = {1, 3}};
    json_t *record = record_of(&check, &timing);
    assert_json(record, "regime", "\"steady\"");
    assert_json(record, "blocks", "[2, 1]");
    assert_json(record, "warm_up_s", "1.5");
    assert_json(record, "min_time_s", "0.5");
    assert_json(record, "settled", "true");
    assert_json(record, "window",
                "{\"clock_mhz\": {\"mean\": 1500.0, \"least\": 1400.0, \"highest\": 1600.0}, "
                "\"power_w\": null}");
    assert_json(record, "host_bound", "[1]");
    assert_json(record, "energy_j", "0.25");
    assert_json(record, "host_call_s", "null");
    assert_json(record, "working_set_bytes", "3000000000");
    assert_json(record, "pinned", "false");
    assert_json(record, "two_modes", "true");
    assert_json(record, "mode_medians_s", "[1.0, 3.0]");
    json_decref(record);
}

static void what_was_not_measured_is_null(void **state)
{
    (void)state;
    ndft_check check = ndft_check_blank();
    ndft_set_verdict(&check, NDFT_ERROR, "it broke");
    check.rel_l2 = INFINITY;
    json_t *record = record_of(&check, NULL);
    static const char *const null[] = {"rel_l2",           "max_err", "median_s",
                                       "coil_pairs_per_s", "stop",    "plan_s",
                                       "plan_bytes",       "bound",   "bound_fraction"};
    for (size_t i = 0; i < sizeof null / sizeof *null; i++)
        assert_true(json_is_null(json_object_get(record, null[i])));
    assert_string_equal(text_of(record, "reason"), "it broke");
    char *line = json_dumps(record, 0); /* jansson refuses what is not finite */
    assert_non_null(line);
    free(line);
    json_decref(record);
}

static void keys_follow_content(void **state)
{
    (void)state;
    const ndft_device here = {.slug = "a"}, there = {.slug = "b"};
    const ndft_registered rebuilt = {"planted",          "cpu", planted.variant,
                                     "fedcba9876543210", NULL,  NULL,
                                     NDFT_NONUNIFORM,    "",    false};
    const ndft_candidate other = {&planted, {PLANTED_NAN}}, newer = {&rebuilt, {PLANTED_NONE}};
    const ndft_sampling batch = {"batch", 1, 0}, thrice = {"batch", 3, 0}, cold = {"cold", 1, 0};
    const ndft_sampling steady = {"batch", 1, 0.5};
    char keys[9][NDFT_KEY_TEXT];
    ndft_record_key(text, &candidate, &here, &batch, keys[0]);
    ndft_record_key("another case", &candidate, &here, &batch, keys[1]);
    ndft_record_key(text, &other, &here, &batch, keys[2]);
    ndft_record_key(text, &newer, &here, &batch, keys[3]);
    ndft_record_key(text, &candidate, &there, &batch, keys[4]);
    ndft_record_key(text, &candidate, NULL, &batch, keys[5]);
    ndft_record_key(text, &candidate, &here, &thrice, keys[6]);
    ndft_record_key(text, &candidate, &here, &cold, keys[7]);
    ndft_record_key(text, &candidate, &here, &steady, keys[8]);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(keys[i], keys[j]);
    char again[NDFT_KEY_TEXT];
    ndft_record_key(text, &candidate, &here, &batch, again);
    assert_string_equal(again, keys[0]);
}

/* The same hash over what must be in it, compilers and libraries too. */
static void keys_hold_the_toolchain(void **state)
{
    (void)state;
    const ndft_device here = {.slug = "a"};
    char toolchain[512], clock[32], key[NDFT_KEY_TEXT], expected[NDFT_KEY_TEXT];
    ndft_toolchain("cpu", toolchain, sizeof toolchain);
    assert_non_null(strstr(toolchain, ndft_build_info.cc));
    assert_non_null(strstr(toolchain, ndft_host_fft_version()));
    snprintf(clock, sizeof clock, "%d 1 0", NDFT_TIMING_VERSION);
    const char *const parts[] = {
        text, "planted.cpu:fault=none", planted.build_id, "a", "batch", toolchain, clock};
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t c = 0; c <= strlen(parts[i]); c++)
            hash = (hash ^ (unsigned char)parts[i][c]) * 0x100000001b3;
    snprintf(expected, sizeof expected, "%016llx", (unsigned long long)hash);
    ndft_record_key(text, &candidate, &here, &(ndft_sampling){"batch", 1, 0}, key);
    assert_string_equal(key, expected);
}

/* Those that are not there are null, and named all the same. */
static void the_header_names_libraries(void **state)
{
    (void)state;
    static const char *const names[] = {"libc",  "fftw",  "cuda_runtime", "cuda_driver",
                                        "cufft", "nvrtc", "nvjitlink",    "jansson"};
    json_t *libraries = ndft_libraries();
    assert_int_equal(json_object_size(libraries), sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(json_object_get(libraries, names[i]));
    json_decref(libraries);
}

static void arguments_become_relative(void **state)
{
    (void)state;
    char cwd[1024], argument[2100], out[4096];
    assert_non_null(getcwd(cwd, sizeof cwd));
    snprintf(argument, sizeof argument, "--output=%s/a/b.jsonl", cwd);
    ndft_relative_argument(argument, out, sizeof out);
    assert_string_equal(out, "--output=a/b.jsonl");
    ndft_relative_argument("/elsewhere/bin/ndft", out, sizeof out);
    assert_string_equal(out, "ndft");
    ndft_relative_argument("forward 2d field=file:/data/map.npy m=3 x/y", out, sizeof out);
    assert_string_equal(out, "forward 2d field=file:map.npy m=3 x/y");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_has_every_field),
        cmocka_unit_test(a_record_tells_its_reference),
        cmocka_unit_test(a_timing_has_every_field),
        cmocka_unit_test(a_steady_timing_has_its_window),
        cmocka_unit_test(what_was_not_measured_is_null),
        cmocka_unit_test(keys_follow_content),
        cmocka_unit_test(keys_hold_the_toolchain),
        cmocka_unit_test(the_header_names_libraries),
        cmocka_unit_test(arguments_become_relative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
