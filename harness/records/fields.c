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

/* A turn of another program's, of some milliseconds; the clock that it is read from steps by 1 us.
 */
static bool shared(const json_t *timing)
{
    return ndft_field_number(json_object_get(timing, "state"), "away_s") > 1e-4;
}

/* A record, or one of its processes. */
static bool any(const json_t *record, bool (*is)(const json_t *timing))
{
    const json_t *processes = json_object_get(record, "by_process");
    bool any = is(record);
    for (size_t i = 0; i < json_array_size(processes); i++) any |= is(json_array_get(processes, i));
    return any;
}

const char *ndft_field_doubt(const json_t *record)
{
    if (any(record, shared)) return "device shared";
    if (json_is_true(json_object_get(record, "two_modes"))) return "two modes";
    return any(record, waited) ? "host-bound" : NULL;
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
