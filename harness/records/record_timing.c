/* SPDX-License-Identifier: Apache-2.0 */
#include "record_timing.h"

#include <math.h>

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *text(const char *value) { return value ? json_string(value) : json_null(); }

static json_t *numbers(const double *values, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(array, number(values[i]));
    return array;
}

static json_t *indices(const bool *flags, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        if (flags[i]) json_array_append_new(array, json_integer(i));
    return array;
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
    static const ndft_timing none = {
        .stats = {NAN, NAN, NAN, NAN, NAN, NAN}, .clock_mhz = NAN, .state = {NAN, NAN, NAN, 0}};
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
    json_object_set_new(record, "throttled", indices(t->throttled, t->n));
    json_object_set_new(record, "state", state_json(&t->state));
}
