/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "fields.h"
#include "measure/throttle.h"

#include <math.h>
#include <string.h>

static json_t *numbers(const double *values, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(array, ndft_field_of_number(values[i]));
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
    if (isnan(range->mean)) return NULL;
    return json_pack("{s:o, s:o, s:o}", "mean", ndft_field_of_number(range->mean), "least",
                     ndft_field_of_number(range->least), "highest",
                     ndft_field_of_number(range->highest));
}

/* What only a steady timing has. */
static json_t *window_json(const ndft_timing *t)
{
    int blocks[2] = {0, 0};
    if (!t->n || !t->regime || strcmp(t->regime, "steady"))
        return json_pack("{s:n, s:n, s:n, s:n, s:n}", "blocks", "min_time_s", "warm_up_s",
                         "settled", "window");
    for (int i = 0; i < t->n; i++) blocks[t->rounds[i]]++;
    return json_pack("{s:[i, i], s:o, s:o, s:b, s:{s:o?, s:o?}}", "blocks", blocks[0], blocks[1],
                     "min_time_s", ndft_field_of_number(t->min_time_s), "warm_up_s",
                     ndft_field_of_number(t->warm_up_s), "settled", t->settled, "window",
                     "clock_mhz", range_json(&t->clock), "power_w", range_json(&t->power));
}

/* Null where nothing is known, as on a CPU. */
static json_t *state_json(const ndft_state *state)
{
    if (isnan(state->power_w) && isnan(state->temperature_c) && isnan(state->memory_clock_mhz) &&
        isnan(state->away_s) && !state->throttle)
        return NULL;
    json_t *reasons = json_array();
    for (int bit = 0; bit < NDFT_N_THROTTLE_BITS; bit++)
        if (state->throttle >> bit & 1)
            json_array_append_new(reasons, json_string(ndft_throttle_name(bit)));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "power_w", ndft_field_of_number(state->power_w),
                     "temperature_c", ndft_field_of_number(state->temperature_c),
                     "memory_clock_mhz", ndft_field_of_number(state->memory_clock_mhz), "throttle",
                     reasons, "away_s", ndft_field_of_number(state->away_s));
}

static json_t *steps_json(const ndft_timing *t)
{
    if (!t->step_names || !t->n) return NULL;
    json_t *phases = json_object();
    for (int i = 0; t->step_names[i]; i++)
        json_object_set_new(phases, t->step_names[i], ndft_field_of_number(t->steps[i]));
    return phases;
}

static json_t *stats_json(const ndft_stats *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "median_s", ndft_field_of_number(s->median),
                     "q1_s", ndft_field_of_number(s->q1), "q3_s", ndft_field_of_number(s->q3),
                     "mad_s", ndft_field_of_number(s->mad), "ci_lo_s",
                     ndft_field_of_number(s->ci_lo), "ci_hi_s", ndft_field_of_number(s->ci_hi));
}

json_t *ndft_record_timing(const ndft_timing *timing, double coil_pairs)
{
    static const ndft_timing none = {.stats = {NAN, NAN, NAN, NAN, NAN, NAN},
                                     .clock_mhz = NAN,
                                     .state = {NAN, NAN, NAN, 0, NAN},
                                     .warm_up_s = NAN,
                                     .energy_j = NAN,
                                     .call_s = NAN,
                                     .working_set_bytes = NAN};
    const ndft_timing *t = timing ? timing : &none;
    json_t *parts[] = {
        json_pack("{s:o?, s:o?, s:o}", "order", ndft_field_of_text(t->order), "repetitions",
                  t->n ? json_integer(t->repetitions) : NULL, "samples_s",
                  numbers(t->samples, t->n)),
        stats_json(&t->stats),
        json_pack("{s:o?, s:o, s:o?, s:o, s:o, s:o, s:o?, s:o?, s:o?}", "stop",
                  ndft_field_of_text(t->stop), "coil_pairs_per_s",
                  ndft_field_of_number(coil_pairs / t->stats.median), "phases_s", steps_json(t),
                  "clocks_mhz", numbers(t->clocks, t->n), "sm_clock_mhz",
                  ndft_field_of_number(t->clock_mhz), "throttled", indices(t->throttled, ~0u, t->n),
                  "throttled_by", t->n ? rules_json(t) : NULL, "state", state_json(&t->state),
                  "regime", ndft_field_of_text(t->regime)),
        window_json(t),
        json_pack("{s:o, s:o, s:o, s:o, s:o?, s:o?, s:o?}", "host_bound", indices(t->dry, 1, t->n),
                  "energy_j", ndft_field_of_number(t->energy_j), "host_call_s",
                  ndft_field_of_number(t->call_s), "working_set_bytes",
                  ndft_field_of_count(t->working_set_bytes), "pinned",
                  t->n && t->pinned >= 0 ? json_boolean(t->pinned) : NULL, "two_modes",
                  t->n ? json_boolean(t->two_modes) : NULL, "mode_medians_s",
                  t->two_modes ? numbers(t->mode_medians, 2) : NULL)};
    json_t *fields = json_object();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        json_object_update_new(fields, parts[i]);
    return fields;
}
