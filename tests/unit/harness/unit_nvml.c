/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments/nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* NVML against libraries with known answers; the paths come from the build. */

static const char bus[] = "0000:01:00.0";

/* How often the fake is initialised and not shut down. */
static int open_count(void *library)
{
    int (*count)(int);
    void *symbol = dlsym(library, "fake_nvml_open_count");
    assert_non_null(symbol);
    memcpy(&count, &symbol, sizeof symbol);
    return count(0);
}

static void a_whole_library_answers(void **state)
{
    (void)state;
    ndft_nvml *nvml = ndft_nvml_open_from(NDFT_FAKE_NVML, bus);
    assert_non_null(nvml);
    ndft_state now = ndft_nvml_state(nvml);
    assert_true(now.power_w == 312.5 && now.temperature_c == 41 && now.memory_clock_mhz == 2619);
    assert_int_equal(now.throttle, NDFT_SW_POWER_CAP);
    ndft_nvml_facts facts = ndft_nvml_facts_of(nvml);
    assert_string_equal(facts.driver, "580.95.05");
    assert_int_equal(facts.ecc, 1);
    assert_int_equal(facts.mig, -1); /* not supported is not known, whatever was written */
    assert_true(facts.persistence == 1 && facts.compute_mode == 3);
    assert_true(facts.power_limit_w == 700 && facts.sm_clock_mhz == 1755);
    assert_true(facts.max_sm_clock_mhz == 1980 && facts.max_memory_mhz == 3201);
    ndft_nvml_close(nvml);
}

static void counters_are_in_seconds_and_joules(void **state)
{
    (void)state;
    ndft_nvml *nvml = ndft_nvml_open_from(NDFT_FAKE_NVML, bus);
    assert_non_null(nvml);
    ndft_counters now = ndft_nvml_counters(nvml), before = now;
    assert_true(fabs(ndft_nvml_energy(nvml) - 123456789.012) < 1e-6);
    assert_true(now.violated_s[NDFT_BY_POWER] == 0 && now.violated_s[NDFT_BY_HEAT] == 1);
    assert_true(now.violated_s[NDFT_BY_BOARD] == 3 && isnan(now.violated_s[NDFT_BY_RELIABILITY]));
    before.violated_s[NDFT_BY_HEAT] = 0.75;
    before.violated_s[NDFT_BY_BOARD] = 2.9;
    assert_true(ndft_counters_violated(&before, &now) == 0.25);
    assert_true(ndft_counters_violated(&now, &now) == 0);
    ndft_nvml_close(nvml);
    now = ndft_nvml_counters(NULL);
    assert_true(isnan(ndft_nvml_energy(NULL)) && isnan(now.violated_s[NDFT_BY_POWER]));
    assert_true(ndft_counters_violated(&before, &now) == 0);
}

static void an_old_library_answers_what_it_can(void **state)
{
    (void)state;
    ndft_nvml *nvml = ndft_nvml_open_from(NDFT_FAKE_NVML_OLD, bus);
    assert_non_null(nvml);
    ndft_state now = ndft_nvml_state(nvml);
    assert_true(isnan(now.power_w) && now.temperature_c == 41);
    assert_int_equal(now.throttle, NDFT_HW_SLOWDOWN | NDFT_HW_THERMAL_SLOWDOWN);
    ndft_nvml_facts facts = ndft_nvml_facts_of(nvml);
    assert_true(facts.persistence == -1 && facts.compute_mode == -1);
    assert_true(facts.ecc == -1 && facts.mig == -1 && isnan(facts.power_limit_w));
    assert_true(isnan(facts.max_sm_clock_mhz) && facts.sm_clock_mhz == 1755);
    assert_true(isnan(ndft_nvml_energy(nvml)));
    ndft_nvml_close(nvml);
}

static void what_is_absent_is_no_error(void **state)
{
    (void)state;
    assert_null(ndft_nvml_open_from("libnosuch-ml.so.1", bus));
    assert_null(ndft_nvml_open_from("libm.so.6", bus)); /* a library, but not this one */
    ndft_nvml_close(NULL);
    ndft_state now = ndft_nvml_state(NULL);
    assert_true(isnan(now.power_w) && isnan(now.temperature_c) && !now.throttle);
    assert_string_equal(ndft_nvml_facts_of(NULL).driver, "");
    assert_int_equal(ndft_nvml_facts_of(NULL).ecc, -1);
}

/* Shut down as often as initialised, also when the device is not to be found. */
static void nothing_stays_open(void **state)
{
    (void)state;
    void *library = dlopen(NDFT_FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    ndft_nvml *nvml = ndft_nvml_open_from(NDFT_FAKE_NVML, bus);
    assert_int_equal(open_count(library), 1);
    assert_null(ndft_nvml_open_from(NDFT_FAKE_NVML, "0000:99:00.0"));
    assert_int_equal(open_count(library), 1);
    ndft_nvml_close(nvml);
    assert_int_equal(open_count(library), 0);
    dlclose(library);
}

static void states_merge_to_the_worst(void **state)
{
    (void)state;
    ndft_state a = {200, NAN, 2600, NDFT_GPU_IDLE, NAN},
               b = {300, 50, 1500, NDFT_SW_POWER_CAP, 2e-3};
    ndft_state worst = ndft_state_merge(a, b);
    assert_true(worst.power_w == 300 && worst.temperature_c == 50);
    assert_true(worst.memory_clock_mhz == 1500 && worst.away_s == 2e-3);
    assert_int_equal(worst.throttle, NDFT_GPU_IDLE | NDFT_SW_POWER_CAP);
    assert_true(isnan(ndft_state_merge(ndft_state_blank(), ndft_state_blank()).power_w));
}

static void reasons_have_the_names_of_the_api(void **state)
{
    (void)state;
    assert_string_equal(ndft_throttle_name(0), "gpu_idle");
    assert_string_equal(ndft_throttle_name(5), "sw_thermal_slowdown");
    assert_string_equal(ndft_throttle_name(8), "display_clock_setting");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_library_answers),
        cmocka_unit_test(counters_are_in_seconds_and_joules),
        cmocka_unit_test(an_old_library_answers_what_it_can),
        cmocka_unit_test(what_is_absent_is_no_error),
        cmocka_unit_test(nothing_stays_open),
        cmocka_unit_test(states_merge_to_the_worst),
        cmocka_unit_test(reasons_have_the_names_of_the_api),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
