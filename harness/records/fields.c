/* SPDX-License-Identifier: Apache-2.0 */
#include "fields.h"

#include <math.h>

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

json_t *ndft_field_of_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *ndft_field_of_count(double value)
{
    return isfinite(value) ? json_integer((json_int_t)value) : json_null();
}

json_t *ndft_field_of_text(const char *text) { return text && *text ? json_string(text) : NULL; }
