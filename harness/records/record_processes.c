/* SPDX-License-Identifier: Apache-2.0 */
#include "record_processes.h"

#include "fields.h"
#include "measure/stats.h"
#include "naming/verdict.h"

#include <math.h>
#include <string.h>

static void put(json_t *record, const char *name, double value)
{
    json_object_set_new(record, name, ndft_field_of_number(value));
}

bool ndft_record_is_timed(const json_t *record)
{
    return ndft_field_number(record, "median_s") > 0;
}

/* From what may have been a slip to what took the process along. */
static const ndft_verdict severity[] = {NDFT_PASS,      NDFT_NOT_BUILT, NDFT_UNSUPPORTED,
                                        NDFT_UNTRUSTED, NDFT_ERROR,     NDFT_WRONG,
                                        NDFT_TIMEOUT,   NDFT_CRASHED};

static int severity_of(const json_t *record)
{
    int place = 0;
    while (place < 7 && severity[place] != ndft_verdict_find(ndft_field_text(record, "verdict")))
        place++;
    return place;
}

static const char *const own[] = {
    "verdict",   "samples_s",    "median_s",     "q1_s",        "q3_s",     "mad_s",
    "ci_lo_s",   "ci_hi_s",      "stop",         "repetitions", "phases_s", "clocks_mhz",
    "throttled", "sm_clock_mhz", "state",        "plan_s",      "chosen",   "regime",
    "energy_j",  "host_call_s",  "two_modes",    "window",      "blocks",   "warm_up_s",
    "settled",   "min_time_s",   "throttled_by", "host_bound",  "pinned",   "mode_medians_s"};
/* Of these there is no joint list: readers put those of the processes one after the other. */
static const char *const lists[] = {"samples_s", "clocks_mhz", "throttled", "host_bound"};
static const char *const errors[] = {"rel_l2", "max_err", "adjoint_err"};

static json_t *by_process(const json_t *records)
{
    json_t *all = json_array();
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *record = json_array_get(records, i);
        const bool timed = ndft_record_is_timed(record);
        json_t *one = json_object();
        for (size_t k = 0; k < (timed ? sizeof own / sizeof *own : 1); k++) {
            json_t *value = json_object_get(record, own[k]);
            if (value) json_object_set(one, own[k], value);
        }
        json_array_append_new(all, one);
    }
    return all;
}

static ndft_processes_stats stats_of(const json_t *records)
{
    enum { MOST = 100 };
    ndft_stats of[MOST];
    const int n = (int)json_array_size(records);
    for (int i = 0; i < n; i++) {
        const json_t *record = json_array_get(records, (size_t)i);
        of[i] = (ndft_stats){.median = ndft_field_number(record, "median_s"),
                             .ci_lo = ndft_field_number(record, "ci_lo_s"),
                             .ci_hi = ndft_field_number(record, "ci_hi_s")};
    }
    return ndft_stats_of_processes(of, n);
}

static bool two_modes(const json_t *record)
{
    return json_is_true(json_object_get(record, "two_modes"));
}

static bool interrupted(const json_t *record)
{
    return !strcmp(ndft_field_text(record, "stop"), "interrupted");
}

static bool any_is(const json_t *records, bool (*is)(const json_t *))
{
    bool any = false;
    for (size_t i = 0; i < json_array_size(records); i++) any |= is(json_array_get(records, i));
    return any;
}

static void put_largest_errors(json_t *joined, const json_t *records)
{
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        double largest = NAN;
        for (size_t i = 0; i < json_array_size(records); i++)
            largest = fmax(largest, ndft_field_number(json_array_get(records, i), errors[e]));
        put(joined, errors[e], largest);
    }
}

static json_t *join_timed(const json_t *records, int wanted)
{
    const ndft_processes_stats stats = stats_of(records);
    json_t *joined = json_copy(json_array_get(records, (size_t)stats.middle));
    const double work =
        ndft_field_number(joined, "coil_pairs_per_s") * ndft_field_number(joined, "median_s");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_object_set_new(joined, lists[i], json_array());
    json_object_set_new(joined, "throttled_by", json_null());
    put(joined, "median_s", stats.median);
    put(joined, "ci_lo_s", stats.ci_lo);
    put(joined, "ci_hi_s", stats.ci_hi);
    put(joined, "coil_pairs_per_s", work / stats.median);
    put_largest_errors(joined, records);
    json_object_set_new(joined, "two_modes",
                        json_boolean(stats.two_modes || any_is(records, two_modes)));
    if ((int)json_array_size(records) < wanted || any_is(records, interrupted))
        json_object_set_new(joined, "stop", json_string("interrupted"));
    return joined;
}

static bool differ(const json_t *records)
{
    for (size_t i = 1; i < json_array_size(records); i++)
        if (severity_of(json_array_get(records, i)) != severity_of(json_array_get(records, 0)))
            return true;
    return false;
}

/* The record of the worst verdict, with its process; the times of the others are in by_process. */
static json_t *join_worst(const json_t *records, int wanted)
{
    size_t worst = 0;
    for (size_t i = 1; i < json_array_size(records); i++)
        if (severity_of(json_array_get(records, i)) > severity_of(json_array_get(records, worst)))
            worst = i;
    json_t *joined = json_copy(json_array_get(records, worst));
    if (differ(records))
        json_object_set_new(joined, "reason",
                            json_sprintf("in process %zu of %d: %s", worst + 1, wanted,
                                         ndft_field_text(joined, "reason")));
    return joined;
}

json_t *ndft_record_join(const json_t *records, int wanted)
{
    bool timed = true;
    for (size_t i = 0; i < json_array_size(records); i++)
        timed &= ndft_record_is_timed(json_array_get(records, i));
    if (!timed && json_array_size(records) == 1) return json_copy(json_array_get(records, 0));
    json_t *joined = timed ? join_timed(records, wanted) : join_worst(records, wanted);
    json_object_set_new(joined, "by_process", by_process(records));
    return joined;
}
