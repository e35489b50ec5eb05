/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include "cli/show.h"
#include "naming/verdict.h"
#include "records/record.h"

#include <math.h>
#include <stdio.h>

/* Samples that a record holds. */
enum { MOST_KEPT = 200 };

static int devices_of(const ndft_contestant *one) { return one->n ? one->n : 1; }

static double efficiency(const ndft_scaled *s, const ndft_contestant *one)
{
    return s->all[0].time.median / (devices_of(one) * one->time.median);
}

static void print_row(const ndft_scaled *s, const ndft_contestant *one)
{
    char number[24] = "plain", time[NDFT_SHOWN], error[NDFT_SHOWN], interval[NDFT_SHOWN] = "-";
    const double half = 50 * (one->time.ci_hi - one->time.ci_lo) / one->time.median;
    if (one->n) snprintf(number, sizeof number, one->by_ranks ? "%d ranks" : "%d", one->n);
    if (isfinite(half)) snprintf(interval, sizeof interval, "+-%.2f %%", half);
    printf("%-8s  %-6s  %10s  %9s  %8.1f %%  %10s  %s%s%s\n", number,
           one->in_parts ? "parts" : "whole", ndft_show_seconds(one->time.median, time), interval,
           100 * efficiency(s, one),
           isfinite(one->difference) ? ndft_show_error(one->difference, error) : "-", one->split,
           *one->split ? ": " : "", one->engine);
}

static void print_error(const ndft_scaled *s)
{
    char error[NDFT_SHOWN];
    if (isfinite(s->all[0].error))
        printf("the plain plan's result is %s from the reference\n",
               ndft_show_error(s->all[0].error, error));
    if (s->contest->iterations)
        printf("times are of %d iterations of conjugate gradients; of the residual they leave %s\n",
               s->contest->iterations, ndft_show_error(s->all[0].residual, error));
}

void ndft_scaled_print(const ndft_scaled *s)
{
    char line[NDFT_CASE_MAX];
    const int threads = s->contest->each.threads ? s->contest->each.threads : 1;
    ndft_case_print(&s->contest->problem, line, sizeof line);
    printf("%s\non %s, %d thread%s of the host each\n", line, s->contest->exec[0]->device.name,
           threads, threads > 1 ? "s" : "");
    printf("%-8s  %-6s  %10s  %9s  %10s  %10s  %s\n", "devices", "arrays", "time", "+-",
           "efficiency", "difference", "what");
    for (int i = 0; i < s->n; i++) print_row(s, &s->all[i]);
    print_error(s);
}

static json_t *numbers(const double *values, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(array, ndft_field_of_number(values[i]));
    return array;
}

static json_t *time_json(const ndft_contestant *one, int samples)
{
    const ndft_stats *t = &one->time;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "samples_s",
                     numbers(one->seconds, samples < MOST_KEPT ? samples : MOST_KEPT), "median_s",
                     ndft_field_of_number(t->median), "q1_s", ndft_field_of_number(t->q1), "q3_s",
                     ndft_field_of_number(t->q3), "ci_lo_s", ndft_field_of_number(t->ci_lo),
                     "ci_hi_s", ndft_field_of_number(t->ci_hi), "clocks_mhz",
                     numbers(one->clock_mhz, devices_of(one)));
}

static json_t *moved_json(const ndft_moved *moved)
{
    return json_pack("{s:f, s:f, s:f}", "in", moved->in, "out", moved->out, "sum", moved->sum);
}

/* What the model was told of links; NULL: nobody measured them. */
static json_t *link_json(const ndft_contest *c)
{
    if (!(c->link_bytes_s > 0)) return NULL;
    return json_pack("{s:f, s:f}", "bytes_s", c->link_bytes_s, "step_s", c->link_step_s);
}

static const char *build_of(const ndft_contestant *one)
{
    ndft_candidate engine;
    ndft_error ignored;
    const ndft_status status = ndft_id_parse(one->engine, &engine, &ignored);
    return status == NDFT_OK ? engine.entry->build_id : NULL;
}

json_t *ndft_scaled_record(const ndft_scaled *s, const char *run, int i)
{
    char line[NDFT_CASE_MAX];
    const ndft_contestant *one = &s->all[i];
    ndft_case_print(&s->contest->problem, line, sizeof line);
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:s, s:i, s:b, s:b, s:i, s:s, s:s?, s:o, s:o, s:o, "
        "s:o, s:o?, s:o, s:o?, s:s?}",
        "type", "scaling", "run", run, "case", line, "problem",
        ndft_record_problem(&s->contest->problem), "backend", s->contest->backend->name, "device",
        s->contest->exec[0]->device.slug, "variant", one->engine, "asked",
        s->contest->variant ? s->contest->variant : "", "gpus", devices_of(one), "ranks",
        one->by_ranks, "plain", !one->n, "iterations", s->contest->iterations, "arrays",
        one->in_parts ? "parts" : "whole", "split", *one->split ? one->split : NULL, "efficiency",
        ndft_field_of_number(efficiency(s, one)), "difference",
        ndft_field_of_number(one->difference), "rel_l2", ndft_field_of_number(one->error),
        "residual", ndft_field_of_number(one->residual), "same_bits",
        one->same_bits < 0 ? NULL : json_boolean(one->same_bits), "moved_bytes",
        moved_json(&one->moved), "link", link_json(s->contest), "build_id", build_of(one));
    json_object_update_new(record, time_json(one, s->samples));
    return record;
}
