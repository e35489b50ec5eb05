/* SPDX-License-Identifier: Apache-2.0 */
#include "roofline.h"

#include "peak.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_double(const json_t *record)
{
    const char *text = json_string_value(json_object_get(record, "case"));
    return text && strstr(text, " prec=f64");
}

/* Whether f32 and f64 use one unit at one rate. */
static bool is_shared(const char *resource)
{
    static const char *const own[] = {"fma", "add", "special", "tensor"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(resource, own[i])) return false;
    return true;
}

static double ceiling_of(const json_t *ceilings, const char *resource, bool in_double)
{
    char name[64];
    if (!strcmp(resource, "launches")) return ndft_peak_value(ceilings, "launch");
    if (!in_double) return ndft_peak_value(ceilings, resource);
    snprintf(name, sizeof name, "%s_f64", resource);
    const double own = ndft_peak_value(ceilings, name);
    return isfinite(own) || !is_shared(resource) ? own : ndft_peak_value(ceilings, resource);
}

void ndft_roofline_add(json_t *record, const json_t *ceilings)
{
    const char *resource, *bound = NULL;
    json_t *amount, *bounds = json_object();
    double longest = 0;
    json_object_foreach(json_object_get(record, "cost"), resource, amount)
    {
        const double s =
            json_number_value(amount) / ceiling_of(ceilings, resource, is_double(record));
        if (!(s > 0)) continue;
        json_object_set_new(bounds, resource, json_real(s));
        if (s <= longest) continue;
        longest = s;
        bound = resource;
    }
    const double median = json_number_value(json_object_get(record, "median_s"));
    json_object_set(record, "bounds_s", bound ? bounds : json_null());
    json_object_set_new(record, "bound", bound ? json_string(bound) : json_null());
    json_object_set_new(record, "bound_fraction",
                        bound && median > 0 ? json_real(longest / median) : json_null());
    json_decref(bounds);
}
