/* SPDX-License-Identifier: Apache-2.0 */
#include "ceilings.h"

#include "base/cache_file.h"
#include "base/regular.h"
#include "files/output.h"
#include "peak.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the ceilings are of; the number changes with the probes. */
static json_t *state_of(const ndft_device *d)
{
    enum { PROBES = 1 };
    return json_pack("{s:i, s:s, s:i, s:s, s:i, s:f}", "probes", PROBES, "device", d->name, "units",
                     d->units, "driver", d->driver, "isa", (int)d->isa, "clock_mhz", d->clock_mhz);
}

static bool file_name(const ndft_device *device, char *path, size_t size)
{
    char folder[NDFT_CACHE_PATH];
    if (!ndft_cache_directory(folder)) return false;
    return snprintf(path, size, "%s/ceilings-%s.json", folder, device->slug) < (int)size;
}

json_t *ndft_ceilings_read(const ndft_device *device)
{
    char path[NDFT_CACHE_PATH + 128];
    FILE *stream = file_name(device, path, sizeof path) ? ndft_open_regular(path) : NULL;
    json_t *file = stream ? json_loadf(stream, 0, NULL) : NULL;
    if (stream) fclose(stream);
    json_t *state = state_of(device), *ceilings = json_object_get(file, "ceilings");
    const bool valid = json_is_array(ceilings) && json_equal(json_object_get(file, "state"), state);
    json_t *found = valid ? json_incref(ceilings) : NULL;
    json_decref(state);
    json_decref(file);
    return found;
}

void ndft_ceilings_write(const ndft_device *device, const json_t *ceilings)
{
    char path[NDFT_CACHE_PATH + 128];
    ndft_output out;
    ndft_error ignored;
    if (!file_name(device, path, sizeof path)) return;
    if (ndft_stream_folders(path, &ignored) != NDFT_OK) return;
    if (ndft_output_open(path, NULL, &out, &ignored) != NDFT_OK) return;
    json_t *file = json_pack("{s:o, s:O}", "state", state_of(device), "ceilings", ceilings);
    json_dumpf(file, out.file, JSON_INDENT(1));
    ndft_output_close(&out, &ignored);
    json_decref(file);
}

json_t *ndft_ceilings_lines(const json_t *ceilings, const char *run)
{
    size_t i;
    const json_t *ceiling;
    json_t *lines = json_array();
    json_array_foreach(ceilings, i, ceiling)
    {
        if (!json_is_number(json_object_get(ceiling, "value"))) continue;
        json_t *line = json_pack("{s:s, s:s}", "type", "peak", "run", run);
        json_object_update(line, (json_t *)ceiling);
        json_array_append_new(lines, line);
    }
    return lines;
}

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
