/* SPDX-License-Identifier: Apache-2.0 */
#include "rivals.h"

#include "naming/mode.h"
#include "records/fields.h"

#include "show.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_peer(const json_t *record)
{
    return json_is_object(json_object_get(record, "peer"));
}

static bool is_in(const json_t *record, ndft_mode mode)
{
    return !strcmp(ndft_field_text(record, "mode"), ndft_mode_name(mode));
}

void ndft_rivals_take(json_t *kept, const json_t *record)
{
    if (strcmp(ndft_field_text(record, "verdict"), "pass")) return;
    if (!is_in(record, NDFT_BATCH) && !is_in(record, NDFT_GRAPH)) return;
    if (!(ndft_field_number(record, "median_s") > 0)) return;
    json_array_append_new(kept, json_deep_copy(record));
}

/* Seconds before the first execution; of ours the points are in the plan. */
static double before(const json_t *record)
{
    const double setpts = ndft_field_number(record, "setpts_s");
    return ndft_field_number(record, "plan_s") + (isnan(setpts) ? 0 : setpts);
}

static double seconds(const json_t *record) { return ndft_field_number(record, "median_s"); }

static void print_seconds(double value)
{
    char text[NDFT_SHOWN];
    printf("  %10s", ndft_show_seconds(value, text));
}

static void print_row(const json_t *record, int width)
{
    static const int executions[] = {1, 10, 100};
    printf("%-*s", width, ndft_field_text(record, "variant"));
    print_seconds(ndft_field_number(record, "plan_s"));
    print_seconds(ndft_field_number(record, "setpts_s"));
    for (int i = 0; i < 3; i++) print_seconds(before(record) + executions[i] * seconds(record));
    print_seconds(seconds(record));
    putchar('\n');
}

/* From how many executions on ours takes less; 0: never. */
static double passes_from(const json_t *ours, const json_t *peer)
{
    const double plan = before(ours) - before(peer), gain = seconds(peer) - seconds(ours);
    if (gain <= 0) return 0;
    return plan < gain ? 1 : floor(plan / gain) + 1;
}

static void print_passing(const json_t *some, const json_t *peer)
{
    const json_t *first = NULL, *record;
    size_t i;
    double least = INFINITY;
    json_array_foreach(some, i, record)
    {
        const double from = is_peer(record) ? 0 : passes_from(record, peer);
        if (from == 0 || from >= least) continue;
        least = from;
        first = record;
    }
    const char *name = ndft_field_text(peer, "variant");
    const int length = (int)strcspn(name, ":");
    if (first)
        printf("%s is the first to pass %.*s, from %.0f execution%s on\n",
               ndft_field_text(first, "variant"), length, name, least, least == 1 ? "" : "s");
    else
        printf("none of ours passes %.*s, however many the executions\n", length, name);
}

static void print_alone(const json_t *record)
{
    const char *command = ndft_field_text(json_object_get(record, "peer"), "alone");
    if (*command) printf("%s without ndft: %s\n", ndft_field_text(record, "variant"), command);
}

static void print_table(const json_t *some, ndft_mode mode)
{
    const json_t *record;
    size_t i;
    char title[64];
    int width =
        snprintf(title, sizeof title, "plan, set-points, N executions (%s)", ndft_mode_name(mode));
    json_array_foreach(some, i, record)
    {
        const int length = (int)strlen(ndft_field_text(record, "variant"));
        if (length > width) width = length;
    }
    printf("\n%-*s  %10s  %10s  %10s  %10s  %10s  %10s\n", width, title, "plan", "set-points",
           "N = 1", "N = 10", "N = 100", "each more");
    json_array_foreach(some, i, record) print_row(record, width);
    json_array_foreach(some, i, record) if (is_peer(record)) print_passing(some, record);
    json_array_foreach(some, i, record) print_alone(record);
}

static void print_mode(const json_t *kept, ndft_mode mode)
{
    json_t *some = json_array(), *record;
    size_t i;
    bool peers = false;
    json_array_foreach(kept, i, record)
    {
        if (!is_in(record, mode)) continue;
        json_array_append(some, record);
        peers |= is_peer(record);
    }
    if (peers) print_table(some, mode);
    json_decref(some);
}

void ndft_rivals_print(const json_t *kept)
{
    print_mode(kept, NDFT_BATCH);
    print_mode(kept, NDFT_GRAPH);
}
