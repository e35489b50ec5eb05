/* SPDX-License-Identifier: Apache-2.0 */
#include "record_timing.h"

#include "measure/throttle.h"

#include <math.h>
#include <string.h>

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *text(const char *value) { return value ? json_string(value) : json_null(); }

static json_t *numbers(const double *values, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(array, number(values[i]));
    return array;
}

/* Of the flags that have one of these bits. */
static json_t *indices(const unsigned char *flags, unsigned bits, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        if (flags[i] & bits) json_array_append_new(array, json_integer(i));
    return array;
}

static json_t *rules_json(const ndft_timing *t)
{
    json_t *rules = json_object();
    for (int rule = 0; rule < NDFT_N_THROTTLE_RULES; rule++)
        json_object_set_new(rules, ndft_throttle_rule_name((ndft_throttle_rule)rule),
                            indices(t->throttled, 1u << rule, t->n));
    return rules;
}

static json_t *range_json(const ndft_range *range)
{
    if (isnan(range->mean)) return json_null();
    return json_pack("{s:o, s:o, s:o}", "mean", number(range->mean), "least", number(range->least),
                     "highest", number(range->highest));
}

/* What only a steady timing has. */
static void add_window(json_t *record, const ndft_timing *t)
{
    const bool steady = t->n && t->regime && !strcmp(t->regime, "steady");
    int blocks[2] = {0, 0};
    for (int i = 0; i < t->n && steady; i++) blocks[t->rounds[i]]++;
    json_object_set_new(record, "blocks",
                        steady ? json_pack("[i, i]", blocks[0], blocks[1]) : json_null());
    json_object_set_new(record, "min_time_s", steady ? number(t->min_time_s) : json_null());
    json_object_set_new(record, "warm_up_s", steady ? number(t->warm_up_s) : json_null());
    json_object_set_new(record, "settled", steady ? json_boolean(t->settled) : json_null());
    json_object_set_new(record, "window",
                        steady ? json_pack("{s:o, s:o}", "clock_mhz", range_json(&t->clock),
                                           "power_w", range_json(&t->power))
                               : json_null());
}

static json_t *bytes_json(double value)
{
    return isfinite(value) ? json_integer((json_int_t)value) : json_null();
}

static void add_kinds(json_t *record, const ndft_timing *t)
{
    json_object_set_new(record, "two_modes", t->n ? json_boolean(t->two_modes) : json_null());
    json_object_set_new(record, "mode_medians_s",
                        t->two_modes ? numbers(t->mode_medians, 2) : json_null());
}

/* Null where nothing is known, as on a CPU. */
static json_t *state_json(const ndft_state *state)
{
    if (isnan(state->power_w) && isnan(state->temperature_c) && isnan(state->memory_clock_mhz) &&
        !state->throttle)
        return json_null();
    json_t *reasons = json_array();
    for (int bit = 0; bit < NDFT_N_THROTTLE_BITS; bit++)
        if (state->throttle >> bit & 1)
            json_array_append_new(reasons, json_string(ndft_throttle_name(bit)));
    return json_pack("{s:o, s:o, s:o, s:o}", "power_w", number(state->power_w), "temperature_c",
                     number(state->temperature_c), "memory_clock_mhz",
                     number(state->memory_clock_mhz), "throttle", reasons);
}

static json_t *steps_json(const ndft_timing *t)
{
    if (!t->step_names || !t->n) return json_null();
    json_t *phases = json_object();
    for (int i = 0; t->step_names[i]; i++)
        json_object_set_new(phases, t->step_names[i], number(t->steps[i]));
    return phases;
}

void ndft_record_add_timing(json_t *record, const ndft_timing *timing, double coil_pairs)
{
    static const ndft_timing none = {.stats = {NAN, NAN, NAN, NAN, NAN, NAN},
                                     .clock_mhz = NAN,
                                     .state = {NAN, NAN, NAN, 0},
                                     .warm_up_s = NAN,
                                     .energy_j = NAN,
                                     .call_s = NAN,
                                     .working_set_bytes = NAN};
    const ndft_timing *t = timing ? timing : &none;
    json_object_set_new(record, "order", text(t->order));
    json_object_set_new(record, "repetitions", t->n ? json_integer(t->repetitions) : json_null());
    json_object_set_new(record, "samples_s", numbers(t->samples, t->n));
    json_object_set_new(record, "median_s", number(t->stats.median));
    json_object_set_new(record, "q1_s", number(t->stats.q1));
    json_object_set_new(record, "q3_s", number(t->stats.q3));
    json_object_set_new(record, "mad_s", number(t->stats.mad));
    json_object_set_new(record, "ci_lo_s", number(t->stats.ci_lo));
    json_object_set_new(record, "ci_hi_s", number(t->stats.ci_hi));
    json_object_set_new(record, "stop", text(t->stop));
    json_object_set_new(record, "coil_pairs_per_s", number(coil_pairs / t->stats.median));
    json_object_set_new(record, "phases_s", steps_json(t));
    json_object_set_new(record, "clocks_mhz", numbers(t->clocks, t->n));
    json_object_set_new(record, "sm_clock_mhz", number(t->clock_mhz));
    json_object_set_new(record, "throttled", indices(t->throttled, ~0u, t->n));
    json_object_set_new(record, "throttled_by", t->n ? rules_json(t) : json_null());
    json_object_set_new(record, "state", state_json(&t->state));
    json_object_set_new(record, "regime", text(t->regime));
    add_window(record, t);
    json_object_set_new(record, "host_bound", indices(t->dry, 1, t->n));
    json_object_set_new(record, "energy_j", number(t->energy_j));
    json_object_set_new(record, "host_call_s", number(t->call_s));
    json_object_set_new(record, "working_set_bytes", bytes_json(t->working_set_bytes));
    json_object_set_new(record, "pinned",
                        t->n && t->pinned >= 0 ? json_boolean(t->pinned) : json_null());
    add_kinds(record, t);
}
