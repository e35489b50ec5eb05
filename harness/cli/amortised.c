/* SPDX-License-Identifier: Apache-2.0 */
#include "amortised.h"

#include "show.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_peer(const json_t *record)
{
    return json_is_object(json_object_get(record, "peer"));
}

void ndft_amortised_take(json_t *kept, const json_t *record)
{
    const char *mode = ndft_field_text(record, "mode");
    if (strcmp(ndft_field_text(record, "verdict"), "pass") || strcmp(mode, "batch")) return;
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

static void print_passing(const json_t *kept, const json_t *peer)
{
    const json_t *first = NULL, *record;
    size_t i;
    double least = INFINITY;
    json_array_foreach(kept, i, record)
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

void ndft_amortised_print(const json_t *kept)
{
    const json_t *record;
    size_t i;
    int peers = 0, width = 0;
    json_array_foreach(kept, i, record)
    {
        const int length = (int)strlen(ndft_field_text(record, "variant"));
        peers += is_peer(record);
        if (length > width) width = length;
    }
    if (!peers) return;
    printf("\n%-*s  %10s  %10s  %10s  %10s  %10s  %10s\n", width, "plan, set-points, N executions",
           "plan", "set-points", "N = 1", "N = 10", "N = 100", "each more");
    json_array_foreach(kept, i, record) print_row(record, width);
    json_array_foreach(kept, i, record) if (is_peer(record)) print_passing(kept, record);
}
