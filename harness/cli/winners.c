/* SPDX-License-Identifier: Apache-2.0 */
#include "winners.h"

#include "case.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

static ndft_winner *find(ndft_winners *winners, const char *text)
{
    if (!winners->places) winners->places = json_object();
    const json_t *known = json_object_get(winners->places, text);
    if (known) return &winners->items[json_integer_value(known)];
    ndft_winner *items = realloc(winners->items, (size_t)(winners->size + 1) * sizeof *items);
    if (!items) return NULL;
    winners->items = items;
    items[winners->size] = (ndft_winner){.text = strdup(text)};
    if (!items[winners->size].text) return NULL;
    json_object_set_new(winners->places, text, json_integer(winners->size));
    return &items[winners->size++];
}

static void place(ndft_winner *w, int rank, const char *id, double median)
{
    free(w->id[1]);
    if (rank == 0) {
        w->id[1] = w->id[0];
        w->median_s[1] = w->median_s[0];
    }
    w->id[rank] = strdup(id);
    w->median_s[rank] = median;
}

void ndft_winners_take(ndft_winners *winners, const json_t *record)
{
    const char *name = json_string_value(json_object_get(record, "case"));
    const char *mode = json_string_value(json_object_get(record, "mode"));
    const char *id = json_string_value(json_object_get(record, "variant"));
    const char *verdict = json_string_value(json_object_get(record, "verdict"));
    double median = json_real_value(json_object_get(record, "median_s"));
    char text[NDFT_CASE_MAX + 32];
    bool plain = !mode || !strcmp(mode, "batch");
    snprintf(text, sizeof text, "%s%s%s", name ? name : "", plain ? "" : "  ", plain ? "" : mode);
    ndft_winner *w = name ? find(winners, text) : NULL;
    if (json_is_true(json_object_get(record, "two_modes"))) return; /* no one number */
    if (!w || !id || !verdict || strcmp(verdict, "pass") || !(median > 0)) return;
    if (!w->id[0] || median < w->median_s[0]) {
        place(w, 0, id, median);
        w->rate = json_real_value(json_object_get(record, "coil_pairs_per_s"));
    } else if (!w->id[1] || median < w->median_s[1]) {
        place(w, 1, id, median);
    }
}

void ndft_winners_print(const ndft_winners *winners, FILE *out)
{
    for (int i = 0; i < winners->size; i++) {
        const ndft_winner *w = &winners->items[i];
        char seconds[NDFT_SHOWN], rate[NDFT_SHOWN];
        fprintf(out, "%s\n", w->text);
        if (!w->id[0]) {
            fprintf(out, "    nothing passed\n");
            continue;
        }
        fprintf(out, "    %-40s %10s %10s pairs/s\n", w->id[0],
                ndft_show_seconds(w->median_s[0], seconds), ndft_show_rate(w->rate, rate));
        if (w->id[1])
            fprintf(out, "    %-40s %10s %9.2fx slower\n", w->id[1],
                    ndft_show_seconds(w->median_s[1], seconds), w->median_s[1] / w->median_s[0]);
    }
}

void ndft_winners_free(ndft_winners *winners)
{
    for (int i = 0; i < winners->size; i++) {
        free(winners->items[i].text);
        free(winners->items[i].id[0]);
        free(winners->items[i].id[1]);
    }
    free(winners->items);
    json_decref(winners->places);
    *winners = (ndft_winners){0};
}
