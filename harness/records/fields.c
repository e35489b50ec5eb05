/* SPDX-License-Identifier: Apache-2.0 */
#include "fields.h"

#include <math.h>
#include <stdbool.h>

const char *ndft_field_text(const json_t *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record, name));
    return text ? text : "";
}

double ndft_field_number(const json_t *record, const char *name)
{
    const json_t *value = json_object_get(record, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* More than half of its samples. */
static bool waited(const json_t *timing)
{
    return 2 * json_array_size(json_object_get(timing, "host_bound")) >
           json_array_size(json_object_get(timing, "samples_s"));
}

static bool host_bound(const json_t *record)
{
    const json_t *processes = json_object_get(record, "by_process");
    bool any = waited(record);
    for (size_t i = 0; i < json_array_size(processes); i++)
        any |= waited(json_array_get(processes, i));
    return any;
}

const char *ndft_field_doubt(const json_t *record)
{
    if (json_is_true(json_object_get(record, "two_modes"))) return "two modes";
    return host_bound(record) ? "host-bound" : NULL;
}

json_t *ndft_field_of_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *ndft_field_of_count(double value)
{
    return isfinite(value) ? json_integer((json_int_t)value) : json_null();
}

json_t *ndft_field_of_text(const char *text) { return text && *text ? json_string(text) : NULL; }
