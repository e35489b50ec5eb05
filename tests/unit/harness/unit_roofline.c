/* SPDX-License-Identifier: Apache-2.0 */
#include "peak/ceilings.h"
#include "peak/peak.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Bounds from costs and ceilings, and ceilings kept on disk. */

static json_t *parse(const char *text)
{
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    return json;
}

static json_t *ceilings(void)
{
    return parse(
        "[{\"resource\": \"fma\", \"value\": 1e13}, {\"resource\": \"special\", \"value\": "
        "4e12}, {\"resource\": \"fma_f64\", \"value\": 5e12}, {\"resource\": "
        "\"issue_slots\", \"value\": 3e13}, {\"resource\": \"launch\", \"value\": 1e5}, "
        "{\"resource\": \"tensor_f16_wgmma\", \"value\": null, \"note\": \"no\"}]");
}

static json_t *record(const char *prec, const char *cost)
{
    json_t *made =
        json_pack("{s:s+, s:f}", "case", "forward 2d n=4x4 m=16 prec=", prec, "median_s", 2.0);
    json_object_set_new(made, "cost", parse(cost));
    return made;
}

static double number_at(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static const char cost[] = "{\"fma\": 1e13, \"special\": 6e12, \"issue_slots\": 3e13, \"add\": 1e9,"
                           " \"integer\": 0, \"launches\": 2e4}";

static void largest_bound_counts(void **state)
{
    (void)state;
    json_t *roofs = ceilings(), *result = record("f32", cost);
    ndft_roofline_add(result, roofs);
    const json_t *bounds = json_object_get(result, "bounds_s");
    assert_int_equal(json_object_size(bounds), 4); /* add has no ceiling, integer no cost */
    assert_float_equal(number_at(bounds, "fma"), 1, 1e-12);
    assert_float_equal(number_at(bounds, "special"), 1.5, 1e-12);
    assert_float_equal(number_at(bounds, "issue_slots"), 1, 1e-12);
    assert_float_equal(number_at(bounds, "launches"), 0.2, 1e-12);
    assert_string_equal(json_string_value(json_object_get(result, "bound")), "special");
    assert_float_equal(number_at(result, "bound_fraction"), 0.75, 1e-12);
    json_decref(roofs);
    json_decref(result);
}

static void double_has_its_own_arithmetic(void **state)
{
    (void)state;
    json_t *roofs = ceilings(), *result = record("f64", cost);
    ndft_roofline_add(result, roofs);
    const json_t *bounds = json_object_get(result, "bounds_s");
    assert_float_equal(number_at(bounds, "fma"), 2, 1e-12);
    assert_null(json_object_get(bounds, "special"));
    assert_float_equal(number_at(bounds, "issue_slots"), 1, 1e-12);
    assert_float_equal(number_at(result, "bound_fraction"), 1, 1e-12);
    json_decref(roofs);
    json_decref(result);
}

static void assert_unbound(json_t *result, const json_t *roofs)
{
    ndft_roofline_add(result, roofs);
    assert_true(json_is_null(json_object_get(result, "bounds_s")));
    assert_true(json_is_null(json_object_get(result, "bound")));
    assert_true(json_is_null(json_object_get(result, "bound_fraction")));
    json_decref(result);
}

static void nothing_known_is_null(void **state)
{
    (void)state;
    json_t *roofs = ceilings();
    assert_unbound(record("f32", cost), NULL);
    assert_unbound(record("f32", "null"), roofs);
    json_decref(roofs);
}

static void untimed_has_bounds_and_no_fraction(void **state)
{
    (void)state;
    json_t *roofs = ceilings(), *result = record("f32", cost);
    json_object_set_new(result, "median_s", json_null());
    ndft_roofline_add(result, roofs);
    assert_true(json_is_object(json_object_get(result, "bounds_s")));
    assert_true(json_is_null(json_object_get(result, "bound_fraction")));
    json_decref(roofs);
    json_decref(result);
}

static void lines_leave_out_what_has_no_value(void **state)
{
    (void)state;
    json_t *roofs = ceilings(), *lines = ndft_ceilings_lines(roofs, "r1");
    assert_int_equal(json_array_size(lines), 5);
    const json_t *first = json_array_get(lines, 0);
    assert_string_equal(json_string_value(json_object_get(first, "type")), "peak");
    assert_string_equal(json_string_value(json_object_get(first, "run")), "r1");
    assert_true(isnan(ndft_peak_value(roofs, "tensor_f16_wgmma")));
    json_decref(roofs);
    json_decref(lines);
}

static ndft_device device(void)
{
    return (ndft_device){.backend = "cuda",
                         .name = "A device",
                         .slug = "a-device",
                         .units = 3,
                         .clock_mhz = 1980,
                         .driver = "driver 1"};
}

static void assert_unknown(ndft_device other) { assert_null(ndft_ceilings_read(&other)); }

static void ceilings_hold_for_one_state_of_one_device(void **state)
{
    (void)state;
    char folder[] = "/tmp/ndft-ceilings-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    setenv("NDFT_CACHE", folder, 1);
    ndft_device own = device(), other = own;
    json_t *roofs = ceilings();
    assert_unknown(own);
    ndft_ceilings_write(&own, roofs);
    json_t *found = ndft_ceilings_read(&own);
    assert_true(json_equal(found, roofs));
    strcpy(other.driver, "driver 2");
    assert_unknown(other);
    other = own;
    other.clock_mhz = 1500;
    assert_unknown(other);
    other = own;
    other.units = 2;
    assert_unknown(other);
    setenv("NDFT_CACHE", "", 1);
    assert_unknown(own);
    setenv("NDFT_CACHE", folder, 1);
    snprintf(path, sizeof path, "%s/ceilings-a-device.json", folder);
    assert_int_equal(truncate(path, 100), 0);
    assert_unknown(own);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    json_decref(found);
    json_decref(roofs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_bound_counts),
        cmocka_unit_test(double_has_its_own_arithmetic),
        cmocka_unit_test(nothing_known_is_null),
        cmocka_unit_test(untimed_has_bounds_and_no_fraction),
        cmocka_unit_test(lines_leave_out_what_has_no_value),
        cmocka_unit_test(ceilings_hold_for_one_state_of_one_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
